//! Whether a table is lawful: choices become [`Rules`], or every violation at once with its clause.
//!
//! The checks of each game stand in the file of its name; the side wagers, with their exclusion matrix, in
//! `side_wagers`; what the law leaves to notices, approvals and equipment in `notice`, as warnings.

mod attack;
mod blackjack;
mod notice;
mod side_wagers;
mod switch;

use crate::choice::{Choices, Game, HandBurn, Offered, Shoe, Shuffle, Variation};
use crate::clause::Clause;
use crate::odds::Cents;
use std::ops::Deref;

/// One violation or warning: the clause, the keys of the table file involved, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub clause: Clause,
    pub keys: Vec<String>,
    pub message: String,
}

/// What a check found. A table is lawful if there are no violations.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    pub violations: Vec<Finding>,
    pub warnings: Vec<Finding>,
}

impl Report {
    pub fn is_lawful(&self) -> bool {
        self.violations.is_empty()
    }

    fn violation(&mut self, clause: Clause, keys: &[&str], message: impl Into<String>) {
        self.violations.push(finding(clause, keys, message.into()));
    }

    fn warning(&mut self, clause: Clause, keys: &[&str], message: impl Into<String>) {
        self.warnings.push(finding(clause, keys, message.into()));
    }

    /// A violation unless the condition holds.
    fn require(&mut self, holds: bool, clause: Clause, keys: &[&str], message: &str) {
        if !holds {
            self.violation(clause, keys, message);
        }
    }
}

fn finding(clause: Clause, keys: &[&str], message: String) -> Finding {
    Finding { clause, keys: keys.iter().map(ToString::to_string).collect(), message }
}

/// The rules of a lawful table. There is no other way to make them than through the checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    choices: Choices,
}

impl Deref for Rules {
    type Target = Choices;

    #[inline]
    fn deref(&self) -> &Choices {
        &self.choices
    }
}

impl Rules {
    /// The rules, if the choices are lawful; otherwise every violation.
    pub fn new(choices: Choices) -> Result<Rules, Report> {
        let report = check(&choices);
        if report.is_lawful() { Ok(Rules { choices }) } else { Err(report) }
    }

    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// A clause as the text in force at this table numbers it.
    #[inline]
    pub fn cite(&self, clause: Clause) -> Clause {
        clause.in_force(self.choices.jurisdiction)
    }
}

/// Checks a table against its text; citations are those of the text in force.
pub fn check(choices: &Choices) -> Report {
    let mut report = Report::default();
    common(choices, &mut report);
    match choices.game {
        Game::Blackjack => blackjack::check(choices, &mut report),
        Game::Switch => switch::check(choices, &mut report),
        Game::DoubleAttack => attack::double_attack(choices, &mut report),
        Game::TripleAttack => attack::triple_attack(choices, &mut report),
    }
    side_wagers::check(choices, &mut report);
    notice::warn(choices, &mut report);
    for finding in report.violations.iter_mut().chain(&mut report.warnings) {
        finding.clause = finding.clause.in_force(choices.jurisdiction);
    }
    report
}

/// The clauses that every game has under a number of its own.
struct Common {
    wager: Clause,
    split: Clause,
    bettors: Clause,
    boxes: Clause,
    cutting_card: Clause,
    shoe: Clause,
    late_insurance: Clause,
    double_card: Clause,
    reader: Clause,
}

fn clauses(game: Game) -> Common {
    match game {
        Game::Blackjack => Common {
            wager: clause!("19:47-2.3(a)"),
            split: clause!("19:47-2.11(a)"),
            bettors: clause!("19:47-2.13(a)"),
            boxes: clause!("19:47-2.14"),
            cutting_card: clause!("19:47-2.5(d)#3"),
            shoe: clause!("19:47-2.6(a)"),
            late_insurance: clause!("19:47-2.9(b)#3"),
            double_card: clause!("19:47-2.10(c)#2"),
            reader: clause!("19:47-2.8(a)2"),
        },
        Game::Switch => Common {
            wager: clause!("19:47-2A.5(a)"),
            split: clause!("19:47-2A.11(a)"),
            bettors: clause!("19:47-2A.13(a)"),
            boxes: clause!("19:47-2A.14"),
            cutting_card: clause!("19:47-2A.4(f)#4"),
            shoe: clause!("19:47-2A.7(a)"),
            late_insurance: clause!("19:47-2A.8(a)2"),
            double_card: clause!("19:47-2A.10(b)#2"),
            reader: clause!("19:47-2A.9(a)2"),
        },
        Game::DoubleAttack => Common {
            wager: clause!("19:47-26.1 \"Initial wager\""),
            split: clause!("19:47-26.10(a)"),
            bettors: clause!("19:47-26.13(a)"),
            boxes: clause!("19:47-26.14"),
            cutting_card: clause!("19:47-26.4(e)#4"),
            shoe: clause!("19:47-26.7(a)"),
            late_insurance: clause!("19:47-26.11(b)#3"),
            double_card: clause!("19:47-26.9(a)#6"),
            reader: clause!("19:47-26.8(a)3"),
        },
        Game::TripleAttack => Common {
            wager: clause!("19:47-36.1 \"First attack wager\""),
            split: clause!("19:47-36.9(a)"),
            bettors: clause!("19:47-36.12(a)"),
            boxes: clause!("19:47-36.13"),
            cutting_card: clause!("19:47-36.4(e)#4"),
            shoe: clause!("19:47-36.7(a)"),
            late_insurance: clause!("19:47-36.10(b)#3"),
            double_card: clause!("19:47-36.8(a)#6"),
            reader: clause!("19:47-36.7(g)"),
        },
    }
}

/// One quarter of the stack, in millionths: 2.5(d)#3, 2A.4(f)#4, 26.4(e)#4, 36.4(e)#4.
const QUARTER: u32 = 250_000;

/// What every text asks for in its own words.
fn common(choices: &Choices, report: &mut Report) {
    let by = clauses(choices.game);
    let limits =
        choices.minimum > Cents::ZERO && choices.minimum <= choices.maximum && choices.chip > Cents::ZERO;
    report.require(
        limits,
        by.wager,
        &["minimum", "maximum", "chip"],
        "the minimum must be above zero and not above the maximum, and the smallest chip above zero",
    );
    report.require(
        choices.positions >= 1,
        by.wager,
        &["positions"],
        "a table needs at least one betting position",
    );
    report.require(
        choices.split_hands >= 2,
        by.split,
        &["split_hands"],
        "a player has the right to split a pair",
    );
    report.require(
        (1..=3).contains(&choices.bettors_per_box),
        by.bettors,
        &["bettors_per_box"],
        "from one to three people may wager on one box",
    );
    report.require(
        choices.boxes_per_player >= 1,
        by.boxes,
        &["boxes_per_player"],
        "a player wagers on at least one box",
    );
    let has_cutting_card = choices.shuffle != Shuffle::BartCarter && choices.shoe != Shoe::Continuous;
    let six_to_five = choices.game == Game::Blackjack && choices.variation == Variation::SixToFive;
    report.require(
        !has_cutting_card || six_to_five || choices.cut_behind.0 >= QUARTER,
        by.cutting_card,
        &["cut_behind"],
        "at least about one quarter of the stack must lie behind the cutting card",
    );
    if choices.game != Game::Blackjack {
        report.require(
            choices.shoe == Shoe::Single,
            by.shoe,
            &["shoe"],
            "the cards are dealt from one dealing shoe",
        );
        report.require(
            choices.late_insurance == Offered::No,
            by.late_insurance,
            &["late_insurance"],
            "insurance is placed right after the second cards, before any additional card",
        );
        report.require(
            choices.double_card == crate::choice::DoubleCard::Up,
            by.double_card,
            &["double_card"],
            "the card of a doubled hand is dealt face up",
        );
    }
    report.require(
        six_to_five || choices.hand_burn == HandBurn::None,
        clause!("19:47-2.6A(c)"),
        &["hand_burn", "variation"],
        "a card is burned before each round only in the 6 to 5 variation",
    );
    let at_once = choices.surrender_settled == crate::choice::SurrenderSettled::AtOnce;
    report.require(
        !at_once || choices.hole_card == crate::choice::HoleCard::Reader,
        by.reader,
        &["surrender_settled", "hole_card"],
        "a surrender against an ace or ten-value card waits for the dealer's second card, unless a reader ruled a \
         blackjack out",
    );
}

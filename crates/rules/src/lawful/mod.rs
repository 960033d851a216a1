//! Whether a table is lawful: choices become [`Rules`], or every violation at once with its clause.
//!
//! What every text asks in its own words stands here, for side wagers in `side_wagers`; what a text asks beyond that, and
//! what it leaves to notices, approvals and equipment, is a function of the text.

mod side_wagers;

use crate::choice::{Choices, HoleCard, OwnProcedure, Shoe, Shuffle, SurrenderSettled};
use crate::clause::Clause;
use crate::odds::Cents;
use crate::text::{Text, values};
use crate::wager::SideWager;
use std::ops::Deref;

/// What a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The table breaks a clause.
    Violation,
    /// Players or the regulator are to be told.
    Notice,
    /// The regulator is to approve something.
    Approval,
    /// Equipment, chips or the layout are to be provided or inspected.
    Equipment,
    /// Somebody is to be present or to act.
    Staffing,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 5] =
        [Kind::Violation, Kind::Notice, Kind::Approval, Kind::Equipment, Kind::Staffing];

    /// Returns the kind's word in documents.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Violation => "violation",
            Kind::Notice => "notice",
            Kind::Approval => "approval",
            Kind::Equipment => "equipment",
            Kind::Staffing => "staffing",
        }
    }
}

/// One violation or warning: its kind, the clause, the keys of the table file involved, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What the finding is about.
    pub kind: Kind,
    /// Whether the register must hold an entry on the finding before chips that were bought are wagered.
    pub entry: bool,
    /// The clause that is broken, or that has something to say.
    pub clause: Clause,
    /// The keys of the table file that the finding is about.
    pub keys: Vec<String>,
    /// What is wrong and what the clause would have, for people.
    pub message: String,
}

/// What a check found. A table is lawful if there are no violations.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// Everything that makes the table unlawful; the check does not stop at the first violation.
    pub violations: Vec<Finding>,
    /// What the law leaves to notices, approvals and equipment.
    pub warnings: Vec<Finding>,
}

impl Report {
    /// Returns whether the report contains no violation.
    pub fn is_lawful(&self) -> bool {
        self.violations.is_empty()
    }

    /// Notes that a clause is broken by these keys.
    pub fn violation(&mut self, clause: Clause, keys: &[&str], message: impl Into<String>) {
        self.violations.push(finding(Kind::Violation, false, clause, keys, message.into()));
    }

    /// Notes what a licensee should know of the table and need not enter anywhere.
    pub fn warning(&mut self, kind: Kind, clause: Clause, keys: &[&str], message: impl Into<String>) {
        self.warnings.push(finding(kind, false, clause, keys, message.into()));
    }

    /// Notes something that a clause asks and that only an entry in the register can show.
    pub fn requires(&mut self, kind: Kind, clause: Clause, keys: &[&str], message: impl Into<String>) {
        self.warnings.push(finding(kind, true, clause, keys, message.into()));
    }

    /// Adds a violation unless the condition holds.
    pub fn require(&mut self, holds: bool, clause: Clause, keys: &[&str], message: &str) {
        if !holds {
            self.violation(clause, keys, message);
        }
    }
}

fn finding(kind: Kind, entry: bool, clause: Clause, keys: &[&str], message: String) -> Finding {
    Finding { kind, entry, clause, keys: keys.iter().map(ToString::to_string).collect(), message }
}

/// The rules of a lawful table. There is no other way to make them than through the checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    choices: Choices,
    text: &'static Text,
}

impl Deref for Rules {
    type Target = Choices;

    #[inline]
    fn deref(&self) -> &Choices {
        &self.choices
    }
}

impl Rules {
    /// Returns the rules, if the choices are lawful; otherwise every violation.
    pub fn new(choices: Choices) -> Result<Rules, Report> {
        let report = check(&choices);
        if !report.is_lawful() {
            return Err(report);
        }
        let text = choices.text();
        Ok(Rules { choices, text })
    }

    /// Returns the table's choices.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// Returns the text that governs the table, with the amendments of its variation.
    #[inline]
    pub fn text(&self) -> &'static Text {
        self.text
    }
}

/// Returns the key of a side wager.
pub(crate) fn key(wager: SideWager) -> String {
    format!("side_wagers.{}", wager.word())
}

/// Checks a table against its text.
pub fn check(choices: &Choices) -> Report {
    let mut report = Report::default();
    let text = choices.text();
    values::check(choices, &mut report);
    common(choices, &mut report);
    report.require(
        choices.jurisdiction == text.jurisdiction,
        clause!("MA-BJS 5(i)"),
        &["game", "jurisdiction"],
        "the text of Massachusetts authorises Blackjack Switch only",
    );
    (text.check)(choices, &mut report);
    side_wagers::check(choices, &mut report);
    (text.notices)(choices, &mut report);
    if choices.boxes_per_player > choices.positions {
        report.warning(
            Kind::Equipment,
            text.sharing.more_boxes,
            &["boxes_per_player", "positions"],
            "a player cannot wager on more boxes than the table has",
        );
    }
    report
}

/// 2.5(k), 2A.4(j), 26.4(h): procedures of the licensee's own are lawful once approved, in a text that lets them be.
fn own_procedures(choices: &Choices, report: &mut Report) {
    let text = choices.text();
    for own in &choices.own_procedures {
        let departs_from = match own {
            OwnProcedure::NoCuttingCard | OwnProcedure::CuttingCardPlacement => text.cut.place,
            OwnProcedure::NoBurn => text.deal.burn,
            OwnProcedure::Shuffle => text.shuffle.by,
        };
        match text.shuffle.own {
            None => {
                let message = format!("the text has no own procedure of the licensee, `{}`", own.word());
                report.violation(departs_from, &["own_procedures"], message);
            }
            Some(by) if choices.approval.is_empty() => {
                let message = format!("`{}` needs an approval; name it with `approval`", own.word());
                report.violation(by, &["own_procedures", "approval"], message);
            }
            Some(by) => {
                let message =
                    format!("`{}` needs its approval in the register: {}", own.word(), choices.approval);
                report.requires(Kind::Approval, by, &["own_procedures", "approval"], message);
            }
        }
    }
}

/// Returns whether there is no cutting card, or an approval covers its place.
pub(crate) fn places_as_approved(choices: &Choices) -> bool {
    choices.has_own(OwnProcedure::NoCuttingCard) || choices.has_own(OwnProcedure::CuttingCardPlacement)
}

/// One quarter of the stack, in millionths: 2.5(d)#3, 2A.4(f)#4, 26.4(e)#4, 36.4(e)#4.
const QUARTER: u32 = 250_000;

/// What every text asks for in its own words.
fn common(choices: &Choices, report: &mut Report) {
    let text = choices.text();
    let wagers = &choices.text.wagers;
    let limits =
        choices.minimum > Cents::ZERO && choices.minimum <= choices.maximum && choices.chip > Cents::ZERO;
    report.require(
        limits,
        wagers.required,
        &["minimum", "maximum", "chip"],
        "the minimum must be above zero and not above the maximum, and the smallest chip above zero",
    );
    if limits && choices.minimum.0 % choices.chip.0 != 0 {
        let message = format!("chips of {} cannot make the minimum of {}", choices.chip, choices.minimum);
        report.warning(Kind::Equipment, wagers.chips, &["minimum", "chip"], message);
    }
    own_procedures(choices, report);
    let has_cutting_card = choices.shuffle != Shuffle::BartCarter
        && choices.shoe != Shoe::Continuous
        && !places_as_approved(choices);
    report.require(
        !has_cutting_card || text.cut.behind != 4 || choices.cut_behind.0 >= QUARTER,
        text.cut.place,
        &["cut_behind"],
        "at least about one quarter of the stack must lie behind the cutting card",
    );
    let at_once = choices.surrender_settled == SurrenderSettled::AtOnce;
    report.require(
        !at_once || choices.hole_card == HoleCard::Reader || !permitted(text, "surrender_settled", "at-once"),
        text.surrender.waits,
        &["surrender_settled", "hole_card"],
        "a surrender against an ace or ten-value card waits for the dealer's second card, unless a reader ruled a \
         blackjack out",
    );
}

/// Whether a text permits this value of a key at all.
fn permitted(text: &Text, key: &str, value: &str) -> bool {
    text.permits().find(|permits| permits.key == key).is_none_or(|permits| permits.rejects(value).is_none())
}

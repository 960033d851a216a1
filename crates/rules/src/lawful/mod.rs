//! Checks whether a table is legal: turns choices into [`Rules`], or lists every violation with its clause.
//!
//! This file checks the requirements that all regulations share; `side_wagers` checks the requirements on side
//! bets. Each regulation has functions for its further requirements. The notices, approvals and equipment that a
//! permitted value requires stand with the value.

mod side_wagers;

use crate::choice::{Choices, HoleCard, OwnProcedure, Shoe, Shuffle, SurrenderSettled};
use crate::clause::Clause;
use crate::message::Message;
use crate::odds::Cents;
use crate::text::{Text, values};
use crate::wager::SideWager;
use std::ops::Deref;

/// The kind of a finding, such as a violation or a required notice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The table breaks a clause.
    Violation,
    /// Players or the regulator must be notified.
    Notice,
    /// The regulator must give an approval.
    Approval,
    /// Equipment, chips or the layout must be provided or inspected.
    Equipment,
    /// Somebody must be present, or must act.
    Staffing,
}

impl Kind {
    /// Every kind of finding.
    pub const ALL: [Kind; 5] =
        [Kind::Violation, Kind::Notice, Kind::Approval, Kind::Equipment, Kind::Staffing];

    /// Returns the kind's word in documents, such as `violation`.
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

/// A violation or warning from the legality check of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The kind of finding: a violation, or a kind of requirement, such as a notice.
    pub kind: Kind,
    /// Whether a register entry must meet the requirement before cage chips are bet.
    pub entry: bool,
    /// The broken clause, or the clause with the requirement.
    pub clause: Clause,
    /// The keys of the table file that the finding is about.
    pub keys: Vec<String>,
    /// The violation or requirement in words, for people.
    pub message: String,
    /// The stable code under which a page finds the message's translation.
    pub code: &'static str,
    /// The placeholder names in the message, with their values.
    pub params: Vec<(&'static str, String)>,
}

impl Finding {
    /// Returns the finding's message, with its code and its values.
    pub fn why(&self) -> Message {
        Message { code: self.code, text: self.message.clone().into(), params: self.params.clone() }
    }
}

/// The result of a legality check. A table is legal if there are no violations.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// Every violation of the table. The check does not stop at the first.
    pub violations: Vec<Finding>,
    /// The notices, approvals, equipment and staffing that the table's choices require.
    pub warnings: Vec<Finding>,
}

impl Report {
    /// Returns whether the table is legal, that is, whether the report has no violations.
    pub fn is_lawful(&self) -> bool {
        self.violations.is_empty()
    }

    /// Adds a violation of a clause by the values of `keys`.
    pub fn violation(&mut self, clause: Clause, keys: &[&str], message: impl Into<Message>) {
        self.violations.push(finding(Kind::Violation, false, clause, keys, message.into()));
    }

    /// Adds a requirement for which no register entry is needed.
    pub fn warning(&mut self, kind: Kind, clause: Clause, keys: &[&str], message: impl Into<Message>) {
        self.warnings.push(finding(kind, false, clause, keys, message.into()));
    }

    /// Adds a requirement for which a register entry is needed.
    pub fn requires(&mut self, kind: Kind, clause: Clause, keys: &[&str], message: impl Into<Message>) {
        self.warnings.push(finding(kind, true, clause, keys, message.into()));
    }

    /// Adds a violation unless the condition `holds`.
    pub fn require(&mut self, holds: bool, clause: Clause, keys: &[&str], message: impl Into<Message>) {
        if !holds {
            self.violation(clause, keys, message);
        }
    }
}

fn finding(kind: Kind, entry: bool, clause: Clause, keys: &[&str], message: Message) -> Finding {
    let Message { code, text, params } = message;
    let keys = keys.iter().map(ToString::to_string).collect();
    Finding { kind, entry, clause, keys, message: text.into_owned(), code, params }
}

/// The rules of a legal table, which only the legality check can create.
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
    /// Returns the rules if the choices are legal, or else a report with every violation.
    pub fn new(choices: Choices) -> Result<Rules, Report> {
        let report = check(&choices);
        if !report.is_lawful() {
            return Err(report);
        }
        let text = choices.text();
        Ok(Rules { choices, text })
    }

    /// Returns the choices that the rules were made from.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// Returns the table's regulation, as amended by its variation.
    #[inline]
    pub fn text(&self) -> &'static Text {
        self.text
    }
}

/// Returns the name of a side bet's section in a table file, such as `side_wagers.sevens`.
pub(crate) fn key(wager: SideWager) -> String {
    format!("side_wagers.{}", wager.word())
}

/// Checks a table against the regulation that governs it.
pub fn check(choices: &Choices) -> Report {
    let mut report = Report::default();
    let text = choices.text();
    values::check(choices, &mut report);
    common(choices, &mut report);
    report.require(
        choices.jurisdiction == text.jurisdiction,
        clause!("MA-BJS 5(i)"),
        &["game", "jurisdiction"],
        message!("massachusetts-switch-only", "the Massachusetts rules authorize Blackjack Switch only"),
    );
    (text.check)(choices, &mut report);
    side_wagers::check(choices, &mut report);
    if choices.boxes_per_player > choices.positions {
        report.warning(
            Kind::Equipment,
            text.sharing.more_boxes,
            &["boxes_per_player", "positions"],
            message!("more-boxes-than-table", "a player cannot bet on more boxes than the table has"),
        );
    }
    report
}

/// Checks that the licensee's own procedures are approved (2.5(k), 2A.4(j), 26.4(h)).
///
/// Other regulations allow no own procedures.
fn own_procedures(choices: &Choices, report: &mut Report) {
    let Some(by) = choices.text().shuffle.own else { return };
    let keys = &["own_procedures", "approval"];
    for own in &choices.own_procedures {
        if choices.approval.is_empty() {
            let message = message!(
                "own-procedure-approval",
                "`{procedure}` needs approval; name the register entry that approves it in `approval`",
                procedure = own.word()
            );
            report.violation(by, keys, message);
        } else {
            let message = message!(
                "own-procedure-entry",
                "`{procedure}` needs the register entry that approves it: {approval}",
                procedure = own.word(),
                approval = choices.approval
            );
            report.requires(Kind::Approval, by, keys, message);
        }
    }
}

/// Returns whether the table has a cut card, placed as the regulation says.
///
/// An approval can let the licensee use no cut card, or place the cut card elsewhere.
pub(crate) fn has_cut_card(choices: &Choices) -> bool {
    choices.shuffle != Shuffle::BartCarter
        && choices.shoe != Shoe::Continuous
        && !choices.has_own(OwnProcedure::NoCutCard)
        && !choices.has_own(OwnProcedure::CutCardPlacement)
}

/// Checks the requirements that all regulations share, under the clauses of the table's regulation.
fn common(choices: &Choices, report: &mut Report) {
    let text = choices.text();
    let wagers = &choices.text.wagers;
    report.require(
        choices.minimum <= choices.maximum,
        wagers.required,
        &["minimum", "maximum"],
        message!("minimum-above-maximum", "the minimum must not be above the maximum"),
    );
    if choices.chip > Cents::ZERO && choices.minimum.0 % choices.chip.0 != 0 {
        let message = message!(
            "chips-cannot-make-minimum",
            "the minimum of {minimum} is not a multiple of the {chip} chip",
            chip = choices.chip,
            minimum = choices.minimum
        );
        report.warning(Kind::Equipment, wagers.chips, &["minimum", "chip"], message);
    }
    own_procedures(choices, report);
    let at_once = choices.surrender_settled == SurrenderSettled::AtOnce;
    if let Some(by) = text.surrender.and_then(|rule| rule.at_once).filter(|_| at_once) {
        report.require(
            choices.hole_card == HoleCard::Reader,
            by.waits,
            &["surrender_settled", "hole_card"],
            message!(
                "surrender-waits",
                "a surrender against an ace or ten-value card must wait for the dealer's second card, unless a reader \
                    has ruled out a blackjack"
            ),
        );
    }
}

//! Grades decisions at training tables, by comparing the exact value of each with that of the best action.

use crate::tables::{Live, Request};
use exact::ev::{ActionEv, Answer};
use ledger::Cents;
use rules::play::peeks;
use table::table::SwitchOption;
use table::{Awaiting, BoxId};

/// A graded decision: the best action, the player's action, and the cost of the difference between them.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, utoipa::ToSchema)]
pub struct Verdict {
    /// What the decision was about: `hand`, `switch`, `attack` or `insurance`.
    pub about: &'static str,
    /// The key of the best action.
    pub best: &'static str,
    /// The key of the player's action, such as `hit`.
    pub chosen: &'static str,
    /// The cost of the decision, as a multiple of the initial bet; 0 for the best action.
    pub cost: f64,
}

impl Verdict {
    fn of(about: &'static str, options: &[ActionEv], chosen: &'static str) -> Option<Verdict> {
        let best = options.first()?;
        let mine = options.iter().find(|o| o.action == chosen)?;
        Some(Verdict { about, best: best.action, chosen, cost: (best.ev - mine.ev).max(0.0) })
    }
}

/// Returns whether the request is a decision that the exact solver may be able to grade.
pub fn decides(request: &Request) -> bool {
    action_word(request).is_some()
        || matches!(
            request,
            Request::DeclineSwitch { .. }
                | Request::Switch { .. }
                | Request::Revoke { .. }
                | Request::Attack { .. }
                | Request::Decline { .. }
                | Request::Insure { .. }
                | Request::EvenMoney { .. }
        )
}

fn action_word(request: &Request) -> Option<&'static str> {
    Some(match request {
        Request::Stand { .. } => "stand",
        Request::Hit { .. } => "hit",
        Request::Double { .. } => "double",
        Request::Split { .. } => "split",
        Request::Surrender { .. } => "surrender",
        _ => return None,
    })
}

/// Returns the verdicts on a request that took the table from the state `before` to the state `after`.
///
/// `answer` holds the exact values of the actions in the state `before`.
pub fn verdicts(before: &Live, after: &Live, request: &Request, answer: &Answer) -> Vec<Verdict> {
    let judged = match (before.table.awaiting(), request) {
        (Some(Awaiting::Offers(_)), Request::Attack { amount, r#box }) => {
            // An attack for less than the first bet is neither of the two choices that have a value.
            let whole = first_wager(before, *r#box).is_some_and(|first| amount.0 == first);
            whole.then(|| Verdict::of("attack", &answer.attack, "attack")).flatten()
        }
        (Some(Awaiting::Offers(_) | Awaiting::LateInsurance(_)), Request::Decline { offer, r#box }) => {
            match offer.as_str() {
                "insurance" => insurance_verdict(before, *r#box, answer, "decline"),
                _ => Verdict::of("attack", &answer.attack, "pass"),
            }
        }
        (_, Request::Insure { r#box, .. }) => insurance_verdict(before, *r#box, answer, "insure"),
        (_, Request::EvenMoney { r#box }) => insurance_verdict(before, *r#box, answer, "even money"),
        _ => action_word(request).and_then(|word| Verdict::of("hand", &answer.actions, word)),
    };
    switched(before, after, request, answer).into_iter().chain(judged).collect()
}

/// Grades the decision on switching cards, once the cards can no longer be switched or switched back.
///
/// Returns `None` before that.
fn switched(before: &Live, after: &Live, request: &Request, answer: &Answer) -> Option<Verdict> {
    let option = |live: &Live| match live.table.awaiting() {
        Some(Awaiting::Decision(ask)) => ask.switch,
        Some(Awaiting::Switch(_)) => SwitchOption::Switch,
        Some(Awaiting::Revocation(_)) => SwitchOption::Revoke,
        _ => SwitchOption::Nothing,
    };
    let was = option(before);
    if was == SwitchOption::Nothing || option(after) != SwitchOption::Nothing {
        return None;
    }
    let moved = matches!(request, Request::Switch { .. } | Request::Revoke { .. });
    switch_verdict(answer, if moved { "switch" } else { "keep" }, was == SwitchOption::Revoke)
}

/// Grades the decision to keep or to switch the cards.
///
/// The solver values both actions for the cards as they lie now. If `after` is set, they lie switched, so that
/// "keep" means that the player switched, and "switch" means that the player switched back.
fn switch_verdict(answer: &Answer, chosen: &'static str, after: bool) -> Option<Verdict> {
    let verdict = Verdict::of("switch", &answer.switch, chosen)?;
    let other = |word| if word == "keep" { "switch" } else { "keep" };
    Some(match after {
        true => Verdict { best: other(verdict.best), chosen: other(verdict.chosen), ..verdict },
        false => verdict,
    })
}

/// Grades the decision on insurance, by the expected amount that each action adds to the round.
///
/// The actions are insurance of half the bet, even money where it is offered, and neither.
fn insurance_verdict(before: &Live, box_id: u8, answer: &Answer, chosen: &'static str) -> Option<Verdict> {
    let half = answer.insurance? / 2.0;
    let mut options = vec![ActionEv { action: "insure", ev: half }, ActionEv { action: "decline", ev: 0.0 }];
    if let Some(paid) = answer.even_money.filter(|_| first_wager(before, box_id).is_some()) {
        let up = before.table.round().up()?;
        let reads = peeks(before.table.rules().choices(), up);
        let played = answer.actions.first()?.ev * if reads { 1.0 - answer.dealer_blackjack } else { 1.0 };
        options.push(ActionEv { action: "even money", ev: paid - played });
    }
    options.sort_by(|a, b| b.ev.total_cmp(&a.ev));
    Verdict::of("insurance", &options, chosen)
}

fn first_wager(live: &Live, box_id: u8) -> Option<Cents> {
    let round = live.table.round();
    let play = &round.boxes[round.box_at(BoxId(box_id))?];
    play.bettors.first().map(|bettor| bettor.main[0])
}

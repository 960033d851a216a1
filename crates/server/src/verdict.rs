//! What a choice at a training table was worth: every decision that the exact solver can value, each against the best.

use crate::tables::{Live, Request};
use exact::ev::{Answer, Option_};
use ledger::Cents;
use rules::play::peeks;
use serde_json::{Value, json};
use table::table::SwitchOption;
use table::{Awaiting, BoxId};

/// One decision: the best choice, the one made, and the difference in units of the initial wager.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    pub about: &'static str,
    pub best: &'static str,
    pub chosen: &'static str,
    pub cost: f64,
}

impl Verdict {
    pub fn view(&self) -> Value {
        json!({ "about": self.about, "best": self.best, "chosen": self.chosen, "cost": self.cost })
    }

    fn of(about: &'static str, options: &[Option_], chosen: &'static str) -> Option<Verdict> {
        let best = options.first()?;
        let mine = options.iter().find(|o| o.action == chosen)?;
        Some(Verdict { about, best: best.action, chosen, cost: (best.ev - mine.ev).max(0.0) })
    }
}

/// May this request decide something that has a value?
pub fn decides(request: &Request) -> bool {
    action_word(request).is_some()
        || matches!(
            request,
            Request::DeclineSwitch { .. }
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

/// What is to be said about a request that was carried out at the table as it lay `before`.
pub fn verdicts(before: &Live, request: &Request, answer: &Answer) -> Vec<Verdict> {
    let judged = match (before.table.awaiting(), request) {
        (Some(Awaiting::Decision(ask)), _) => {
            // A switch may be taken back until a hand is played on, so that is where it is decided.
            let open = action_word(request).is_some() && ask.switch != SwitchOption::Nothing;
            let switch = if open { switched(answer, ask.switch == SwitchOption::Revoke) } else { None };
            let hand = action_word(request).and_then(|word| Verdict::of("hand", &answer.actions, word));
            return switch.into_iter().chain(hand).collect();
        }
        (Some(Awaiting::Switch(_)), Request::DeclineSwitch { .. }) => switched(answer, false),
        (Some(Awaiting::Revocation(_)), Request::DeclineSwitch { .. }) => switched(answer, true),
        (Some(Awaiting::Offers(_)), Request::Attack { amount, r#box }) => {
            // A part of the first wager is neither of the two choices that have a value.
            let whole = first_wager(before, *r#box).is_some_and(|first| amount.0 == first);
            whole.then(|| Verdict::of("attack", &answer.attack, "attack")).flatten()
        }
        (Some(Awaiting::Offers(_) | Awaiting::LateInsurance(_)), Request::Decline { offer, r#box }) => {
            match offer.as_str() {
                "insurance" => insured(before, *r#box, answer, "decline"),
                _ => Verdict::of("attack", &answer.attack, "pass"),
            }
        }
        (_, Request::Insure { r#box, .. }) => insured(before, *r#box, answer, "insure"),
        (_, Request::EvenMoney { r#box }) => insured(before, *r#box, answer, "even money"),
        _ => None,
    };
    judged.into_iter().collect()
}

/// The cards lie as they will be played. The solver calls this keeping, which after a switch means having switched.
fn switched(answer: &Answer, after: bool) -> Option<Verdict> {
    let verdict = Verdict::of("switch", &answer.switch, "keep")?;
    let other = |word| if word == "keep" { "switch" } else { "keep" };
    Some(match after {
        true => Verdict { best: other(verdict.best), chosen: other(verdict.chosen), ..verdict },
        false => verdict,
    })
}

/// Insurance of half the wager, even money where it is offered, and neither; all by what they add to the round.
fn insured(before: &Live, box_id: u8, answer: &Answer, chosen: &'static str) -> Option<Verdict> {
    let half = answer.insurance? / 2.0;
    let mut options = vec![Option_ { action: "insure", ev: half }, Option_ { action: "decline", ev: 0.0 }];
    if let Some(paid) = answer.even_money.filter(|_| first_wager(before, box_id).is_some()) {
        let up = before.table.round().up()?;
        let reads = peeks(before.table.rules().choices(), up);
        let played = answer.actions.first()?.ev * if reads { 1.0 - answer.dealer_blackjack } else { 1.0 };
        options.push(Option_ { action: "even money", ev: paid - played });
    }
    options.sort_by(|a, b| b.ev.total_cmp(&a.ev));
    Verdict::of("insurance", &options, chosen)
}

fn first_wager(live: &Live, box_id: u8) -> Option<Cents> {
    let round = live.table.round();
    let play = &round.boxes[round.box_at(BoxId(box_id))?];
    play.bettors.first().map(|bettor| bettor.main[0])
}

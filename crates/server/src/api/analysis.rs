//! A finished round looked at as a chess player would: what every choice of one's own was worth against the best one, by
//! the exact solver, with the cards that could be seen. Nobody is told anything of a round that is still in play.

use super::Me;
use super::rounds::told;
use crate::app::App;
use crate::error::{ApiResult, ErrorBody};
use crate::lab::Task;
use crate::share::Payers;
use crate::tables::{From, History, Live, Request, Step, Watched};
use crate::training::{Sight, answer_of};
use crate::verdict::verdicts;
use crate::wire::{Money, Path, Written};
use axum::extract::State;
use ledger::db::Db;
use ledger::{Cents, PersonId};
use rules::card::show_cards;
use rules::{Card, Rules};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use table::{BoxId, Fact, Place, Word as _};

/// A choice of mine, with the table before it and after it.
struct Moment {
    /// How many events of the round came before.
    at: usize,
    box_id: BoxId,
    request: Request,
    before: Live,
    after: Live,
}

/// What I staked and what came of it.
#[derive(Default)]
struct Mine {
    events: usize,
    moments: Vec<Moment>,
    /// Cards as they were dealt, each after so many events.
    dealt: Vec<(usize, Place, Card)>,
    /// The dealer's face-down card was turned at last.
    hole_turned: bool,
    /// The initial wagers on each of my boxes.
    wagers: BTreeMap<u8, Cents>,
    net: Cents,
    side: Vec<(&'static str, Cents)>,
}

/// What each of my choices in a finished round was worth: the best one, mine, and the exact difference in initial wagers.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}/analysis", tag = "rounds",
    params(("table" = u32, Path), ("round" = i64, Path)),
    responses((status = 200, body = Object), (status = 404, body = ErrorBody)))]
pub async fn of_round(
    State(app): State<App>,
    me: Me,
    Path((table, round)): Path<(u32, i64)>,
) -> ApiResult<Written> {
    let who = me.id;
    let mine = Arc::new(Mutex::new(Mine::default()));
    let noted = Arc::clone(&mine);
    let watched: Watched = Box::new(move |before, record, step, after| {
        if let Ok(mut mine) = noted.lock() {
            mine.note(who, record.person, step, (before, after));
        }
    });
    let rules = move |_: &mut dyn Db, history: &History| Ok(Arc::clone(&history.live.fixed.rules));
    let rules = told((&app, &me), (table, round), (From::Kept, Some(watched)), rules).await?;
    let mine = mine.lock().map(|mut mine| std::mem::take(&mut *mine)).unwrap_or_default();
    let mut decisions = Vec::new();
    let mut cost = 0.0;
    for moment in &mine.moments {
        let wager = mine.wagers.get(&moment.box_id.0).copied().unwrap_or(Cents::ZERO);
        for mut judged in moment.judged(&app, me.payers).await {
            cost += judged["cost"].as_f64().unwrap_or(0.0) * mine.units(wager);
            judged["wager"] = json!(Money(wager));
            judged["dealt"] =
                show_cards(&seen(&mine.dealt, mine.hole_turned, moment.at, moment.box_id)).into();
            decisions.push(judged);
        }
    }
    let edge = figures(&app, me.payers, &rules).await;
    let side = mine.side_costs(&edge);
    cost += side.iter().filter_map(|one| one["cost"].as_f64()).sum::<f64>();
    let wager = mine.wager();
    let expected = edge["main"]["ev"].as_f64().filter(|_| wager > Cents::ZERO);
    Ok(Written::json(&json!({
        "table": table, "round": round, "wager": Money(wager), "net": Money(mine.net),
        "decisions": decisions, "side_wagers": side, "cost": cost,
        // In initial wagers: what the game is worth by itself, and what is left to chance.
        "expected": expected,
        "luck": expected.map(|expected| mine.units(mine.net) + cost - expected),
    })))
}

impl Mine {
    /// The initial wagers of all my boxes together.
    fn wager(&self) -> Cents {
        self.wagers.values().copied().sum()
    }

    /// An amount in initial wagers.
    fn units(&self, amount: Cents) -> f64 {
        amount.0 as f64 / self.wager().0.max(1) as f64
    }

    fn note(&mut self, me: PersonId, acting: PersonId, step: &Step, (before, after): (&Live, &Live)) {
        let seat = |person| after.seats.seat(person).is_some_and(|seat| seat.person == me);
        for (at, (_, event)) in step.events.iter().enumerate() {
            match event.fact {
                Fact::HoleTurned(_) => self.hole_turned = true,
                Fact::Dealt { to, card: Some(card) } => self.dealt.push((self.events + at, to, card)),
                Fact::Wagered { person, amounts, box_id, .. } if seat(person) => {
                    // A choice is made for every wager on the box: two or three at multiple action.
                    self.wagers.insert(box_id.0, amounts.iter().copied().sum());
                }
                Fact::Withdrawn { box_id, .. } if acting == me => {
                    self.wagers.remove(&box_id.0);
                }
                Fact::SideWagered { bet, amount, .. } if acting == me => self.side.push((bet.name(), amount)),
                Fact::Settled(settled) if seat(settled.person) => self.net += settled.net,
                _ => {}
            }
        }
        let choice = step.events.first().filter(|_| acting == me).and_then(|(_, event)| chosen(&event.fact));
        if let Some((box_id, request)) = choice {
            let (before, after) = (before.clone(), after.clone());
            self.moments.push(Moment { at: self.events, box_id, request, before, after });
        }
        self.events += step.events.len();
    }

    /// What side wagers cost by their own odds, in initial wagers.
    fn side_costs(&self, edge: &Value) -> Vec<Value> {
        let known = edge["side_wagers"].as_array().map_or(&[][..], Vec::as_slice);
        let cost = |name: &str, amount: Cents| {
            let found = known.iter().find(|one| one["wager"] == name || one["bet"] == name)?;
            Some(found["house_edge"].as_f64()? * self.units(amount))
        };
        let told = |(name, amount): &(&'static str, Cents)| json!({ "wager": name, "amount": Money(*amount), "cost": cost(name, *amount) });
        self.side.iter().map(told).collect()
    }
}

/// The cards of a box and of the dealer before a choice, in the order in which they were dealt. A card that lay face down
/// to the end is nobody's to know, and what came after it would lie in its place.
fn seen(dealt: &[(usize, Place, Card)], hole_turned: bool, at: usize, box_id: BoxId) -> Vec<Card> {
    let there = |to: Place| !matches!(to, Place::Hand(of, _) if of != box_id);
    let before = dealt.iter().filter(|(when, to, _)| *when < at && there(*to));
    before.take_while(|(_, to, _)| hole_turned || *to != Place::HoleDown).map(|(.., card)| *card).collect()
}

impl Moment {
    /// What is to be said about the choice, if the solver can value it.
    async fn judged(&self, app: &App, payers: Payers) -> Vec<Value> {
        let Some(sight) = Sight::of(&self.before, Some(self.box_id)) else { return Vec::new() };
        let task = sight.task(self.before.table.rules());
        let Ok(bytes) = app.lab.answer(payers, task).await else { return Vec::new() };
        let Some(answer) = answer_of(&bytes) else { return Vec::new() };
        let judged = verdicts(&self.before, &self.after, &self.request, &answer);
        let list = |about: &str| match about {
            "switch" => &answer.switch,
            "attack" => &answer.attack,
            _ => &answer.actions,
        };
        judged
            .iter()
            .map(|verdict| {
                let values = list(verdict.about).iter().map(|o| json!({ "action": o.action, "ev": o.ev }));
                let mut told = verdict.view();
                told["at"] = self.at.into();
                told["box"] = self.box_id.0.into();
                told["hand"] = show_cards(&sight.hand).into();
                told["other"] = show_cards(&sight.other).into();
                told["up"] = show_cards(&sight.up).into();
                told["values"] = if verdict.about == "insurance" { json!([]) } else { values.collect() };
                told
            })
            .collect()
    }
}

/// The exact figures of a table, worked out once for all.
async fn figures(app: &App, payers: Payers, rules: &Rules) -> Value {
    let task = Task::Edge { table: Task::table(rules) };
    let answer = app.lab.answer(payers, task).await;
    answer.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// The request that an event is the answer to, for choices that have a value.
fn chosen(fact: &Fact) -> Option<(BoxId, Request)> {
    Some(match *fact {
        Fact::Stood { box_id, .. } => (box_id, Request::Stand { r#box: box_id.0 }),
        Fact::Drew { box_id, .. } => (box_id, Request::Hit { r#box: box_id.0 }),
        Fact::Doubled { box_id, face_down, .. } => {
            (box_id, Request::Double { r#box: box_id.0, amounts: Vec::new(), face_down })
        }
        Fact::Split { box_id, .. } => (box_id, Request::Split { r#box: box_id.0 }),
        Fact::Surrendered { box_id, .. } => (box_id, Request::Surrender { r#box: box_id.0 }),
        Fact::Switched(box_id) => (box_id, Request::Switch { r#box: box_id.0 }),
        Fact::Revoked(box_id) => (box_id, Request::Revoke { r#box: box_id.0 }),
        Fact::SwitchDeclined(box_id) => (box_id, Request::DeclineSwitch { r#box: box_id.0 }),
        Fact::EvenMoneyTaken { box_id, .. } => (box_id, Request::EvenMoney { r#box: box_id.0 }),
        Fact::Insured { box_id, hand, .. } => {
            (box_id, Request::Insure { r#box: box_id.0, hand: hand.0, amounts: Vec::new(), only: false })
        }
        Fact::Attacked { box_id, amount, .. } => {
            (box_id, Request::Attack { r#box: box_id.0, amount: Money(amount) })
        }
        Fact::Declined { box_id, offer, .. } => {
            (box_id, Request::Decline { r#box: box_id.0, offer: offer.word().into() })
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::card::parse_cards;
    use table::HandNumber;

    #[test]
    fn a_card_that_was_never_turned_is_not_told() {
        let hand = |of| Place::Hand(BoxId(of), HandNumber(1));
        let places = [hand(1), hand(2), Place::Dealer, hand(1), hand(2), Place::HoleDown, hand(1)];
        let cards = parse_cards("Ts 2c 6h 5d 3c Kh 4s").expect("cards");
        let dealt: Vec<_> =
            places.into_iter().zip(cards).enumerate().map(|(at, (to, c))| (at, to, c)).collect();
        let told = |turned, at| show_cards(&seen(&dealt, turned, at, BoxId(1)));
        assert_eq!(told(true, 7), "Ts 6h 5d Kh 4s", "this box and the dealer, in order");
        assert_eq!(told(true, 4), "Ts 6h 5d", "before the choice");
        assert_eq!(told(false, 7), "Ts 6h 5d", "it lay face down to the end");
    }
}

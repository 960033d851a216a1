//! Reviews a finished round: compares each of the player's decisions with the best decision.
//!
//! The exact solver finds the best decision from the cards that the player could see. Rounds in play are never
//! reviewed.

use super::Me;
use super::rounds::replayed;
use crate::app::App;
use crate::error::{ApiResult, ErrorBody};
use crate::lab::Task;
use crate::lab::answers::{EdgeAnswer, ValuedAction};
use crate::share::Clients;
use crate::tables::{History, Live, RecordCallback, ReplayStart, Request, Step};
use crate::training::{Observation, parse_values};
use crate::verdict::{Verdict, verdicts};
use crate::wire::{Money, Path, Written};
use axum::extract::State;
use ledger::db::Db;
use ledger::{Cents, PersonId};
use rules::card::show_cards;
use rules::{Card, Rules};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use table::{BoxId, CardPlace, Fact, Word as _};

/// A player's decision, with the state of the table before and after it.
struct Moment {
    /// The number of the round's events that came before the decision.
    at: usize,
    box_id: BoxId,
    request: Request,
    before: Live,
    after: Live,
}

/// A player's bets, decisions and winnings in a round.
#[derive(Default)]
struct Mine {
    events: usize,
    moments: Vec<Moment>,
    /// The cards of the round in the order of dealing, each with the number of events before it and where it was
    /// dealt.
    dealt: Vec<(usize, CardPlace, Card)>,
    /// Whether the dealer turned up the hole card before the round ended.
    hole_turned: bool,
    /// The total initial bet on each of the player's boxes, by box number.
    wagers: BTreeMap<u8, Cents>,
    net: Cents,
    side: Vec<(&'static str, Cents)>,
}

/// The review of a finished round: what the caller's decisions and side bets cost.
///
/// Costs are multiples of the caller's total initial bet in the round.
#[derive(Serialize, utoipa::ToSchema)]
pub struct RoundAnalysis {
    /// The number of the table.
    table: u32,
    /// The number of the round.
    round: i64,
    /// The total of the caller's initial bets.
    wager: Money,
    /// The caller's net win in the round, negative for a loss.
    net: Money,
    /// The caller's decisions, in order.
    decisions: Vec<JudgedChoice>,
    /// The caller's side bets, and what they cost.
    side_wagers: Vec<JudgedWager>,
    /// The cost of all decisions and side bets together, as a multiple of the total initial bet.
    cost: f64,
    /// The expected net win of the main game in a whole round, per initial bet; null if it cannot be computed.
    #[schema(required)]
    expected: Option<f64>,
    /// The luck of the round, in total initial bets: net win plus `cost` minus `expected`; null if `expected` is
    /// null.
    #[schema(required)]
    luck: Option<f64>,
}

/// The review of one decision in a finished round: the best action, the action taken, and its cost in initial
/// bets.
#[derive(Serialize, utoipa::ToSchema)]
pub struct JudgedChoice {
    #[serde(flatten)]
    verdict: Verdict,
    /// The number of the round's events that came before the decision.
    at: usize,
    /// The number of the box that the decision was about.
    r#box: u8,
    /// The cards of the hand when the player decided.
    hand: String,
    /// The cards of the box's other hand at a Switch table, or empty at other tables.
    other: String,
    /// The dealer's visible cards, such as `6h`.
    up: String,
    /// The cards of the box and of the dealer before the decision, in the order of dealing.
    dealt: String,
    /// The initial bet on the box.
    wager: Money,
    /// The value of every legal action, best first, or empty for a decision about insurance.
    values: Vec<ValuedAction>,
}

/// A side bet in a finished round, with its expected cost.
#[derive(Serialize, utoipa::ToSchema)]
pub struct JudgedWager {
    /// The key of the side bet.
    wager: &'static str,
    /// The amount of the side bet.
    amount: Money,
    /// The expected cost as a multiple of the caller's total initial bet, or null if it cannot be computed.
    #[schema(required)]
    cost: Option<f64>,
}

/// Reviews the caller's decisions in a finished round.
///
/// For each decision, returns the best action, the action taken, and the exact difference in initial bets.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}/analysis", tag = "rounds",
    params(("table" = u32, Path), ("round" = i64, Path)),
    responses((status = 200, body = RoundAnalysis), (status = 404, body = ErrorBody)))]
pub async fn of_round(
    State(app): State<App>,
    me: Me,
    Path((table, round)): Path<(u32, i64)>,
) -> ApiResult<Written> {
    let who = me.id;
    let mine = Arc::new(Mutex::new(Mine::default()));
    let noted = Arc::clone(&mine);
    let on_record: RecordCallback = Box::new(move |before, record, step, after| {
        if let Ok(mut mine) = noted.lock() {
            mine.note(who, record.person, step, (before, after));
        }
    });
    let rules = move |_: &mut dyn Db, history: &History| Ok(Arc::clone(&history.live.fixed.rules));
    let rules =
        replayed((&app, &me), (table, round), (ReplayStart::Checkpoint, Some(on_record)), rules).await?;
    let mine = mine.lock().map(|mut mine| std::mem::take(&mut *mine)).unwrap_or_default();
    let mut decisions = Vec::new();
    let mut cost = 0.0;
    for moment in &mine.moments {
        let wager = mine.wagers.get(&moment.box_id.0).copied().unwrap_or(Cents::ZERO);
        for mut judged in moment.judged(&app, me.clients).await {
            cost += judged.verdict.cost * mine.units(wager);
            judged.wager = Money(wager);
            judged.dealt = show_cards(&seen(&mine.dealt, mine.hole_turned, moment.at, moment.box_id));
            decisions.push(judged);
        }
    }
    let edge = figures(&app, me.clients, &rules).await;
    let side_wagers = mine.side_costs(edge.as_ref());
    cost += side_wagers.iter().filter_map(|one| one.cost).sum::<f64>();
    let wager = mine.wager();
    let expected = edge.map(|edge| edge.main.ev).filter(|_| wager > Cents::ZERO);
    Ok(Written::json(&RoundAnalysis {
        table,
        round,
        wager: Money(wager),
        net: Money(mine.net),
        decisions,
        side_wagers,
        cost,
        // In initial bets: the expected value of the game itself, and what is left to luck.
        expected,
        luck: expected.map(|expected| mine.units(mine.net) + cost - expected),
    }))
}

impl Mine {
    /// Returns the total of the initial bets on all of the player's boxes.
    fn wager(&self) -> Cents {
        self.wagers.values().copied().sum()
    }

    /// Converts an amount to a multiple of the player's total initial bet.
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
                    // A decision applies to every bet on the box: two or three at multiple action.
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

    /// Returns each side bet with its expected cost, as a multiple of the player's total initial bet.
    fn side_costs(&self, edge: Option<&EdgeAnswer>) -> Vec<JudgedWager> {
        let known = edge.map_or(&[][..], |edge| &edge.side_wagers);
        let judged = |(wager, amount): &(&'static str, Cents)| {
            let figures = known.iter().find(|one| one.wager == *wager);
            let cost = figures.map(|figures| figures.house_edge * self.units(*amount));
            JudgedWager { wager, amount: Money(*amount), cost }
        };
        self.side.iter().map(judged).collect()
    }
}

/// Returns the cards of a box and of the dealer before a decision, in the order of dealing.
///
/// If the hole card was never turned up, the list stops before the hole card, which stays secret. Otherwise
/// readers would mistake the next card for the hole card.
fn seen(dealt: &[(usize, CardPlace, Card)], hole_turned: bool, at: usize, box_id: BoxId) -> Vec<Card> {
    let there = |to: CardPlace| !matches!(to, CardPlace::Hand(of, _) if of != box_id);
    let before = dealt.iter().filter(|(when, to, _)| *when < at && there(*to));
    before
        .take_while(|(_, to, _)| hole_turned || *to != CardPlace::HoleDown)
        .map(|(.., card)| *card)
        .collect()
}

impl Moment {
    /// Returns the reviews of the decision, or an empty list if the solver cannot compute the values of the
    /// actions.
    async fn judged(&self, app: &App, clients: Clients) -> Vec<JudgedChoice> {
        let Some(sight) = Observation::of(&self.before, Some(self.box_id)) else { return Vec::new() };
        let task = sight.task(self.before.table.rules());
        let Ok(bytes) = app.lab.answer(clients, task).await else { return Vec::new() };
        let Some(answer) = parse_values(&bytes) else { return Vec::new() };
        let judged = verdicts(&self.before, &self.after, &self.request, &answer);
        let list = |about: &str| match about {
            "switch" => &answer.switch,
            "attack" => &answer.attack,
            _ => &answer.actions,
        };
        let choice = |verdict: Verdict| JudgedChoice {
            values: match verdict.about {
                "insurance" => Vec::new(),
                about => list(about).iter().map(ValuedAction::from).collect(),
            },
            verdict,
            at: self.at,
            r#box: self.box_id.0,
            hand: show_cards(&sight.hand),
            other: show_cards(&sight.other),
            up: show_cards(&sight.up),
            dealt: String::new(),
            wager: Money(Cents::ZERO),
        };
        judged.into_iter().map(choice).collect()
    }
}

/// Returns the exact house edges of a table's bets, or `None` if the solver cannot compute them.
///
/// The lab computes these figures once for all requests.
async fn figures(app: &App, clients: Clients, rules: &Rules) -> Option<EdgeAnswer> {
    let task = Task::Edge { table: Task::table(rules) };
    let answer = app.lab.answer(clients, task).await;
    serde_json::from_slice(&answer.ok()?).ok()
}

/// Returns the player's request that led to an event, with its box, or `None` if the event is not a decision that
/// the review covers.
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
        let hand = |of| CardPlace::Hand(BoxId(of), HandNumber(1));
        let places = [hand(1), hand(2), CardPlace::Dealer, hand(1), hand(2), CardPlace::HoleDown, hand(1)];
        let cards = parse_cards("Ts 2c 6h 5d 3c Kh 4s").expect("cards");
        let dealt: Vec<_> =
            places.into_iter().zip(cards).enumerate().map(|(at, (to, c))| (at, to, c)).collect();
        let told = |turned, at| show_cards(&seen(&dealt, turned, at, BoxId(1)));
        assert_eq!(told(true, 7), "Ts 6h 5d Kh 4s", "the cards of this box and the dealer, in order");
        assert_eq!(told(true, 4), "Ts 6h 5d", "only the cards dealt before the decision");
        assert_eq!(told(false, 7), "Ts 6h 5d", "the hole card was never turned over");
    }
}

//! What people see of a table: one truth for everyone. Cards that lie face down are not in it, nor any that is undealt.

use super::deed::{approval_words, offer_word, role_word, step_word};
use super::fact;
use super::live::{By, Live};
use super::offered;
use super::platform::ABSENT_RULE;
use super::remedy::remedies;
use crate::house_file::Dealing;
use ledger::PersonId;
use rules::script::Offer;
use rules::{Action, Cents};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashSet};
use table::round::{BettorPlay, BoxPlay, CoAsk, HandPlay, State};
use table::table::{Decide, SwitchOption};
use table::{Awaiting, BoxId, Event, Fact, HandNumber, Place};

/// The state of a table.
pub fn state(live: &Live, viewer: Option<PersonId>) -> Value {
    let (table, round) = (&live.table, live.table.round());
    json!({
        "table": live.fixed.id.0,
        "round": live.round_no().0,
        "awaiting": awaiting(live),
        "dealer": {
            "cards": round.dealer.cards().iter().map(ToString::to_string).collect::<Vec<_>>(),
            "total": if round.dealer.is_empty() { Value::Null } else { round.dealer.points().into() },
            "hole": matches!(round.hole, table::round::Hole::Down(_)),
            "spot": round.spot + 1,
        },
        "boxes": round.boxes.iter().map(|play| box_view(live, play, viewer)).collect::<Vec<_>>(),
        "shoe": {
            "number": live.shoe_number(),
            "commitment": live.shoe.as_ref().map(|shoe| shoe.commitment().0.to_string()),
            "left": table.custody().stack(),
            "discards": table.custody().rack.len(),
            "cutting_card_out": table.custody().cutting_card_out.is_some(),
        },
        "meter": table.rules().offer(rules::SideWager::Progressive).map(|_| money(table.memory().meter)),
        "streaks": table.memory().streaks.iter().map(|streak| json!({
            "box": streak.box_id.0, "person": person(live, streak.person), "wins": streak.wins,
            "bets": streak.bets.iter().map(|c| money(*c)).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "settled": round.settled.iter().map(|s| fact::settlement(s, &live.seats)).collect::<Vec<_>>(),
    })
}

fn money(cents: Cents) -> Value {
    cents.to_string().into()
}

fn person(live: &Live, person: table::Person) -> Value {
    live.seats.seat(person).map_or(Value::Null, |seat| seat.person.0.into())
}

/// What a person at the table is called.
fn name(live: &Live, person: table::Person) -> Value {
    let name = live.seats.seat(person).and_then(|seat| live.names.get(&seat.person));
    name.map_or(Value::Null, |name| name.as_str().into())
}

/// 2.6A(c): cards that lie face down are their player's to look at, and nobody else's to see.
fn may_see(live: &Live, play: &BoxPlay, viewer: Option<PersonId>) -> bool {
    let of_viewer = |b: &BettorPlay| live.seats.seat(b.person).map(|s| s.person) == viewer;
    !play.face_down || (viewer.is_some() && play.bettors.iter().any(of_viewer))
}

/// The boxes that a person sees more of than others do.
pub fn private(live: &Live) -> BTreeMap<PersonId, Value> {
    let mut private: BTreeMap<PersonId, Vec<Value>> = BTreeMap::new();
    for play in live.table.round().boxes.iter().filter(|play| play.face_down) {
        for seat in play.bettors.iter().filter_map(|b| live.seats.seat(b.person)) {
            private.entry(seat.person).or_default().push(box_view(live, play, Some(seat.person)));
        }
    }
    private.into_iter().map(|(person, boxes)| (person, boxes.into())).collect()
}

fn box_view(live: &Live, play: &BoxPlay, viewer: Option<PersonId>) -> Value {
    let seen = may_see(live, play, viewer);
    let bettors =
        play.bettors.iter().enumerate().map(|(at, b)| bettor_view(live, b, at == usize::from(play.caller)));
    json!({
        "box": play.id.0,
        "bettors": bettors.collect::<Vec<_>>(),
        "consent": play.consent,
        "hands": play.hands.iter().map(|hand| hand_view(hand, seen)).collect::<Vec<_>>(),
    })
}

fn bettor_view(live: &Live, bettor: &BettorPlay, caller: bool) -> Value {
    let side: Map<String, Value> = rules::SideBet::ALL
        .into_iter()
        .filter(|bet| bettor.side(*bet) > Cents::ZERO)
        .map(|bet| (bet.name().to_owned(), money(bettor.side(bet))))
        .collect();
    let insured: Cents = bettor.insurance.iter().flatten().copied().sum();
    json!({
        "person": person(live, bettor.person), "name": name(live, bettor.person), "caller": caller, "answered": bettor.answered,
        "main": bettor.main.iter().filter(|c| **c > Cents::ZERO).map(|c| money(*c)).collect::<Vec<_>>(),
        "side": side, "insurance": money(insured), "even_money": bettor.even_money,
    })
}

fn hand_view(hand: &HandPlay, seen: bool) -> Value {
    let cards = hand.hand.cards();
    let open = if seen { cards } else { &cards[cards.len().min(2)..] };
    let cards = open;
    let laid_down = hand.hand.len() - cards.len();
    // 2.10(c): a double card lies face down, and then the total is nobody's business either.
    let shown = if hand.face_down && cards.len() > 2 { &cards[..cards.len() - 1] } else { cards };
    let face_down = laid_down + cards.len() - shown.len();
    let total = rules::Total::of(shown);
    json!({
        "hand": hand.number.0,
        "cards": shown.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "face_down": face_down,
        "total": total.points(), "soft": total.is_soft(),
        "state": match hand.state {
            State::Open => "open",
            State::Complete => "complete",
            State::Bust => "bust",
            State::Parked => "surrendered",
            State::Done => "done",
        },
        "stakes": hand.stakes.iter().filter(|s| !s.is_empty()).map(|stakes| json!({
            "base": stakes.base.iter().filter(|c| **c > Cents::ZERO).map(|c| money(*c)).collect::<Vec<_>>(),
            "attack": money(stakes.attack.iter().copied().sum()),
            "double": money(stakes.double.iter().copied().sum()),
        })).collect::<Vec<_>>(),
    })
}

fn asked(live: &Live, only: Option<BoxId>) -> Value {
    live.asked(only).map(|(box_id, bettor)| json!({ "box": box_id.0, "bettor": bettor.0 })).collect()
}

/// Who must do what now, with exactly the actions that are lawful.
pub fn awaiting(live: &Live) -> Value {
    match live.table.awaiting() {
        None => json!({ "what": "nothing" }),
        Some(Awaiting::Procedure(step)) => json!({ "what": "procedure", "step": step_word(step) }),
        Some(Awaiting::Cut(b)) => json!({ "what": "cut", "box": b.0 }),
        Some(Awaiting::Wagers) => json!({ "what": "wagers", "placed": live.anyone_wagers() }),
        Some(Awaiting::Card(to)) => json!({ "what": "card", "to": match to {
            Place::Hand(b, hand) => json!({ "box": b.0, "hand": hand.0 }),
            Place::Dealer => "dealer".into(),
            Place::HoleDown => "hole".into(),
            Place::Determinant => "determinant".into(),
        } }),
        Some(Awaiting::Reader) => json!({ "what": "reader" }),
        Some(Awaiting::Offers(offer)) => {
            json!({ "what": "offer", "offer": offer_word(offer), "asked": offered::asked(live, None, offer) })
        }
        Some(Awaiting::LateInsurance(b)) => {
            let asked = offered::asked(live, Some(b), Offer::Insurance);
            json!({ "what": "offer", "offer": "insurance", "asked": asked })
        }
        Some(Awaiting::Switch(b)) => json!({ "what": "switch", "box": b.0 }),
        Some(Awaiting::Revocation(b)) => json!({ "what": "revocation", "box": b.0 }),
        Some(Awaiting::Decision(ask)) => decision(live, &ask),
        Some(Awaiting::CoBettors(ask)) => {
            let (what, at) = match ask {
                CoAsk::Double(at, _) => ("double", at),
                CoAsk::Split(at, ..) => ("split", at),
            };
            let box_id = live.table.round().boxes.get(at).map(|play| play.id);
            json!({ "what": "co-bettors", "on": what, "asked": asked(live, box_id) })
        }
        Some(Awaiting::SevensCard(b)) => json!({ "what": "sevens-card", "box": b.0 }),
        Some(Awaiting::LateCard(b)) => json!({ "what": "late-card", "box": b.0 }),
        Some(Awaiting::Award(b, bettor)) => json!({ "what": "award", "box": b.0, "bettor": bettor.0 }),
        Some(Awaiting::Approval(approval)) => {
            let (word, b, bettor) = approval_words(approval);
            let by = role_word(approval.role());
            json!({ "what": "approval", "of": word, "box": b.0, "bettor": bettor.0, "by": by })
        }
    }
}

fn decision(live: &Live, ask: &Decide) -> Value {
    let round = live.table.round();
    let play = round.box_at(ask.box_id).map(|at| &round.boxes[at]);
    let staked = play.and_then(|play| {
        let hand = &play.hands[play.hand_at(ask.hand)?];
        Some(&hand.stakes[usize::from(play.caller)])
    });
    let mut actions: Vec<Value> = ask
        .actions
        .iter()
        .map(|action| {
            let cost = match (action, staked) {
                (Action::Double, Some(s)) => Some((0..3).map(|spot| s.undoubled(spot)).sum::<Cents>()),
                (Action::Split, Some(s)) => Some((0..3).map(|spot| s.undoubled(spot)).sum::<Cents>()),
                _ => None,
            };
            match cost {
                Some(cost) => json!({ "action": action.word(), "cost": money(cost) }),
                None => json!({ "action": action.word() }),
            }
        })
        .collect();
    match ask.switch {
        SwitchOption::Nothing => {}
        SwitchOption::Switch => actions.push(json!({ "action": "switch" })),
        SwitchOption::Revoke => actions.push(json!({ "action": "revoke" })),
    }
    json!({ "what": "decision", "box": ask.box_id.0, "hand": ask.hand.0, "actions": actions })
}

/// What is shown of the events of a step: a double card stays face down until it is turned.
pub fn events(live_before: &Live, events: &[(By, Event)], live: &Live) -> Vec<Value> {
    let mut down: HashSet<(BoxId, HandNumber)> = HashSet::new();
    for play in &live_before.table.round().boxes {
        down.extend(play.hands.iter().filter(|h| h.face_down).map(|h| (play.id, h.number)));
    }
    let mut views = Vec::with_capacity(events.len());
    for (by, event) in events {
        match event.fact {
            Fact::Doubled { box_id, hand, face_down: true, .. } => {
                down.insert((box_id, hand));
            }
            Fact::DoubleTurned { box_id, hand } => {
                down.remove(&(box_id, hand));
            }
            _ => {}
        }
        let hidden = match event.fact {
            Fact::Dealt { to: Place::Hand(box_id, hand), .. } => {
                down.contains(&(box_id, hand)) || lies_face_down(live, box_id)
            }
            _ => false,
        };
        views.push(fact::view(*by, event, &live.seats, hidden));
    }
    views
}

fn lies_face_down(live: &Live, box_id: BoxId) -> bool {
    let round = live.table.round();
    round.box_at(box_id).is_some_and(|at| round.boxes[at].face_down)
}

/// The table for the lobby: what is played, for how much, under which rule for the absent.
pub fn card(live: &Live, name: &str) -> Value {
    let rules = live.table.rules();
    let side: Map<String, Value> = rules
        .side_wagers
        .iter()
        .map(|(wager, offer)| {
            (
                wager.word().to_owned(),
                json!({ "minimum": money(offer.minimum), "maximum": money(offer.maximum) }),
            )
        })
        .collect();
    json!({
        "table": live.fixed.id.0, "name": name,
        "game": rules.game.word(), "variation": rules.variation.word(), "jurisdiction": rules.jurisdiction.word(),
        "decks": rules.decks, "positions": rules.positions,
        "minimum": money(rules.minimum), "maximum": money(rules.maximum), "chip": money(rules.chip),
        "bettors_per_box": rules.bettors_per_box, "boxes_per_player": rules.boxes_per_player,
        "dealing": match live.fixed.dealing { Dealing::Automatic => "automatic", Dealing::Dealer => "dealer" },
        "side_wagers": side,
        "taken": live.table.round().boxes.iter().filter(|b| !b.bettors.is_empty()).count(),
        "absent_rule": ABSENT_RULE,
        "rules": rules::file::show(rules),
        "irregularities": match live.fixed.dealing {
            Dealing::Automatic => Value::Null,
            Dealing::Dealer => remedies(&live.table),
        },
    })
}

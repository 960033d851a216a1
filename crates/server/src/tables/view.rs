//! What people see of a table: one truth for everyone. Cards that lie face down are not in it, nor any that is undealt.

use super::fact;
use super::live::{By, Live, Step};
use super::offered;
use super::platform::ABSENT_RULE;
use super::remedy::remedies;
use super::shoe_view::{Shoe, shoe_view};
use super::told::{Detail, Details, Face, Told, details};
use crate::house_file::Dealing;
use crate::wire::Money;
use ledger::PersonId;
use rules::script::Offer;
use rules::{Action, Card, Cents};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashSet};
use table::round::{BettorPlay, BoxPlay, CoAsk, HandPlay, Hole, Stakes};
use table::table::{Decide, SwitchOption};
use table::{Awaiting, BoxId, Event, Fact, HandNumber, Place, Word};

/// The state of a table.
#[derive(Serialize)]
pub struct State<'a> {
    table: u32,
    round: i64,
    awaiting: Details,
    dealer: Dealer<'a>,
    boxes: Vec<Box<'a>>,
    shoe: Shoe,
    meter: Option<Money>,
    streaks: Vec<Streak<'a>>,
    settled: Vec<Details>,
    /// 2.15(c): a card drawn in error that everyone has seen; it is the next card.
    #[serde(skip_serializing_if = "Option::is_none")]
    exposed: Option<Face>,
    /// The last card that the dealer recorded, while it may be corrected.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_card: Option<Details>,
}

#[derive(Serialize)]
struct Dealer<'a> {
    cards: Cards<'a>,
    total: Option<u8>,
    blackjack: bool,
    hole: bool,
    spot: usize,
}

#[derive(Serialize)]
struct Streak<'a> {
    r#box: u8,
    person: Option<i64>,
    wins: u8,
    bets: Amounts<'a>,
}

/// A box as somebody sees it.
#[derive(Serialize)]
struct Box<'a> {
    r#box: u8,
    bettors: Vec<Bettor<'a>>,
    consent: bool,
    hands: Vec<Hand<'a>>,
}

#[derive(Serialize)]
struct Bettor<'a> {
    person: Option<i64>,
    name: Option<&'a str>,
    caller: bool,
    answered: bool,
    main: Made<'a>,
    side: SideWagers<'a>,
    insurance: Money,
    even_money: bool,
}

#[derive(Serialize)]
struct Hand<'a> {
    hand: u8,
    cards: Cards<'a>,
    face_down: usize,
    total: u8,
    soft: bool,
    blackjack: bool,
    state: &'static str,
    /// Its cards are shown, but lie in the discard rack by now: those of a blackjack that is paid at once, 2.7(a).
    collected: bool,
    stakes: Vec<Stake<'a>>,
}

#[derive(Serialize)]
struct Stake<'a> {
    base: Made<'a>,
    attack: Money,
    double: Money,
}

struct Cards<'a>(&'a [rules::Card]);

impl Serialize for Cards<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|card| Face(*card)))
    }
}

struct Amounts<'a>(&'a [Cents]);

impl Serialize for Amounts<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|cents| Money(*cents)))
    }
}

/// Those amounts that there are.
struct Made<'a>(&'a [Cents]);

impl Serialize for Made<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().filter(|c| **c > Cents::ZERO).map(|cents| Money(*cents)))
    }
}

struct SideWagers<'a>(&'a BettorPlay);

impl Serialize for SideWagers<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let made = rules::SideBet::ALL.into_iter().map(|bet| (bet, self.0.side(bet)));
        to.collect_map(made.filter(|(_, c)| *c > Cents::ZERO).map(|(bet, c)| (bet.name(), Money(c))))
    }
}

/// Returns the state of a table, as a person sees it.
pub fn state(live: &Live, viewer: Option<PersonId>) -> State<'_> {
    let (table, round) = (&live.table, live.table.round());
    State {
        table: live.fixed.id.0,
        round: live.round_no().0,
        awaiting: awaiting(live),
        dealer: Dealer {
            cards: Cards(round.dealer.cards()),
            total: (!round.dealer.is_empty()).then(|| round.dealer.points()),
            blackjack: round.dealer.is_blackjack(),
            hole: matches!(round.hole, Hole::Down(_)),
            spot: round.spot + 1,
        },
        boxes: round.boxes.iter().map(|play| box_view(live, play, viewer)).collect(),
        shoe: shoe_view(live),
        meter: table.rules().offer(rules::SideWager::Progressive).map(|_| Money(table.memory().meter)),
        streaks: table
            .memory()
            .streaks
            .iter()
            .map(|streak| Streak {
                r#box: streak.box_id.0,
                person: person(live, streak.person),
                wins: streak.wins,
                bets: Amounts(&streak.bets),
            })
            .collect(),
        settled: round.settled.iter().map(|s| fact::settlement(s, &live.seats)).collect(),
        exposed: round.mishaps.exposed.map(Face),
        last_card: last_card(live),
    }
}

fn money(cents: Cents) -> Value {
    cents.to_string().into()
}

fn person(live: &Live, person: table::Person) -> Option<i64> {
    live.seats.seat(person).map(|seat| seat.person.0)
}

/// What a person at the table is called.
fn name(live: &Live, person: table::Person) -> Option<&str> {
    let seat = live.seats.seat(person)?;
    live.names.get(&seat.person).map(String::as_str)
}

/// 2.6A(c): cards that lie face down are their player's to look at, and nobody else's to see.
fn may_see(live: &Live, play: &BoxPlay, viewer: Option<PersonId>) -> bool {
    let of_viewer = |b: &BettorPlay| live.seats.seat(b.person).map(|s| s.person) == viewer;
    !play.lies.face_down || (viewer.is_some() && play.bettors.iter().any(of_viewer))
}

/// Returns the boxes that a person sees more of than others do.
pub fn private(live: &Live) -> BTreeMap<PersonId, Value> {
    let mut private: BTreeMap<PersonId, Vec<Value>> = BTreeMap::new();
    for play in live.table.round().boxes.iter().filter(|play| play.lies.face_down) {
        for seat in play.bettors.iter().filter_map(|b| live.seats.seat(b.person)) {
            let seen = serde_json::to_value(box_view(live, play, Some(seat.person)));
            private.entry(seat.person).or_default().extend(seen);
        }
    }
    private.into_iter().map(|(person, boxes)| (person, boxes.into())).collect()
}

fn box_view<'a>(live: &'a Live, play: &'a BoxPlay, viewer: Option<PersonId>) -> Box<'a> {
    let seen = may_see(live, play, viewer);
    let bettors =
        play.bettors.iter().enumerate().map(|(at, b)| bettor_view(live, b, at == usize::from(play.caller)));
    Box {
        r#box: play.id.0,
        bettors: bettors.collect(),
        consent: play.consent,
        hands: play.hands.iter().map(|hand| hand_view(live, (play, hand), seen)).collect(),
    }
}

fn bettor_view<'a>(live: &'a Live, bettor: &'a BettorPlay, caller: bool) -> Bettor<'a> {
    Bettor {
        person: person(live, bettor.person),
        name: name(live, bettor.person),
        caller,
        answered: bettor.answered,
        main: Made(&bettor.main),
        side: SideWagers(bettor),
        insurance: Money(bettor.insurance.iter().flatten().copied().sum()),
        even_money: bettor.even_money.any(),
    }
}

fn hand_view<'a>(live: &Live, (play, hand): (&BoxPlay, &'a HandPlay), seen: bool) -> Hand<'a> {
    let cards = hand.hand.cards();
    let open = if seen { cards } else { &cards[cards.len().min(2)..] };
    let laid_down = hand.hand.len() - open.len();
    // 2.10(c): a double card lies face down, and then the total is nobody's business either.
    let shown = if hand.face_down && open.len() > 2 { &open[..open.len() - 1] } else { open };
    let total = rules::Total::of(shown);
    Hand {
        hand: hand.number.0,
        cards: Cards(shown),
        face_down: laid_down + open.len() - shown.len(),
        total: total.points(),
        soft: total.is_soft(),
        blackjack: laid_down == 0 && shown.len() == hand.hand.len() && hand.hand.is_blackjack(),
        state: match hand.state {
            table::round::State::Open => "open",
            table::round::State::Complete => "complete",
            table::round::State::Bust => "bust",
            table::round::State::Parked => "surrendered",
            table::round::State::Done | table::round::State::Dead => "done",
        },
        collected: live.table.lies_in_the_rack(play, hand),
        stakes: hand.stakes.iter().filter(|s| !s.is_empty()).map(stake_view).collect(),
    }
}

fn stake_view(stakes: &Stakes) -> Stake<'_> {
    Stake {
        base: Made(&stakes.base),
        attack: Money(stakes.attack.iter().copied().sum()),
        double: Money(stakes.double.iter().copied().sum()),
    }
}

fn asked(live: &Live, only: Option<BoxId>) -> Vec<Details> {
    live.asked(only).map(|(box_id, bettor)| details!({ "box": box_id.0, "bettor": bettor.0 })).collect()
}

/// Returns who must act now, with exactly the lawful actions.
pub fn awaiting(live: &Live) -> Details {
    match live.table.awaiting() {
        None => details!({ "what": "nothing" }),
        Some(Awaiting::Procedure(step)) => details!({ "what": "procedure", "step": step.word() }),
        Some(Awaiting::Cut(b)) => details!({ "what": "cut", "box": b.0 }),
        Some(Awaiting::Wagers) => details!({ "what": "wagers", "placed": live.anyone_wagers() }),
        Some(Awaiting::Card(to)) => details!({ "what": "card", "to": to }),
        Some(Awaiting::Reader) => details!({ "what": "reader" }),
        Some(Awaiting::Offers(offer)) => {
            details!({ "what": "offer", "offer": offer.word(), "asked": offered::asked(live, None, offer) })
        }
        Some(Awaiting::LateInsurance(b)) => {
            let asked = offered::asked(live, Some(b), Offer::Insurance);
            details!({ "what": "offer", "offer": Offer::Insurance.word(), "asked": asked })
        }
        Some(Awaiting::Switch(b)) => {
            details!({ "what": "switch", "box": b.0, "becomes": exchanged(live, b) })
        }
        Some(Awaiting::Revocation(b)) => details!({ "what": "revocation", "box": b.0 }),
        Some(Awaiting::Decision(ask)) => decision(live, &ask),
        Some(Awaiting::CoBettors(ask)) => {
            let (what, at) = match ask {
                CoAsk::Double(at, _) => ("double", at),
                CoAsk::Split(at, ..) => ("split", at),
            };
            let box_id = live.table.round().boxes.get(at).map(|play| play.id);
            details!({ "what": "co-bettors", "on": what, "asked": asked(live, box_id) })
        }
        Some(Awaiting::SevensCard(b)) => details!({ "what": "sevens-card", "box": b.0 }),
        Some(Awaiting::LateCard(b)) => details!({ "what": "late-card", "box": b.0 }),
        Some(Awaiting::Award(b, bettor)) => details!({ "what": "award", "box": b.0, "bettor": bettor.0 }),
        Some(Awaiting::Approval(approval)) => {
            let (b, bettor) = approval.whose();
            let (of, by) = (approval.word(), approval.role().word());
            details!({ "what": "approval", "of": of, "box": b.0, "bettor": bettor.0, "by": by })
        }
    }
}

fn decision(live: &Live, ask: &Decide) -> Details {
    let round = live.table.round();
    let play = round.box_at(ask.box_id).map(|at| &round.boxes[at]);
    let staked = play.and_then(|play| {
        let hand = &play.hands[play.hand_at(ask.hand)?];
        Some(&hand.stakes[usize::from(play.caller)])
    });
    let mut actions: Vec<Details> = ask
        .actions
        .iter()
        .map(|action| {
            let cost = match (action, staked) {
                (Action::Double, Some(s)) => Some((0..3).map(|spot| s.undoubled(spot)).sum::<Cents>()),
                (Action::Split, Some(s)) => Some((0..3).map(|spot| s.undoubled(spot)).sum::<Cents>()),
                _ => None,
            };
            match cost {
                Some(cost) => details!({ "action": action.word(), "cost": cost }),
                None => details!({ "action": action.word() }),
            }
        })
        .collect();
    match ask.switch {
        SwitchOption::Nothing => {}
        SwitchOption::Switch => {
            actions.push(details!({ "action": "switch", "becomes": exchanged(live, ask.box_id) }))
        }
        SwitchOption::Revoke => actions.push(details!({ "action": "revoke" })),
    }
    let not_now = offered::not_now(live, ask, play);
    details!({
        "what": "decision", "box": ask.box_id.0, "hand": ask.hand.0, "actions": actions, "not_now": not_now,
    })
}

/// What may be corrected, without a card that lies face down.
fn last_card(live: &Live) -> Option<Details> {
    let last = live.last_card.as_deref()?;
    let shown = last.card().filter(|_| !to_unseen(live, last.to));
    Some(details!({ "card": shown, "to": last.to }))
}

/// Does a card lie there that not everyone may see?
fn to_unseen(live: &Live, to: Option<Place>) -> bool {
    let round = live.table.round();
    let face_down = |box_id, hand| {
        let play = round.box_at(box_id).map(|at| &round.boxes[at])?;
        Some(play.lies.face_down || play.hands[play.hand_at(hand)?].face_down)
    };
    match to {
        Some(Place::HoleDown) => true,
        Some(Place::Hand(box_id, hand)) => face_down(box_id, hand).unwrap_or(false),
        _ => false,
    }
}

/// The word for a correction by the dealer, which is no event of the table.
pub const CORRECTED: &str = "card-corrected";

/// Returns the view of a step: a correction before its consequences, and who declared a round void.
pub fn events(live_before: &Live, step: &Step, live: &Live) -> Vec<Told> {
    let mut told = Vec::with_capacity(step.events.len() + 1);
    if let Some(corrected) = step.corrected {
        let seen = |card| Some(card).filter(|_| !to_unseen(live, corrected.to));
        let details =
            details!({ "was": seen(corrected.was), "card": seen(corrected.is), "to": corrected.to });
        told.push(Told { event: CORRECTED, details, clause: corrected.by.citation(), by: By::Person });
    }
    told.extend(event_views(live_before, &step.events, live));
    let offset = told.len() - step.events.len();
    for (view, left) in told[offset..].iter_mut().zip(&step.left) {
        if let (Some(left), "dealt" | "determined") = (left, view.event) {
            view.details.0.push(("left", Detail::Number(*left as i64)));
        }
    }
    let settled = step.events.iter().filter_map(|(_, event)| match event.fact {
        Fact::Settled(settled) => Some((settled.box_id, settled.hand)),
        _ => None,
    });
    for (view, hand) in told.iter_mut().filter(|told| told.event == "settled").zip(settled) {
        if step.blackjacks.contains(&hand) {
            view.details.0.push(("blackjack", Detail::Flag(true)));
        }
    }
    if let Some(declared) = &step.declared {
        for void in told.iter_mut().filter(|told| told.event == "voided") {
            void.details.0.push(("name", Detail::Text(declared.name.clone())));
            void.details.0.push(("reason", Detail::Text(declared.why.clone())));
        }
    }
    told
}

/// What is shown of events: a double card stays face down until it is turned.
fn event_views(live_before: &Live, events: &[(By, Event)], live: &Live) -> Vec<Told> {
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
    round.box_at(box_id).is_some_and(|at| round.boxes[at].lies.face_down)
}

/// The preset of the same game: the one that a table is most like.
fn like(rules: &rules::Rules) -> &'static str {
    let same = |choices: &rules::Choices| {
        let text = |choices: &rules::Choices| (choices.text().game, choices.variation, choices.jurisdiction);
        text(choices) == text(rules)
    };
    let presets = rules::preset::PRESETS.iter().map(|(name, _)| *name);
    let like: Vec<_> =
        presets.filter(|name| rules::preset::preset(name).is_some_and(|choices| same(&choices))).collect();
    let own = like.iter().find(|name| **name == rules.name).or(like.first());
    own.copied().unwrap_or_default()
}

/// The bets that a side wager offers.
fn bets_of(wager: rules::SideWager) -> Vec<&'static str> {
    rules::SideBet::ALL.into_iter().filter(|bet| bet.wager() == wager).map(rules::SideBet::name).collect()
}

/// Returns all decisions that a player may ever have at this table, whatever the hand.
pub(super) fn decisions(rules: &rules::Rules) -> Vec<&'static str> {
    let mut known = vec!["stand", "hit", "double", "split"];
    if rules.hands_per_box() == 2 {
        known.push("switch");
    }
    if rules.surrender == rules::Offered::Yes {
        known.push("surrender");
    }
    known
}

/// What the two hands of a box would come to with their second cards exchanged.
fn exchanged(live: &Live, box_id: BoxId) -> Vec<Details> {
    let totals = exchanged_totals(live, box_id).into_iter().flatten();
    totals.map(|total| details!({ "total": total })).collect()
}

fn exchanged_totals(live: &Live, box_id: BoxId) -> Option<[u8; 2]> {
    let round = live.table.round();
    let [first, second] = round.boxes[round.box_at(box_id)?].hands.as_slice() else { return None };
    let (first, second) = (first.hand.cards(), second.hand.cards());
    let total = |a: &[Card], b: &[Card]| Some(rules::Hand::dealt(&[*a.first()?, *b.get(1)?]).points());
    Some([total(first, second)?, total(second, first)?])
}

/// Returns the table for the lobby: the game, the limits, and the rule for the absent, but not who sits there.
pub fn card(live: &Live, name: &str) -> Value {
    let rules = live.table.rules();
    let side: Map<String, Value> = rules
        .side_wagers
        .iter()
        .map(|(wager, offer)| {
            (
                wager.word().to_owned(),
                json!({ "minimum": money(offer.minimum), "maximum": money(offer.maximum), "bets": bets_of(*wager) }),
            )
        })
        .collect();
    json!({
        "table": live.fixed.id.0, "name": name,
        "game": rules.text().game, "variation": rules.variation.word(), "jurisdiction": rules.jurisdiction,
        "preset": like(rules),
        "decks": rules.decks, "positions": rules.positions,
        "minimum": money(rules.minimum), "maximum": money(rules.maximum), "chip": money(rules.chip),
        "bettors_per_box": rules.bettors_per_box, "boxes_per_player": rules.boxes_per_player,
        "solo": live.fixed.is_solo(),
        "dealing": match live.fixed.dealing { Dealing::Automatic => "automatic", Dealing::Dealer => "dealer" },
        "spots": rules.spots(), "hands": rules.hands_per_box(),
        "side_wagers": side,
        "decisions": decisions(rules),
        "deck": rules::card::show_cards(&rules.text().cards.deck.cards().collect::<Vec<_>>()),
        "double_face_down": rules.double_card == rules::DoubleCard::OnRequest,
        "absent_rule": ABSENT_RULE,
        "rules": rules::file::show(rules),
        "irregularities": match live.fixed.dealing {
            Dealing::Automatic => Value::Null,
            Dealing::Dealer => remedies(&live.table),
        },
    })
}

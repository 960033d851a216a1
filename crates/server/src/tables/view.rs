//! The public view of a table, the same for everyone.
//!
//! The view contains no face-down and no undealt cards.

use super::awaiting::{AwaitingView, awaiting};
use super::event_view::own::{CardCorrected, Settlement};
use super::event_view::{self, EventKind, EventView};
use super::face_down::{is_hidden, sees_cards_of};
use super::live::{By, Live, Step};
use super::offered::decisions;
use super::origins::Origin;
use super::platform::ABSENT_RULE;
use super::remedy::{Remedy, remedies};
use super::shoe_view::{Shoe, shoe_view};
use super::shown::{Face, PersonNumber, Place, Show as _};
use crate::api::GUEST;
use crate::house_file::Dealing;
use crate::wire::{Money, PostedRule};
use ledger::PersonId;
use rules::Cents;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use table::round::{BettorPlay, BoxPlay, HandPlay, Hole, Stakes};
use table::{BoxId, CardPlace, Event, Fact, HandNumber};
use utoipa::ToSchema;

/// The public state of a table: boxes, bets, face-up cards, and what the table waits for.
#[derive(Serialize, ToSchema)]
#[schema(as = TableState)]
pub struct State<'a> {
    /// The number of the table.
    table: u32,
    /// The number of the round in play, or of the next round while bets are placed.
    round: i64,
    /// What the table is waiting for, and who must act.
    awaiting: AwaitingView,
    /// The dealer's hand, as far as it is face up.
    dealer: DealerView<'a>,
    /// The boxes that have a bet, with their hands.
    boxes: Vec<BoxView<'a>>,
    /// The shoe in play, with the house's statements about it.
    shoe: Shoe,
    /// The amount on the progressive meter; null at a table without one.
    #[schema(required)]
    meter: Option<Money>,
    /// The streak bets that stay in place for the next round.
    streaks: Vec<StreakView<'a>>,
    /// The bets settled in this round, in the order in which they were settled.
    settled: Vec<Settlement>,
    /// The card that was drawn in error and seen by everyone, and will be dealt as the next card: 2.15(c).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    exposed: Option<Face>,
    /// The last card that the dealer entered, as long as it may be corrected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    last_card: Option<CorrectableCard>,
}

/// The last card that the dealer entered, as long as it may be corrected.
#[derive(Serialize, ToSchema)]
struct CorrectableCard {
    /// The card; null while it is face down.
    #[schema(required)]
    card: Option<Face>,
    /// The place that the card was dealt to; null if the card was named but not dealt.
    #[schema(required)]
    to: Option<Place>,
}

/// The dealer's hand, as far as it is face up.
#[derive(Serialize, ToSchema)]
struct DealerView<'a> {
    /// The dealer's face-up cards, in the order in which they were dealt.
    #[schema(value_type = Vec<Face>)]
    cards: Cards<'a>,
    /// Where each of the dealer's face-up cards came from; absent where a person deals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    origins: Vec<Option<Origin>>,
    /// The total of the dealer's face-up cards; null before the first.
    #[schema(required)]
    total: Option<u8>,
    /// Whether the dealer's hand is a blackjack.
    blackjack: bool,
    /// Whether the dealer has a hole card that is still face down.
    hole: bool,
    /// The number of the dealer hand in play in Multiple Action; 1 elsewhere.
    spot: usize,
}

/// A streak bet in progress.
#[derive(Serialize, ToSchema)]
struct StreakView<'a> {
    /// The number of the box on which the streak runs.
    r#box: u8,
    /// The number by which views name the player who has the streak bet.
    person: PersonNumber,
    /// The number of rounds that the player has won in a row.
    wins: u8,
    /// The amounts bet on streaks of two, three, four and five wins, in this order.
    #[schema(value_type = Vec<Money>)]
    bets: Amounts<'a>,
}

/// A box with its bettors and hands; face-down cards are counted but not shown.
#[derive(Serialize, ToSchema)]
pub struct BoxView<'a> {
    /// The number of the box.
    r#box: u8,
    /// The players who bet on the box, by order of arrival.
    bettors: Vec<BettorView<'a>>,
    /// Whether the player seated at the box lets others bet on it.
    consent: bool,
    /// What the table waits for, as the players of this box see it.
    ///
    /// Absent from the public view. Only the players of the box get it, while their cards lie face down, because
    /// the legal actions would reveal what a hand holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) awaiting: Option<AwaitingView>,
    /// The hands of the box.
    hands: Vec<HandView<'a>>,
}

/// A player who bets on a box.
#[derive(Serialize, ToSchema)]
struct BettorView<'a> {
    /// The number by which views name the bettor.
    person: PersonNumber,
    /// The bettor's name; null if the table does not know the name.
    #[schema(required)]
    name: Option<Cow<'a, str>>,
    /// Whether this bettor decides on the box's hands.
    caller: bool,
    /// Whether this bettor has answered the offer that is open.
    answered: bool,
    /// The bettor's main bets: one, or one for each dealer hand in Multiple Action.
    #[schema(value_type = Vec<Money>)]
    main: NonzeroAmounts<'a>,
    /// The amounts of the bettor's side bets, by the key of the bet.
    #[schema(value_type = BTreeMap<String, Money>)]
    side: SideWagers<'a>,
    /// The total amount that the bettor has put on insurance.
    insurance: Money,
    /// Whether the bettor has taken even money.
    even_money: bool,
}

/// A hand of a box, with its cards and bets.
#[derive(Serialize, ToSchema)]
struct HandView<'a> {
    /// The number of the hand within its box.
    hand: u8,
    /// The hand's face-up cards, in the order in which they were dealt.
    #[schema(value_type = Vec<Face>)]
    cards: Cards<'a>,
    /// Where each of the face-up cards came from; absent where a person deals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    origins: Vec<Option<Origin>>,
    /// The number of face-down cards in the hand.
    face_down: usize,
    /// The total of the hand's cards that the view shows.
    total: u8,
    /// Whether an ace counts as eleven in the total shown.
    soft: bool,
    /// Whether the hand is a blackjack; false while any of its cards lies face down.
    blackjack: bool,
    /// The state of the hand: open, complete, bust, surrendered or done.
    state: HandState,
    /// Whether the hand's cards already lie in the discard rack, as after a blackjack paid immediately (2.7(a)).
    collected: bool,
    /// The bets on the hand, one entry for each bettor.
    stakes: Vec<StakeView<'a>>,
}

/// The state of a hand.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum HandState {
    Open,
    Complete,
    Bust,
    Surrendered,
    Done,
}

impl From<table::round::HandState> for HandState {
    fn from(state: table::round::HandState) -> HandState {
        match state {
            table::round::HandState::Open => HandState::Open,
            table::round::HandState::Complete => HandState::Complete,
            table::round::HandState::Bust => HandState::Bust,
            table::round::HandState::SurrenderPending => HandState::Surrendered,
            table::round::HandState::Surrendered => HandState::Done,
            table::round::HandState::Done | table::round::HandState::Dead => HandState::Done,
        }
    }
}

impl HandState {
    /// Returns the state of a face-down hand for viewers who may not see the cards; `Complete` counts as open.
    fn of_unseen(state: table::round::HandState) -> HandState {
        match state {
            table::round::HandState::Complete => HandState::Open,
            state => state.into(),
        }
    }
}

/// One bettor's bets on a hand.
#[derive(Serialize, ToSchema)]
struct StakeView<'a> {
    /// The original bets: one, or one for each dealer hand in Multiple Action.
    #[schema(value_type = Vec<Money>)]
    base: NonzeroAmounts<'a>,
    /// The total amount of the attack bets.
    attack: Money,
    /// The total amount added to the bet by doubling.
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

/// Amounts of which only those above zero appear in the JSON.
struct NonzeroAmounts<'a>(&'a [Cents]);

impl Serialize for NonzeroAmounts<'_> {
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

/// Returns the state of a table as `viewer` may see it.
///
/// If `viewer` is `None`, returns the state that the public sees.
pub fn state(live: &Live, viewer: Option<PersonId>) -> State<'_> {
    let (table, round) = (&live.table, live.table.round());
    State {
        table: live.fixed.id.0,
        round: live.round_no().0,
        awaiting: awaiting(live, viewer),
        dealer: DealerView {
            cards: Cards(round.dealer.cards()),
            origins: live.origins.dealer(),
            total: (!round.dealer.is_empty()).then(|| round.dealer.points()),
            blackjack: round.dealer.is_blackjack(),
            hole: matches!(round.hole, Hole::Down(_)),
            spot: round.dealer_hand_index + 1,
        },
        boxes: round.boxes.iter().map(|play| box_view(live, play, viewer)).collect(),
        shoe: shoe_view(live),
        meter: table.rules().bet_for(rules::wager::Prize::Meter).map(|_| Money(table.memory().meter)),
        streaks: table
            .memory()
            .streaks
            .iter()
            .map(|streak| StreakView {
                r#box: streak.box_id.0,
                person: PersonNumber::of(&live.seats, streak.person),
                wins: streak.wins,
                bets: Amounts(&streak.bets),
            })
            .collect(),
        settled: round.settled.iter().map(|s| Settlement::of(&live.seats, s)).collect(),
        exposed: round.mishaps.exposed.map(Face),
        last_card: last_card(live),
    }
}

/// Returns the name of a person at the table, or `None` if the table does not know the name.
///
/// The name of a guest ends in the guest's number at the table instead of the house number.
fn name(live: &Live, person: table::Person) -> Option<Cow<'_, str>> {
    let seat = live.seats.seat(person)?;
    let name = live.names.get(&seat.person)?;
    Some(match name.starts_with(GUEST) {
        true => format!("{GUEST}{}", person.0).into(),
        false => name.as_str().into(),
    })
}

pub(super) fn box_view<'a>(live: &'a Live, play: &'a BoxPlay, viewer: Option<PersonId>) -> BoxView<'a> {
    let seen = sees_cards_of(live, play, viewer);
    let bettors = play
        .bettors
        .iter()
        .enumerate()
        .map(|(at, b)| bettor_view(live, b, at == usize::from(play.box_owner)));
    BoxView {
        r#box: play.id.0,
        bettors: bettors.collect(),
        consent: play.consent,
        awaiting: None,
        hands: play.hands.iter().map(|hand| hand_view(live, play, hand, seen)).collect(),
    }
}

fn bettor_view<'a>(live: &'a Live, bettor: &'a BettorPlay, caller: bool) -> BettorView<'a> {
    BettorView {
        person: PersonNumber::of(&live.seats, bettor.person),
        name: name(live, bettor.person),
        caller,
        answered: bettor.answered,
        main: NonzeroAmounts(&bettor.main),
        side: SideWagers(bettor),
        insurance: Money(bettor.insurance.iter().flatten().copied().sum()),
        even_money: bettor.even_money.any(),
    }
}

fn hand_view<'a>(live: &Live, play: &BoxPlay, hand: &'a HandPlay, seen: bool) -> HandView<'a> {
    let cards = hand.hand.cards();
    let open = if seen { cards } else { &cards[cards.len().min(2)..] };
    let laid_down = hand.hand.len() - open.len();
    // 2.10(c): a double card is face down, so the total must not reveal it either.
    let shown = if hand.face_down && open.len() > 2 { &open[..open.len() - 1] } else { open };
    let total = rules::Total::of(shown);
    let origins = live.origins.hand(play.id, hand.number).into_iter();
    HandView {
        hand: hand.number.0,
        cards: Cards(shown),
        origins: origins.skip(laid_down).take(shown.len()).collect(),
        face_down: laid_down + open.len() - shown.len(),
        total: total.points(),
        soft: total.is_soft(),
        blackjack: laid_down == 0 && shown.len() == hand.hand.len() && hand.hand.is_blackjack(),
        // no decision remains on a dealt 21, so that a complete hand tells what it holds
        state: if seen { hand.state.into() } else { HandState::of_unseen(hand.state) },
        collected: live.table.lies_in_the_rack(play, hand),
        stakes: hand.stakes.iter().filter(|s| !s.is_empty()).map(stake_view).collect(),
    }
}

fn stake_view(stakes: &Stakes) -> StakeView<'_> {
    StakeView {
        base: NonzeroAmounts(&stakes.base),
        attack: Money(stakes.attack.iter().copied().sum()),
        double: Money(stakes.double.iter().copied().sum()),
    }
}

/// Returns the last entered card while it may be corrected, or `None` if no card may be corrected.
///
/// A card that lies face down is left out.
fn last_card(live: &Live) -> Option<CorrectableCard> {
    let last = live.last_card.as_deref()?;
    let shown = last.card().filter(|_| !is_hidden(live, last.to));
    Some(CorrectableCard { card: shown.map(Face), to: last.to.map(|to| to.show(&live.seats)) })
}

/// Returns the events of a step as viewers see them, with the origins of the cards.
///
/// A corrected card comes before the events that follow from it, and a void names the person who declared it.
pub fn events(live_before: &Live, step: &Step, live: &Live) -> Vec<EventView> {
    let mut told = Vec::with_capacity(step.events.len() + 1);
    if let Some(corrected) = &step.corrected {
        let shown = CardCorrected::of(&live.seats, corrected, is_hidden(live, corrected.to));
        let (kind, clause) = (EventKind::CardCorrected(shown), corrected.by.citation());
        told.push(EventView { kind, clause, by: None });
    }
    let views = event_views(live_before, &step.events, live);
    let origins = step.origins.iter().copied().chain(std::iter::repeat(None)); // a correction counts no cards
    for ((mut view, (_, event)), origin) in views.into_iter().zip(&step.events).zip(origins) {
        match &mut view.kind {
            EventKind::Dealt(dealt) => dealt.origin = origin,
            EventKind::Determined(determined) => determined.origin = origin,
            EventKind::HoleTurned(turned) => turned.origin = origin,
            EventKind::Settled(settled) => {
                let of_blackjack = |hand| step.blackjacks.contains(&hand);
                let paid = matches!(event.fact, Fact::Settled(s) if of_blackjack((s.box_id, s.hand)));
                settled.blackjack = paid.then_some(true);
            }
            EventKind::DealerRelieved { person } => {
                if let Fact::DealerRelieved(dealer) = event.fact {
                    person.0 = live.seats.seat(dealer).map(|seat| seat.person.0);
                }
            }
            EventKind::Voided(voided) => {
                if let Some(declared) = &step.declared {
                    (voided.name, voided.reason) = (Some(declared.name.clone()), Some(declared.why.clone()));
                }
            }
            _ => {}
        }
        told.push(view);
    }
    told
}

/// Returns the views of `events`, without face-down cards; the card of a double is hidden until it is turned up.
fn event_views(live_before: &Live, events: &[(By, Event)], live: &Live) -> Vec<EventView> {
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
            Fact::DoubleTurned { box_id, hand, .. } => {
                down.remove(&(box_id, hand));
            }
            _ => {}
        }
        let hidden = match event.fact {
            Fact::Dealt { to: CardPlace::Hand(box_id, hand), .. } => {
                down.contains(&(box_id, hand)) || is_face_down(live, box_id)
            }
            _ => false,
        };
        views.push(event_view::view(*by, event, &live.seats, hidden));
    }
    views
}

fn is_face_down(live: &Live, box_id: BoxId) -> bool {
    let round = live.table.round();
    round.box_at(box_id).is_some_and(|at| round.boxes[at].marks.face_down)
}

/// Returns the name of the preset that is most like this table: its own preset, or one of the same game.
fn nearest_preset(rules: &rules::Rules) -> &'static str {
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

/// Returns the keys of the bets that a player may make under a side bet of the table.
fn bets_of(wager: rules::SideWager) -> Vec<&'static str> {
    rules::SideBet::ALL.into_iter().filter(|bet| bet.wager() == wager).map(rules::SideBet::name).collect()
}

/// The rules and limits of a table in the lobby.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableFacts {
    /// The number of the table.
    table: u32,
    /// The name of the table.
    name: String,
    /// The key of the game, such as `blackjack`.
    game: &'static str,
    /// The key of the variation of the game.
    variation: &'static str,
    /// The jurisdiction whose regulation the table follows.
    jurisdiction: &'static str,
    /// The name of the preset that the table is most like: its own, or the first preset of the same game.
    preset: &'static str,
    /// How many decks are in the shoe.
    decks: u8,
    /// How many boxes the table has.
    positions: u8,
    /// The minimum amount of each required bet on a box.
    minimum: Money,
    /// The maximum amount of each required bet on a box.
    maximum: Money,
    /// The smallest chip of the table; every bet is a multiple of it.
    chip: Money,
    /// The maximum number of bettors on one box.
    bettors_per_box: u8,
    /// The maximum number of boxes per player.
    boxes_per_player: u8,
    /// Whether the table is a private table of one player.
    #[schema(required = false)]
    solo: bool,
    /// Who deals: the platform, automatically, or a dealer.
    dealing: DealingWord,
    /// The number of required bets on a box: one, or one for each dealer hand in Multiple Action.
    spots: usize,
    /// The number of hands dealt to a box: one, or two in Blackjack Switch.
    hands: usize,
    /// The limits of each side bet that the table offers, by the key of the side bet.
    side_wagers: BTreeMap<&'static str, WagerLimits>,
    /// The keys of all decisions that a player may have at this table, such as `hit`.
    decisions: Vec<&'static str>,
    /// The cards of one deck of this game, such as `2c 3c 4c`.
    deck: String,
    /// Whether a player may ask for the card of a double to be dealt face down.
    double_face_down: bool,
    /// The rule by which the platform acts for a player who does not answer in time.
    absent_rule: PostedRule,
    /// The rules of the table, in the format of a table file.
    rules: String,
    /// The irregularities that the dealer can report; null where the house deals.
    #[schema(required)]
    irregularities: Option<Vec<Remedy>>,
}

/// Who deals: the platform or a person.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum DealingWord {
    Automatic,
    Dealer,
}

/// The minimum and maximum of a side bet, and the bets that belong to it.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct WagerLimits {
    /// The minimum amount of the side bet.
    minimum: Money,
    /// The maximum amount of the side bet.
    maximum: Money,
    /// The keys of the bets that belong to the side bet.
    bets: Vec<&'static str>,
}

/// A table's entry in the lobby.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableCard {
    #[serde(flatten)]
    #[schema(value_type = TableFacts)]
    pub facts: std::sync::Arc<Value>,
    /// The number of boxes that have a bet.
    pub taken: usize,
    /// Whether the platform deals, or a dealer has the table open.
    pub attended: bool,
}

/// Returns the rules and limits of a table as JSON, for the lobby and for other nodes.
pub fn card_json(live: &Live, name: &str) -> std::sync::Arc<Value> {
    std::sync::Arc::new(serde_json::to_value(card(live, name)).unwrap_or_default())
}

/// Returns the rules and limits of a table for the lobby.
pub fn card(live: &Live, name: &str) -> TableFacts {
    let rules = live.table.rules();
    let limits = |offer: &rules::choice::SideOffer, wager| WagerLimits {
        minimum: Money(offer.minimum),
        maximum: Money(offer.maximum),
        bets: bets_of(wager),
    };
    TableFacts {
        table: live.fixed.id.0,
        name: name.to_owned(),
        game: rules.text().game,
        variation: rules.variation.word(),
        jurisdiction: rules.jurisdiction,
        preset: nearest_preset(rules),
        decks: rules.decks,
        positions: rules.positions,
        minimum: Money(rules.minimum),
        maximum: Money(rules.maximum),
        chip: Money(rules.chip),
        bettors_per_box: rules.bettors_per_box,
        boxes_per_player: rules.boxes_per_player,
        solo: live.fixed.is_solo(),
        dealing: match live.fixed.dealing {
            Dealing::Automatic => DealingWord::Automatic,
            Dealing::Dealer => DealingWord::Dealer,
        },
        spots: rules.dealer_hands(),
        hands: rules.hands_per_box(),
        side_wagers: rules.side_wagers.iter().map(|(w, offer)| (w.word(), limits(offer, *w))).collect(),
        decisions: decisions(rules),
        deck: rules::card::show_cards(&rules.text().cards.deck.cards().collect::<Vec<_>>()),
        double_face_down: rules.double_card == rules::DoubleCard::OnRequest,
        absent_rule: PostedRule::from(&ABSENT_RULE.into()),
        rules: rules::file::show(rules),
        irregularities: match live.fixed.dealing {
            Dealing::Automatic => None,
            Dealing::Dealer => Some(remedies(&live.table)),
        },
    }
}

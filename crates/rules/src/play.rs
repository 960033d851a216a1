//! Decides which actions a player may take on a hand, and when the dealer must draw.
//!
//! The live table calls these functions at each decision. The solver and the simulator call them for every
//! possible hand when they compile their lookup tables.

use crate::card::Card;
use crate::choice::{Choices, HoleCard, Offered, Soft17};
use crate::clause::Clause;
use crate::hand::{Hand, Origin, Total};
use crate::message::Message;
use crate::ruling::{DoubleSplit21, DoubleTwoCard21, SplitAceDouble, SurrenderTiming};
use crate::text::{FirstDecision, MaySurrender, OnSplitAce, Surrender, Text};

/// A player's decision on a hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Action {
    /// Takes no further card.
    Stand,
    /// Takes one card.
    Hit,
    /// Adds up to the amount of the bet, and takes exactly one more card (2.10, 2A.10, 26.9, 36.8).
    Double,
    /// Splits a pair into two hands (2.11, 2A.11, 26.10, 36.9).
    Split,
    /// Gives up the hand and half of the bet (2.8, 2A.9, 26.8).
    Surrender,
}

impl Action {
    /// Every action, in the order used in charts and action masks.
    pub const ALL: [Action; 5] =
        [Action::Stand, Action::Hit, Action::Double, Action::Split, Action::Surrender];

    /// Returns the action's word in commands, documents and charts.
    pub const fn word(self) -> &'static str {
        match self {
            Action::Stand => "stand",
            Action::Hit => "hit",
            Action::Double => "double",
            Action::Split => "split",
            Action::Surrender => "surrender",
        }
    }
}

/// A set of actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Actions(u8);

impl Actions {
    /// The empty set of actions.
    pub const NONE: Actions = Actions(0);

    /// Returns the set with this action added.
    pub const fn with(self, action: Action) -> Actions {
        Actions(self.0 | 1 << action as u8)
    }

    /// Returns whether this action is in the set.
    pub const fn has(self, action: Action) -> bool {
        self.0 & (1 << action as u8) != 0
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the actions in the set, in the order of [`Action::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Action> {
        Action::ALL.into_iter().filter(move |&action| self.has(action))
    }
}

impl std::fmt::Debug for Actions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The refusal of a request by a player, with the clause that forbids the request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The clause that forbids the request.
    pub by: Clause,
    /// The reason, in words for the person who asked.
    pub why: Message,
}

impl Refusal {
    /// Returns a refusal by the clause `by`, for the reason `why`.
    pub fn new(by: Clause, why: impl Into<Message>) -> Refusal {
        Refusal { by, why: why.into() }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.why, self.by)
    }
}

impl std::error::Error for Refusal {}

/// Whether a hand has been doubled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Doubled {
    /// The hand has not been doubled.
    No,
    /// The hand has been doubled, and has its one card or waits for it.
    Yes,
}

/// A hand that awaits the player's decision, with its history.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The hand that awaits the player's decision.
    pub hand: &'a Hand,
    /// Whether the hand has been doubled.
    pub doubled: Doubled,
    /// The number of hands that come from the same initial hand; one before a split.
    pub hands: u8,
    /// Whether the player has acted on the other hand of a Switch box.
    pub other_hand_played: bool,
}

impl<'a> Situation<'a> {
    /// Returns the situation of a hand before its first decision.
    pub fn fresh(hand: &'a Hand) -> Situation<'a> {
        Situation { hand, doubled: Doubled::No, hands: 1, other_hand_played: false }
    }

    /// Returns the situation of a hand formed by a split, before its first decision.
    ///
    /// `hands` is the number of hands that come from the same initial hand.
    pub fn of_split(hand: &'a Hand, hands: u8) -> Situation<'a> {
        Situation { hand, doubled: Doubled::No, hands, other_hand_played: false }
    }
}

/// Returns the player's legal actions, or an empty set if the hand is complete.
pub fn actions(choices: &Choices, situation: &Situation<'_>) -> Actions {
    let (text, mut open) = (choices.text(), Actions::NONE);
    for action in [Action::Hit, Action::Double, Action::Split, Action::Surrender] {
        if allows_by(text, choices, situation, action).is_ok() {
            open = open.with(action);
        }
    }
    if open.is_empty() { open } else { open.with(Action::Stand) }
}

/// Returns the clause that allows an action on the hand, or the refusal.
pub fn allows(choices: &Choices, situation: &Situation<'_>, action: Action) -> Result<Clause, Refusal> {
    allows_by(choices.text(), choices, situation, action)
}

/// Does the same as [`allows`], but takes the regulation of `choices` from the caller.
#[inline]
fn allows_by(
    text: &'static Text,
    choices: &Choices,
    situation: &Situation<'_>,
    action: Action,
) -> Result<Clause, Refusal> {
    match action {
        Action::Stand => may_stand(text, situation),
        Action::Hit => may_draw(text, situation),
        Action::Double => may_double(text, choices, situation),
        Action::Split => may_split(text, choices, situation),
        // 2.8, 2A.9, 26.8; Triple Attack has no surrender
        Action::Surrender => match &text.surrender {
            Some(rule) => match &rule.may {
                MaySurrender::First(first) => may_surrender_first(text, rule, first, choices, situation),
                MaySurrender::Own(may) => may(choices, situation),
            },
            None => Err(Refusal::new(
                text.deal.decisions,
                message!("game-without-surrender", "{game} has no surrender", game = text.title),
            )),
        },
    }
}

/// Returns the clause that allows a hand to stand, or the refusal for a busted hand.
///
/// A player may stand while any decision remains: 2.6(f), 2.6A(d), 2A.7(h), 26.7(e), 36.7(g).
fn may_stand(text: &Text, situation: &Situation<'_>) -> Result<Clause, Refusal> {
    let by = text.deal.decisions;
    if situation.hand.is_bust() {
        return Err(Refusal::new(by, message!("hand-over-twenty-one", "the hand is over 21")));
    }
    Ok(by)
}

/// Returns the clause that allows a hand to take a card, or the refusal.
///
/// A hand below 21 may take a card unless it is doubled or a split ace: 2.12(a), 2A.12(a), 26.12(a), 36.11(a).
fn may_draw(text: &Text, situation: &Situation<'_>) -> Result<Clause, Refusal> {
    let hand = situation.hand;
    if hand.is_bust() {
        Err(Refusal::new(text.draw.bust, message!("hand-busted", "the hand has busted")))
    } else if situation.doubled == Doubled::Yes {
        Err(Refusal::new(
            text.draw.doubled,
            message!("doubled-takes-one-card", "a doubled hand takes only one card"),
        ))
    } else if hand.points() == 21 {
        let soft = matches!(hand.total(), Total::Soft(_)) && !hand.is_blackjack();
        let by = if soft { text.draw.at_soft_21 } else { text.draw.at_21 };
        Err(Refusal::new(by, message!("cannot-hit-twenty-one", "a hand of 21 cannot be hit")))
    } else if hand.is_split_ace() && hand.len() >= 2 {
        Err(Refusal::new(
            text.split.ace,
            message!("split-ace-one-card", "split aces receive only one card each"),
        ))
    } else {
        Ok(text.draw.by)
    }
}

/// Returns the clause that allows a hand to be doubled, or the refusal (2.10, 2A.10, 26.9, 36.8).
fn may_double(text: &Text, choices: &Choices, situation: &Situation<'_>) -> Result<Clause, Refusal> {
    let (rule, hand) = (&text.double, situation.hand);
    let by = if hand.origin() == Origin::Split { rule.after_split } else { rule.by };
    if situation.doubled == Doubled::Yes {
        return Err(Refusal::new(by, message!("already-doubled", "the hand is already doubled")));
    }
    if hand.is_bust() {
        return Err(Refusal::new(by, message!("hand-over-twenty-one", "the hand is over 21")));
    }
    // 2.10(a), 2A.10(a): the first two cards only; 26.9(a), 36.8(a): two or more cards
    if let Some(two_cards) = rule.two_cards
        && hand.len() > 2
    {
        let by = if two_cards == rule.by { by } else { two_cards };
        return Err(Refusal::new(
            by,
            message!("double-first-two-cards", "a hand may be doubled on its first two cards only"),
        ));
    }
    let split_21 = rule.split_21 && hand.origin() == Origin::Split && hand.is_two_card_21();
    let plain_allowed = match split_21 {
        true => choices.rulings.double_split_21 == DoubleSplit21::Allowed,
        false => rule.plain_21 && choices.rulings.double_two_card_21 == DoubleTwoCard21::Allowed,
    };
    if hand.points() == 21 && (hand.is_blackjack() || !plain_allowed) {
        let by = if hand.is_blackjack() { rule.not_blackjack } else { by };
        return Err(Refusal::new(
            by,
            message!("cannot-double-twenty-one", "a blackjack or a total of 21 may not be doubled"),
        ));
    }
    if hand.is_split_ace() {
        // 2.11(c)2, 2A.11(c)2, 26.10(e): one card only; 36.9(e) lets the ace with its one card be doubled
        let refused = |by| {
            Err(Refusal::new(
                by,
                message!("cannot-double-split-ace", "a split ace gets one card and cannot be doubled"),
            ))
        };
        match rule.split_ace {
            OnSplitAce::Refused(by) => return refused(by),
            OnSplitAce::Ruled(by) if choices.rulings.split_ace_double == SplitAceDouble::Refused => {
                return refused(by);
            }
            _ if hand.len() != 2 => return refused(by),
            OnSplitAce::Ruled(_) => {}
            OnSplitAce::Allowed(by) => return Ok(by),
        }
    }
    if hand.origin() == Origin::Split && choices.double_after_split == Offered::No {
        let why = message!("no-double-after-split", "doubling after a split is not offered at this table");
        return Err(Refusal::new(rule.not_after_split, why));
    }
    match rule.totals {
        Some(only) => only(choices, hand.total()),
        None => Ok(by),
    }
}

/// Returns the clause that allows a hand to be split, or the refusal (2.11, 2A.11, 26.10, 36.9).
fn may_split(text: &Text, choices: &Choices, situation: &Situation<'_>) -> Result<Clause, Refusal> {
    let (rule, hand) = (&text.split, situation.hand);
    let by = rule.switched.filter(|_| hand.origin() == Origin::Switched).unwrap_or(rule.by);
    if !hand.is_pair() || situation.doubled == Doubled::Yes {
        return Err(Refusal::new(
            by,
            message!("split-needs-pair", "only a first pair of equal value can be split"),
        ));
    }
    // no legal table is like this, but a hypothetical one may be
    if choices.split_hands < 2 {
        return Err(Refusal::new(by, message!("no-splitting", "splitting is not offered at this table")));
    }
    if hand.origin() != Origin::Split {
        return Ok(by);
    }
    if hand.is_split_ace() && choices.resplit_aces == Offered::No {
        let by = rule.once.filter(|_| choices.split_hands <= 2).unwrap_or(rule.aces_again);
        // 36.9(e) does not forbid it, but another split would need another card
        let why = match rule.aces_again == rule.ace {
            true => message!(
                "no-resplit-aces",
                "each split ace receives only one card, and this table does not allow resplitting aces"
            ),
            false => message!("aces-split-once", "a pair of aces may be split only once"),
        };
        return Err(Refusal::new(by, why));
    }
    if situation.hands >= choices.split_hands {
        let most = choices.split_hands;
        return Err(Refusal::new(
            resplit_limit(choices),
            message!("split-hands-limit", "a hand can be split into at most {most} hands", most),
        ));
    }
    Ok(rule.again)
}

/// Returns the clause that limits how many hands a pair may be split into at this table.
pub(crate) fn resplit_limit(choices: &Choices) -> Clause {
    let rule = &choices.text().split;
    match rule.once {
        Some(once) if choices.split_hands <= 2 => once,
        _ if choices.positions >= 7 => rule.limit_at_seven,
        _ => rule.limit,
    }
}

/// Returns the clause that allows surrender as the first decision on a hand, or the refusal (2.8(a), 2A.9(a)).
///
/// Surrender is allowed on the initial two cards, before any other decision, if the licensee offers it.
fn may_surrender_first(
    text: &Text,
    rule: &Surrender,
    first: &FirstDecision,
    choices: &Choices,
    situation: &Situation<'_>,
) -> Result<Clause, Refusal> {
    let hand = situation.hand;
    if choices.surrender == Offered::No {
        return Err(Refusal::new(
            first.not_offered,
            message!("no-surrender-offered", "surrender is not offered at this table"),
        ));
    }
    if hand.origin() == Origin::Split {
        return Err(Refusal::new(
            first.after_split,
            message!("no-surrender-after-split", "a hand formed by a split cannot be surrendered"),
        ));
    }
    if hand.len() != 2 || situation.doubled == Doubled::Yes {
        return Err(Refusal::new(
            first.by,
            message!("surrender-first", "surrender must be the first decision on the hand"),
        ));
    }
    // Q17: a blackjack is never surrendered in 2.8; 2A.9 has no such bar, but a blackjack needs no decisions
    if hand.is_blackjack() && text.wagers.hands == 1 {
        return Err(Refusal::new(
            rule.by,
            message!("no-surrender-of-blackjack", "a blackjack cannot be surrendered"),
        ));
    }
    if situation.other_hand_played && choices.rulings.surrender_timing == SurrenderTiming::BeforeBothHands {
        return Err(Refusal::new(
            first.by,
            message!("surrender-both-first", "both hands must be surrendered before any other decision"),
        ));
    }
    Ok(rule.by)
}

/// Returns whether the dealer draws to this total (2.12(b), (d), 2A.12(b), 26.12(b), 36.11(b)).
#[inline]
pub fn dealer_draws(choices: &Choices, total: Total) -> bool {
    match total {
        Total::Hard(points) => points < 17,
        Total::Soft(17) => choices.soft_17 == Soft17::Hit,
        Total::Soft(points) => points < 17,
    }
}

/// Returns the clause with the dealer's drawing rule at this table.
pub fn dealer_draws_by(choices: &Choices) -> Clause {
    match choices.soft_17 {
        Soft17::Stand => choices.text().draw.dealer_stands,
        Soft17::Hit => choices.text().draw.dealer_hits,
    }
}

/// Returns whether the dealer can have a blackjack with this upcard, that is, an ace or a ten-value card.
#[inline]
pub const fn may_be_blackjack(up: Card) -> bool {
    up.is_ace() || up.is_ten_value()
}

/// Returns whether a device reads the hole card before the players draw, given this upcard.
///
/// The clauses are 2.6(j), 2.6A(h), 2A.7(l)2, 26.7(i), 36.7(k).
pub fn peeks(choices: &Choices, up: Card) -> bool {
    choices.hole_card == HoleCard::Reader && may_be_blackjack(up)
}

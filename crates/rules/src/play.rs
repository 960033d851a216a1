//! Every question asked during play: what a player may do with a hand, and what the dealer must do.
//!
//! The live table asks them once a decision; the solver and the simulator compile their tables by asking them all.

use crate::card::Card;
use crate::choice::{Choices, Game, HoleCard, Offered, Soft17, Variation};
use crate::clause::Clause;
use crate::hand::{Hand, Origin, Total};
use crate::ruling::{DoubleTwoCard21, FaceUpSoftDoubles, SplitAceDouble, SplitAceSurrender, SurrenderTiming};
use std::borrow::Cow;

/// A player's decision on a hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Action {
    Stand,
    Hit,
    Double,
    Split,
    Surrender,
}

impl Action {
    pub const ALL: [Action; 5] =
        [Action::Stand, Action::Hit, Action::Double, Action::Split, Action::Surrender];

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
    pub const NONE: Actions = Actions(0);

    pub const fn with(self, action: Action) -> Actions {
        Actions(self.0 | 1 << action as u8)
    }

    pub const fn has(self, action: Action) -> bool {
        self.0 & (1 << action as u8) != 0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Action> {
        Action::ALL.into_iter().filter(move |&action| self.has(action))
    }
}

impl std::fmt::Debug for Actions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Why something is refused, and the clause that says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub by: Clause,
    pub why: Cow<'static, str>,
}

impl Refusal {
    pub fn new(by: Clause, why: impl Into<Cow<'static, str>>) -> Refusal {
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
    No,
    Yes,
}

/// A hand whose turn it is, and what matters around it.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    pub hand: &'a Hand,
    pub doubled: Doubled,
    /// How many hands the initial hand has become so far; one if it was not split.
    pub hands: u8,
    /// Whether the player has already decided anything on the other hand of a Switch spot.
    pub other_hand_played: bool,
}

impl<'a> Situation<'a> {
    /// A hand as dealt.
    pub fn fresh(hand: &'a Hand) -> Situation<'a> {
        Situation { hand, doubled: Doubled::No, hands: 1, other_hand_played: false }
    }

    /// One of several hands of a split.
    pub fn of_split(hand: &'a Hand, hands: u8) -> Situation<'a> {
        Situation { hand, doubled: Doubled::No, hands, other_hand_played: false }
    }
}

/// The actions that a player may choose from; empty when the hand is complete and nothing is asked.
pub fn actions(choices: &Choices, situation: &Situation<'_>) -> Actions {
    let mut open = Actions::NONE;
    for action in [Action::Hit, Action::Double, Action::Split, Action::Surrender] {
        if may(choices, situation, action).is_ok() {
            open = open.with(action);
        }
    }
    if open.is_empty() { open } else { open.with(Action::Stand) }
}

/// Whether the player may choose this action, by which clause; or why not.
pub fn may(choices: &Choices, situation: &Situation<'_>, action: Action) -> Result<Clause, Refusal> {
    match action {
        Action::Stand => may_stand(choices, situation),
        Action::Hit => may_draw(choices, situation),
        Action::Double => may_double(choices, situation),
        Action::Split => may_split(choices, situation),
        Action::Surrender => may_surrender(choices, situation),
    }
}

/// 2.6(f), 2.6A(d), 2A.7(h), 26.7(e), 36.7(g): a hand with anything left to decide may stand.
fn may_stand(choices: &Choices, situation: &Situation<'_>) -> Result<Clause, Refusal> {
    let by = decisions_clause(choices);
    if situation.hand.is_bust() {
        return Err(Refusal::new(by, "the hand has passed 21"));
    }
    Ok(by)
}

/// Where each text lists the decisions that a player has.
pub fn decisions_clause(choices: &Choices) -> Clause {
    match (choices.game, choices.variation) {
        (Game::Blackjack, Variation::SixToFive) => clause!("19:47-2.6A(d)#2"),
        (Game::Blackjack, _) => clause!("19:47-2.6(f)#2"),
        (Game::Switch, _) => clause!("19:47-2A.7(h)"),
        (Game::DoubleAttack, _) => clause!("19:47-26.7(e)#2"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(g)"),
    }
}

/// 2.12(a), 2A.12(a), 26.12(a), 36.11(a): below 21 a player may draw, unless the hand is doubled or a split ace.
fn may_draw(choices: &Choices, situation: &Situation<'_>) -> Result<Clause, Refusal> {
    let (by, at_21, doubled, split_ace) = match choices.game {
        Game::Blackjack => (
            clause!("19:47-2.12(a)"),
            clause!("19:47-2.12(a)1"),
            clause!("19:47-2.12(a)2"),
            clause!("19:47-2.11(c)2"),
        ),
        Game::Switch => (
            clause!("19:47-2A.12(a)"),
            clause!("19:47-2A.12(a)1"),
            clause!("19:47-2A.12(a)2"),
            clause!("19:47-2A.11(c)2"),
        ),
        Game::DoubleAttack => (
            clause!("19:47-26.12(a)"),
            clause!("19:47-26.12(a)1"),
            clause!("19:47-26.12(a)2"),
            clause!("19:47-26.10(e)"),
        ),
        Game::TripleAttack => (
            clause!("19:47-36.11(a)"),
            clause!("19:47-36.11(a)1"),
            clause!("19:47-36.11(a)2"),
            clause!("19:47-36.9(e)"),
        ),
    };
    let hand = situation.hand;
    if hand.is_bust() {
        let by = if choices.variation == Variation::SixToFive { clause!("19:47-2.6A(e)2#2") } else { by };
        Err(Refusal::new(by, "the hand has passed 21 and takes no more cards"))
    } else if situation.doubled == Doubled::Yes {
        Err(Refusal::new(doubled, "a doubled hand takes one additional card and no more"))
    } else if hand.points() == 21 {
        Err(Refusal::new(at_21, "a hand of 21 may not draw"))
    } else if hand.is_split_ace() && hand.len() >= 2 {
        Err(Refusal::new(split_ace, "a split ace gets one card and no more"))
    } else {
        Ok(by)
    }
}

/// 2.10, 2A.10, 26.9, 36.8: when a hand may be doubled.
fn may_double(choices: &Choices, situation: &Situation<'_>) -> Result<Clause, Refusal> {
    let hand = situation.hand;
    let by = match choices.game {
        Game::Blackjack if hand.origin() == Origin::Split => clause!("19:47-2.10(a)#2"),
        Game::Blackjack => clause!("19:47-2.10(a)"),
        Game::Switch => clause!("19:47-2A.10(a)"),
        Game::DoubleAttack => clause!("19:47-26.9(a)"),
        Game::TripleAttack => clause!("19:47-36.8(a)"),
    };
    if situation.doubled == Doubled::Yes {
        return Err(Refusal::new(by, "the hand is doubled already"));
    }
    if hand.is_bust() {
        return Err(Refusal::new(by, "the hand has passed 21"));
    }
    // 2.10(a), 2A.10(a): the first two cards only; 26.9(a), 36.8(a): two or more cards
    let any_number = matches!(choices.game, Game::DoubleAttack | Game::TripleAttack);
    if hand.len() > 2 && !any_number {
        let by = match choices.game {
            Game::Switch => clause!("19:47-2A.10(a)#2"),
            _ => by,
        };
        return Err(Refusal::new(by, "a hand may be doubled on its first two cards only"));
    }
    if hand.points() == 21 {
        let plain = choices.game == Game::Switch && !hand.is_blackjack();
        if !(plain && choices.rulings.double_two_card_21 == DoubleTwoCard21::Allowed) {
            let by = match choices.game {
                Game::DoubleAttack if hand.is_blackjack() => clause!("19:47-26.9(a)#2"),
                Game::TripleAttack if hand.is_blackjack() => clause!("19:47-36.8(a)#2"),
                _ => by,
            };
            return Err(Refusal::new(by, "a blackjack or a total of 21 may not be doubled"));
        }
    }
    if hand.is_split_ace() {
        // 2.11(c)2, 2A.11(c)2, 26.10(e): one card only; 36.9(e) lets the ace with its one card be doubled
        let refused = |by| Err(Refusal::new(by, "a split ace gets one card and cannot be doubled"));
        match choices.game {
            Game::Blackjack => return refused(clause!("19:47-2.11(c)2")),
            Game::Switch => return refused(clause!("19:47-2A.11(c)2")),
            Game::DoubleAttack if choices.rulings.split_ace_double == SplitAceDouble::Refused => {
                return refused(clause!("19:47-26.10(e)"));
            }
            Game::DoubleAttack | Game::TripleAttack if hand.len() != 2 => return refused(by),
            Game::DoubleAttack => {}
            Game::TripleAttack => return Ok(clause!("19:47-36.9(e)#2")),
        }
    }
    if hand.origin() == Origin::Split && choices.double_after_split == Offered::No {
        return Err(Refusal::new(
            clause!("19:47-2.10(d)"),
            "doubling after a split is not offered at this table",
        ));
    }
    if choices.game == Game::Blackjack && choices.hole_card == HoleCard::Up {
        return face_up_double(choices, hand.total());
    }
    Ok(by)
}

/// 2.6(k)4: with the hole card face up, only on a point count of 9, 10 or 11.
fn face_up_double(choices: &Choices, total: Total) -> Result<Clause, Refusal> {
    let by = clause!("19:47-2.6(k)4");
    match total {
        Total::Hard(9..=11) => Ok(by),
        Total::Soft(19..=20) if choices.rulings.face_up_soft_doubles == FaceUpSoftDoubles::Allowed => Ok(by),
        _ => Err(Refusal::new(by, "with the hole card face up only 9, 10 or 11 may be doubled")),
    }
}

/// 2.11, 2A.11, 26.10, 36.9: when a hand may be split.
fn may_split(choices: &Choices, situation: &Situation<'_>) -> Result<Clause, Refusal> {
    let hand = situation.hand;
    let by = match choices.game {
        Game::Blackjack => clause!("19:47-2.11(a)"),
        Game::Switch if hand.origin() == Origin::Switched => clause!("19:47-2A.11(a)#2"),
        Game::Switch => clause!("19:47-2A.11(a)"),
        Game::DoubleAttack => clause!("19:47-26.10(a)"),
        Game::TripleAttack => clause!("19:47-36.9(a)"),
    };
    if !hand.is_pair() || situation.doubled == Doubled::Yes {
        return Err(Refusal::new(by, "only two first cards of identical value may be split"));
    }
    if hand.origin() != Origin::Split {
        return Ok(by);
    }
    if hand.is_split_ace() && choices.resplit_aces == Offered::No {
        let by = match choices.game {
            Game::Blackjack if choices.split_hands > 2 => clause!("19:47-2.11(e)#5"),
            Game::Switch if choices.split_hands > 2 => clause!("19:47-2A.11(e)#2"),
            Game::DoubleAttack => clause!("19:47-26.10(e)#2"),
            Game::TripleAttack => clause!("19:47-36.9(e)"),
            _ => resplit_limit(choices),
        };
        return Err(Refusal::new(by, "a pair of aces may be split only once"));
    }
    if situation.hands >= choices.split_hands {
        let most = choices.split_hands;
        return Err(Refusal::new(resplit_limit(choices), format!("a hand may become at most {most} hands")));
    }
    Ok(match choices.game {
        Game::Blackjack => clause!("19:47-2.11(e)"),
        Game::Switch => clause!("19:47-2A.11(e)"),
        Game::DoubleAttack => clause!("19:47-26.10(c)#2"),
        Game::TripleAttack => clause!("19:47-36.9(c)#2"),
    })
}

/// The clause that limits how often pairs may be split at this table.
pub(crate) fn resplit_limit(choices: &Choices) -> Clause {
    match (choices.game, choices.variation, choices.hole_card) {
        (Game::Blackjack, Variation::MultipleAction, _) => clause!("19:47-2.11(e)#4"),
        (Game::Blackjack, _, HoleCard::Up) => clause!("19:47-2.6(k)5"),
        (Game::Blackjack, ..) if choices.split_hands <= 2 => clause!("19:47-2.11(c)1"),
        (Game::Blackjack, ..) if choices.positions >= 7 => clause!("19:47-2.11(e)#2"),
        (Game::Blackjack, ..) => clause!("19:47-2.11(e)"),
        (Game::Switch, ..) if choices.split_hands <= 2 => clause!("19:47-2A.11(c)1"),
        (Game::Switch, ..) => clause!("19:47-2A.11(e)"),
        (Game::DoubleAttack, ..) if choices.positions >= 7 => clause!("19:47-26.10(c)#3"),
        (Game::DoubleAttack, ..) => clause!("19:47-26.10(c)#4"),
        (Game::TripleAttack, ..) => clause!("19:47-36.9(c)#3"),
    }
}

/// 2.8, 2A.9, 26.8; Triple Attack has no surrender.
fn may_surrender(choices: &Choices, situation: &Situation<'_>) -> Result<Clause, Refusal> {
    match choices.game {
        Game::TripleAttack => Err(Refusal::new(clause!("19:47-36.7(g)"), "Triple Attack has no surrender")),
        Game::DoubleAttack => double_attack_surrender(choices, situation),
        Game::Blackjack | Game::Switch => first_decision_surrender(choices, situation),
    }
}

/// 2.8(a), 2A.9(a): on the initial two cards, before any other decision, where the licensee offers it.
fn first_decision_surrender(choices: &Choices, situation: &Situation<'_>) -> Result<Clause, Refusal> {
    let hand = situation.hand;
    let switch = choices.game == Game::Switch;
    let (by, first, offered) = if switch {
        (clause!("19:47-2A.9(a)"), clause!("19:47-2A.9(a)#2"), clause!("19:47-2A.9(c)"))
    } else {
        (clause!("19:47-2.8(a)"), clause!("19:47-2.8(a)#2"), clause!("19:47-2.8(c)"))
    };
    if choices.surrender == Offered::No {
        let by = match (choices.hole_card, choices.variation) {
            (HoleCard::Up, _) => clause!("19:47-2.6(k)3"),
            (_, Variation::SixToFive) => clause!("19:47-2.8(c)#3"),
            (_, Variation::MultipleAction) => clause!("19:47-2.8(c)#2"),
            _ => offered,
        };
        return Err(Refusal::new(by, "surrender is not offered at this table"));
    }
    if hand.origin() == Origin::Split {
        let by = if switch { clause!("19:47-2A.11(c)") } else { by };
        return Err(Refusal::new(by, "a hand formed by a split cannot be surrendered"));
    }
    if hand.len() != 2 || situation.doubled == Doubled::Yes {
        return Err(Refusal::new(first, "surrender must be the first decision on the hand"));
    }
    // Q17: a blackjack is never surrendered in 2.8; 2A.9 has no such bar, but a blackjack is not asked for decisions
    if hand.is_blackjack() && !switch {
        return Err(Refusal::new(by, "a blackjack is not surrendered"));
    }
    if situation.other_hand_played && choices.rulings.surrender_timing == SurrenderTiming::BeforeBothHands {
        return Err(Refusal::new(first, "both hands had to be surrendered before any other decision"));
    }
    Ok(by)
}

/// 26.8(a): at any time until the player stands, after drawing, splitting and doubling too.
fn double_attack_surrender(choices: &Choices, situation: &Situation<'_>) -> Result<Clause, Refusal> {
    let hand = situation.hand;
    let by = match (situation.doubled, hand.origin(), hand.len()) {
        (Doubled::Yes, ..) => clause!("19:47-26.8(a)#4"),
        (_, Origin::Split, _) => clause!("19:47-26.8(a)#3"),
        (_, _, 2) => clause!("19:47-26.8(a)"),
        _ => clause!("19:47-26.8(a)#2"),
    };
    if choices.surrender == Offered::No || hand.points() >= 21 {
        return Err(Refusal::new(by, "a hand of 21 or more is complete and cannot be surrendered"));
    }
    if hand.is_split_ace() && choices.rulings.split_ace_surrender == SplitAceSurrender::Refused {
        return Err(Refusal::new(clause!("19:47-26.10(e)"), "a split ace gets one card and nothing more"));
    }
    Ok(by)
}

/// 2.12(b), (d), 2A.12(b), 26.12(b), 36.11(b): whether the dealer draws to this total.
pub fn dealer_draws(choices: &Choices, total: Total) -> bool {
    match total {
        Total::Hard(points) => points < 17,
        Total::Soft(17) => choices.soft_17 == Soft17::Hit,
        Total::Soft(points) => points < 17,
    }
}

/// The clause of the dealer's drawing rule.
pub fn dealer_draws_by(choices: &Choices) -> Clause {
    match (choices.game, choices.variation, choices.soft_17) {
        (Game::Blackjack, Variation::SixToFive, _) => clause!("19:47-2.12(d)"),
        (Game::Blackjack, _, Soft17::Stand) => clause!("19:47-2.12(b)1"),
        (Game::Blackjack, _, Soft17::Hit) => clause!("19:47-2.12(b)2"),
        (Game::Switch, ..) => clause!("19:47-2A.12(b)"),
        (Game::DoubleAttack, ..) => clause!("19:47-26.12(b)"),
        (Game::TripleAttack, ..) => clause!("19:47-36.11(b)"),
    }
}

/// 2.12(c), 2A.12(c), 26.12(c), 36.11(c): no card that cannot matter.
pub fn needless_draw_by(choices: &Choices) -> Clause {
    match choices.game {
        Game::Blackjack => clause!("19:47-2.12(c)"),
        Game::Switch => clause!("19:47-2A.12(c)"),
        Game::DoubleAttack => clause!("19:47-26.12(c)"),
        Game::TripleAttack => clause!("19:47-36.11(c)"),
    }
}

/// Whether this up card can still become a blackjack: an ace or ten-value card.
pub const fn may_be_blackjack(up: Card) -> bool {
    up.is_ace() || up.is_ten_value()
}

/// 2.6(j), 2.6A(h), 2A.7(l)2, 26.7(i), 36.7(k): whether the hole card is read before the players draw.
pub fn peeks(choices: &Choices, up: Card) -> bool {
    choices.hole_card == HoleCard::Reader && may_be_blackjack(up)
}

/// The clause under which a reader is used, or its finding ends the round.
pub fn peek_by(choices: &Choices) -> Clause {
    match (choices.game, choices.variation) {
        (Game::Blackjack, Variation::SixToFive) => clause!("19:47-2.6A(h)"),
        (Game::Blackjack, _) => clause!("19:47-2.6(j)#4"),
        (Game::Switch, _) => clause!("19:47-2A.7(l)2"),
        (Game::DoubleAttack, _) => clause!("19:47-26.7(i)#3"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(k)#3"),
    }
}

//! One decision: the value of every legal action for a hand, an upcard and the cards that are removed.

use crate::assume::Assumptions;
use crate::cards::{Counts, Index, Shoe, points, size};
use crate::dealer::DealerTree;
use crate::hands::SIX_SEVEN_EIGHT;
use crate::judge::{Blackjack, Judge, Measure};
use crate::play::{AfterSplit, PlayChoice};
use crate::round::{Escapes, Solved, by_first_card};
use crate::seen::{Seen, seen_states, sum, up_of};
use crate::solve::{AsDealt, Layout, Solver};
use crate::split::Splits;
pub use crate::stack::Unsolvable;
use crate::stack::{FEWEST, Named, Stack, is_enough, refused};
use crate::switch::Switch;
use crate::table::{Attacked, Table, counts};
use crate::turn::Action;
use crate::vocabulary::{ACE, RANKS, Rank, TEN, Upcard};
use rules::message;
use rules::text::Form;
use rules::{Card, Choices};
use std::sync::Arc;

/// A decision to evaluate, with all cards that the player knows.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The cards of the hand to decide on.
    ///
    /// With no card or one card, the decision is about the attack bets of Double and Triple Attack.
    pub hand: &'a [Card],
    /// The player's other hand in Switch, empty in other games.
    pub other: &'a [Card],
    /// The dealer's visible cards: one, or both where the hole card is dealt face up.
    pub up: &'a [Card],
    /// Further cards that are out of the shoe, besides those in the other fields.
    pub removed: &'a [Card],
    /// Whether the double attack bet has been made.
    pub attacked: Attacked,
}

/// An action with its value in units of the initial bet.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionEv {
    /// The action's name in a round file, such as `hit`.
    pub action: &'static str,
    /// Expected net of the action, in units of the initial bet.
    pub ev: f64,
}

/// The values of the options at one decision.
///
/// An option that the decision does not have is an empty list, `None` or zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Every legal action with its value, best first.
    pub actions: Vec<ActionEv>,
    /// The actions of the player's other hand in Switch, best first.
    ///
    /// Empty unless both hands have two cards.
    pub other_actions: Vec<ActionEv>,
    /// The values of keeping and of switching in Switch, best first.
    pub switch: Vec<ActionEv>,
    /// The values of making and of declining the next attack bet, best first.
    pub attack: Vec<ActionEv>,
    /// The EV of one unit of insurance, or `None` if insurance is not offered.
    pub insurance: Option<f64>,
    /// The value of even money, or `None` if this hand cannot take it.
    pub even_money: Option<f64>,
    /// The chance of a dealer's blackjack, given the known cards.
    ///
    /// If the dealer checks for blackjack before play, all values assume that the dealer has none.
    pub dealer_blackjack: f64,
}

/// The chance below which an event counts as impossible.
///
/// Rounding errors of `f64` sums are smaller.
const NO_CHANCE: f64 = 1e-9;

/// Returns the values of the legal actions, dealt from a full shoe without the cards of the question.
///
/// Returns an error if the question cannot be answered, for example because a card is not in the shoe.
pub fn ev(choices: &Choices, question: &Question<'_>) -> Result<Answer, Unsolvable> {
    ev_from(choices, question, &Stack::full(choices))
}

/// Returns the values of the legal actions, dealt from `stack` without the cards of the question.
///
/// `stack` still contains the cards of the question. Returns an error if the question cannot be answered, for
/// example because a card is not in the stack.
pub fn ev_from(choices: &Choices, question: &Question<'_>, stack: &Stack) -> Result<Answer, Unsolvable> {
    ev_assuming(choices, question, stack, &Assumptions::default())
}

/// Returns the values of the legal actions under assumed rules, dealt from `stack`.
///
/// `stack` still contains the cards of the question. Returns an error if the question cannot be answered, for
/// example because a card is not in the stack.
pub fn ev_assuming(
    choices: &Choices,
    question: &Question<'_>,
    stack: &Stack,
    assumed: &Assumptions,
) -> Result<Answer, Unsolvable> {
    let stack = without(stack, question)?;
    let left = stack.left();
    let mut table = Table::new(choices, question.attacked).assuming(assumed.clone());
    let both = table.seen() == Seen::BothCards;
    // 36.7(d.2): the second attack is offered before the dealer has a card.
    let before_up =
        choices.text().form() == Form::TwoAttacks && question.hand.len() == 1 && question.up.is_empty();
    if !before_up && question.up.len() != if both { 2 } else { 1 } {
        return refused(if both {
            message!("both-upcards-needed", "both of the dealer's cards are face up at this table; give both")
        } else {
            message!("one-upcard-needed", "give exactly one upcard")
        });
    }
    let mut shoe: Shoe = stack.values();
    let hand = counts(question.hand);
    let up = counts(question.up);
    let other = counts(question.other);
    if !is_enough(&shoe, choices) {
        return refused(message!(
            "too-few-cards-left",
            "fewer than {least} cards are left in the shoe",
            least = FEWEST
        ));
    }
    for r in Rank::ALL {
        // The solver removes these cards itself.
        shoe[r] += u16::from(hand[r]) + u16::from(up[r]) + u16::from(other[r]);
    }
    table.set_third_suited(third_suited(question.hand, &stack));
    if before_up {
        return Ok(Ask { table: &table, shoe, u: Upcard::ONLY, left: &left, question }.second_attack());
    }
    if let (true, &[one, other]) = (both, question.up) {
        table.set_seen((Rank::of(one), Rank::of(other)));
    }
    let Some(u) = up_of(table.seen(), &up) else {
        return refused(message!(
            "upcard-not-in-shoe",
            "this upcard cannot be dealt from the cards left in the shoe"
        ));
    };
    let ask = Ask { table: &table, shoe, u, left: &left, question };
    match (choices.text().form(), question.hand.len()) {
        (Form::OneHand, 0 | 1) | (Form::TwoHands, 0 | 1) | (Form::OneAttack, 1) | (Form::TwoAttacks, 0) => {
            refused(message!("hand-needs-two-cards", "a hand must have at least two cards"))
        }
        (Form::OneAttack, 0) | (Form::TwoAttacks, 1) => Ok(ask.attack()),
        _ if points(&hand).total > 21 => refused(message!("hand-already-busted", "the hand is over 21")),
        _ if both => ask.play::<1>(&hand, &other),
        (Form::TwoHands, _) => ask.switch(&hand, &other),
        _ => ask.play::<RANKS>(&hand, &other),
    }
}

struct Ask<'a> {
    table: &'a Table<'a>,
    shoe: Shoe,
    u: Upcard,
    left: &'a [(Card, u16)],
    question: &'a Question<'a>,
}

impl Ask<'_> {
    fn play<const U: usize>(&self, hand: &Counts, other: &Counts) -> Result<Answer, Unsolvable> {
        let dealer: DealerTree<f64, U> = self.table.dealer_against(self.u);
        let mut answer = Answer::default();
        answer.actions = self.actions(&dealer, hand, other, &mut answer)?;
        answer.insurance = self.insurance();
        Ok(answer)
    }

    /// Returns the values of the actions on one hand.
    fn actions<const U: usize>(
        &self,
        dealer: &DealerTree<f64, U>,
        hand: &Counts,
        other: &Counts,
        answer: &mut Answer,
    ) -> Result<Vec<ActionEv>, Unsolvable> {
        // The hands of a split have one card of the pair in common with the hand itself.
        let pair = size(hand) == 2 && hand.contains(&2);
        let root = if pair { hand.map(|n| n / 2) } else { *hand };
        let mut removals = crate::hands::Removals::default();
        let layout = Layout::new(self.table, &self.shoe, other, &root, &mut removals);
        let chances = Arc::new(dealer.chances(&self.shoe, &removals.list));
        let solver = Solver::laid_out(self.table, &layout, chances);
        let base = solver.best();
        let of = (AfterSplit::AsDealt, dealer, &self.shoe);
        let splits = Splits::new(&solver, of, &AsDealt(&base));
        let solved = Solved::split_with(&solver, base, Arc::new(splits), Escapes::Against(self.u));
        let Some(i) = self.index(&solver, hand) else {
            return refused(message!(
                "hand-not-in-shoe",
                "this hand cannot be dealt from the cards left in the shoe"
            ));
        };
        let Some(turn) = solved.base.turns[i as usize].as_ref() else {
            return refused(message!("hand-needs-two-cards", "a hand must have at least two cards"));
        };
        let blackjack = solver.dealer_blackjack(i)[self.u];
        let given = if self.table.blackjack() == Blackjack::BeforePlay { 1.0 - blackjack } else { 1.0 };
        if given < NO_CHANCE {
            return refused(match self.table.seen() {
                Seen::BothCards | Seen::TheseCards(..) => message!(
                    "dealer-blackjack-face-up",
                    "the dealer has a blackjack: no more cards are dealt and there is nothing to decide \
                        (19:47-2.6(k)6)"
                ),
                _ => message!(
                    "dealer-must-have-blackjack",
                    "with these cards the dealer must have blackjack, which is checked before any decision"
                ),
            });
        }
        let mut options = vec![ActionEv { action: "stand", ev: turn.stand[self.u] / given }];
        for (allowed, action) in [
            (turn.may.hit, Action::Hit),
            (turn.may.double, Action::Double),
            (turn.may.surrender, Action::Surrender),
        ] {
            if allowed {
                options.push(ActionEv { action: word(action), ev: *turn.value(action, self.u) / given });
            }
        }
        if let (true, Some((_, split))) = (pair, solved.split_values.iter().find(|(r, _)| hand[*r] == 2)) {
            options.push(ActionEv { action: "split", ev: split[self.u] / given });
        }
        sort(&mut options);
        answer.dealer_blackjack = blackjack;
        let natural = size(hand) == 2 && hand[ACE] == 1 && hand[TEN] == 1;
        if natural && seen_states(self.table.seen()).get(self.u.index()).is_some_and(|s| s[ACE] == 1) {
            answer.even_money = solver.even_money(i, Measure::Net);
        }
        Ok(options)
    }

    /// Returns the index of the question's hand in a solver, or `None` if the solver lacks the hand.
    ///
    /// Where suits matter, the index is that of the hand with its suits.
    fn index<J: Judge, const U: usize>(
        &self,
        solver: &Solver<'_, J, f64, U>,
        hand: &Counts,
    ) -> Option<Index> {
        let suited = match self.question.hand {
            [a, b] => a.suit() == b.suit(),
            _ => false,
        };
        let of = |&&(a, b, _): &&(Rank, Rank, Index)| hand[a] == 1 && hand[b] == 1 && size(hand) == 2;
        match solver.hands.suited.iter().find(of) {
            Some(&(_, _, i)) if suited => Some(i),
            _ => solver.hands.find(hand),
        }
    }

    fn switch(&self, hand: &Counts, other: &Counts) -> Result<Answer, Unsolvable> {
        let dealer: DealerTree<f64, RANKS> = self.table.dealer_against(self.u);
        let mut answer = Answer::default();
        answer.actions = self.actions(&dealer, hand, other, &mut answer)?;
        answer.insurance = self.insurance();
        if let ([a, b], [c, d]) = (self.question.hand, self.question.other) {
            answer.other_actions = self.actions(&dealer, other, hand, &mut Answer::default())?;
            let (first, second) = ([Rank::of(*a), Rank::of(*b)], [Rank::of(*c), Rank::of(*d)]);
            answer.switch = self.switching(&dealer, first, second);
        }
        Ok(answer)
    }

    fn switching(
        &self,
        dealer: &DealerTree<f64, RANKS>,
        first: [Rank; 2],
        second: [Rank; 2],
    ) -> Vec<ActionEv> {
        let Some(decision) = Switch::decide(self.table, dealer, &self.shoe, (first, second, self.u)) else {
            return Vec::new();
        };
        let mut options = vec![
            ActionEv { action: "keep", ev: decision.keep },
            ActionEv { action: "switch", ev: decision.switch },
        ];
        sort(&mut options);
        options
    }

    /// Returns the values of making and of declining the next attack bet, once the upcard is known.
    fn attack(&self) -> Answer {
        let dealer = self.table.dealer_against::<f64, RANKS>(self.u);
        let solver = Solver::new(self.table, &dealer, self.shoe, &[0; RANKS]);
        let best = PlayChoice::Best(AfterSplit::AsDealt);
        let solved = Solved::by(&solver, &dealer, best);
        let states = seen_states(self.table.seen());
        let (with, without) = match self.question.hand {
            [first] => {
                let first = Rank::of(*first);
                let net = by_first_card(&solved, &solved.rounds(Measure::Net))[first];
                let mut gone = [0; RANKS];
                gone[first] = 1;
                let all: u16 = self.shoe.iter().sum();
                let chance = f64::from(self.shoe[first]) / f64::from(all);
                let one = net[self.u] / (chance * solver.state_chances(&gone, &states)[self.u]);
                (2.0 * one, one)
            }
            _ => {
                let attacked = Table::new(self.table.choices(), Attacked::Yes);
                let doubled = solver.judged_by(&attacked);
                let again = solved.under_judge(&doubled);
                let again = again.unwrap_or_else(|| Solved::by(&doubled, &dealer, best));
                let chance = solver.state_chances(&[0; RANKS], &states)[self.u];
                (again.round(Measure::Net)[self.u] / chance, solved.round(Measure::Net)[self.u] / chance)
            }
        };
        let mut attack =
            vec![ActionEv { action: "attack", ev: with }, ActionEv { action: "pass", ev: without }];
        sort(&mut attack);
        Answer { attack, insurance: None, ..Answer::default() }
    }

    /// Returns the values of making and of declining the second attack bet of Triple Attack.
    ///
    /// The player decides it on the first card alone. The third attack bet is decided later and independently: it
    /// is made wherever one more bet has a positive value.
    fn second_attack(&self) -> Answer {
        let dealer = self.table.dealer::<f64, RANKS>();
        let solver = Solver::new(self.table, &dealer, self.shoe, &[0; RANKS]);
        let solved = Solved::by(&solver, &dealer, PlayChoice::Best(AfterSplit::AsDealt));
        let first = self.question.hand.first().map_or(TEN, |card| Rank::of(*card));
        let all: u16 = self.shoe.iter().sum();
        let chance = f64::from(self.shoe[first]) / f64::from(all);
        let by_up = by_first_card(&solved, &solved.rounds(Measure::Net))[first].map(|value| value / chance);
        let (one, third) = (sum(&by_up), by_up.iter().map(|value| value.max(0.0)).sum::<f64>());
        let mut attack = vec![
            ActionEv { action: "attack", ev: 2.0 * one + third },
            ActionEv { action: "pass", ev: one + third },
        ];
        sort(&mut attack);
        Answer { attack, ..Answer::default() }
    }

    /// Returns the EV of one unit of insurance, or `None` if insurance is not offered.
    ///
    /// The EV is the average over every card that may be the dealer's second.
    fn insurance(&self) -> Option<f64> {
        let [up] = self.question.up else { return None };
        (up.is_ace() && self.table.seen() == Seen::UpCard)
            .then(|| insurance_value(self.table.choices(), *up, self.left))
    }
}

/// Returns the EV of one unit of insurance if the dealer's second card is one of the cards in `left`.
pub fn insurance_value(choices: &Choices, up: Card, left: &[(Card, u16)]) -> f64 {
    const UNIT: rules::Cents = rules::Cents(1_000);
    let (mut cards, mut net) = (0, 0);
    for &(card, n) in left {
        cards += i64::from(n);
        let verdict = rules::settle::insurance(choices, up, card);
        net += i64::from(n) * verdict.net(UNIT).unwrap_or(rules::Cents::ZERO).0;
    }
    if cards > 0 { net as f64 / (cards * UNIT.0) as f64 } else { 0.0 }
}

fn word(action: Action) -> &'static str {
    match action {
        Action::Stand => "stand",
        Action::Hit => "hit",
        Action::Double => "double",
        Action::Split => "split",
        Action::Surrender => "surrender",
    }
}

fn sort(options: &mut [ActionEv]) {
    options.sort_by(|a, b| b.ev.total_cmp(&a.ev));
}

/// Returns the stack without all cards that the question names, or an error if one of them is not left.
fn without(stack: &Stack, question: &Question<'_>) -> Result<Stack, Unsolvable> {
    let mut stack = stack.clone();
    let named = [question.hand, question.other, question.up, question.removed];
    named.into_iter().flatten().try_for_each(|&card| stack.take(Named::Card(card)))?;
    Ok(stack)
}

/// Returns the chance that the third card of 6-7-8 has the suit of the hand's two cards, as a fraction.
///
/// Returns `None` if the hand is not two suited cards of 6-7-8.
fn third_suited(hand: &[Card], stack: &Stack) -> Option<(i64, i64)> {
    let [a, b] = hand else { return None };
    let of_678 = |card: &Card| SIX_SEVEN_EIGHT.contains(&Rank::of(*card));
    let missing = SIX_SEVEN_EIGHT.into_iter().find(|v| ![Rank::of(*a), Rank::of(*b)].contains(v))?;
    let (suited, all) = stack.share(Card::new(missing.face(), a.suit()));
    (a.suit() == b.suit() && of_678(a) && of_678(b) && all > 0).then_some((suited, all))
}

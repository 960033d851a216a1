//! Counts how often a bet reaches each paytable line, over everything that the shoe can deal.
//!
//! This module contains no rules: [`SideBet::line`] classifies, [`rules::play::allows`] tells whether the player
//! may draw a further card, and [`rules::wager::twenty::waits`] tells whether the dealer's second card matters.

use crate::dealt::Dealt;
use crate::shoe::Shoe;
use rules::play::{Situation, allows};
use rules::wager::{PayLine, Sees, View, twenty};
use rules::{Action, Card, Choices, Hand, SideBet};

/// The number of equally likely ways to reach each paytable line of a side bet; in all other ways, the bet loses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The paytable lines that the cards can reach, each with its number of ways.
    pub lines: Vec<(PayLine, u128)>,
    /// The number of all ways to deal the cards that matter, whether the bet wins or loses.
    pub of: u128,
}

impl Tally {
    pub(crate) fn new(of: u128) -> Tally {
        Tally { lines: Vec::new(), of }
    }

    pub(crate) fn add(&mut self, line: Option<PayLine>, ways: u128) {
        let Some(line) = line else { return };
        match self.lines.iter_mut().find(|(known, _)| *known == line) {
            Some((_, count)) => *count += ways,
            None => self.lines.push((line, ways)),
        }
    }

    /// Sorts the paytable lines by their position in the paytable, best first.
    pub(crate) fn sorted(mut self, choices: &Choices, bet: SideBet) -> Tally {
        let table = rules::wager::own::lines(choices, bet.wager());
        let place = |line: &PayLine| table.iter().position(|known| known == line);
        self.lines.sort_by_key(|(line, _)| place(line));
        self
    }

    /// Returns the number of ways in which the bet loses.
    pub fn lost(&self) -> u128 {
        self.of - self.lines.iter().map(|(_, ways)| ways).sum::<u128>()
    }
}

/// Returns the highest number of a player's cards, in the order dealt, that affect a bet.
///
/// 2.17(e)3 names three cards, 2.19(c) four.
fn longest_series(bet: SideBet) -> usize {
    match bet.sees() {
        Sees::Sevens => 3,
        Sees::Aces => 4,
        _ => 2,
    }
}

/// Returns the tally of a side bet over a full shoe, or `None` for a streak bet, which depends on rounds and not
/// on cards.
///
/// In the sevens and progressive bets, the player takes a further card wherever the regulation offers one.
pub fn tally(choices: &Choices, bet: SideBet) -> Option<Tally> {
    tally_from(&Dealt::fresh(choices), bet)
}

/// Returns the tally of a side bet over the cards left in a shoe, or `None` for a streak bet.
pub fn tally_from(dealt: &Dealt<'_>, bet: SideBet) -> Option<Tally> {
    let (choices, mut shoe): (&Choices, Shoe) = (dealt, dealt.shoe().clone());
    let counted = match bet.sees() {
        Sees::Streak(_) => return None,
        Sees::Two => first_two(choices, bet, &mut shoe),
        Sees::TwoAndUp => first_two_and_up(choices, bet, &mut shoe),
        Sees::DealerThree => dealer_three(choices, bet, &mut shoe),
        Sees::Four => four_of_both_hands(choices, bet, &shoe),
        Sees::TwoAndBlackjack => first_two_and_dealer_two(choices, bet, &mut shoe),
        Sees::Sevens | Sees::Aces => series(choices, bet, &mut shoe),
    };
    Some(counted.sorted(choices, bet))
}

/// Returns the tally of a side bet over the player's first two cards alone, without a further card.
pub(crate) fn tally_of_two(dealt: &Dealt<'_>, bet: SideBet) -> Tally {
    first_two(dealt, bet, &mut dealt.shoe().clone()).sorted(dealt, bet)
}

pub(crate) fn view<'a>(cards: &'a [Card], dealer: &'a [Card]) -> View<'a> {
    View { cards, dealer }
}

fn first_two(choices: &Choices, bet: SideBet, shoe: &mut Shoe) -> Tally {
    let mut tally = Tally::new(shoe.orders(2));
    shoe.deal_series(|two: [Card; 2], ways| tally.add(bet.line(choices, &view(&two, &[])), ways));
    tally
}

fn first_two_and_up(choices: &Choices, bet: SideBet, shoe: &mut Shoe) -> Tally {
    let mut tally = Tally::new(shoe.orders(3));
    shoe.deal_series(|[first, second, up]: [Card; 3], ways| {
        tally.add(bet.line(choices, &view(&[first, second], &[up])), ways);
    });
    tally
}

/// Returns the tally of a bet on the dealer's first three cards (2.25(d)#4, 26.12(c)).
///
/// While such a bet is open, the dealer's third card is dealt unless the first two cards have decided the bet.
fn dealer_three(choices: &Choices, bet: SideBet, shoe: &mut Shoe) -> Tally {
    let mut tally = Tally::new(shoe.orders(3));
    shoe.deal_series(|dealer: [Card; 3], ways| tally.add(bet.line(choices, &view(&[], &dealer)), ways));
    tally
}

fn four_of_both_hands(choices: &Choices, bet: SideBet, shoe: &Shoe) -> Tally {
    let mut tally = Tally::new(shoe.orders(4));
    shoe.deal_sets_of_four(|four, ways| tally.add(bet.line(choices, &view(&four, &[])), ways));
    tally
}

fn first_two_and_dealer_two(choices: &Choices, bet: SideBet, shoe: &mut Shoe) -> Tally {
    let mut tally = Tally::new(shoe.orders(4));
    let mut waiting = Vec::new();
    let rest = u128::from(shoe.left().saturating_sub(3));
    shoe.deal_series(|[first, second, up]: [Card; 3], ways| {
        let two = [first, second];
        if twenty::waits(two, up) {
            waiting.push((two, up, ways));
        } else {
            tally.add(bet.line(choices, &view(&two, &[up])), ways * rest);
        }
    });
    for (two, up, ways) in waiting {
        let Ok(mut shoe) = shoe.without(&[two[0], two[1], up]) else {
            continue;
        };
        shoe.deal(|second, count, _| {
            tally.add(bet.line(choices, &view(&two, &[up, second])), ways * count);
        });
    }
    tally
}

/// Returns the tally of a bet on a series of the player's cards.
///
/// The series has the first two cards, and then all further cards that the regulation lets the player draw while
/// these cards can still affect the bet.
fn series(choices: &Choices, bet: SideBet, shoe: &mut Shoe) -> Tally {
    let mut tally = Tally::new(shoe.orders(longest_series(bet) as u32));
    let mut begun = Vec::new();
    shoe.deal_series(|two: [Card; 2], ways| begun.push((two, ways)));
    for (two, ways) in begun {
        if let Ok(shoe) = shoe.without(&two) {
            extend(choices, bet, &mut two.to_vec(), ways, &shoe, &mut tally);
        }
    }
    tally
}

fn extend(
    choices: &Choices,
    bet: SideBet,
    cards: &mut Vec<Card>,
    ways: u128,
    shoe: &Shoe,
    tally: &mut Tally,
) {
    let line = bet.line(choices, &view(cards, &[]));
    let missing = longest_series(bet) - cards.len();
    // a series without a line at its second card never reaches one, which a test proves by trying all of them
    let goes_on = missing > 0 && line.is_some() && is_offered_a_card(choices, cards);
    if !goes_on {
        tally.add(line, ways * shoe.orders(missing as u32));
        return;
    }
    for (card, count) in shoe.counts() {
        let Ok(rest) = shoe.without(&[card]) else { continue };
        cards.push(card);
        extend(choices, bet, cards, ways * u128::from(count), &rest, tally);
        cards.pop();
    }
}

/// Returns whether the player may draw a further card, which is the case below 21 (2.12(a)).
///
/// If a dealer's blackjack ends the round first, 2.6(j)3 and 2.6(k)6#2 still offer the sevens card, and a
/// progressive table shows the dealer's second card only after the players' turns.
fn is_offered_a_card(choices: &Choices, cards: &[Card]) -> bool {
    allows(choices, &Situation::fresh(&Hand::dealt(cards)), Action::Hit).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::preset::preset;
    use rules::ruling::LoneSeven;

    fn all_cards() -> impl Iterator<Item = Card> {
        (0..52).filter_map(Card::from_index)
    }

    /// Stopping a series early in `extend` loses no line, as all 52 x 52 x 52 x 52 series show.
    #[test]
    fn a_series_without_a_line_after_two_cards_never_gets_one() {
        let mut choices = preset("nj-blackjack").unwrap();
        for lone_seven in [LoneSeven::FirstCard, LoneSeven::Either] {
            choices.rulings.lone_seven = lone_seven;
            for bet in [SideBet::Sevens, SideBet::Progressive] {
                for first in all_cards() {
                    for second in all_cards() {
                        let line = |cards: &[Card]| bet.line(&choices, &view(cards, &[]));
                        if line(&[first, second]).is_some() {
                            continue;
                        }
                        for third in all_cards() {
                            for fourth in all_cards() {
                                assert_eq!(line(&[first, second, third, fourth]), None);
                            }
                        }
                    }
                }
            }
        }
    }

    /// No card beyond the longest series changes a line.
    #[test]
    fn later_cards_do_not_matter() {
        let choices = preset("nj-blackjack").unwrap();
        let sevens: Vec<Card> = rules::card::parse_cards("7s 7s 7s 7h").unwrap();
        let aces: Vec<Card> = rules::card::parse_cards("As Ac As Ac As").unwrap();
        for card in all_cards() {
            for (bet, cards) in [(SideBet::Sevens, &sevens), (SideBet::Progressive, &aces)] {
                let longest = longest_series(bet);
                let mut longer = cards[..longest].to_vec();
                longer.push(card);
                let line = |cards: &[Card]| bet.line(&choices, &view(cards, &[]));
                assert_eq!(line(&longer), line(&longer[..longest]));
            }
        }
    }

    /// The match bet ignores the order of the four cards, so multisets suffice.
    #[test]
    fn the_match_wager_does_not_look_at_the_order() {
        let choices = preset("nj-switch").unwrap();
        let line = |four: [Card; 4]| SideBet::Match.line(&choices, &view(&four, &[]));
        Shoe::fresh(&choices).deal_sets_of_four(|[a, b, c, d], _| {
            let sorted = line([a, b, c, d]);
            for other in [[b, a, c, d], [a, c, b, d], [a, b, d, c], [d, c, b, a], [c, d, a, b], [b, d, a, c]]
            {
                assert_eq!(line(other), sorted);
            }
        });
    }
}

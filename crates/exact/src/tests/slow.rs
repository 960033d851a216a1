//! A slow recursion over single cards: every draw, every hand of a split, and the dealer's hand last.
//!
//! It shares nothing with the solver except the judge and the play that it follows.
use crate::cards::{Counts, Shoe, lowest_and_highest, plus, points, shoe_size, size};
use crate::hands::{Hand, Suits};
use crate::judge::{Blackjack, Ending, Finish, Judge, Measure, Net, Origin, Stake};
use crate::turn::Action;
use crate::vocabulary::{ACE, BLACKJACK, DealerResult, OVER, RESULTS, Rank};
use std::collections::HashMap;

pub fn hand(cards: &Counts) -> Hand {
    Hand { cards: *cards, points: points(cards), size: size(cards), suits: Suits::Any }
}

/// A function that returns the action for a hand's cards, the hand's origin, and the number of hands in its box.
pub type Play<'a> = dyn Fn(&Counts, Origin, u8) -> Action + 'a;
pub type SurrenderDoubled<'a> = dyn Fn(&Counts) -> bool + 'a;

/// The quantity to compute the expectation of.
#[derive(Clone, Copy, PartialEq)]
pub enum Quantity {
    /// The net of a box.
    Net,
    /// The square of the net of a box.
    Square,
    /// A measure that is summed over the hands.
    Each(Measure),
}

pub struct Slow<'a, J> {
    pub of: Quantity,
    pub judge: &'a J,
    /// The dealer's visible cards.
    pub up: Counts,
    pub play: &'a Play<'a>,
    pub surrender_doubled: &'a SurrenderDoubled<'a>,
    pub dealer: HashMap<Shoe, [f64; RESULTS]>,
}

impl<J: Judge> Slow<'_, J> {
    pub fn take(shoe: &Shoe, r: Rank) -> Option<(f64, Shoe)> {
        let n = shoe_size(shoe);
        (shoe[r] > 0).then(|| {
            let mut s = *shoe;
            s[r] -= 1;
            (f64::from(shoe[r]) / n as f64, s)
        })
    }

    fn dealer(&mut self, shoe: &Shoe) -> [f64; RESULTS] {
        if let Some(d) = self.dealer.get(shoe) {
            return *d;
        }
        let mut out = [0.0; RESULTS];
        self.dealer_from(shoe, self.up, 1.0, &mut out);
        self.dealer.insert(*shoe, out);
        out
    }

    fn dealer_from(&self, shoe: &Shoe, cards: Counts, p: f64, out: &mut [f64; RESULTS]) {
        let c = points(&cards);
        if c.total > 21 || size(&cards) >= 2 && self.judge.dealer_stands(c) {
            let natural = size(&cards) == 2 && c.total == 21;
            let at = if natural {
                BLACKJACK
            } else if c.total > 22 {
                OVER
            } else if c.total == 22 {
                DealerResult::TwentyTwo
            } else {
                DealerResult::of_points(c.total)
            };
            out[at] += p;
            return;
        }
        for r in Rank::ALL {
            if let Some((q, s)) = Self::take(shoe, r) {
                self.dealer_from(&s, plus(cards, r), p * q, out);
            }
        }
    }

    /// Returns the average value of a box's finished hands, before the dealer draws.
    pub fn settle(&mut self, shoe: &Shoe, done: &[Finish]) -> f64 {
        let (n, d) = self.judge.unseen();
        let lies = |f: &Finish| match (f.ending, f.stake) {
            (Ending::Busted, Stake::Doubled) => Finish { ending: Ending::BustedUnseen, ..*f },
            _ => *f,
        };
        let down: Vec<Finish> = done.iter().map(lies).collect();
        let part = n as f64 / d as f64;
        part * self.settle_wager(shoe, &down) + (1.0 - part) * self.settle_wager(shoe, done)
    }

    fn settle_wager(&mut self, shoe: &Shoe, done: &[Finish]) -> f64 {
        let chances = self.dealer(shoe);
        let before = self.judge.blackjack() == Blackjack::BeforePlay;
        let original = self.judge.original().0 as f64 / self.judge.original().1 as f64;
        let mut sum = 0.0;
        for (o, p) in DealerResult::ALL.into_iter().zip(&chances) {
            if o == BLACKJACK && before || *p == 0.0 {
                continue;
            }
            let (mut net, mut answers, mut collected, mut counted) = (0.0, false, false, 0.0);
            for (at, f) in done.iter().enumerate() {
                let own = match self.judge.net(f, o) {
                    Net::Amount(n, d) => {
                        net += n as f64 / d as f64;
                        n as f64 / d as f64
                    }
                    Net::Original => {
                        answers = true;
                        -original
                    }
                    Net::Collected(n, d) | Net::CollectedFirst(n, d) => {
                        collected |= at == 0 || matches!(self.judge.net(f, o), Net::Collected(..));
                        net += n as f64 / d as f64;
                        n as f64 / d as f64
                    }
                };
                counted += self.counted(f, own);
            }
            if answers && !collected {
                net -= original;
            }
            sum += p * match self.of {
                Quantity::Net => net,
                Quantity::Square => net * net,
                Quantity::Each(_) => counted,
            };
        }
        sum
    }

    /// Returns what one hand with this net contributes to a measure, or zero for other quantities.
    fn counted(&self, finish: &Finish, net: f64) -> f64 {
        let Quantity::Each(measure) = self.of else { return 0.0 };
        let (n, d) = self.judge.wager();
        let given_up = finish.ending == Ending::Surrendered;
        let yes = match measure {
            Measure::Staked => {
                let stakes = if finish.stake == Stake::Doubled { 2.0 } else { 1.0 };
                return stakes * n as f64 / d as f64;
            }
            Measure::Won => net > 0.0,
            Measure::Pushed => net == 0.0,
            Measure::Lost => net < 0.0 && !given_up,
            Measure::Busted => matches!(finish.ending, Ending::Busted | Ending::BustedUnseen),
            Measure::Surrendered => given_up,
            _ => panic!("the answer is not counted per hand"),
        };
        f64::from(u8::from(yes))
    }

    /// Returns the value of playing the hand `cards` and then the waiting hands, given the finished hands.
    fn go(
        &mut self,
        shoe: &Shoe,
        (cards, origin): (Counts, Origin),
        waiting: &mut Vec<Counts>,
        done: &mut Vec<Finish>,
        hands: u8,
    ) -> f64 {
        let of_split = matches!(origin, Origin::Split | Origin::SplitAce);
        if of_split && size(&cards) == 1 {
            let [rank, _] = lowest_and_highest(&cards).unwrap();
            let mut sum = 0.0;
            for r in Rank::ALL {
                if let Some((q, s)) = Self::take(shoe, r) {
                    if r == rank && hands < self.judge.split_hands(rank) {
                        waiting.push(cards);
                        sum += q * self.go(&s, (cards, origin), waiting, done, hands + 1);
                        waiting.pop();
                    } else {
                        sum += q * self.go(&s, (plus(cards, r), origin), waiting, done, hands);
                    }
                }
            }
            return sum;
        }
        if points(&cards).total > 21 {
            return self.finish(shoe, (cards, origin, Ending::Busted, Stake::Single), waiting, done, hands);
        }
        match (self.play)(&cards, origin, hands) {
            Action::Stand | Action::Split => {
                self.finish(shoe, (cards, origin, Ending::Stood, Stake::Single), waiting, done, hands)
            }
            Action::Surrender => {
                self.finish(shoe, (cards, origin, Ending::Surrendered, Stake::Single), waiting, done, hands)
            }
            Action::Hit => {
                let mut sum = 0.0;
                for r in Rank::ALL {
                    if let Some((q, s)) = Self::take(shoe, r) {
                        sum += q * self.go(&s, (plus(cards, r), origin), waiting, done, hands);
                    }
                }
                sum
            }
            Action::Double => {
                let mut sum = 0.0;
                for r in Rank::ALL {
                    if let Some((q, s)) = Self::take(shoe, r) {
                        let next = plus(cards, r);
                        let ending = if points(&next).total > 21 {
                            Ending::Busted
                        } else if self.judge.may(&hand(&next), origin).surrender_doubled
                            && (self.surrender_doubled)(&next)
                        {
                            Ending::Surrendered
                        } else {
                            Ending::Stood
                        };
                        sum +=
                            q * self.finish(&s, (next, origin, ending, Stake::Doubled), waiting, done, hands);
                    }
                }
                sum
            }
        }
    }

    fn finish(
        &mut self,
        shoe: &Shoe,
        (cards, origin, ending, stake): (Counts, Origin, Ending, Stake),
        waiting: &mut Vec<Counts>,
        done: &mut Vec<Finish>,
        hands: u8,
    ) -> f64 {
        done.push(Finish { hand: hand(&cards), origin, ending, stake });
        let value = match waiting.pop() {
            Some(next) => {
                let v = self.go(shoe, (next, origin), waiting, done, hands);
                waiting.push(next);
                v
            }
            None => self.settle(shoe, done),
        };
        done.pop();
        value
    }

    /// Returns the value of the play on a dealt hand.
    ///
    /// `shoe` is without the hand and the upcard.
    pub fn dealt(&mut self, shoe: &Shoe, cards: &Counts) -> f64 {
        self.go(shoe, (*cards, Origin::Dealt), &mut Vec::new(), &mut Vec::new(), 1)
    }

    /// Returns the value of a hand made by a switch.
    pub fn switched(&mut self, shoe: &Shoe, cards: &Counts) -> f64 {
        self.go(shoe, (*cards, Origin::Switched), &mut Vec::new(), &mut Vec::new(), 1)
    }

    /// Returns the value of two dealt hands, played in order.
    pub fn both(&mut self, shoe: &Shoe, first: &Counts, second: &Counts) -> f64 {
        self.go(shoe, (*first, Origin::Dealt), &mut vec![*second], &mut Vec::new(), 1)
    }

    /// Returns the value of splitting a pair of `rank`.
    pub fn split(&mut self, shoe: &Shoe, rank: Rank) -> f64 {
        let one = plus([0; 10], rank);
        let origin = if rank == ACE { Origin::SplitAce } else { Origin::Split };
        self.go(shoe, (one, origin), &mut vec![one], &mut Vec::new(), 2)
    }
}

//! A judge of plain casino rules, independent of the `rules` crate.
//!
//! The tests use it to compare the solver with published figures and with a slow recursion.
use crate::cards::Points;
use crate::hands::{Hand, Suits};
use crate::judge::{Blackjack, Ending, Finish, Judge, LegalActions, Net, Origin, Stake};
use crate::seen::Seen;
use crate::vocabulary::{ACE, BLACKJACK, DealerResult, Rank, TEN};

#[derive(Clone, Debug)]
pub struct Plain {
    pub hit_soft_17: bool,
    pub das: bool,
    pub hands: u8,
    pub ace_hands: u8,
    pub surrender: bool,
    pub any_time: bool,
    pub double_cards: u8,
    pub double_totals: (u8, u8),
    pub natural: (i64, i64),
    pub peek: bool,
    pub both: bool,
    pub split_21_wins: bool,
    pub push_22: bool,
    pub busted_too: bool,
    /// Whether only a busted first hand counts as the original bet.
    pub first_counts: bool,
    /// Whether hands that stood lose an original bet, besides what was collected from busted hands.
    pub beside: bool,
    /// The fraction of bets not collected from a doubled and busted hand.
    pub unseen: (i64, i64),
    pub always_21: bool,
    pub two_card_21_push_bj: bool,
    pub suited: bool,
    pub ace_double: bool,
    pub ties_lose: bool,
    /// The extra win of a doubled hand, which makes a player double hands that may bust if it is large enough.
    pub doubled_wins: i64,
}

impl Default for Plain {
    fn default() -> Self {
        Plain {
            hit_soft_17: false,
            das: true,
            hands: 4,
            ace_hands: 2,
            surrender: false,
            any_time: false,
            double_cards: 2,
            double_totals: (0, 21),
            natural: (3, 2),
            peek: true,
            both: false,
            split_21_wins: false,
            push_22: false,
            busted_too: false,
            first_counts: false,
            beside: false,
            unseen: (0, 1),
            always_21: false,
            two_card_21_push_bj: false,
            suited: false,
            ace_double: false,
            ties_lose: false,
            doubled_wins: 1,
        }
    }
}

fn is_natural(hand: &Hand) -> bool {
    hand.size == 2 && hand.cards[ACE] == 1 && hand.cards[TEN] == 1
}

impl Judge for Plain {
    fn seen(&self) -> Seen {
        if self.both { Seen::BothCards } else { Seen::UpCard }
    }
    fn blackjack(&self) -> Blackjack {
        if self.peek { Blackjack::BeforePlay } else { Blackjack::AfterPlay }
    }
    fn dealer_stands(&self, c: Points) -> bool {
        c.total > 17 || c.total == 17 && !(c.soft && self.hit_soft_17)
    }
    fn may(&self, hand: &Hand, origin: Origin) -> LegalActions {
        let t = hand.points.total;
        let open = t < 21;
        let split = matches!(origin, Origin::Split | Origin::SplitAce);
        let ace = origin == Origin::SplitAce;
        let (lo, hi) = self.double_totals;
        LegalActions {
            hit: open && !ace,
            double: open
                && hand.size <= self.double_cards
                && (lo..=hi).contains(&t)
                && (!split || self.das)
                && (!ace || self.ace_double && hand.size == 2),
            surrender: open && (self.any_time || self.surrender && !split && hand.size == 2),
            surrender_doubled: open && self.any_time,
        }
    }
    fn split_hands(&self, rank: Rank) -> u8 {
        if rank == ACE { self.ace_hands } else { self.hands }
    }
    fn net(&self, f: &Finish, result: DealerResult) -> Net {
        let stake = if f.stake == Stake::Doubled { 2 } else { 1 };
        let total = f.hand.points.total as i64;
        if f.ending == Ending::BustedUnseen && f.stake == Stake::Doubled && result == BLACKJACK {
            return Net::Original;
        }
        if matches!(f.ending, Ending::Busted | Ending::BustedUnseen) {
            return match result == BLACKJACK {
                true if self.busted_too && self.beside => Net::Amount(-stake, 1),
                true if self.busted_too && self.first_counts => Net::CollectedFirst(-stake, 1),
                true if self.busted_too => Net::Collected(-stake, 1),
                true => Net::Original,
                false => Net::Amount(-stake, 1),
            };
        }
        if self.always_21 && (total == 21 || f.hand.size >= 6) && f.ending == Ending::Stood {
            return Net::Amount(stake, 1);
        }
        let two_card_21 = is_natural(&f.hand);
        let natural = two_card_21 && f.origin == Origin::Dealt;
        if result == BLACKJACK {
            if natural || two_card_21 && self.two_card_21_push_bj {
                return Net::Amount(0, 1);
            }
            return Net::Original;
        }
        if f.ending == Ending::Surrendered {
            return Net::Amount(-stake, 2);
        }
        if natural {
            return Net::Amount(self.natural.0, self.natural.1);
        }
        if result == DealerResult::TwentyTwo && self.push_22 {
            return Net::Amount(0, 1);
        }
        let dealer = result.index() as i64 + 17;
        let suited = f.hand.suits == Suits::MaybeSuited && self.suited;
        if dealer > 21 || total > dealer {
            let more = if f.stake == Stake::Doubled { self.doubled_wins } else { 1 };
            return Net::Amount(if suited { 2 * stake } else { more * stake }, 1);
        }
        if two_card_21 && dealer == 21 && self.split_21_wins && f.origin != Origin::Switched {
            return Net::Amount(stake, 1);
        }
        if total == dealer && !self.ties_lose { Net::Amount(0, 1) } else { Net::Amount(-stake, 1) }
    }
    fn original(&self) -> (i64, i64) {
        (1, 1)
    }
    fn unseen(&self) -> (i64, i64) {
        self.unseen
    }
    fn third_suited(&self) -> Option<(i64, i64)> {
        self.suited.then_some((1, 4))
    }
    fn designated(&self) -> Option<(i64, i64)> {
        None
    }
    fn even_money(&self) -> Option<(i64, i64)> {
        None
    }
    fn wager(&self) -> (i64, i64) {
        (1, 1)
    }
}

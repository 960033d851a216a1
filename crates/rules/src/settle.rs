//! The questions after play: pure functions from finished hands to a verdict with its clause.
//!
//! Each text has its own comparison of player and dealer; this module has what the texts share: stakes, insurance,
//! surrender, and how much a dealer's blackjack takes from doubled and split hands.

use crate::card::Card;
use crate::choice::{Choices, DoubleCard, HoleCard};
use crate::clause::Clause;
use crate::hand::{Hand, Origin};
use crate::odds::{Cents, Odds};
use crate::ruling::{BustedVDealerBlackjack, SplitHandsVDealerBlackjack, SurrenderVDealerBlackjack};
use crate::text::Original;

/// How a bet ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The bet is paid at these odds, and returned.
    Win(Odds),
    /// The bet is returned because the hands are equal, or count as equal by a rule.
    Push,
    /// The bet is collected.
    Lose,
    /// Half of the bet is lost, by surrender.
    LoseHalf,
    /// The bet is returned for any other reason.
    Void,
}

/// An outcome and the clause that it follows from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The outcome of the bet.
    pub outcome: Outcome,
    /// The clause that decides the outcome.
    pub by: Clause,
}

impl Verdict {
    /// Returns a win at these odds.
    pub const fn win(odds: Odds, by: Clause) -> Verdict {
        Verdict { outcome: Outcome::Win(odds), by }
    }

    /// Returns a push.
    pub const fn push(by: Clause) -> Verdict {
        Verdict { outcome: Outcome::Push, by }
    }

    /// Returns a loss.
    pub const fn lose(by: Clause) -> Verdict {
        Verdict { outcome: Outcome::Lose, by }
    }

    /// Returns the loss of half of the bet: a surrender.
    pub const fn lose_half(by: Clause) -> Verdict {
        Verdict { outcome: Outcome::LoseHalf, by }
    }

    /// Returns a void bet, which goes back to the player.
    pub const fn void(by: Clause) -> Verdict {
        Verdict { outcome: Outcome::Void, by }
    }

    /// Returns the net win on this stake; `None` if it is not a whole number of cents.
    #[inline]
    pub const fn net(self, stake: Cents) -> Option<Cents> {
        match self.outcome {
            Outcome::Win(odds) => odds.on(stake),
            Outcome::Push | Outcome::Void => Some(Cents::ZERO),
            Outcome::Lose => Some(Cents(-stake.0)),
            Outcome::LoseHalf => match stake.half() {
                Some(half) => Some(Cents(-half.0)),
                None => None,
            },
        }
    }
}

/// A kind of money on a hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stake {
    /// The required bet: 2.3(a), 2A.5(a), 26.1 "initial wager", 36.1 "first attack wager".
    Main,
    /// 26.1 "double attack wager".
    Attack,
    /// 36.1 "second attack wager".
    SecondAttack,
    /// 36.1 "third attack wager".
    ThirdAttack,
    /// The bet on a hand formed by a split.
    Split,
    /// The additional bet of a double.
    Double,
}

impl Stake {
    /// Lists every kind of stake on a hand, in the order in which players make them.
    pub const ALL: [Stake; 6] =
        [Stake::Main, Stake::Attack, Stake::SecondAttack, Stake::ThirdAttack, Stake::Split, Stake::Double];

    /// Returns the stake's name, for people.
    pub const fn name(self) -> &'static str {
        match self {
            Stake::Main => "main",
            Stake::Attack => "attack",
            Stake::SecondAttack => "second-attack",
            Stake::ThirdAttack => "third-attack",
            Stake::Split => "split",
            Stake::Double => "double",
        }
    }
}

/// The money on a hand before a double: its bet and its attack bets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Laid {
    /// The required bet.
    pub wager: Cents,
    /// The attack bets on the hand, together.
    pub attacks: Cents,
}

impl Laid {
    /// Returns the amount that a split adds for the new hand, equal to the first: 2.11(b), 2A.11(b), 26.10(b),
    /// 36.9(b).
    pub const fn split(self) -> Cents {
        Cents(self.wager.0 + self.attacks.0)
    }

    /// Returns the original bet, which is all that a dealer's blackjack takes: 2.10(b), 2.11(d) and counterparts.
    pub fn original(self, choices: &Choices) -> Cents {
        match choices.text().wagers.original {
            Original::Required => self.wager,
            Original::WithAttacks => self.split(),
        }
    }

    /// Returns the bet of which half may be insured: 2.9(b), 2A.8(b), 26.11(b), 36.10(b).
    pub fn insured(self, choices: &Choices) -> Cents {
        self.original(choices)
    }
}

/// Returns the verdict on a stake once player and dealer have finished, by comparing the hands.
///
/// [`against_blackjack`] decides what a dealer's blackjack leaves of doubling and splitting money.
#[inline]
pub fn compare(choices: &Choices, player: &Hand, dealer: &Hand, stake: Stake) -> Verdict {
    (choices.text().settle.compare)(choices, player, dealer, stake)
}

/// Returns the verdict on a busted hand: it loses whatever the dealer gets (Q3, A4, A19; 36.5(a) says so).
pub fn bust(choices: &Choices) -> Verdict {
    Verdict::lose(choices.text().settle.bust)
}

/// Returns whether a busted hand's bets are collected at once: 2.6A(e)3, 2.18(f)#2, 36.5(e.2). In Switch and Double
/// Attack they are collected when the round is complete: 2A.5(g), 26.5(e).
pub fn collects_bust_at_turn(choices: &Choices) -> bool {
    choices.text().settle.collects_bust
}

/// Returns whether the cards of a busted hand go to the discard rack with its bets: 2.6A(e)3, 2.18(f)#2. Elsewhere they
/// stay until the end of the round: 2.6(i) and its counterparts.
pub fn takes_busted_cards(choices: &Choices) -> bool {
    choices.text().settle.takes_cards
}

/// Returns whether a stake is paid as soon as the total of its hand is announced: 36.7(h)#3 for the attack bets.
/// Doubling money is paid when the round is complete: 36.8(b), 36.5(e.2).
pub fn pays_at_turn(choices: &Choices, hand: &Hand, stake: Stake, dealer_blackjack_possible: bool) -> bool {
    stake != Stake::Double && (choices.text().settle.pays_at_turn)(choices, hand, dealer_blackjack_possible)
}

/// Returns the verdict on insurance, given the dealer's second card: 2.9(a), (c), 2A.8(a), (d), 26.11, 36.10.
pub fn insurance(choices: &Choices, up: Card, second: Card) -> Verdict {
    let rule = &choices.text().insurance;
    match rule.suited {
        _ if !second.is_ten_value() => Verdict::lose(rule.lost),
        Some((odds, by)) if up.suit() == second.suit() => Verdict::win(odds, by),
        _ => Verdict::win(rule.pays, rule.won),
    }
}

/// Returns the verdict on even money: a blackjack against an ace, paid 1 to 1 at once: 2.7(c).
pub fn even_money() -> Verdict {
    Verdict::win(Odds::EVEN, clause!("19:47-2.7(c)"))
}

/// The dealer's hand, as far as it is known when a surrender is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SurrenderTo {
    /// An upcard of 2 to 9: settled at once.
    LowCard,
    /// An ace or ten-value upcard without a blackjack.
    NoBlackjack,
    /// The reader has ruled out a blackjack: settled at once, 26.8(a)3.
    RuledOut,
    /// The dealer has a blackjack.
    Blackjack,
}

/// Returns the verdict on a surrendered stake: half of it is lost, or all of it to a dealer's blackjack: 2.8(a),
/// 2A.9(a), 26.8(a).
///
/// In Double Attack a blackjack leaves part of it, or takes everything (A3). The bet on a hand formed by a split is
/// lost as far as it is part of the one original bet (26.10(d)): [`against_blackjack`] counts that.
pub fn surrender(choices: &Choices, to: SurrenderTo, stake: Stake) -> Verdict {
    // no hand is surrendered under a text without surrender
    let Some(rule) = &choices.text().surrender else {
        return Verdict::lose_half(choices.text().deal.decisions);
    };
    match to {
        SurrenderTo::LowCard => Verdict::lose_half(rule.low),
        SurrenderTo::NoBlackjack => Verdict::lose_half(rule.high),
        SurrenderTo::RuledOut => {
            Verdict::lose_half(rule.at_once.map_or(rule.high, |at_once| at_once.ruled_out))
        }
        SurrenderTo::Blackjack => (rule.to_blackjack)(choices, stake),
    }
}

/// Returns whether the stake of a busted hand is held until the dealer is known to have no blackjack.
///
/// Only the original bet is lost to a dealer's blackjack (2.10(b), 2.11(d), 2A.10(c), 2A.11(d), 26.9(c), 26.10(d),
/// 36.8(c), 36.9(d)), and these clauses make no exception for busted hands (Q2, A2). At 6 to 5 and in multiple action a
/// busted player's bets are collected at once: 2.6A(e)3, 2.18(f)#2.
///
/// Where each hand of a split pays its share (36.9(d) by ruling), everything on such a hand waits.
pub fn bust_waits(choices: &Choices, hand: &Hand, stake: Stake) -> bool {
    let shared = each_its_share(choices) && hand.origin() == Origin::Split;
    let added = matches!(stake, Stake::Attack | Stake::Split | Stake::Double);
    (added || shared) && busted_hands_are_spared(choices)
}

fn busted_hands_are_spared(choices: &Choices) -> bool {
    choices.text().settle.spares_busted
        && choices.rulings.busted_v_dealer_blackjack == BustedVDealerBlackjack::OriginalOnly
}

/// Returns whether a doubled hand can bust unseen at a table that collects visible busts at once. Its doubling money
/// then goes back after a dealer's blackjack (2.10(b)), while that of any other busted hand does not (2.6A(e)3,
/// 2.18(f)). In multiple action this applies to the first spot only, after which the double cards are face up.
pub fn busts_lie_unseen(choices: &Choices) -> bool {
    let known_before_play = choices.hole_card == HoleCard::Reader;
    choices.double_card == DoubleCard::Down && !choices.text().settle.spares_busted && !known_before_play
}

/// A hand that an initial hand was split into, when the dealer has a blackjack.
#[derive(Clone, Copy, Debug)]
pub struct SplitHand {
    /// The hand's cards.
    pub hand: Hand,
    /// How the hand ended.
    pub fate: Fate,
    /// The bets on the hand, in the order of [`Stake::ALL`].
    pub stakes: [Cents; Stake::ALL.len()],
    /// Whether the hand's double card was face down until now, which hid a bust: 2.10(c).
    pub unseen: bool,
}

/// How a hand is settled against a dealer's blackjack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The hand was played: it stands, or it is bust.
    Played,
    /// The hand was surrendered, and waits for the dealer's second card.
    Surrendered,
    /// The hand is dead, and its bets are returned.
    Dead,
}

impl SplitHand {
    /// Returns a played hand with these bets.
    pub fn played(hand: Hand, stakes: &[(Stake, Cents)]) -> SplitHand {
        let mut all = [Cents::ZERO; Stake::ALL.len()];
        stakes.iter().for_each(|&(stake, amount)| all[stake as usize] += amount);
        SplitHand { hand, fate: Fate::Played, stakes: all, unseen: false }
    }

    /// Returns whether the bets on the hand were lost when it busted, whatever the dealer has.
    fn lost_before(&self, choices: &Choices) -> bool {
        let collected = !self.bust_lay_unseen(choices) && !busted_hands_are_spared(choices);
        self.fate == Fate::Played && self.hand.is_bust() && collected
    }

    /// Returns whether a bust escaped immediate collection (2.6A(e)3, 2.18(f)#2) because nobody had seen it: 2.10(c).
    /// Other texts collect nothing at once, so that it does not matter there who saw the card.
    fn bust_lay_unseen(&self, choices: &Choices) -> bool {
        self.unseen && self.hand.is_bust() && !choices.text().settle.spares_busted
    }

    /// Returns how much of the money lost before the dealer's blackjack counts as part of the original bet.
    ///
    /// A text that collects busted bets at once still caps the amount: all of it counts. By the ruling `busted-too` the
    /// doubling and splitting money of a busted hand is lost in addition to the original bet: only that bet's own parts
    /// count.
    fn collected_before(&self, choices: &Choices) -> Cents {
        let counts = |stake: Stake| match stake {
            Stake::Main | Stake::SecondAttack | Stake::ThirdAttack => true,
            Stake::Attack | Stake::Split | Stake::Double => !choices.text().settle.spares_busted,
        };
        let stakes = Stake::ALL.into_iter().zip(self.stakes).filter(|&(stake, _)| counts(stake));
        if self.lost_before(choices) { stakes.map(|(_, amount)| amount).sum() } else { Cents::ZERO }
    }
}

/// The result of one stake: the verdict, and the amount taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Collected {
    /// The verdict of the clause.
    pub verdict: Verdict,
    /// How much of the stake is taken.
    pub taken: Cents,
}

impl Collected {
    fn whole(verdict: Verdict, amount: Cents) -> Collected {
        let taken = if verdict.outcome == Outcome::Lose { amount } else { Cents::ZERO };
        Collected { verdict, taken }
    }
}

/// Returns how much of the original bet a dealer's blackjack may still take, in any unit of money.
///
/// 2.11(d) and its counterparts cap the amount, not the hand: money collected from a split hand when it busted counts,
/// and money returned from a dead hand does not.
#[inline]
pub const fn original_left(original: i64, collected: i64) -> i64 {
    if collected < original { original - collected } else { 0 }
}

/// Returns what a dealer's blackjack collects from the hands that one initial hand became, stake by stake in the
/// order of [`Stake::ALL`].
///
/// The losing hands together lose at most the original bet (A2, A9): the initial bet in blackjack, Switch and Double
/// Attack, all attack bets in Triple Attack. What busted hands lost before is part of that; the rest is taken from the
/// first losing hands.
pub fn against_blackjack(
    choices: &Choices,
    dealer: &Hand,
    original: Cents,
    hands: &[SplitHand],
) -> Vec<[Collected; Stake::ALL.len()]> {
    let before: Cents = hands.iter().map(|held| held.collected_before(choices)).sum();
    let mut left = Cents(original_left(original.0, before.0));
    let share = |at: usize| {
        let hands = (hands.len() as i64).max(1);
        // cents that cannot be shared equally go to the first hands
        Cents(original.0 / hands + i64::from((at as i64) < original.0 % hands))
    };
    let of_hand = |(at, held): (usize, &SplitHand)| {
        if each_its_share(choices) {
            left = share(at);
        }
        let mut stakes = Stake::ALL.iter().zip(held.stakes);
        std::array::from_fn(|_| {
            let (&stake, amount) = stakes.next().unwrap_or((&Stake::Main, Cents::ZERO));
            held.stake(choices, dealer, (stake, amount), &mut left)
        })
    };
    hands.iter().enumerate().map(of_hand).collect()
}

impl SplitHand {
    /// Decides one stake; `left` is the part of the original bet that may still be taken.
    fn stake(
        &self,
        choices: &Choices,
        dealer: &Hand,
        (stake, amount): (Stake, Cents),
        left: &mut Cents,
    ) -> Collected {
        let verdict = match self.fate {
            Fate::Dead => return Collected::whole(Verdict::void(choices.text().split.returned), amount),
            Fate::Surrendered => surrender(choices, SurrenderTo::Blackjack, stake),
            Fate::Played if self.bust_lay_unseen(choices) => Verdict::lose(choices.text().double.returned),
            Fate::Played if self.hand.is_bust() => bust(choices),
            Fate::Played => compare(choices, &self.hand, dealer, stake),
        };
        let everything = self.fate == Fate::Surrendered
            && choices.text().halves_all()
            && choices.rulings.surrender_v_dealer_blackjack == SurrenderVDealerBlackjack::Everything;
        if verdict.outcome != Outcome::Lose || everything || self.lost_before(choices) {
            return Collected::whole(verdict, amount);
        }
        match stake {
            Stake::Attack | Stake::Double => {
                let attack = choices.text().settle.attack_returned.filter(|_| stake == Stake::Attack);
                Collected::whole(Verdict::void(attack.unwrap_or(choices.text().double.returned)), amount)
            }
            Stake::Main | Stake::SecondAttack | Stake::ThirdAttack | Stake::Split => {
                let taken = amount.min(*left);
                *left -= taken;
                if taken == Cents::ZERO {
                    Collected::whole(Verdict::void(choices.text().split.returned), amount)
                } else {
                    Collected { verdict, taken }
                }
            }
        }
    }
}

/// Returns whether each hand of a split loses its share of the original bet to a dealer's blackjack, if the text can be
/// read so: 36.9(d).
pub fn each_its_share(choices: &Choices) -> bool {
    choices.text().split.shares
        && choices.rulings.split_hands_v_dealer_blackjack == SplitHandsVDealerBlackjack::EachItsShare
}

/// Returns whether the dealer's further cards can change the result of this finished hand (2.12(c), 2A.12(c), 26.12(c),
/// 36.11(c)), once it is known that the dealer has no blackjack.
#[inline]
pub fn depends_on_dealer(choices: &Choices, player: &Hand) -> bool {
    !player.is_bust() && (choices.text().settle.depends)(choices, player)
}

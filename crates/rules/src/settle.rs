//! Settlement: pure functions that turn finished hands into verdicts, each with its clause.
//!
//! Each regulation has its own comparison of the player's hand with the dealer's. This module has what the
//! regulations share: stakes, insurance, surrender, and how much a dealer's blackjack takes from doubled and split
//! hands.

use crate::card::Card;
use crate::choice::{Choices, DoubleCard, HoleCard};
use crate::clause::Clause;
use crate::hand::{Hand, Origin};
use crate::odds::{Cents, Odds};
use crate::ruling::{BustedVDealerBlackjack, SplitHandsVDealerBlackjack, SurrenderVDealerBlackjack};
use crate::text::Original;

/// The outcome of a bet, such as a win at certain odds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The bet wins: the player gets the bet back and is paid at these odds.
    Win(Odds),
    /// The bet is returned, because the hands tie or a rule treats them as a tie.
    Push,
    /// The bet loses and is collected.
    Lose,
    /// The bet was surrendered, so half of it is lost.
    LoseHalf,
    /// The bet is returned for a reason other than a push.
    Void,
}

/// The outcome of a bet, with the clause that decides it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The outcome of the bet.
    pub outcome: Outcome,
    /// The clause that decides the outcome.
    pub by: Clause,
}

impl Verdict {
    /// Returns the verdict that the bet wins at these odds.
    pub const fn win(odds: Odds, by: Clause) -> Verdict {
        Verdict { outcome: Outcome::Win(odds), by }
    }

    /// Returns the verdict that the bet is a push.
    pub const fn push(by: Clause) -> Verdict {
        Verdict { outcome: Outcome::Push, by }
    }

    /// Returns the verdict that the bet loses.
    pub const fn lose(by: Clause) -> Verdict {
        Verdict { outcome: Outcome::Lose, by }
    }

    /// Returns the verdict that surrender loses half of the bet.
    pub const fn lose_half(by: Clause) -> Verdict {
        Verdict { outcome: Outcome::LoseHalf, by }
    }

    /// Returns the verdict that the bet is void and goes back to the player.
    pub const fn void(by: Clause) -> Verdict {
        Verdict { outcome: Outcome::Void, by }
    }

    /// Returns the net win on a stake, or `None` if it is not in whole cents.
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

/// A kind of money on a hand, such as the required bet or doubling money.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stake {
    /// The required bet (2.3(a), 2A.5(a), 26.1 "initial wager", 36.1 "first attack wager").
    Main,
    /// The attack bet of Double Attack (26.1 "double attack wager").
    Attack,
    /// The second attack bet of Triple Attack (36.1 "second attack wager").
    SecondAttack,
    /// The third attack bet of Triple Attack (36.1 "third attack wager").
    ThirdAttack,
    /// The bet on a hand formed by a split.
    Split,
    /// The additional bet of a double.
    Double,
}

impl Stake {
    /// Every kind of stake, in the order in which players make them.
    pub const ALL: [Stake; 6] =
        [Stake::Main, Stake::Attack, Stake::SecondAttack, Stake::ThirdAttack, Stake::Split, Stake::Double];

    /// Returns the name of this kind of stake, such as `second-attack`.
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

/// The required bet and the attack bets on a hand, before any double or split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandBets {
    /// The required bet.
    pub wager: Cents,
    /// The sum of the attack bets on the hand.
    pub attacks: Cents,
}

impl HandBets {
    /// Returns the bet that a split adds on the new hand.
    ///
    /// The bet equals the required bet and attack bets on the first hand (2.11(b), 2A.11(b), 26.10(b), 36.9(b)).
    pub const fn split(self) -> Cents {
        Cents(self.wager.0 + self.attacks.0)
    }

    /// Returns the original bet, the most that a dealer's blackjack takes (2.10(b), 2.11(d) and counterparts).
    pub fn original(self, choices: &Choices) -> Cents {
        match choices.text().wagers.original {
            Original::Required => self.wager,
            Original::WithAttacks => self.split(),
        }
    }

    /// Returns the bet on which insurance is based.
    ///
    /// Insurance may be half of this bet (2.9(b), 2A.8(b), 26.11(b), 36.10(b)).
    pub fn insured(self, choices: &Choices) -> Cents {
        self.original(choices)
    }
}

/// Returns the verdict on one stake of the player's finished hand, from that hand and the dealer's hand.
///
/// The verdict does not limit how much doubling and splitting money a dealer's blackjack takes;
/// [`against_blackjack`] does.
#[inline]
pub fn compare(choices: &Choices, player: &Hand, dealer: &Hand, stake: Stake) -> Verdict {
    (choices.text().settle.compare)(choices, player, dealer, stake)
}

/// Returns the verdict on a busted hand, which loses whatever the dealer gets (36.5(a), Q3, A4, A19).
pub fn bust(choices: &Choices) -> Verdict {
    Verdict::lose(choices.text().settle.bust)
}

/// Returns whether the bets on a busted hand are collected immediately (2.6A(e)3, 2.18(f)#2, 36.5(e.2)).
///
/// In Switch and Double Attack the bets are collected when the round is complete (2A.5(g), 26.5(e)).
pub fn collects_bust_at_turn(choices: &Choices) -> bool {
    choices.text().settle.collects_bust
}

/// Returns whether a busted hand's cards go to the discard rack when its bets are collected (2.6A(e)3, 2.18(f)#2).
///
/// Elsewhere the cards stay on the table until the end of the round (2.6(i) and its counterparts).
pub fn takes_busted_cards(choices: &Choices) -> bool {
    choices.text().settle.takes_cards
}

/// Returns whether a stake is paid when the total of its hand is announced, before the round is complete.
///
/// By 36.7(h)#3, every stake except doubling money is paid then; doubling money is paid when the round is complete
/// (36.8(b), 36.5(e.2)).
pub fn pays_at_turn(choices: &Choices, hand: &Hand, stake: Stake, dealer_blackjack_possible: bool) -> bool {
    stake != Stake::Double && (choices.text().settle.pays_at_turn)(choices, hand, dealer_blackjack_possible)
}

/// Returns the verdict on insurance, given the dealer's second card.
///
/// The clauses are 2.9(a), (c), 2A.8(a), (d), 26.11, 36.10.
pub fn insurance(choices: &Choices, up: Card, second: Card) -> Verdict {
    let rule = &choices.text().insurance;
    match rule.suited {
        _ if !second.is_ten_value() => Verdict::lose(rule.lost),
        Some((odds, by)) if up.suit() == second.suit() => Verdict::win(odds, by),
        _ => Verdict::win(rule.pays, rule.won),
    }
}

/// Returns the verdict on even money: a blackjack against an ace wins 1 to 1 immediately (2.7(c)).
pub fn even_money() -> Verdict {
    Verdict::win(Odds::EVEN, clause!("19:47-2.7(c)"))
}

/// What the table knows of the dealer's hand when a surrender is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SurrenderTo {
    /// The upcard is a 2 to 9, so the surrender is settled immediately.
    LowCard,
    /// The upcard is an ace or a ten-value card, and the dealer has no blackjack.
    NoBlackjack,
    /// A card reader has ruled out a blackjack, so the surrender is settled immediately (26.8(a)3).
    RuledOut,
    /// The dealer has a blackjack.
    Blackjack,
}

/// Returns the verdict on a surrendered stake (2.8(a), 2A.9(a), 26.8(a)).
///
/// Half of the stake is lost, or all of it to a dealer's blackjack. In Double Attack, a blackjack takes only a
/// part of the bets on the hand, or by ruling all of them (A3). A bet on a hand formed by a split is lost only up
/// to the original bet (26.10(d)); [`against_blackjack`] applies this limit.
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

/// Returns whether a stake on a busted hand is held until the dealer is known to have no blackjack.
///
/// A dealer's blackjack takes only the original bet (2.10(b), 2.11(d), 2A.10(c), 2A.11(d), 26.9(c), 26.10(d),
/// 36.8(c), 36.9(d)), and these clauses make no exception for busted hands (Q2, A2). At 6 to 5 and in multiple
/// action the bets on a busted hand are collected at once (2.6A(e)3, 2.18(f)#2).
///
/// If each split hand loses its share of the original bet (36.9(d) by ruling), all bets on a busted split hand are
/// held.
pub fn bust_waits(choices: &Choices, hand: &Hand, stake: Stake) -> bool {
    let shared = each_its_share(choices) && hand.origin() == Origin::Split;
    let added = matches!(stake, Stake::Attack | Stake::Split | Stake::Double);
    (added || shared) && busted_added_bets_are_held(choices)
}

fn busted_added_bets_are_held(choices: &Choices) -> bool {
    choices.text().settle.holds_busted_added_bets
        && choices.rulings.busted_v_dealer_blackjack == BustedVDealerBlackjack::OriginalOnly
}

/// Returns whether a doubled hand can bust without anybody seeing it, so that its bets are not collected at once.
///
/// A bust is unseen only if the table deals double cards face down, collects the bets on a visible bust
/// immediately, and has no card reader. After a dealer's blackjack, the doubling money of such a hand is returned
/// (2.10(b)), while that of any other busted hand is not (2.6A(e)3, 2.18(f)). In multiple action this concerns
/// only the first dealer hand, because the double cards are face up afterwards.
pub fn can_bust_unseen(choices: &Choices) -> bool {
    let known_before_play = choices.hole_card == HoleCard::Reader;
    choices.double_card == DoubleCard::Down
        && !choices.text().settle.holds_busted_added_bets
        && !known_before_play
}

/// One of the hands that come from an initial hand, for settlement against a dealer's blackjack.
#[derive(Clone, Copy, Debug)]
pub struct SplitHand {
    /// The hand, with its cards and origin.
    pub hand: Hand,
    /// How the hand ended: played, surrendered or dead.
    pub end: HandEnd,
    /// The bets on the hand, in the order of [`Stake::ALL`].
    pub stakes: [Cents; Stake::ALL.len()],
    /// Whether the hand's double card was face down until now, which hides a bust (2.10(c)).
    pub unseen: bool,
}

/// How a hand ended before the dealer's blackjack was known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandEnd {
    /// The hand was played, and either stands or has busted.
    Played,
    /// The hand was surrendered, and waits for the dealer's second card.
    Surrendered,
    /// An irregularity ended the hand without a result, so its bets are returned.
    Dead,
}

impl SplitHand {
    /// Returns a played hand with these bets and without a face-down card.
    pub fn played(hand: Hand, stakes: &[(Stake, Cents)]) -> SplitHand {
        let mut all = [Cents::ZERO; Stake::ALL.len()];
        stakes.iter().for_each(|&(stake, amount)| all[stake as usize] += amount);
        SplitHand { hand, end: HandEnd::Played, stakes: all, unseen: false }
    }

    /// Returns whether the bets on the hand were lost when it busted, whatever the dealer has.
    fn lost_before(&self, choices: &Choices) -> bool {
        let collected = !self.busted_unseen(choices) && !busted_added_bets_are_held(choices);
        self.end == HandEnd::Played && self.hand.is_bust() && collected
    }

    /// Returns whether a face-down card hid the hand's bust, so that no bets were collected (2.10(c)).
    ///
    /// A visible bust is collected at once under 2.6A(e)3 and 2.18(f)#2. Other regulations collect nothing at
    /// once, so there a hidden bust makes no difference.
    fn busted_unseen(&self, choices: &Choices) -> bool {
        self.unseen && self.hand.is_bust() && !choices.text().settle.holds_busted_added_bets
    }

    /// Returns how much of the money lost before the dealer's blackjack was known counts towards the original bet.
    ///
    /// If a regulation collects the bets on busted hands at once, all this money counts, because the original bet
    /// still limits the loss. By the ruling `busted-too`, the doubling and splitting money of a busted hand is
    /// lost in addition to the original bet, so that money does not count.
    fn collected_before(&self, choices: &Choices) -> Cents {
        let counts = |stake: Stake| match stake {
            Stake::Main | Stake::SecondAttack | Stake::ThirdAttack => true,
            Stake::Attack | Stake::Split | Stake::Double => !choices.text().settle.holds_busted_added_bets,
        };
        let stakes = Stake::ALL.into_iter().zip(self.stakes).filter(|&(stake, _)| counts(stake));
        if self.lost_before(choices) { stakes.map(|(_, amount)| amount).sum() } else { Cents::ZERO }
    }
}

/// The result of one stake: its verdict, and the amount collected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StakeResult {
    /// The verdict on the stake, with its clause.
    pub verdict: Verdict,
    /// The part of the stake that is collected from the player.
    pub taken: Cents,
}

impl StakeResult {
    fn whole(verdict: Verdict, amount: Cents) -> StakeResult {
        let taken = if verdict.outcome == Outcome::Lose { amount } else { Cents::ZERO };
        StakeResult { verdict, taken }
    }
}

/// Returns how much of the original bet a dealer's blackjack may still take, in the unit of the arguments.
///
/// 2.11(d) and its counterparts limit the amount, not the number of hands. `collected` is what the hands from one
/// initial hand have already lost; it includes bets collected from a busted hand, but not bets returned from a
/// dead hand.
#[inline]
pub const fn original_left(original: i64, collected: i64) -> i64 {
    if collected < original { original - collected } else { 0 }
}

/// Returns what a dealer's blackjack takes from the hands that come from one initial hand.
///
/// The results of each hand are in the order of [`Stake::ALL`]. The losing hands together lose at most the
/// original bet (A2, A9): the initial bet in blackjack, Switch and Double Attack, all attack bets in Triple
/// Attack. Money already lost by busted hands counts towards this limit; the rest is taken from the first losing
/// hands.
pub fn against_blackjack(
    choices: &Choices,
    dealer: &Hand,
    original: Cents,
    hands: &[SplitHand],
) -> Vec<[StakeResult; Stake::ALL.len()]> {
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
    /// Returns the result of one stake; `left` is what the dealer's blackjack may still take of the original bet.
    fn stake(
        &self,
        choices: &Choices,
        dealer: &Hand,
        (stake, amount): (Stake, Cents),
        left: &mut Cents,
    ) -> StakeResult {
        let verdict = match self.end {
            HandEnd::Dead => return StakeResult::whole(Verdict::void(choices.text().split.returned), amount),
            HandEnd::Surrendered => surrender(choices, SurrenderTo::Blackjack, stake),
            HandEnd::Played if self.busted_unseen(choices) => Verdict::lose(choices.text().double.returned),
            HandEnd::Played if self.hand.is_bust() => bust(choices),
            HandEnd::Played => compare(choices, &self.hand, dealer, stake),
        };
        let everything = self.end == HandEnd::Surrendered
            && choices.text().halves_all()
            && choices.rulings.surrender_v_dealer_blackjack == SurrenderVDealerBlackjack::Everything;
        if verdict.outcome != Outcome::Lose || everything || self.lost_before(choices) {
            return StakeResult::whole(verdict, amount);
        }
        match stake {
            Stake::Attack | Stake::Double => {
                let attack = choices.text().settle.attack_returned.filter(|_| stake == Stake::Attack);
                StakeResult::whole(Verdict::void(attack.unwrap_or(choices.text().double.returned)), amount)
            }
            Stake::Main | Stake::SecondAttack | Stake::ThirdAttack | Stake::Split => {
                let taken = amount.min(*left);
                *left -= taken;
                if taken == Cents::ZERO {
                    StakeResult::whole(Verdict::void(choices.text().split.returned), amount)
                } else {
                    StakeResult { verdict, taken }
                }
            }
        }
    }
}

/// Returns whether every split hand loses its own share of the original bet to a dealer's blackjack.
///
/// A ruling decides this where the regulation allows both readings (36.9(d)).
pub fn each_its_share(choices: &Choices) -> bool {
    choices.text().split.may_share_original
        && choices.rulings.split_hands_v_dealer_blackjack == SplitHandsVDealerBlackjack::EachItsShare
}

/// Returns whether the dealer's further cards can change the result of a finished hand.
///
/// Assumes that the dealer has no blackjack. The clauses are 2.12(c), 2A.12(c), 26.12(c), 36.11(c).
#[inline]
pub fn depends_on_dealer(choices: &Choices, player: &Hand) -> bool {
    !player.is_bust() && (choices.text().settle.dealer_can_change)(choices, player)
}

//! Rulings: where a clause can be read in more than one way, a table file names the reading that the table
//! follows.
//!
//! The first reading of each ruling is the default. It is the literal reading or, where the regulation has a gap,
//! the reading that the implementer's notes recommend. Every other reading can be simulated and compared.

use crate::choice::words;
use crate::clause::Clause;

macro_rules! rulings {
    ($(
        $(#[$doc:meta])*
        $key:ident: $name:ident { $($variant:ident = $word:literal),+ } by $clause:literal, $what:literal;
    )+) => {
        $(words! {
            $(#[$doc])*
            ///
            #[doc = concat!("How a table reads it: ", $what, ".")]
            $name { $(#[doc = concat!("The reading `", $word, "`.")] $variant = $word),+ }
        })+

        /// A table's readings of ambiguous clauses.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Rulings { $($(#[$doc])* pub $key: $name),+ }

        impl Rulings {
            /// The default reading of every clause.
            pub const DEFAULT: Rulings = Rulings { $($key: $name::ALL[0]),+ };

            /// Sets the ruling `key` to the reading `word`.
            ///
            /// The error holds the known readings if `word` is none of them, or `None` if the key is unknown.
            pub fn set(&mut self, key: &str, word: &str) -> Result<(), Option<&'static [&'static str]>> {
                match key {
                    $(stringify!($key) => {
                        self.$key = $name::from_word(word).ok_or(Some($name::WORDS))?;
                        Ok(())
                    })+
                    _ => Err(None),
                }
            }

            /// Returns the reading in force for the ruling `key`, or `None` if the key is unknown.
            pub fn word(&self, key: &str) -> Option<&'static str> {
                match key {
                    $(stringify!($key) => Some(self.$key.word()),)+
                    _ => None,
                }
            }
        }

        /// Every ruling, with its key, clause, readings and question; the default reading comes first.
        pub static RULINGS: &[Ruling] = &[
            $(Ruling { key: stringify!($key), clause: clause!($clause), readings: $name::WORDS, question: $what }),+
        ];
    };
}

/// A ruling: an ambiguous clause and its possible readings.
#[derive(Clone, Copy, Debug)]
pub struct Ruling {
    /// The ruling's key in the section `rulings` of a table file.
    pub key: &'static str,
    /// The ambiguous clause that the ruling interprets.
    pub clause: Clause,
    /// The ruling's readings as words, with the default first.
    pub readings: &'static [&'static str],
    /// The question that the ruling decides, in words.
    pub question: &'static str,
}

rulings! {
    /// The ruling on whether a split hand's ace and ten-value card beat a dealer's drawn 21 (Q1).
    ///
    /// 2.3(a)3 says "21 in two cards" and not "blackjack".
    split_two_card_21: SplitTwoCard21 { Wins = "wins", Push = "push" } by "19:47-2.3(a)3",
        "whether an ace and a ten-value card on a split hand beat a dealer's 21 in three or more cards";
    /// The ruling on whether a busted hand also loses doubling and splitting money to a dealer's blackjack (Q2,
    /// A2).
    ///
    /// 2.10(b), 2.11(d), 2A.10(c), 26.9(c), 36.8(c) limit the loss to the original bet, and make no exception for
    /// busted hands.
    busted_v_dealer_blackjack: BustedVDealerBlackjack { OriginalOnly = "original-only", BustedToo = "busted-too" }
        by "19:47-2.10(b)",
        "whether a hand that busts before the dealer's blackjack also loses its doubling and splitting money";
    /// The ruling on a switched or split two-card 21 against a dealer's blackjack (Switch, A1).
    ///
    /// Under 2A.5(b)1, only a 21 in more than two cards loses to a dealer's blackjack.
    two_card_21_v_dealer_blackjack: TwoCard21VDealerBlackjack { Push = "push", Lose = "lose" } by "19:47-2A.5(b)1",
        "whether a switched or split ace and ten-value card push or lose against a dealer's blackjack in Switch";
    /// The ruling on whether a lone seven as the second card wins the sevens bet (Q7).
    ///
    /// By 2.17(b)4 any seven wins; by the paytable of 2.17(e)3 a lone seven wins only as the first card.
    lone_seven: LoneSeven { FirstCard = "first-card", Either = "either" } by "19:47-2.17(e)3",
        "whether a single seven wins only as the first card, or as either of the first two";
    /// The ruling on whether a soft 19 or 20 may be doubled when the hole card is face up (Q48).
    ///
    /// 2.6(k)4 allows doubling a 9 or 10, and does not say whether a soft 19 or 20 counts as one.
    face_up_soft_doubles: FaceUpSoftDoubles { Refused = "refused", Allowed = "allowed" } by "19:47-2.6(k)4",
        "whether a soft 19 or 20 may be doubled as 9 or 10 where the hole card is dealt face up";
    /// The ruling on whether a player's blackjack beats a dealer's drawn 21 when the hole card is face up (Q4).
    ///
    /// 2.6(k)1 does not say whether the two hands have "the same score".
    face_up_blackjack_v_21: FaceUpBlackjackV21 { Wins = "wins", Loses = "loses" } by "19:47-2.6(k)1",
        "whether a player's blackjack beats a dealer's drawn 21 where the hole card is dealt face up";
    /// The ruling on whether a split ace may be surrendered after its one card (A31).
    ///
    /// 26.8(a) allows surrender after a split. 26.10(e) gives a split ace only one card.
    split_ace_surrender: SplitAceSurrender { Allowed = "allowed", Refused = "refused" } by "19:47-26.8(a)",
        "whether a split ace may be surrendered after its one card in Double Attack";
    /// The ruling on whether a 21 may be surrendered (A14).
    ///
    /// 26.8(a) forbids a surrender only after the player has decided to stand.
    surrender_21: Surrender21 { Allowed = "allowed", Refused = "refused" } by "19:47-26.8(a)",
        "whether a blackjack or another 21 may be surrendered in Double Attack";
    /// The ruling on whether a split hand's ace and ten-value card may be doubled (A7).
    ///
    /// 26.9(a) and 36.8(a) forbid doubling only a blackjack as it is dealt. 26.12(a)1 and 36.11(a)1 also except a
    /// hard 21.
    double_split_21: DoubleSplit21 { Allowed = "allowed", Refused = "refused" } by "19:47-26.9(a)",
        "whether an ace and a ten-value card on a split hand may be doubled in Double and Triple Attack";
    /// The ruling on whether a split ace may be doubled (A13).
    ///
    /// 26.9(a) covers split hands. 26.10(e) allows one card only.
    split_ace_double: SplitAceDouble { Refused = "refused", Allowed = "allowed" } by "19:47-26.10(e)",
        "whether a split ace may be doubled in Double Attack";
    /// The ruling on which bets of a surrendered hand a dealer's blackjack takes (A3).
    ///
    /// Under 26.8(a)2, the surrender loses "the entire wager".
    surrender_v_dealer_blackjack: SurrenderVDealerBlackjack { InitialOnly = "initial-only", Everything = "everything" }
        by "19:47-26.8(a)2",
        "what a surrendered hand loses to a dealer's blackjack in Double Attack: the initial bet only, or all bets on \
            the hand";
    /// The ruling on whether a six-card hand or a plain 21 beats a dealer's blackjack (A6).
    ///
    /// 36.5(b) lets these hands win without a condition, although elsewhere a blackjack beats a 21.
    winning_hand_v_dealer_blackjack: WinningHandVDealerBlackjack { Wins = "wins", Loses = "loses" } by "19:47-36.5(b)",
        "whether a six-card hand, or a 21 that is not a blackjack, beats a dealer's blackjack in Triple Attack";
    /// The ruling on how much several split hands lose to a dealer's blackjack (A30).
    ///
    /// 36.9(d) does not say whether "only the original attack wager(s)" is per box or per hand.
    split_hands_v_dealer_blackjack: SplitHandsVDealerBlackjack { OneOriginal = "one-original", EachItsShare = "each-its-share" }
        by "19:47-36.9(d)",
        "what split hands lose to a dealer's blackjack in Triple Attack: one original bet in all if any hand loses, \
            or each losing hand its share of that bet";
    /// The ruling on whether a co-bettor may attack when the caller, the box owner, does not (A17).
    ///
    /// 26.13(e) and 36.12(e) speak only of an attack bet by the caller. 26.1 and 36.1 give the attack bet to each
    /// player.
    cobettor_attack: CobettorAttack { OwnChoice = "own-choice", WithCaller = "with-caller" } by "19:47-26.13(e)",
        "whether a co-bettor of a shared box may attack when the player who calls the decisions passes";
    /// The ruling on whether a two-card 21 that is not a blackjack may be doubled (A9).
    ///
    /// 2A.10(a) forbids doubling only a blackjack. 2A.12(a)1 forbids drawing to a 21.
    double_two_card_21: DoubleTwoCard21 { Refused = "refused", Allowed = "allowed" } by "19:47-2A.10(a)",
        "whether a two-card 21 that is not a blackjack may be doubled in Switch";
    /// The ruling on whether a surrender must precede the decisions on both hands of the player, or only those on
    /// its own hand (2A.9(a), A5).
    surrender_timing: SurrenderTiming { PerHand = "per-hand", BeforeBothHands = "before-both-hands" }
        by "19:47-2A.9(a)",
        "whether a Switch player may surrender the second hand after playing the first";
    /// The ruling on how long a player may revoke a switch (A4).
    ///
    /// Under 2A.7(g)2 only a further card ends this right. By 2A.7(k) the turn passes to the next player.
    switch_revocation: SwitchRevocation { UntilCard = "until-card", InTurn = "in-turn" } by "19:47-2A.7(g)2",
        "whether a player who has stood on both hands may still revoke a switch before another card is dealt";
    /// The ruling on how the hands of a split count for the streak bet (Q21).
    ///
    /// 2.22(h) speaks of a "majority" and of "the same number" of hands.
    streak_splits: StreakSplits { Compare = "compare", Majority = "majority" } by "19:47-2.22(h)",
        "how a split counts for the streak bet: by more hands won than lost, or by more than half of all hands won";
    /// The ruling on whether the payouts of the progressive bet include the bet itself (Q49).
    ///
    /// 2.19(c) states amounts and not odds.
    progressive_pays: ProgressivePays { ForOne = "for-one", ToOne = "to-one" } by "19:47-2.19(c)",
        "whether the progressive payouts include the one-dollar bet";
    /// The ruling on what happens to the progressive bet when aces are split (Q27).
    ///
    /// 2.19(c) does not say so. 2.11(f) ends a series of sevens at a split.
    progressive_split_aces: ProgressiveSplitAces { End = "end", Continue = "continue" } by "19:47-2.19(c)",
        "whether splitting aces ends the progressive bet's series of aces";
    /// The ruling on whether the award of the blackjack bonus includes the bet itself (Q32).
    ///
    /// 2.20(j) speaks of a "payout".
    bonus_pays: BonusPays { ToOne = "to-one", ForOne = "for-one" } by "19:47-2.20(j)",
        "whether the blackjack bonus is paid in addition to the bet or includes it";
    /// The ruling on whether an ace and a nine count as twenty for the twenty point bonus (Q12).
    ///
    /// 2.24(a) speaks of "a point count of twenty".
    ace_nine_twenty: AceNineTwenty { Counts = "counts", DoesNotCount = "does-not-count" } by "19:47-2.24(a)",
        "whether an ace and a nine count as twenty for the twenty point bonus bet";
    /// The ruling on whether the twenty point bonus requires a face-down hole card (Q11).
    ///
    /// 2.24(d) prescribes dealing by 2.6(e) and (j).
    twenty_point_dealing: TwentyPointDealing { HoleDown = "hole-down", Any = "any" } by "19:47-2.24(d)",
        "whether the twenty point bonus bet requires a face-down hole card";
    /// The ruling on whether special odds are also paid on doubling money (Q16).
    ///
    /// 2.3(e) speaks of bets "in accordance with (a)".
    special_odds_on: SpecialOddsOn { WholeStake = "whole-stake", Original = "original" } by "19:47-2.3(e)#5",
        "whether special odds are also paid on doubling money";
    /// The ruling on whether the dealer's second card is dealt when no bet depends on it (Q19).
    ///
    /// 2.6(h) deals the second card after all decisions. 2.12(c) forbids needless additional cards.
    second_dealer_card: SecondDealerCard { WhenNeeded = "when-needed", Always = "always" } by "19:47-2.12(c)",
        "whether the dealer's second card is dealt when no bet depends on it (always in Switch)";
}

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
    /// The ruling on 2.3(a)3, which says "21 in two cards" and not "blackjack" (Q1).
    split_two_card_21: SplitTwoCard21 { Wins = "wins", Push = "push" } by "19:47-2.3(a)3",
        "whether an ace and a ten-value card on a split hand beat a dealer's 21 in three or more cards";
    /// The ruling on 2.10(b), 2.11(d), 2A.10(c), 26.9(c), 36.8(c), which make no exception for busted hands (Q2,
    /// A2).
    busted_v_dealer_blackjack: BustedVDealerBlackjack { OriginalOnly = "original-only", BustedToo = "busted-too" }
        by "19:47-2.10(b)",
        "whether a hand that busts before the dealer's blackjack also loses its doubling and splitting money";
    /// The ruling on 2A.5(b)1, under which only a 21 in more than two cards loses to a dealer's blackjack (Switch,
    /// A1).
    two_card_21_v_dealer_blackjack: TwoCard21VDealerBlackjack { Push = "push", Lose = "lose" } by "19:47-2A.5(b)1",
        "whether a switched or split ace and ten-value card push or lose against a dealer's blackjack in Switch";
    /// The ruling on 2.17(b)4 and 2.17(e)3, which disagree on a lone seven (Q7).
    ///
    /// By the clause any seven wins; by the paytable a lone seven wins only as the first card.
    lone_seven: LoneSeven { FirstCard = "first-card", Either = "either" } by "19:47-2.17(e)3",
        "whether a single seven wins only as the first card, or as either of the first two";
    /// The ruling on 2.6(k)4: whether a soft 19 or 20 also counts as 9 or 10 (Q48).
    face_up_soft_doubles: FaceUpSoftDoubles { Refused = "refused", Allowed = "allowed" } by "19:47-2.6(k)4",
        "whether a soft 19 or 20 may be doubled as 9 or 10 where the hole card is dealt face up";
    /// The ruling on 2.6(k)1: whether a blackjack against a drawn 21 is "the same score" (Q4).
    face_up_blackjack_v_21: FaceUpBlackjackV21 { Wins = "wins", Loses = "loses" } by "19:47-2.6(k)1",
        "whether a player's blackjack beats a dealer's drawn 21 where the hole card is dealt face up";
    /// The ruling on whether a split ace may be surrendered (A31).
    ///
    /// 26.8(a) allows surrender after a split. 26.10(e) gives a split ace only one card.
    split_ace_surrender: SplitAceSurrender { Allowed = "allowed", Refused = "refused" } by "19:47-26.8(a)",
        "whether a split ace may be surrendered after its one card in Double Attack";
    /// The ruling on 26.8(a), which forbids a surrender only after the player has decided to stand (A14).
    surrender_21: Surrender21 { Allowed = "allowed", Refused = "refused" } by "19:47-26.8(a)",
        "whether a blackjack or another 21 may be surrendered in Double Attack";
    /// The ruling on 26.9(a) and 36.8(a), which forbid doubling only a blackjack as it is dealt (A7).
    ///
    /// 26.12(a)1 and 36.11(a)1 also except a hard 21.
    double_split_21: DoubleSplit21 { Allowed = "allowed", Refused = "refused" } by "19:47-26.9(a)",
        "whether an ace and a ten-value card on a split hand may be doubled in Double and Triple Attack";
    /// The ruling on whether a split ace may be doubled (A13).
    ///
    /// 26.9(a) covers split hands. 26.10(e) allows one card only.
    split_ace_double: SplitAceDouble { Refused = "refused", Allowed = "allowed" } by "19:47-26.10(e)",
        "whether a split ace may be doubled in Double Attack";
    /// The ruling on 26.8(a)2, under which a surrender loses "the entire wager" (A3).
    surrender_v_dealer_blackjack: SurrenderVDealerBlackjack { InitialOnly = "initial-only", Everything = "everything" }
        by "19:47-26.8(a)2",
        "what a surrendered hand loses to a dealer's blackjack in Double Attack: the initial bet only, or all bets on \
            the hand";
    /// The ruling on 36.5(b), which is unconditional, although elsewhere a blackjack beats a 21 (A6).
    winning_hand_v_dealer_blackjack: WinningHandVDealerBlackjack { Wins = "wins", Loses = "loses" } by "19:47-36.5(b)",
        "whether a six-card hand, or a 21 that is not a blackjack, beats a dealer's blackjack in Triple Attack";
    /// The ruling on 36.9(d): whether "only the original attack wager(s)" is per box or per hand (A30).
    split_hands_v_dealer_blackjack: SplitHandsVDealerBlackjack { OneOriginal = "one-original", EachItsShare = "each-its-share" }
        by "19:47-36.9(d)",
        "what split hands lose to a dealer's blackjack in Triple Attack: one original bet in all if any hand loses, \
            or each losing hand its share of that bet";
    /// The ruling on 26.13(e), 36.12(e), which speak only of an attack bet by the caller, the box owner (A17).
    ///
    /// 26.1 and 36.1 give the attack bet to each player.
    cobettor_attack: CobettorAttack { OwnChoice = "own-choice", WithCaller = "with-caller" } by "19:47-26.13(e)",
        "whether a co-bettor of a shared box may attack when the player who calls the decisions passes";
    /// The ruling on 2A.10(a), which forbids doubling only a blackjack (A9).
    ///
    /// 2A.12(a)1 forbids drawing to a 21.
    double_two_card_21: DoubleTwoCard21 { Refused = "refused", Allowed = "allowed" } by "19:47-2A.10(a)",
        "whether a two-card 21 that is not a blackjack may be doubled in Switch";
    /// The ruling on 2A.9(a): whether surrender must precede every decision of the player, or only those on its
    /// hand (A5).
    surrender_timing: SurrenderTiming { PerHand = "per-hand", BeforeBothHands = "before-both-hands" }
        by "19:47-2A.9(a)",
        "whether a Switch player may surrender the second hand after playing the first";
    /// The ruling on 2A.7(g)2, under which only a further card ends the right to revoke a switch (A4).
    ///
    /// By 2A.7(k) the turn passes to the next player.
    switch_revocation: SwitchRevocation { UntilCard = "until-card", InTurn = "in-turn" } by "19:47-2A.7(g)2",
        "whether a player who has stood on both hands may still revoke a switch before another card is dealt";
    /// The ruling on 2.22(h), which speaks of a "majority" and of "the same number" of hands (Q21).
    streak_splits: StreakSplits { Compare = "compare", Majority = "majority" } by "19:47-2.22(h)",
        "how a split counts for the streak bet: by more hands won than lost, or by more than half of all hands won";
    /// The ruling on 2.19(c), which states amounts and not odds (Q49).
    progressive_pays: ProgressivePays { ForOne = "for-one", ToOne = "to-one" } by "19:47-2.19(c)",
        "whether the progressive payouts include the one-dollar bet";
    /// The ruling on 2.19(c), which does not say what happens to the progressive bet when aces are split (Q27).
    ///
    /// 2.11(f) ends a series of sevens at a split.
    progressive_split_aces: ProgressiveSplitAces { End = "end", Continue = "continue" } by "19:47-2.19(c)",
        "whether splitting aces ends the progressive bet's series of aces";
    /// The ruling on 2.20(j), which speaks of a "payout" (Q32).
    bonus_pays: BonusPays { ToOne = "to-one", ForOne = "for-one" } by "19:47-2.20(j)",
        "whether the blackjack bonus is paid in addition to the bet or includes it";
    /// The ruling on 2.24(a), which speaks of "a point count of twenty" (Q12).
    ace_nine_twenty: AceNineTwenty { Counts = "counts", DoesNotCount = "does-not-count" } by "19:47-2.24(a)",
        "whether an ace and a nine count as twenty for the twenty point bonus bet";
    /// The ruling on 2.24(d), which prescribes dealing by 2.6(e) and (j) (Q11).
    twenty_point_dealing: TwentyPointDealing { HoleDown = "hole-down", Any = "any" } by "19:47-2.24(d)",
        "whether the twenty point bonus bet requires a face-down hole card";
    /// The ruling on 2.3(e), which speaks of bets "in accordance with (a)" (Q16).
    special_odds_on: SpecialOddsOn { WholeStake = "whole-stake", Original = "original" } by "19:47-2.3(e)#5",
        "whether special odds are also paid on doubling money";
    /// The ruling on whether the dealer's second card is dealt when no bet depends on it (Q19).
    ///
    /// 2.6(h) deals the second card after all decisions. 2.12(c) forbids needless additional cards.
    second_dealer_card: SecondDealerCard { WhenNeeded = "when-needed", Always = "always" } by "19:47-2.12(c)",
        "whether the dealer's second card is dealt when no bet depends on it (always in Switch)";
}

//! The choices that a licensee makes for a table, legal or not.
//!
//! [`crate::Rules`] holds choices that [`crate::lawful`] has found legal.

use crate::card::Card;
use crate::odds::{Cents, Odds};
use crate::ruling::Rulings;
use crate::text::Text;
use crate::wager::SideWager;
use std::collections::BTreeMap;

/// Defines an enum with a table file's word for each variant.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];
            /// The table file's words for the values, in the order of `ALL`.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Returns the table file's word for the value.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            /// Returns the value that a table file's word stands for, or `None` if the word is unknown.
            pub fn from_word(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|choice| choice.word() == word)
            }
        }
    };
}
pub(crate) use words;

words! {
    /// The variation of blackjack: standard, 6 to 5 (2.3(e), 2.6A) or multiple action (2.18).
    Variation {
        /// The game of 2.1 to 2.15, in which a blackjack pays 3 to 2.
        Standard = "standard",
        /// One or two decks, dealt face down from the hand, with a blackjack paid 6 to 5 (2.6A).
        SixToFive = "six-to-five",
        /// Two or three bets on one hand, each against a separate dealer hand with the same upcard (2.18).
        MultipleAction = "multiple-action",
    }
}

words! {
    /// When and how the dealer's second card is dealt.
    HoleCard {
        /// The second card is dealt after all players have finished (2.6(h), 2.6A(f), 2A.7(l), 26.7(g)).
        None = "none",
        /// The second card is dealt face down before the players' decisions (2.6(j), 2A.7(l)1, 26.7(i), 36.7(e)).
        Down = "down",
        /// The second card is dealt face down, and a card reader reads it (2.6(j), 2.6A(h), 2A.7(l)2, 26.7(i),
        /// 36.7(k)).
        Reader = "reader",
        /// The second card is dealt face up before the players' decisions (2.6(k)).
        Up = "up",
    }
}

words! {
    /// How the dealer plays a soft 17 (2.12(b)1 or 2.12(b)2).
    Soft17 {
        /// The dealer stands on every 17 (2.12(b)1).
        Stand = "stand",
        /// The dealer draws to a soft 17 and stands on a hard 17 (2.12(b)2).
        Hit = "hit",
    }
}

words! {
    /// How the one card that a doubled hand receives is dealt (2.10(c)).
    DoubleCard {
        /// The double card is dealt face up, like every other card.
        Up = "up",
        /// The double card is dealt face down, and turned up when the hand is settled.
        Down = "down",
        /// The double card is dealt face up, or face down at the player's request.
        OnRequest = "on-request",
    }
}

words! {
    /// What the cards are dealt from (2.6(a), 2.6(d), 2.21, 2.6A(a)).
    Shoe {
        /// A dealing shoe with one stack (2.6(a)).
        Single = "single",
        /// A shoe with two sides, each with its own stack (2.6(d), 2.4(d)).
        Double = "double",
        /// A device that takes back the cards of a round and shuffles them in (2.21).
        Continuous = "continuous",
        /// No device: the dealer holds the cards, in the 6 to 5 variation (2.6A(a)).
        Hand = "hand",
    }
}

words! {
    /// How the cards are shuffled (2.5(a), 2.2(d), 2.5(h)2, 2.4(a)).
    Shuffle {
        /// The dealer shuffles by hand (2.5(a)).
        Manual = "manual",
        /// A device shuffles, with two batches of cards that alternate (2.2(d)).
        Automated = "automated",
        /// The dealer does the Bart Carter shuffle, which puts the cards back in three stacks (2.5(h)2, 2.6(m)).
        BartCarter = "bart-carter",
        /// The cards arrive shuffled, and are opened at the table (2.4(a)).
        PreShuffled = "pre-shuffled",
    }
}

words! {
    /// Whether an attack bet may be any amount up to the first bet, or must equal the first bet.
    ///
    /// 26.1 and 36.1 say "not to exceed" the first bet; 26.7(d) and 36.7(d.2),(e) say "equal to" it.
    AttackAmount {
        /// Any amount that does not exceed the first bet (26.1, 36.1).
        UpTo = "up-to",
        /// Exactly the amount of the first bet (26.7(d), 36.7(d.2), 36.7(e)).
        Equal = "equal",
    }
}

words! {
    /// Who cuts the cards: the players or, where Massachusetts permits it, the dealer (MA 4(c)).
    CutBy {
        /// The players cut, in the order of the regulation, or the dealer if every player declines to cut.
        Players = "players",
        /// The dealer cuts without offering the cut to the players (MA 4(c)).
        Dealer = "dealer",
    }
}

words! {
    /// Who makes a second cut that a supervisor orders (2.5(g), 2A.4(g), 26.4(f), 36.4(f)).
    RecutBy {
        /// The player who cut last makes the second cut.
        LastCutter = "last-cutter",
        /// The next player entitled to cut makes the second cut.
        NextEntitled = "next-entitled",
    }
}

words! {
    /// Whether players can see the hole card when the card reader is misused (2.15(j), 2A.15(k), 26.15(l),
    /// 36.14(l)).
    ReaderReveals {
        /// Nobody can see the hole card if the card reader is used by mistake, so the round continues.
        Nothing = "nothing",
        /// Players can see the hole card if the card reader is used by mistake, so the round is void.
        HoleCard = "hole-card",
    }
}

words! {
    /// When a surrender against an ace or ten-value card is settled at a table with a card reader (2.8(a)2,
    /// 26.8(a)3).
    SurrenderSettled {
        /// A surrender is settled with the other bets, when the dealer's second card is disclosed.
        AtDisclosure = "at-disclosure",
        /// A surrender is settled immediately, because the card reader has ruled out a blackjack.
        AtOnce = "at-once",
    }
}

words! {
    /// When losing insurance is collected after a card reader has found no blackjack.
    ///
    /// 2.9(d) says that it is collected when the second card is disclosed (Q18).
    InsuranceCollected {
        /// Losing insurance is collected when the dealer's second card is disclosed, as 2.9(d) says literally.
        AtDisclosure = "at-disclosure",
        /// Losing insurance is collected as soon as the card reader has ruled out a blackjack.
        AfterReader = "after-reader",
    }
}

words! {
    /// Whether the licensee has a card burned before each round of 6 to 5 (2.6A(c)).
    HandBurn {
        /// No card is burned before a round.
        None = "none",
        /// A card is burned before each round.
        EachRound = "each-round",
    }
}

words! {
    /// A procedure of the licensee's own, which needs the regulator's approval (2.5(k), 2A.4(j), 26.4(h)).
    OwnProcedure {
        /// No cut card is used.
        NoCutCard = "no-cutting-card",
        /// The cut card is placed elsewhere than the regulation says.
        CutCardPlacement = "cutting-card-placement",
        /// No card is burned where the regulation requires a burn card.
        NoBurn = "no-burn",
        /// The shuffle, its place or the person who shuffles differs from the regulation.
        Shuffle = "shuffle",
    }
}

/// Whether the licensee offers or permits an option: `true` or `false` in a table file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Offered {
    /// The table does not offer the option.
    No,
    /// The table offers the option.
    Yes,
}

impl Offered {
    /// Returns whether the licensee offers or permits the option.
    pub const fn is_yes(self) -> bool {
        matches!(self, Offered::Yes)
    }
}

impl From<bool> for Offered {
    fn from(yes: bool) -> Offered {
        if yes { Offered::Yes } else { Offered::No }
    }
}

/// The special odds that a licensee may offer (2.3(e)1 to 4 and 2.16).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BonusPayouts {
    /// Whether 6, 7 and 8 of one suit pay 2 to 1 (2.3(e)1).
    pub suited_678: Offered,
    /// Whether three sevens pay 3 to 2 (2.3(e)2).
    pub three_sevens: Offered,
    /// Whether five cards totaling 21 pay 2 to 1 (2.3(e)4, 2.16).
    pub five_card_21: Offered,
    /// The designated blackjacks that pay 2 to 1 (2.3(e)3).
    ///
    /// A table file can list several, but more than one is illegal.
    pub blackjacks: Vec<[Card; 2]>,
}

impl BonusPayouts {
    /// No special odds.
    pub const NONE: BonusPayouts = BonusPayouts {
        suited_678: Offered::No,
        three_sevens: Offered::No,
        five_card_21: Offered::No,
        blackjacks: Vec::new(),
    };

    /// Returns whether the table offers no special odds.
    pub fn is_none(&self) -> bool {
        *self == BonusPayouts::NONE
    }
}

/// A fraction in millionths, such as the fraction of the stack that lies behind the cut card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Millionths(pub u32);

impl Millionths {
    /// Returns this fraction of a number of cards, rounded up because regulations say "at least".
    pub const fn of(self, cards: usize) -> usize {
        (cards * self.0 as usize).div_ceil(1_000_000)
    }
}

impl std::fmt::Display for Millionths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// A table's terms for one side bet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideOffer {
    /// The name of the paytable, or `None` for the first paytable for the table's number of decks.
    pub paytable: Option<String>,
    /// The minimum amount of the side bet.
    pub minimum: Cents,
    /// The maximum amount of the side bet.
    pub maximum: Cents,
    /// The current amount of the progressive meter (2.19), or `None` if none is set.
    pub meter: Option<Cents>,
    /// The amount to which the meter is set at the start and after a reset (2.19(i)).
    pub seed: Cents,
    /// The part of each bet that goes to the meter, in hundredths of a percent (2.19(i)).
    pub rate: u32,
    /// For each amount that may be bet, the awards that the bonus button can show, each with its weight (2.20).
    pub awards: BTreeMap<Cents, BTreeMap<Cents, u32>>,
    /// The licensee's own odds, keyed by the name of the paytable line; a line without own odds pays those of the
    /// paytable.
    ///
    /// Own odds may be higher than the legal minimum (2.22(j), 2.23(f), 2.24(f), 2A.6(c)).
    pub odds: BTreeMap<String, Odds>,
    /// The maximum that all queen of hearts pairs with a dealer blackjack win together in a round (2.24(h)).
    ///
    /// `None` sets no maximum.
    pub cap: Option<Cents>,
}

impl SideOffer {
    /// Returns the default terms of each of these side bets.
    pub fn all(wagers: &[SideWager]) -> BTreeMap<SideWager, SideOffer> {
        wagers.iter().map(|&wager| (wager, SideOffer::of(wager))).collect()
    }

    /// Returns the default terms of a side bet.
    pub fn of(wager: SideWager) -> SideOffer {
        SideOffer {
            paytable: None,
            minimum: Cents::dollars(1),
            maximum: wager.kind().maximum,
            meter: None,
            seed: Cents::dollars(5_000),
            rate: 7_000,
            awards: crate::wager::bonus::default_awards(),
            odds: BTreeMap::new(),
            cap: None,
        }
    }
}

/// A table as a licensee describes it: every choice that a table file can make, legal or not.
///
/// [`crate::Rules`] holds only legal choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices {
    /// The table's name.
    pub name: String,
    /// The regulation that governs the table, before any amendment by its variation.
    pub text: &'static Text,
    /// The variation of blackjack at the table (2.6A, 2.18).
    pub variation: Variation,
    /// The jurisdiction that the table is in, such as `nj`; only its own regulations apply.
    pub jurisdiction: &'static str,
    /// The number of decks in the stack from which cards are dealt.
    ///
    /// The stack is one batch at a shuffling device, or one side of a double shoe (Q10, A24).
    pub decks: u8,
    /// The number of betting positions on the layout.
    pub positions: u8,
    /// When and how the dealer's second card is dealt, and whether a device reads it.
    pub hole_card: HoleCard,
    /// Whether the dealer draws to a soft 17.
    pub soft_17: Soft17,
    /// Whether a hand may be surrendered for half of its bet (2.8, 2A.9, 26.8).
    pub surrender: Offered,
    /// Whether a blackjack against an ace may be paid 1 to 1 immediately (2.7(c)).
    pub even_money: Offered,
    /// Whether insurance is also offered during the player's own turn (2.9(b)).
    pub late_insurance: Offered,
    /// The maximum number of hands that one initial hand may be split into.
    pub split_hands: u8,
    /// Whether aces may be split again.
    pub resplit_aces: Offered,
    /// Whether a hand formed by a split may be doubled.
    pub double_after_split: Offered,
    /// How the one card that a doubled hand receives is dealt.
    pub double_card: DoubleCard,
    /// The special odds that the table offers (2.3(e)1 to 4).
    pub bonus_payouts: BonusPayouts,
    /// What the cards are dealt from.
    pub shoe: Shoe,
    /// How the cards are shuffled.
    pub shuffle: Shuffle,
    /// The fraction of the stack that lies behind the cut card; the regulation sets a minimum.
    pub cut_behind: Millionths,
    /// The minimum bet on a hand.
    pub minimum: Cents,
    /// The maximum bet on a hand.
    pub maximum: Cents,
    /// The smallest chip in play, of which every amount is a multiple.
    pub chip: Cents,
    /// The maximum number of people who may bet on one box (2.13, 2A.13, 26.13, 36.12).
    pub bettors_per_box: u8,
    /// The maximum number of boxes that one person may play (2.14, 2A.14, 26.14, 36.13).
    pub boxes_per_player: u8,
    /// The maximum number of boxes that may be shared at once, or `None` if every box may be shared (2.13(g),
    /// 2A.13(f), 26.13(h), 36.12(h)).
    pub shared_boxes: Option<u8>,
    /// Whether a player who has sat out a round may bet again before the next shuffle.
    pub mid_shoe_entry: Offered,
    /// Whether an attack bet may be any amount up to the first bet, or must equal the first bet.
    pub attack_amount: AttackAmount,
    /// The minimum number of bets that a player in multiple action must make, two or three (2.18(b)).
    pub multiple_action_required: u8,
    /// Who cuts the cards.
    pub cut_by: CutBy,
    /// Who makes a second cut that a supervisor orders.
    pub recut_by: RecutBy,
    /// Whether players can see the hole card when the card reader is used by mistake.
    pub reader_reveals: ReaderReveals,
    /// When a surrender is settled at a table with a card reader.
    pub surrender_settled: SurrenderSettled,
    /// When losing insurance is collected at a table with a card reader.
    pub insurance_collected: InsuranceCollected,
    /// Whether a card is burned before each round in the 6 to 5 variation.
    pub hand_burn: HandBurn,
    /// The licensee's own procedures that the table follows (2.5(k), 2A.4(j), 26.4(h)).
    pub own_procedures: Vec<OwnProcedure>,
    /// The register entry that approves `own_procedures`, or empty if there are none.
    pub approval: String,
    /// The side bets that the table offers, with their terms.
    pub side_wagers: BTreeMap<SideWager, SideOffer>,
    /// The table's readings of ambiguous clauses.
    pub rulings: Rulings,
}

impl Choices {
    /// Returns the table's regulation, as amended by its variation.
    #[inline]
    pub fn text(&self) -> &'static Text {
        self.text.amended(self)
    }

    /// Returns the composition of one deck; 26.2(a) and 36.2(a) remove the tens.
    #[inline]
    pub fn deck(&self) -> crate::card::Deck {
        self.text().cards.deck
    }

    /// Returns the number of cards in a full stack at this table.
    pub fn stack_size(&self) -> usize {
        self.deck().size() * usize::from(self.decks)
    }

    /// Returns the number of hands dealt to a player at one box.
    ///
    /// The number is two in Switch (2A.5(a)), and one elsewhere.
    #[inline]
    pub fn hands_per_box(&self) -> usize {
        self.text().wagers.hands
    }

    /// Returns the number of dealer hands that a player can bet against.
    ///
    /// The number is three in multiple action (2.18(b)), and one elsewhere.
    #[inline]
    pub fn dealer_hands(&self) -> usize {
        self.text().wagers.dealer_hands
    }

    /// Returns whether the table follows `procedure`, one of the licensee's own procedures.
    pub fn has_own(&self, procedure: OwnProcedure) -> bool {
        self.own_procedures.contains(&procedure)
    }

    /// Returns the table's terms for a side bet, or `None` if the table does not offer it.
    pub fn offer(&self, wager: SideWager) -> Option<&SideOffer> {
        self.side_wagers.get(&wager)
    }

    /// Returns the odds that a standard blackjack pays.
    ///
    /// The odds are 3 to 2, or 6 to 5, by 2.3(e), and 1 to 1 by 2.6(k)2, 2A.5(g), 26.5(e), 36.5(e).
    pub fn blackjack_odds(&self) -> Odds {
        self.text().settle.blackjack
    }
}

//! The parts of a text: what every regulation of the family says in its own words, as citations, parameters and, where
//! it is more than a parameter, functions. A part that a text may lack is an `Option`; what it must have is required.

use crate::card::Deck;
use crate::choice::{Choices, DoubleCard, Shoe, Soft17};
use crate::clause::Clause;
use crate::hand::{Hand, Total};
use crate::odds::{Cents, Odds};
use crate::play::{Refusal, Situation};
use crate::script::{Offer, Step};
use crate::settle::{Stake, Verdict};
use crate::wager::{Side, SideWager};

/// A sentence for people, and the clause that it tells.
pub type Said = (&'static str, Clause);

/// The cards: 2.2, 2A.2, 26.2, 36.2.
#[derive(Clone, Copy)]
pub struct Cards {
    pub by: Clause,
    pub deck: Deck,
    /// The ranks that are taken out of a full deck, where the text has that done at the table.
    pub removed: Option<Removed>,
}

/// Cards that are removed and destroyed before the deck is used: 26.2(a), 26.3(b), 26.15(b) and counterparts.
#[derive(Clone, Copy)]
pub struct Removed {
    pub sentence: Said,
    pub remove: Clause,
    pub verify: Clause,
    pub destroy: Clause,
    /// One of them turns up in a round; a second one does.
    pub found: Clause,
    pub found_again: Clause,
}

/// The required wagers, and what is added to them before the hands are played: 2.3, 2A.5, 26.5, 36.5.
#[derive(Clone, Copy)]
pub struct Wagers {
    pub required: Clause,
    pub below_minimum: Clause,
    /// Hands that a player has at a box.
    pub hands: usize,
    /// Hands of the dealer, each with a wager of its own: 2.18(b).
    pub spots: usize,
    /// Why a second amount is refused where there is one spot.
    pub one_amount: &'static str,
    /// Wagers are made with chips: 2.3(d), 2A.5(d), 26.5(c), 36.5(e).
    pub chips: Clause,
    /// A match play coupon, "if applicable": no text says what one wins.
    pub coupon: Clause,
    /// Every amount is a multiple of this: 2.3(d).
    pub unit: Option<(Cents, Clause)>,
    /// No wager after the first card; a confirmed wager is not altered.
    pub closed: Clause,
    pub confirmed: Clause,
    /// Who sat a round out may be barred, and is admitted again.
    pub entry: Clause,
    pub admission: Clause,
    /// Wagers that are offered while the first cards are dealt, in that order.
    pub attacks: &'static [Attack],
    /// What "the original wager" is: to insure, and to lose to a dealer's blackjack.
    pub original: Original,
    /// The betting areas of one position.
    pub areas: &'static [Area],
}

/// An attack wager: 26.1, 26.7(d), 36.1, 36.7(d.2), (e).
#[derive(Clone, Copy)]
pub struct Attack {
    pub offer: Offer,
    pub stake: Stake,
    pub by: Clause,
    /// Not above the first wager, by definition.
    pub up_to: Clause,
    /// A co-bettor's of a shared box: 26.13(e), 36.12(e).
    pub shared: Clause,
    pub sentence: [&'static str; 2],
}

/// What a player put down first, as the clauses on insurance and on a dealer's blackjack count it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Original {
    /// The required wager alone: 2.9(b), 2.10(b), 26.1 "initial wager".
    Required,
    /// With the attack wagers beside it: 36.8(c), 36.9(d), 36.10(b).
    WithAttacks,
}

/// A marked area of each betting position, in the order in which they lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area {
    pub name: &'static str,
    pub by: Clause,
}

/// Before the table opens: 2.4, 2A.3, 26.3, 36.3.
#[derive(Clone, Copy)]
pub struct Opening {
    pub inspect: Clause,
    /// Spread for the first players; spread for a shuffling device.
    pub spread: Clause,
    pub spread_for_device: Clause,
    pub wash: Clause,
    /// Cards for a shuffling device are stacked without a wash, where the text makes that exception.
    pub stack: Option<Clause>,
    /// A card was turned over while mixing or stacking.
    pub seen: Clause,
    /// An open table without players: 2.5(j), 2A.4(i), 26.4(i), 36.4(h).
    pub idle: Idle,
    /// A shoe of two sides: 2.4(d), 2.6(l)2.ii.
    pub double_shoe: Option<DoubleShoe>,
}

/// What is done with the cards at a table without players.
#[derive(Clone, Copy)]
pub struct Idle {
    pub spread: Clause,
    pub turn_up: Clause,
    pub turn_down: Clause,
    pub wash: Clause,
    /// With a shuffling device, where the text says something else for it.
    pub device: Option<IdleDevice>,
}

/// An idle table with a shuffling device: 2.5(j)2, 2A.4(i)2.
#[derive(Clone, Copy)]
pub struct IdleDevice {
    pub stack: Clause,
    /// The batch that lies in the device comes out.
    pub swap: Clause,
    /// It is spread and shuffled again if a player asks for it.
    pub on_request: Option<Clause>,
}

/// The cards of a double shoe.
#[derive(Clone, Copy)]
pub struct DoubleShoe {
    pub spread: Clause,
    pub wash: Clause,
    pub empty: Clause,
}

/// The shuffle: 2.5(a), 2A.4(a), 26.4(a), 36.4(a).
#[derive(Clone, Copy)]
pub struct Shuffling {
    pub by: Clause,
    pub at_cutting_card: Clause,
    pub on_order: Clause,
    /// By a device, where the text has a clause of its own for that.
    pub by_device: Option<Clause>,
    /// The parts that a shuffle by hand is made of, before it is complete: MA 4(i).
    pub parts: &'static [(Part, Clause)],
    /// Cards are stripped before they have been riffled twice.
    pub strip_early: Clause,
    /// The other batch comes out of the device, where the text knows batches; after each round of one deck, where the
    /// licensee has it so.
    pub swap: Option<Clause>,
    pub swap_each_round: Clause,
    /// No other way to shuffle is lawful: 2.2(e).
    pub device_only: Option<Clause>,
    /// The licensee's own procedures, once approved: 2.5(k), 2A.4(j), 26.4(h).
    pub own: Option<Clause>,
    /// The cards left in the shoe and those in the rack are put together.
    pub empty_shoe: Clause,
    /// The Bart Carter shuffle, and the three stacks that go back into the shoe: 2.6(m), 2A.7(o).
    pub bart_carter: Option<[Clause; 2]>,
    /// A licensee orders a shuffle after a round.
    pub ordered: Clause,
}

/// A part of a shuffle by hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Plug,
    Riffle,
    Turn,
    Strip,
}

/// The cut and the cutting card: 2.5(b)-(i), 2A.4(c)-(h), 26.4(c)-(g), 36.4(c)-(g).
#[derive(Clone, Copy)]
pub struct Cutting {
    pub by: Clause,
    /// Cards that a device shuffled are not cut, where the text says so: 2A.4(b)1, 26.4(b)1, 36.4(b)1.
    pub not_after_device: Option<Clause>,
    /// To whom the cut is offered: at the opening; when the cutting card came to a player, or to the dealer; otherwise.
    pub order: Clause,
    pub first_player: Clause,
    pub at_player: Clause,
    pub at_dealer: Clause,
    pub otherwise: Clause,
    /// It is offered on when a player has declined.
    pub offered_on: Clause,
    pub declined: Clause,
    /// The dealer cuts when all have declined; or at once, where the licensee has it so: MA 4(c).
    pub by_dealer: Clause,
    pub dealer_instead: Clause,
    pub recut: Clause,
    pub recut_by: Clause,
    /// Cards that must lie before and behind the cut.
    pub least: u16,
    /// Whether the cut goes around the table from the dealer's left to the right.
    pub clockwise: bool,
    /// Where the cutting card goes: at least this part of the stack lies behind it, a quarter or a third.
    pub place: Clause,
    pub behind: usize,
    pub load: Clause,
    /// A card comes out: the round is the last.
    pub card_out: Clause,
    /// Dealt from the hand: the bottom card is covered, the cards are taken in hand.
    pub hand: [Clause; 2],
}

/// The deal: 2.6, 2A.7, 26.7, 36.7.
#[derive(Clone, Copy)]
pub struct Dealing {
    pub shoe: Clause,
    /// What the cards may be dealt from, as far as the text leaves a choice.
    pub shoes: &'static [Shoe],
    pub script: fn(&Choices) -> &'static [Step],
    pub burn: Clause,
    /// Each new dealer burns a card too; the burned card is shown on request.
    pub burn_again: Clause,
    pub burn_shown: Clause,
    pub first_card: Clause,
    pub up_card: Clause,
    pub next_card: Clause,
    pub hole_card: Clause,
    /// Whether the players' cards lie face down: 2.6A.
    pub face_down: bool,
    pub total: Clause,
    pub decisions: Clause,
    /// Whose turn it is.
    pub turns: Clause,
    pub drawn: Clause,
    /// The new total after a drawn card is announced.
    pub new_total: Option<Clause>,
    pub second_card: Clause,
    /// Whether it is dealt even if nothing depends on it.
    pub second_always: bool,
    pub dealers_card: Clause,
    pub dealer_total: Clause,
    /// What a hole card is read under, for people; the reader's clause, and what its finding a blackjack does.
    pub read_under: &'static str,
    pub reader: Clause,
    pub turned: Clause,
    pub turned_blackjack: Clause,
    pub blackjack_ends: Clause,
    pub pick_up: Clause,
}

/// Surrender: 2.8, 2A.9, 26.8.
#[derive(Clone, Copy)]
pub struct Surrender {
    pub may: fn(&Choices, &Situation<'_>) -> Result<Clause, Refusal>,
    pub by: Clause,
    pub first: Clause,
    pub not_offered: Clause,
    pub after_split: Clause,
    /// Settled at once against a low card; when no blackjack came of an ace or ten value; when a reader ruled it out.
    pub low: Clause,
    pub high: Clause,
    pub ruled_out: Clause,
    /// A surrender against an ace or ten value waits for the dealer's second card.
    pub waits: Clause,
    pub to_blackjack: fn(&Choices, Stake) -> Verdict,
    pub too_late: Clause,
    /// The department is told before it is introduced or withdrawn.
    pub notice: Option<Clause>,
    /// Whether everything on a hand is halved, attack and doubling money too.
    pub halves_all: bool,
    pub if_offered: Said,
    pub if_not: Said,
}

/// Insurance: 2.9, 2A.8, 26.11, 36.10.
#[derive(Clone, Copy)]
pub struct Insurance {
    pub by: Clause,
    /// Why there is none, where there is none: 2.6(k)3.
    pub none: Option<&'static str>,
    pub most: Clause,
    /// It is placed before any additional card; before the hole card is read.
    pub in_time: Clause,
    pub before_reader: Clause,
    /// Whether a table with a reader cites that from the start.
    pub reader_first: bool,
    /// Whether it may also be offered at the player's own turn: 2.9(b).
    pub late: bool,
    pub pays: Odds,
    pub won: Clause,
    /// Better odds for a blackjack of one suit: 36.10(c).
    pub suited: Option<(Odds, Clause)>,
    pub lost: Clause,
    pub sentence: Said,
    /// A blackjack against an ace paid at once: 2.7(c). Where the text has none, the list of decisions.
    pub even_money: Clause,
}

/// May a hand of this total be doubled, and by which clause?
pub type MayDouble = fn(&Choices, Total) -> Result<Clause, Refusal>;

/// Doubling: 2.10, 2A.10, 26.9, 36.8.
#[derive(Clone, Copy)]
pub struct Doubling {
    pub by: Clause,
    pub after_split: Clause,
    /// Refuses a third card; `None` where a hand of any number of cards may be doubled.
    pub two_cards: Option<Clause>,
    pub not_blackjack: Clause,
    /// Whether a ruling can allow it on a 21 in two cards that is no blackjack: 2A.10(a).
    pub plain_21: bool,
    pub split_ace: OnSplitAce,
    /// Refused after a split where the licensee prohibits it.
    pub not_after_split: Clause,
    /// Totals that may be doubled, where not all: 2.6(k)4.
    pub totals: Option<MayDouble>,
    pub amount: Clause,
    /// The one card of a doubled hand; how it may be dealt.
    pub card: Clause,
    pub cards: &'static [DoubleCard],
    pub face_up: Clause,
    /// What a dealer's blackjack leaves of it.
    pub returned: Clause,
    pub sentence: Said,
}

/// Whether a split ace with its one card may be doubled.
#[derive(Clone, Copy)]
pub enum OnSplitAce {
    Refused(Clause),
    /// 26.9(a) against 26.10(e): by ruling.
    Ruled(Clause),
    Allowed(Clause),
}

/// Splitting: 2.11, 2A.11, 26.10, 36.9.
#[derive(Clone, Copy)]
pub struct Splitting {
    pub by: Clause,
    pub switched: Clause,
    pub again: Clause,
    /// How many hands one may become: a single split, where that has its own clause; in general; with seven boxes.
    pub once: Option<Clause>,
    pub limit: Clause,
    pub limit_at_seven: Clause,
    /// A split ace gets one card; aces are not split again.
    pub ace: Clause,
    pub aces_again: Clause,
    pub total: Clause,
    /// What a dealer's blackjack leaves of it.
    pub returned: Clause,
    /// Whether a ruling can have each hand lose its share of the original wager to it: 36.9(d).
    pub shares: bool,
    pub ace_sentence: Said,
}

/// The exchange of second cards: 2A.7(g)-(k).
#[derive(Clone, Copy)]
pub struct Switching {
    pub by: Clause,
    pub switched: Clause,
    pub switched_total: Clause,
    pub revoked: Clause,
    pub once: Clause,
    /// The turn ends with the switch as it is; the second hand's total is announced.
    pub kept: Clause,
    pub second_total: Clause,
}

/// Drawing: 2.12, 2A.12, 26.12, 36.11.
#[derive(Clone, Copy)]
pub struct Drawing {
    pub by: Clause,
    pub at_21: Clause,
    pub doubled: Clause,
    pub bust: Clause,
    /// The dealer's drawing rule, standing on a soft 17 and drawing to it.
    pub dealer_stands: Clause,
    pub dealer_hits: Clause,
    pub needless: Clause,
}

/// Several bettors on a box, several boxes for a player: 2.13-14, 2A.13-14, 26.13-14, 36.12-13.
#[derive(Clone, Copy)]
pub struct Sharing {
    pub by: Clause,
    pub consent: Clause,
    /// How many boxes may be shared is limited by the regulator.
    pub limited: Clause,
    pub caller: Clause,
    pub double: Clause,
    pub split: Clause,
    pub boxes: Clause,
    pub more_boxes: Clause,
}

/// Irregularities and their remedies: 2.15, 2A.15, 26.15, 36.14.
#[derive(Clone, Copy)]
pub struct Irregular {
    pub face_up: Clause,
    pub face_up_again: Clause,
    /// Whether a second card found face up voids the round, and the cards are shuffled.
    pub second_voids: bool,
    pub unexposed: Clause,
    pub exposed: Clause,
    pub refused: Clause,
    pub burned: Clause,
    pub drew_on_standing: Clause,
    pub missed_own: Clause,
    /// Whether the dealer's missed first card voids the round; otherwise it is dealt late.
    pub missed_own_voids: bool,
    pub missed_box: Clause,
    pub late_card: Clause,
    pub missed_draw: Clause,
    pub out_of_cards: Clause,
    pub reshuffle_burn: Clause,
    pub shuffler_failed: Clause,
    pub shuffler_removed: Clause,
    /// The reader was used under a 2 to 9: the supervisor is told; the hole card was seen, or not.
    pub reader_notice: Clause,
    pub reader_seen: Clause,
    pub reader_unseen: Clause,
    pub reader_failed: Clause,
    /// Play goes on without the burned card, where the text says so: MA 15(n).
    pub burn_forgotten: Option<Clause>,
    pub misdelivered: Clause,
    /// A misdelivered card moves forward, or a player is let out: MA 15(a).
    pub forward: Option<Forward>,
    pub void: Clause,
}

/// The remedies of Massachusetts for a misdelivered card.
#[derive(Clone, Copy)]
pub struct Forward {
    pub card: Clause,
    pub let_out: Clause,
}

/// Settlement.
#[derive(Clone, Copy)]
pub struct Settling {
    /// Player against dealer, both finished.
    pub compare: fn(&Choices, &Hand, &Hand, Stake) -> Verdict,
    /// A hand that passed 21.
    pub bust: Clause,
    /// Whether its wagers are collected at once.
    pub collects_bust: bool,
    /// Whether doubling and splitting money of a busted hand waits for the dealer's blackjack, as far as ruled so.
    pub spares_busted: bool,
    /// What an attack wager that the dealer's blackjack does not take is returned by.
    pub attack_returned: Clause,
    /// Whether a hand is paid as soon as its total is announced, given that the dealer may yet have a blackjack.
    pub pays_at_turn: fn(&Choices, &Hand, bool) -> bool,
    /// Whether the dealer's further cards can change what a finished hand below 22 gets.
    pub depends: fn(&Choices, &Hand) -> bool,
    pub blackjack: Odds,
    /// Whether a dealer's 22 is something else than a higher count.
    pub at_22: bool,
    /// From how many cards on one more makes no difference to the comparison.
    pub most_cards: usize,
}

/// The side wagers of a text.
#[derive(Clone, Copy)]
pub struct Sides {
    pub rows: &'static [Side],
    /// Why a wager that it does not have is refused.
    pub refused: fn(SideWager) -> Clause,
    /// Pairs that may not be offered at one table.
    pub exclusions: &'static [(SideWager, SideWager, Clause)],
    pub check: fn(&Choices, &mut crate::lawful::Report),
}

/// An inscription of the layout, where it depends on soft 17 for which.
#[derive(Clone, Copy)]
pub struct Felt {
    pub text: &'static str,
    pub by: Clause,
    pub soft_17: Option<Soft17>,
}

impl Felt {
    pub const fn new(text: &'static str, by: Clause) -> Felt {
        Felt { text, by, soft_17: None }
    }
}

//! The parts of a text: what every regulation of the family says in its own words, as citations, parameters and, where
//! it is more than a parameter, functions. A part that a text may lack is an `Option`; what it must have is required.
//!
//! Here, what comes before the decisions; they and what follows are in `decided.rs`.

use crate::card::Deck;
use crate::choice::Choices;
use crate::clause::Clause;
use crate::odds::Cents;
use crate::script::{Offer, Step};
use crate::settle::Stake;

/// A rule in words, with the clause that it states.
pub type Said = (&'static str, Clause);

/// The cards: 2.2, 2A.2, 26.2, 36.2.
#[derive(Clone, Copy)]
pub struct Cards {
    /// The clause on the decks.
    pub by: Clause,
    /// What one deck is made of.
    pub deck: Deck,
    /// The ranks that are taken out of a full deck, where the text has that done at the table.
    pub removed: Option<Removed>,
}

/// Cards that are removed and destroyed before the deck is used: 26.2(a), 26.3(b), 26.15(b) and counterparts.
#[derive(Clone, Copy)]
pub struct Removed {
    /// What is removed, in plain words.
    pub sentence: Said,
    /// The cards come out of the decks.
    pub remove: Clause,
    /// The clause that has somebody verify the removal.
    pub verify: Clause,
    /// The clause under which the removed cards are destroyed.
    pub destroy: Clause,
    /// The clause on a removed card that turns up in a round.
    pub found: Clause,
    /// A second one does.
    pub found_again: Clause,
}

/// The required wagers, and what is added to them before the hands are played: 2.3, 2A.5, 26.5, 36.5.
#[derive(Clone, Copy)]
pub struct Wagers {
    /// The wager that everybody makes to be dealt in.
    pub required: Clause,
    /// Refuses less than the posted minimum.
    pub below_minimum: Clause,
    /// Hands that a player has at a box.
    pub hands: usize,
    /// The number of dealer hands, each with a separate wager: 2.18(b).
    pub spots: usize,
    /// The refusal of a second amount where there is one spot.
    pub one_amount: &'static str,
    /// Wagers are made with chips: 2.3(d), 2A.5(d), 26.5(c), 36.5(e).
    pub chips: Clause,
    /// A match play coupon, "if applicable": no text says what one wins.
    pub coupon: Clause,
    /// Every amount is a multiple of this: 2.3(d).
    pub unit: Option<(Cents, Clause)>,
    /// The clause that allows no wager after the first card.
    pub closed: Clause,
    /// A confirmed wager is not altered.
    pub confirmed: Clause,
    /// The clause under which a player who sat a round out may be barred.
    pub entry: Clause,
    /// The clause under which a barred player is admitted again.
    pub admission: Clause,
    /// The wagers that are offered while the first cards are dealt, in that order.
    pub attacks: &'static [Attack],
    /// What "the original wager" is: to insure, and to lose to a dealer's blackjack.
    pub original: Original,
    /// The betting areas of one position.
    pub areas: &'static [Area],
}

/// An attack wager: 26.1, 26.7(d), 36.1, 36.7(d.2), (e).
#[derive(Clone, Copy)]
pub struct Attack {
    /// The step of the script that offers the attack wager.
    pub offer: Offer,
    /// The stake that the attack wager becomes.
    pub stake: Stake,
    /// The clause that permits the attack wager.
    pub by: Clause,
    /// The clause that caps the attack wager at the first wager, by definition.
    pub up_to: Clause,
    /// A co-bettor's of a shared box: 26.13(e), 36.12(e).
    pub shared: Clause,
    /// The rule on the attack wager in words: the parts before and after "up to" or "equal to".
    pub sentence: [&'static str; 2],
}

/// What a player put down first, as the clauses on insurance and on a dealer's blackjack count it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Original {
    /// The required wager alone: 2.9(b), 2.10(b), 26.1 "initial wager".
    Required,
    /// The first wager with the attack wagers beside it: 36.8(c), 36.9(d), 36.10(b).
    WithAttacks,
}

/// A marked area of each betting position, in the order in which they lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area {
    /// What is wagered there.
    pub name: &'static str,
    /// The clause that has the area on the layout.
    pub by: Clause,
}

/// Before the table opens: 2.4, 2A.3, 26.3, 36.3.
#[derive(Clone, Copy)]
pub struct Opening {
    /// The dealer inspects the decks.
    pub inspect: Clause,
    /// The clause under which the cards are spread for the first players.
    pub spread: Clause,
    /// The clause under which the cards are spread for a shuffling device.
    pub spread_for_device: Clause,
    /// The clause under which the cards are turned face down and mixed.
    pub wash: Clause,
    /// The clause that has cards for a shuffling device stacked without a wash, where the text makes that
    /// exception.
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
    /// The cards are spread out.
    pub spread: Clause,
    /// The clause under which the cards are turned face up when a player comes.
    pub turn_up: Clause,
    /// The clause under which the cards are turned face down again.
    pub turn_down: Clause,
    /// The clause under which the cards are mixed before the shuffle.
    pub wash: Clause,
    /// The procedure with a shuffling device, where the text has a separate one.
    pub device: Option<IdleDevice>,
}

/// An idle table with a shuffling device: 2.5(j)2, 2A.4(i)2.
#[derive(Clone, Copy)]
pub struct IdleDevice {
    /// The cards are stacked for the device.
    pub stack: Clause,
    /// The clause that takes the stored batch out of the device.
    pub swap: Clause,
    /// The clause that has the batch spread and shuffled again at a player's request.
    pub on_request: Option<Clause>,
}

/// The cards of a double shoe.
#[derive(Clone, Copy)]
pub struct DoubleShoe {
    /// The clause that has each batch spread separately.
    pub spread: Clause,
    /// The clause that has each batch mixed separately.
    pub wash: Clause,
    /// What is left on a side whose cutting card came out goes to the rack.
    pub empty: Clause,
}

/// The shuffle: 2.5(a), 2A.4(a), 26.4(a), 36.4(a).
#[derive(Clone, Copy)]
pub struct Shuffling {
    /// The cards are shuffled.
    pub by: Clause,
    /// After the round in which the cutting card came out.
    pub at_cutting_card: Clause,
    /// When that was ordered.
    pub on_order: Clause,
    /// The clause on a shuffle by a device, where the text has a separate one.
    pub by_device: Option<Clause>,
    /// The parts that make up a complete shuffle by hand: MA 4(i).
    pub parts: &'static [(Part, Clause)],
    /// The clause that forbids stripping the cards before the second riffle.
    pub strip_early: Clause,
    /// The other batch comes out of the device, where the text knows batches.
    pub swap: Option<Clause>,
    /// The clause that exchanges the deck after each round, where the licensee chooses so.
    pub swap_each_round: Clause,
    /// The clause that allows no shuffle but by a device: 2.2(e).
    pub device_only: Option<Clause>,
    /// The licensee's own procedures, once approved: 2.5(k), 2A.4(j), 26.4(h).
    pub own: Option<Clause>,
    /// The clause that puts the cards left in the shoe and those in the rack together.
    pub empty_shoe: Clause,
    /// The Bart Carter shuffle, and the three stacks that go back into the shoe: 2.6(m), 2A.7(o).
    pub bart_carter: Option<[Clause; 2]>,
    /// A licensee orders a shuffle after a round.
    pub ordered: Clause,
}

/// A part of a shuffle by hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The cards left in the shoe go in among the others.
    Plug,
    /// Two halves fall into each other.
    Riffle,
    /// A part is turned around.
    Turn,
    /// Packets come off the top onto the table.
    Strip,
}

/// The cut and the cutting card: 2.5(b)-(i), 2A.4(c)-(h), 26.4(c)-(g), 36.4(c)-(g).
#[derive(Clone, Copy)]
pub struct Cutting {
    /// The cards are cut.
    pub by: Clause,
    /// The clause by which cards shuffled by a device are not cut, where the text says so: 2A.4(b)1, 26.4(b)1,
    /// 36.4(b)1.
    pub not_after_device: Option<Clause>,
    /// The clause on who is offered the cut.
    pub order: Clause,
    /// At the opening: to the first player at the table.
    pub first_player: Clause,
    /// The clause that offers the cut to the player who got the cutting card.
    pub at_player: Clause,
    /// The clause on who is offered the cut when the cutting card came to the dealer's hand.
    pub at_dealer: Clause,
    /// When the licensee ordered the shuffle: to whom then.
    pub otherwise: Clause,
    /// The clause that offers the cut to the next player after one has declined.
    pub offered_on: Clause,
    /// The clause under which a player declines the cut.
    pub declined: Clause,
    /// The dealer cuts when all have declined.
    pub by_dealer: Clause,
    /// The clause under which the dealer cuts, at once where the licensee chooses so: MA 4(c).
    pub dealer_instead: Clause,
    /// A supervisor orders another cut.
    pub recut: Clause,
    /// The clause on who makes the second cut.
    pub recut_by: Clause,
    /// The least number of cards before and behind the cut.
    pub least: u16,
    /// Whether the cut goes around the table from the dealer's left to the right.
    pub clockwise: bool,
    /// The clause on where the cutting card goes.
    pub place: Clause,
    /// The fraction of the cards behind the cutting card is at least one in this number: a quarter or a third.
    pub behind: usize,
    /// The stack goes into the shoe.
    pub load: Clause,
    /// A card comes out: the round is the last.
    pub card_out: Clause,
    /// Dealt from the hand: the bottom card is covered, the cards are taken in hand.
    pub hand: [Clause; 2],
}

/// The deal: 2.6, 2A.7, 26.7, 36.7.
#[derive(Clone, Copy)]
pub struct Dealing {
    /// The steps of a round, in order.
    pub script: fn(&Choices) -> &'static [Step],
    /// The first card is burned.
    pub burn: Clause,
    /// The clause that has each new dealer burn a card too.
    pub burn_again: Clause,
    /// The burned card is shown on request.
    pub burn_shown: Clause,
    /// A player's first card.
    pub first_card: Clause,
    /// The dealer's first card, face up.
    pub up_card: Clause,
    /// A player's second card.
    pub next_card: Clause,
    /// The dealer's second card, dealt before the decisions.
    pub hole_card: Clause,
    /// Whether the players' cards lie face down: 2.6A.
    pub face_down: bool,
    /// A hand's total is announced.
    pub total: Clause,
    /// The clause on the decisions that a player may make.
    pub decisions: Clause,
    /// The clause on whose turn it is.
    pub turns: Clause,
    /// A card that a player asked for.
    pub drawn: Clause,
    /// The new total after a drawn card is announced.
    pub new_total: Option<Clause>,
    /// The dealer's second card, dealt after the decisions.
    pub second_card: Clause,
    /// Whether the second card is dealt even if nothing depends on it.
    pub second_always: bool,
    /// A further card of the dealer.
    pub dealers_card: Clause,
    /// The dealer's total is announced.
    pub dealer_total: Clause,
    /// What a hole card is read under, for people.
    pub read_under: &'static str,
    /// The clause under which a device reads the hole card.
    pub reader: Clause,
    /// The clause under which the hole card is turned face up.
    pub turned: Clause,
    /// The clause under which the hole card is turned and is a blackjack.
    pub turned_blackjack: Clause,
    /// The clause that deals no more cards to a blackjack that the reader found.
    pub blackjack_ends: Clause,
    /// The cards of the round go to the discard rack.
    pub pick_up: Clause,
}

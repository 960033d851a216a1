//! The parts of a text: what every regulation of the family states in its own words, as citations, parameters and,
//! where that is not enough, functions. A part that a text may lack is an `Option`; every other part is required.
//!
//! This file has what comes before the decisions; `decided.rs` has the decisions and what follows.

use crate::card::Deck;
use crate::choice::Choices;
use crate::clause::Clause;
use crate::message::Fixed;
use crate::odds::Cents;
use crate::script::{Offer, Step};
use crate::settle::Stake;

/// A rule in words, with its clause.
pub type CitedRule = (Fixed, Clause);

/// The cards: 2.2, 2A.2, 26.2, 36.2.
#[derive(Clone, Copy)]
pub struct Cards {
    /// The clause on the decks.
    pub by: Clause,
    /// The composition of one deck.
    pub deck: Deck,
    /// The ranks removed from a full deck, if the text has that done at the table.
    pub removed: Option<Removed>,
}

/// Cards that are removed and destroyed before the deck is used: 26.2(a), 26.3(b), 26.15(b) and counterparts.
#[derive(Clone, Copy)]
pub struct Removed {
    /// The removal in plain words.
    pub sentence: CitedRule,
    /// The clause that removes the cards from the decks.
    pub remove: Clause,
    /// The clause by which the removal is verified.
    pub verify: Clause,
    /// The clause under which the removed cards are destroyed.
    pub destroy: Clause,
    /// The clause on a removed card that is found in a round.
    pub found: Clause,
    /// The clause on a second such card.
    pub found_again: Clause,
}

/// The required bets, and what is added to them before the hands are played: 2.3, 2A.5, 26.5, 36.5.
#[derive(Clone, Copy)]
pub struct Wagers {
    /// The clause on the bet that everybody makes to be dealt in.
    pub required: Clause,
    /// The clause that refuses less than the posted minimum.
    pub below_minimum: Clause,
    /// The number of hands that a player has at a box.
    pub hands: usize,
    /// The number of dealer hands, each with a separate bet: 2.18(b).
    pub spots: usize,
    /// The clauses on several bets against dealer hands of their own: 2.18.
    pub several: Option<Several>,
    /// The refusal of a second amount if there is one spot.
    pub one_amount: Fixed,
    /// The clause by which bets are made with chips: 2.3(d), 2A.5(d), 26.5(c), 36.5(e).
    pub chips: Clause,
    /// The clause on a bet that is called and backed by cash: 2.3(d), 2A.5(d), 26.5(c), 36.5(e.1).
    pub spoken: Clause,
    /// The clause on a match play coupon, "if applicable": no text says what one wins.
    pub coupon: Clause,
    /// The unit of which every amount is a multiple: 2.3(d).
    pub unit: Option<(Cents, Clause)>,
    /// The clause that allows no bet after the first card.
    pub closed: Clause,
    /// The clause by which a confirmed bet is not altered.
    pub confirmed: Clause,
    /// The clause under which a player who sat out a round may be barred.
    pub entry: Clause,
    /// The clause under which a barred player is admitted again.
    pub admission: Clause,
    /// The attack bets that are offered while the first cards are dealt, in order.
    pub attacks: &'static [Attack],
    /// The meaning of "the original wager", for insurance and for a dealer's blackjack.
    pub original: Original,
    /// The betting areas of one position.
    pub areas: &'static [Area],
}

/// Several bets of a player, each against a dealer hand of its own: 2.18.
#[derive(Clone, Copy)]
pub struct Several {
    /// The clause by which the licensee requires all three bets.
    pub all: Clause,
    /// The clause that refuses to double where there is no bet, or some of the bets only.
    pub absent: Clause,
    /// The clause that starts the dealer's second hand.
    pub second: Clause,
    /// The clause that starts the dealer's third hand.
    pub third: Clause,
}

/// An attack bet: 26.1, 26.7(d), 36.1, 36.7(d.2), (e).
#[derive(Clone, Copy)]
pub struct Attack {
    /// The step of the script that offers the attack bet.
    pub offer: Offer,
    /// The stake that the attack bet becomes.
    pub stake: Stake,
    /// The clause that permits the attack bet.
    pub by: Clause,
    /// The clause that caps the attack bet at the first bet, by definition.
    pub up_to: Clause,
    /// The clause on a co-bettor's attack on a shared box: 26.13(e), 36.12(e).
    pub shared: Clause,
    /// The rule on an attack bet up to the first, in words.
    pub sentence: Fixed,
    /// The rule on an attack bet equal to the first, in words.
    pub equal_sentence: Fixed,
}

/// The refusal of a second amount at a table with one spot and one hand.
pub const ONE_WAGER: Fixed =
    message!("one-bet-only", "one bet is made here; several belong to multiple action");

/// The rule on a reader that is used under an ace or a card that counts ten.
pub const READ_UNDER_TEN_VALUE: Fixed = rule!(
    "reader-under-ten-value",
    "A reader checks the dealer's face-down card for blackjack under an ace or ten value."
);

/// The rule on a reader in a game without tens.
pub const READ_UNDER_FACE_CARD: Fixed = rule!(
    "reader-under-face-card",
    "A reader checks the dealer's face-down card for blackjack under an ace or face card."
);

/// The original bet, as the clauses on insurance and on a dealer's blackjack count it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Original {
    /// Only the required bet: 2.9(b), 2.10(b), 26.1 "initial wager".
    Required,
    /// The first bet with its attack bets: 36.8(c), 36.9(d), 36.10(b).
    WithAttacks,
}

/// A marked area of each betting position, in layout order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area {
    /// The bet placed there.
    pub name: &'static str,
    /// The clause that requires the area on the layout.
    pub by: Clause,
}

/// Before the table opens: 2.4, 2A.3, 26.3, 36.3.
#[derive(Clone, Copy)]
pub struct Opening {
    /// The clause by which the dealer inspects the decks.
    pub inspect: Clause,
    /// The clause under which the cards are spread for the first players.
    pub spread: Clause,
    /// The clause under which the cards are spread for a shuffling device.
    pub spread_for_device: Clause,
    /// The clause under which the cards are turned face down and mixed.
    pub wash: Clause,
    /// The clause by which cards for a shuffling device are stacked without a wash, if the text makes that exception.
    pub stack: Option<Clause>,
    /// The clause on a card turned over while mixing or stacking.
    pub seen: Clause,
    /// The rules for an open table without players, if the text has any: 2.5(j), 2A.4(i), 26.4(i), 36.4(h).
    pub idle: Option<Idle>,
    /// The rules for a shoe with two sides: 2.4(d), 2.6(l)2.ii.
    pub double_shoe: Option<DoubleShoe>,
}

/// The handling of the cards at a table without players.
#[derive(Clone, Copy)]
pub struct Idle {
    /// The clause under which the cards are spread out.
    pub spread: Clause,
    /// The clause under which the cards are turned face up for an arriving player.
    pub turn_up: Clause,
    /// The clause under which the cards are turned face down again.
    pub turn_down: Clause,
    /// The clause under which the cards are mixed before the shuffle.
    pub wash: Clause,
    /// The procedure with a shuffling device, if the text has a separate one.
    pub device: Option<IdleDevice>,
}

/// An idle table with a shuffling device: 2.5(j)2, 2A.4(i)2.
#[derive(Clone, Copy)]
pub struct IdleDevice {
    /// The clause under which the cards are stacked for the device.
    pub stack: Clause,
    /// The clause that takes the stored batch out of the device.
    pub swap: Clause,
    /// The clause by which the batch is spread and shuffled again at a player's request.
    pub on_request: Option<Clause>,
}

/// The cards of a double shoe.
#[derive(Clone, Copy)]
pub struct DoubleShoe {
    /// The clause by which each batch is spread separately.
    pub spread: Clause,
    /// The clause by which each batch is mixed separately.
    pub wash: Clause,
    /// The clause by which the rest of a side whose cut card came out goes to the rack.
    pub empty: Clause,
    /// The clause by which a determinant card makes its own side deal.
    pub same_side: Clause,
    /// The clause by which a determinant card makes the other side deal.
    pub other_side: Clause,
}

/// The shuffle: 2.5(a), 2A.4(a), 26.4(a), 36.4(a).
#[derive(Clone, Copy)]
pub struct Shuffling {
    /// The clause under which the cards are shuffled.
    pub by: Clause,
    /// The clause for the shuffle after the round in which the cut card came out.
    pub at_cutting_card: Clause,
    /// The clause for an ordered shuffle.
    pub on_order: Clause,
    /// The clause on a shuffle by a device, if the text has a separate one.
    pub by_device: Option<Clause>,
    /// The parts of a complete manual shuffle: MA 4(i).
    pub parts: &'static [(ShuffleStep, Clause)],
    /// The clause that forbids stripping the cards before the second riffle.
    pub strip_early: Clause,
    /// The clause by which the other batch comes out of the device, if the text has batches.
    pub swap: Option<Clause>,
    /// The clause that exchanges the deck after each round, if the licensee deals one round from each: 2.5(i).
    pub swap_each_round: Option<Clause>,
    /// The clause that requires a device for the shuffle: 2.2(e).
    pub device_only: Option<Clause>,
    /// The clause that allows the licensee's own procedures, once approved: 2.5(k), 2A.4(j), 26.4(h).
    pub own: Option<Clause>,
    /// The clause that combines the cards left in the shoe with those in the rack.
    pub empty_shoe: Clause,
    /// The clauses on the Bart Carter shuffle, and on the three stacks that go back into the shoe: 2.6(m), 2A.7(o).
    pub bart_carter: Option<[Clause; 2]>,
    /// The clause by which a licensee orders a shuffle after a round.
    pub ordered: Clause,
}

/// A part of a manual shuffle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShuffleStep {
    /// The cards left in the shoe are plugged into the others.
    Plug,
    /// Two halves are riffled together.
    Riffle,
    /// A part is turned around.
    Turn,
    /// Packets are stripped off the top onto the table.
    Strip,
}

/// The cut and the cut card: 2.5(b)-(i), 2A.4(c)-(h), 26.4(c)-(g), 36.4(c)-(g).
#[derive(Clone, Copy)]
pub struct Cutting {
    /// The clause under which the cards are cut.
    pub by: Clause,
    /// The clause by which cards shuffled by a device are not cut, if the text has one: 2A.4(b)1, 26.4(b)1, 36.4(b)1.
    pub not_after_device: Option<Clause>,
    /// The clause on who is offered the cut.
    pub order: Clause,
    /// The clause that offers the cut at the opening to the first player at the table.
    pub first_player: Clause,
    /// The clause that offers the cut to the player who got the cut card.
    pub at_player: Clause,
    /// The clause on who is offered the cut when the cut card came to the dealer's hand.
    pub at_dealer: Clause,
    /// The clause on who is offered the cut when the licensee ordered the shuffle.
    pub otherwise: Clause,
    /// The clause that offers the cut to the next player after one has declined.
    pub offered_on: Clause,
    /// The clause under which a player declines the cut.
    pub declined: Clause,
    /// The clause by which the dealer cuts when all have declined.
    pub by_dealer: Clause,
    /// The clause by which the dealer cuts instead, at the licensee's choice: MA 4(c).
    pub dealer_instead: Option<Clause>,
    /// The clause by which a supervisor orders another cut.
    pub recut: Clause,
    /// The clause on who makes the second cut.
    pub recut_by: Clause,
    /// The minimum number of cards before and behind the cut.
    pub least: u16,
    /// Whether the cut moves around the table from the dealer's left to the right.
    pub clockwise: bool,
    /// The clause on where the cut card goes.
    pub place: Clause,
    /// The divisor of the minimum fraction of cards behind the cut card: a quarter or a third.
    pub behind: usize,
    /// The clause by which the stack goes into the shoe.
    pub load: Clause,
    /// The clause by which the round is the last once the cut card comes out.
    pub card_out: Clause,
    /// The clauses for dealing from the hand: the bottom card is covered, and the cards are taken in hand. 2.5(i),
    /// 2.6A(b).
    pub hand: Option<[Clause; 2]>,
}

/// Players' cards that are dealt face down: 2.6A.
#[derive(Clone, Copy)]
pub struct FaceDown {
    /// The clause by which a card is burned before each round.
    pub burned: Clause,
    /// The clause by which the cards are turned over for a split.
    pub split: Clause,
    /// The clause by which a player who went bust throws the cards in.
    pub thrown_in: Clause,
    /// The clause by which the cards are turned over to be settled.
    pub turned: Clause,
}

/// Blackjacks that are announced as soon as they are dealt, and paid against a 2 to 9: 2.7(a), (b).
#[derive(Clone, Copy)]
pub struct DealtBlackjacks {
    /// The clause by which a blackjack against a 2 to 9 is announced.
    pub announced: Clause,
    /// The clause by which a blackjack that waits for the dealer's second card is announced.
    pub waiting: Clause,
    /// The clause by which the cards of a paid blackjack are removed.
    pub removed: Clause,
}

/// The dealer's second card, dealt after the decisions or face up.
#[derive(Clone, Copy)]
pub struct DealersSecond {
    /// The clause on the second card.
    pub by: Clause,
    /// Whether the card is dealt even if nothing depends on it.
    pub always: bool,
    /// The clause by which the dealer announces the card.
    pub announced: Clause,
}

/// The deal: 2.6, 2A.7, 26.7, 36.7.
#[derive(Clone, Copy)]
pub struct Dealing {
    /// Returns the steps of a round, in order.
    pub script: fn(&Choices) -> &'static [Step],
    /// The clause by which the first card is burned.
    pub burn: Clause,
    /// The clause by which each new dealer burns a card too.
    pub burn_again: Clause,
    /// The clause by which the burn card is shown on request.
    pub burn_shown: Clause,
    /// The clause on a player's first card.
    pub first_card: Clause,
    /// The clause on the dealer's first card, face up.
    pub up_card: Clause,
    /// The clause on a player's second card.
    pub next_card: Clause,
    /// The clause on the dealer's second card, dealt before the decisions.
    pub hole_card: Clause,
    /// The clauses on players' cards that are dealt face down: 2.6A.
    pub face_down: Option<FaceDown>,
    /// The clauses on blackjacks that are settled as soon as they are dealt: 2.7.
    pub blackjacks: Option<DealtBlackjacks>,
    /// The clause by which a hand's total is announced.
    pub total: Clause,
    /// The clause on the decisions that a player may make.
    pub decisions: Clause,
    /// The clause on whose turn it is.
    pub turns: Clause,
    /// The clause on a card that a player asked for.
    pub drawn: Clause,
    /// The clause by which the new total after a drawn card is announced.
    pub new_total: Option<Clause>,
    /// The dealer's second card that is not dealt face down; `None` if it always is: 36.7(e).
    pub second: Option<DealersSecond>,
    /// The clause by which the dealer's total is announced.
    pub dealer_total: Clause,
    /// The upcards under which the hole card is read, in words.
    pub read_under: Fixed,
    /// The clause under which a device reads the hole card.
    pub reader: Clause,
    /// The clause under which the hole card is turned face up.
    pub turned: Clause,
    /// The clause under which the hole card is turned and makes a blackjack.
    pub turned_blackjack: Clause,
    /// The clause that offers a card for the sevens bet after a dealer's blackjack: 2.6(j)3.
    pub sevens_card: Option<Clause>,
    /// The clause by which no more cards are dealt after the reader found a blackjack.
    pub blackjack_ends: Clause,
    /// The clause by which the cards of the round go to the discard rack.
    pub pick_up: Clause,
}

//! The parts of a regulation that come before the players' decisions.
//!
//! Every regulation of the family states these parts in its own words; the code has them as citations, parameters
//! and, where those do not suffice, functions. A part that a regulation may lack is an `Option`; every other part
//! is required. `decided.rs` has the decisions and what follows.

use crate::card::Deck;
use crate::choice::Choices;
use crate::clause::Clause;
use crate::message::Fixed;
use crate::odds::Cents;
use crate::script::{Offer, Step};
use crate::settle::Stake;

/// A rule of the game in words, with the clause that states the rule.
pub type CitedRule = (Fixed, Clause);

/// The clauses on the cards in use (2.2, 2A.2, 26.2, 36.2).
#[derive(Clone, Copy)]
pub struct Cards {
    /// The clause on the decks in use.
    pub by: Clause,
    /// The ranks that one deck contains.
    pub deck: Deck,
    /// The clauses on ranks removed from each deck, or `None` if no rank is removed.
    pub removed: Option<Removed>,
}

/// The clauses on cards removed from a deck and destroyed before play (26.2(a), 26.3(b), 26.15(b) and
/// counterparts).
#[derive(Clone, Copy)]
pub struct Removed {
    /// The rule in words on the removed cards, with its clause.
    pub sentence: CitedRule,
    /// The clause that requires the dealer to remove the cards from the decks.
    pub remove: Clause,
    /// The clause that requires the removal of the cards to be verified.
    pub verify: Clause,
    /// The clause that requires the removed cards to be destroyed.
    pub destroy: Clause,
    /// The clause on finding a card of a removed rank in play.
    pub found: Clause,
    /// The clause on finding a second card of a removed rank in play.
    pub found_again: Clause,
}

/// The clauses on the required bets, and on bets that are added before the hands are played (2.3, 2A.5, 26.5,
/// 36.5).
#[derive(Clone, Copy)]
pub struct Wagers {
    /// The clause on the bet that every player makes to be dealt in.
    pub required: Clause,
    /// The clause that refuses a bet below the posted minimum.
    pub below_minimum: Clause,
    /// The number of hands that a player is dealt at one box.
    pub hands: usize,
    /// The number of dealer hands, each with a separate bet (2.18(b)).
    pub dealer_hands: usize,
    /// The clauses on several dealer hands (2.18), or `None` for one.
    pub several: Option<SeveralDealerHands>,
    /// The message that refuses a second bet of a different amount at a table with one dealer hand.
    pub one_amount: Fixed,
    /// The clause that requires bets to be made with chips (2.3(d), 2A.5(d), 26.5(c), 36.5(e)).
    pub chips: Clause,
    /// The clause on a bet that is called out and backed by cash (2.3(d), 2A.5(d), 26.5(c), 36.5(e.1)).
    pub called_bet: Clause,
    /// The clause on a bet that is made with a match play coupon.
    ///
    /// The clause allows a coupon "if applicable". No regulation says what a coupon wins.
    pub coupon: Clause,
    /// The unit of which every bet must be a multiple, with its clause (2.3(d)), or `None` if there is no unit.
    pub unit: Option<(Cents, Clause)>,
    /// The clause that forbids bets after the first card is dealt.
    pub closed: Clause,
    /// The clause that forbids a player to change a bet that the dealer has confirmed.
    pub confirmed: Clause,
    /// The clause that lets the licensee keep a player who sat out a round from betting.
    pub entry: Clause,
    /// The clause that lets a player who was kept out bet again.
    pub admission: Clause,
    /// The attack bets that are offered during the deal of the first cards, in order.
    pub attacks: &'static [Attack],
    /// What "the original wager" means in the clauses on insurance and on a dealer's blackjack.
    pub original: Original,
    /// The betting areas of one position on the layout.
    pub areas: &'static [Area],
}

/// The clauses on a player's separate bets against several dealer hands (2.18).
#[derive(Clone, Copy)]
pub struct SeveralDealerHands {
    /// The clause that lets the licensee require all three bets.
    pub all: Clause,
    /// The clause that refuses a double on only some of the bets, or against a dealer hand on which the player has
    /// no bet.
    pub double_on_all: Clause,
    /// The clause that starts the dealer's second hand.
    pub second: Clause,
    /// The clause that starts the dealer's third hand.
    pub third: Clause,
}

/// The clauses on an attack bet (26.1, 26.7(d), 36.1, 36.7(d.2), (e)).
#[derive(Clone, Copy)]
pub struct Attack {
    /// The offer in the script for this attack bet.
    pub offer: Offer,
    /// The attack bet's kind of stake.
    pub stake: Stake,
    /// The clause that permits the attack bet.
    pub by: Clause,
    /// The clause that limits the attack bet to the amount of the first bet.
    pub up_to: Clause,
    /// The clause on a co-bettor's attack bet on a shared box (26.13(e), 36.12(e)).
    pub shared: Clause,
    /// The rule in words at a table where an attack bet may be anything up to the first bet.
    pub sentence: Fixed,
    /// The rule in words at a table where an attack bet must equal the first bet.
    pub equal_sentence: Fixed,
}

/// The message that refuses a second bet at a table with one dealer hand and one hand per box.
pub const ONE_WAGER: Fixed =
    message!("one-bet-only", "only one bet can be made at this table; several bets are for multiple action");

/// The rule that a device reads the hole card under an ace or a ten-value card.
pub const READ_UNDER_TEN_VALUE: Fixed = rule!(
    "reader-under-ten-value",
    "A reader checks the dealer's face-down card for blackjack under an ace or ten value."
);

/// The rule that a device reads the hole card under an ace or a face card, for games without tens.
pub const READ_UNDER_FACE_CARD: Fixed = rule!(
    "reader-under-face-card",
    "A reader checks the dealer's face-down card for blackjack under an ace or face card."
);

/// What "the original bet" means in the clauses on insurance and on a dealer's blackjack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Original {
    /// Only the required bet (2.9(b), 2.10(b), 26.1 "initial wager").
    Required,
    /// The first bet and its attack bets (36.8(c), 36.9(d), 36.10(b)).
    WithAttacks,
}

/// A marked betting area at each position of the layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area {
    /// The name of the bet that is placed in the area, such as `First hand`.
    pub name: &'static str,
    /// The clause that requires the area on the layout.
    pub by: Clause,
}

/// The clauses on preparing the cards before the table opens (2.4, 2A.3, 26.3, 36.3).
#[derive(Clone, Copy)]
pub struct Opening {
    /// The clause that requires the dealer to inspect the decks.
    pub inspect: Clause,
    /// The clause that requires the cards to be spread out for the first players to inspect.
    pub spread: Clause,
    /// The clause that requires cards for a shuffling device to be spread out.
    pub spread_for_device: Clause,
    /// The clause that requires the cards to be turned face down and mixed.
    pub wash: Clause,
    /// The clause that lets cards for a shuffling device be stacked unmixed, if there is one.
    pub stack: Option<Clause>,
    /// The clause on a card that is turned face up while the cards are mixed or stacked.
    pub seen: Clause,
    /// The clauses on an open table without players (2.5(j), 2A.4(i), 26.4(i), 36.4(h)), if there are any.
    pub idle: Option<Idle>,
    /// The clauses on a shoe with two sides (2.4(d), 2.6(l)2.ii), if there are any.
    pub double_shoe: Option<DoubleShoe>,
}

/// The clauses on handling the cards at an open table without players.
#[derive(Clone, Copy)]
pub struct Idle {
    /// The clause that requires the cards of an idle table to be spread out.
    pub spread: Clause,
    /// The clause that requires an idle table's cards to be turned face up when a player arrives.
    pub turn_up: Clause,
    /// The clause that requires an idle table's cards to be turned face down after the player's inspection.
    pub turn_down: Clause,
    /// The clause that requires the cards of an idle table to be mixed before the shuffle.
    pub wash: Clause,
    /// The clauses on a separate procedure with a shuffling device, if there are any.
    pub device: Option<IdleDevice>,
}

/// The clauses on an idle table with a shuffling device (2.5(j)2, 2A.4(i)2).
#[derive(Clone, Copy)]
pub struct IdleDevice {
    /// The clause that requires the cards of an idle table to be stacked for the device.
    pub stack: Clause,
    /// The clause that requires the stored batch to be taken out of the device.
    pub swap: Clause,
    /// The clause on spreading and reshuffling the stored batch at a player's request, if there is one.
    pub on_request: Option<Clause>,
}

/// The clauses on the cards of a double shoe.
#[derive(Clone, Copy)]
pub struct DoubleShoe {
    /// The clause on spreading the two batches of a double shoe separately.
    pub spread: Clause,
    /// The clause on mixing the two batches of a double shoe separately.
    pub wash: Clause,
    /// The clause that sends the cards left in one side of a shoe to the discard rack after the side's cut card
    /// has come out.
    pub empty: Clause,
    /// The clause on a determinant card that selects its own side of the shoe.
    pub same_side: Clause,
    /// The clause on a determinant card that selects the other side of the shoe.
    pub other_side: Clause,
}

/// The clauses on the shuffle (2.5(a), 2A.4(a), 26.4(a), 36.4(a)).
#[derive(Clone, Copy)]
pub struct Shuffling {
    /// The clause that requires the cards to be shuffled.
    pub by: Clause,
    /// The clause on the shuffle after the round in which the cut card came out.
    pub at_cut_card: Clause,
    /// The clause on carrying out a shuffle that was ordered.
    pub on_order: Clause,
    /// The clause on a shuffle by a device, if there is one.
    pub by_device: Option<Clause>,
    /// The steps of a complete manual shuffle, each with its clause (MA 4(i)).
    pub parts: &'static [(ShuffleStep, Clause)],
    /// The clause that forbids stripping the cards before the second riffle.
    pub strip_early: Clause,
    /// The clause on taking the other batch of cards out of the shuffling device, if there is one.
    pub swap: Option<Clause>,
    /// The clause that requires a change of decks after each round (2.5(i)), if there is one.
    pub swap_each_round: Option<Clause>,
    /// The clause that requires a shuffling device (2.2(e)), or `None` if the dealer may shuffle by hand.
    pub device_only: Option<Clause>,
    /// The clause that allows the licensee's own procedures once they are approved (2.5(k), 2A.4(j), 26.4(h)), if
    /// there is one.
    pub own: Option<Clause>,
    /// The clause that sends the cards left in the shoe to the discard rack.
    pub empty_shoe: Clause,
    /// The clauses on the Bart Carter shuffle (2.6(m), 2A.7(o)), if there are any.
    ///
    /// The first clause is on the shuffle. The second is on the three stacks that go back into the shoe.
    pub bart_carter: Option<[Clause; 2]>,
    /// The clause that lets the licensee order a shuffle after a round.
    pub ordered: Clause,
}

/// A step of a manual shuffle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShuffleStep {
    /// The cards left in the shoe are plugged into the other cards.
    Plug,
    /// Two halves of the stack are riffled together.
    Riffle,
    /// A part of the stack is turned around.
    Turn,
    /// Packets are stripped off the top of the stack onto the table.
    Strip,
}

/// The clauses on the cut and on the cut card (2.5(b)-(i), 2A.4(c)-(h), 26.4(c)-(g), 36.4(c)-(g)).
#[derive(Clone, Copy)]
pub struct Cutting {
    /// The clause that requires the cards to be cut.
    pub by: Clause,
    /// The clause that exempts cards shuffled by a device from the cut (2A.4(b)1, 26.4(b)1, 36.4(b)1), if there is
    /// one.
    pub not_after_device: Option<Clause>,
    /// The clause that says which player is offered the cut.
    pub order: Clause,
    /// The clause that offers the cut to the first player at an opening table.
    pub first_player: Clause,
    /// The clause that offers the cut to the player of the box on which the cut card came out.
    pub at_player: Clause,
    /// The clause that says who is offered the cut after the cut card came out on the dealer's hand.
    pub at_dealer: Clause,
    /// The clause that says who is offered the cut after a shuffle that the licensee ordered.
    pub after_ordered_shuffle: Clause,
    /// The clause that offers a declined cut to the next player.
    pub offered_to_next: Clause,
    /// The clause that lets a player decline to cut.
    pub declined: Clause,
    /// The clause that requires the dealer to cut if every player has declined.
    pub by_dealer: Clause,
    /// The clause that lets the dealer cut instead of players (MA 4(c)), if there is one.
    pub dealer_instead: Option<Clause>,
    /// The clause that lets a supervisor order a second cut.
    pub recut: Clause,
    /// The clause that says who makes a second cut.
    pub recut_by: Clause,
    /// The minimum number of cards on each side of the place where a person cuts the stack.
    pub least: u16,
    /// Whether a declined cut is next offered clockwise; otherwise it is offered counterclockwise.
    pub clockwise: bool,
    /// The clause on where the cut card is placed.
    pub place: Clause,
    /// The divisor of the minimum fraction behind the cut card: 4 for a quarter, 3 for a third.
    pub behind: usize,
    /// The clause that requires the stack to be put into the shoe.
    pub load: Clause,
    /// The clause that makes the round in which the cut card comes out the last of the shoe.
    pub card_out: Clause,
    /// The clauses on dealing from the hand (2.5(i), 2.6A(b)), if there are any.
    ///
    /// The first clause requires the bottom card to be covered. The second requires the dealer to take the cards
    /// in hand.
    pub hand: Option<[Clause; 2]>,
}

/// The clauses on players' cards that are dealt face down (2.6A).
#[derive(Clone, Copy)]
pub struct FaceDown {
    /// The clause that lets a card be burned before each round.
    pub burned: Clause,
    /// The clause that requires the dealer to turn over a player's face-down cards for a split.
    pub split: Clause,
    /// The clause that requires a player whose hand busts to throw in the face-down cards.
    pub thrown_in: Clause,
    /// The clause that requires the face-down cards to be turned over for the settlement.
    pub turned: Clause,
}

/// The clauses on blackjacks that are announced and, against a 2 to 9, paid as soon as they are dealt (2.7(a),
/// (b)).
#[derive(Clone, Copy)]
pub struct DealtBlackjacks {
    /// The clause that requires a blackjack against a 2 to 9 to be announced.
    pub announced: Clause,
    /// The clause that requires the dealer to announce a blackjack that waits for the dealer's second card.
    pub waiting: Clause,
    /// The clause that requires the cards of a paid blackjack to be taken off the layout.
    pub removed: Clause,
}

/// The clauses on a dealer's second card that is dealt face up, or only after the players' decisions.
#[derive(Clone, Copy)]
pub struct DealersSecond {
    /// The clause that requires the dealer's second card to be dealt.
    pub by: Clause,
    /// Whether the dealer's second card is dealt even if no bet depends on it.
    pub always: bool,
    /// The clause that requires the dealer to announce the dealer's second card.
    pub announced: Clause,
}

/// The clauses on the deal (2.6, 2A.7, 26.7, 36.7).
#[derive(Clone, Copy)]
pub struct Dealing {
    /// The function that returns the steps of a round, in order.
    pub script: fn(&Choices) -> &'static [Step],
    /// The clause that requires the first card to be burned.
    pub burn: Clause,
    /// The clause that requires each new dealer to burn a card too.
    pub burn_again: Clause,
    /// The clause that requires the burn card to be shown on request.
    pub burn_shown: Clause,
    /// The clause on dealing a player's first card.
    pub first_card: Clause,
    /// The clause on the dealer's first card, which is dealt face up.
    pub up_card: Clause,
    /// The clause on dealing a player's second card.
    pub next_card: Clause,
    /// The clause on a dealer's second card dealt before the players' decisions.
    pub hole_card: Clause,
    /// The clauses on players' face-down cards (2.6A), or `None` if players' cards are dealt face up.
    pub face_down: Option<FaceDown>,
    /// The clauses on blackjacks paid as soon as they are dealt (2.7), or `None` if blackjacks wait for the
    /// settlement.
    pub blackjacks: Option<DealtBlackjacks>,
    /// The clause that requires the dealer to announce the total of a hand.
    pub total: Clause,
    /// The clause that lists the decisions that a player may make.
    pub decisions: Clause,
    /// The clause on the order in which players decide on their hands.
    pub turns: Clause,
    /// The clause on dealing a card that a player asked for.
    pub drawn: Clause,
    /// The clause that requires the new total to be announced after a drawn card, if there is one.
    pub new_total: Option<Clause>,
    /// The clauses on a second dealer card dealt face up or late, or `None` if it is always face down (36.7(e)).
    pub second: Option<DealersSecond>,
    /// The clause that requires the dealer's total to be announced.
    pub dealer_total: Clause,
    /// The rule in words on the upcards under which a device reads the hole card.
    pub read_under: Fixed,
    /// The clause on reading the hole card with a device.
    pub reader: Clause,
    /// The clause on turning the hole card face up.
    pub turned: Clause,
    /// The clause on turning up a hole card that makes a blackjack.
    pub turned_blackjack: Clause,
    /// The clause that offers a player a card for the sevens bet after a dealer's blackjack (2.6(j)3), if there is
    /// one.
    pub sevens_card: Option<Clause>,
    /// The clause that forbids further cards once the dealer is known to have a blackjack.
    pub blackjack_ends: Clause,
    /// The clause that requires the cards of a round to be moved to the discard rack.
    pub pick_up: Clause,
}

//! The parts of a text from the first decision on: what players may do, how hands are drawn to and settled, what is done
//! when something went wrong, the side wagers and the inscriptions.

use super::parts::Said;
use crate::choice::{Choices, Soft17};
use crate::clause::Clause;
use crate::hand::{Hand, Total};
use crate::odds::Odds;
use crate::play::{Refusal, Situation};
use crate::settle::{Stake, Verdict};
use crate::wager::{Side, SideWager};

/// Surrender: 2.8, 2A.9, 26.8.
#[derive(Clone, Copy)]
pub struct Surrender {
    /// May this hand be surrendered, and by which clause?
    pub may: fn(&Choices, &Situation<'_>) -> Result<Clause, Refusal>,
    /// The clause that allows the surrender.
    pub by: Clause,
    /// The clause that puts surrender before every other decision.
    pub first: Clause,
    /// Refuses it where the licensee does not offer it.
    pub not_offered: Clause,
    /// On a hand of a split.
    pub after_split: Clause,
    /// Settled at once against a low card.
    pub low: Clause,
    /// Settled when no blackjack came of an ace or ten value.
    pub high: Clause,
    /// Settled when a reader has ruled a blackjack out.
    pub ruled_out: Clause,
    /// A surrender against an ace or ten value waits for the dealer's second card.
    pub waits: Clause,
    /// How a surrendered stake fares against a dealer's blackjack.
    pub to_blackjack: fn(&Choices, Stake) -> Verdict,
    /// The clause that refuses surrender after another decision.
    pub too_late: Clause,
    /// The clause that requires notice to the department before surrender is introduced or withdrawn.
    pub notice: Option<Clause>,
    /// Whether everything on a hand is halved, attack and doubling money too.
    pub halves_all: bool,
    /// Whether the surrender may follow other decisions, until the player stands: 26.8(a)#2-5.
    pub until_standing: bool,
    /// The rule in words, where surrender is offered.
    pub if_offered: Said,
    /// The rule in words, where surrender is not offered.
    pub if_not: Said,
}

/// Insurance: 2.9, 2A.8, 26.11, 36.10.
#[derive(Clone, Copy)]
pub struct Insurance {
    /// The clause that allows the insurance.
    pub by: Clause,
    /// The reason why there is no insurance, where the text excludes it: 2.6(k)3.
    pub none: Option<&'static str>,
    /// The clause that limits insurance to half of the original wager.
    pub most: Clause,
    /// The clause that requires insurance before any additional card.
    pub in_time: Clause,
    /// The clause that requires insurance before the hole card is read.
    pub before_reader: Clause,
    /// Whether a table with a reader cites that from the start.
    pub reader_first: bool,
    /// Whether the insurance is paid only when the losing wagers have been collected: MA 8(d).
    pub after_losers: bool,
    /// What the insurance pays.
    pub pays: Odds,
    /// The clause under which insurance wins.
    pub won: Clause,
    /// Better odds for a blackjack of one suit: 36.10(c).
    pub suited: Option<(Odds, Clause)>,
    /// The clause under which insurance loses.
    pub lost: Clause,
    /// The rule on insurance in words.
    pub sentence: Said,
    /// A blackjack against an ace paid at once: 2.7(c). Where the text has none, the list of decisions.
    pub even_money: Clause,
}

/// May a hand of this total be doubled, and by which clause?
pub type MayDouble = fn(&Choices, Total) -> Result<Clause, Refusal>;

/// Doubling: 2.10, 2A.10, 26.9, 36.8.
#[derive(Clone, Copy)]
pub struct Doubling {
    /// The clause that allows the doubling.
    pub by: Clause,
    /// The clause that allows the doubling on a hand of a split.
    pub after_split: Clause,
    /// Refuses a third card; `None` where a hand of any number of cards may be doubled.
    pub two_cards: Option<Clause>,
    /// The clause that refuses to double a blackjack.
    pub not_blackjack: Clause,
    /// Whether a ruling can allow the doubling on a 21 in two cards that is no blackjack: 2A.10(a).
    pub plain_21: bool,
    /// Whether a ruling can allow the doubling on an ace and a ten-value card of a split hand: 26.9(a), 36.8(a).
    pub split_21: bool,
    /// On a split ace.
    pub split_ace: OnSplitAce,
    /// The clause that refuses to double after a split, where the licensee prohibits it.
    pub not_after_split: Clause,
    /// The totals that may be doubled, if not all may: 2.6(k)4.
    pub totals: Option<MayDouble>,
    /// The clause on the amount that is added.
    pub amount: Clause,
    /// The one card of a doubled hand.
    pub card: Clause,
    /// The clause on whether the double card lies face up or face down.
    pub face_up: Clause,
    /// The clause on what a dealer's blackjack leaves of the added money.
    pub returned: Clause,
    /// The rule on doubling in words.
    pub sentence: Said,
}

/// Whether a split ace with its one card may be doubled.
#[derive(Clone, Copy)]
pub enum OnSplitAce {
    /// This clause forbids doubling a split ace.
    Refused(Clause),
    /// 26.9(a) against 26.10(e): by ruling.
    Ruled(Clause),
    /// This clause allows a split ace to be doubled.
    Allowed(Clause),
}

/// Splitting: 2.11, 2A.11, 26.10, 36.9.
#[derive(Clone, Copy)]
pub struct Splitting {
    /// The clause that allows the splitting.
    pub by: Clause,
    /// The clause for a pair that came of a switch.
    pub switched: Clause,
    /// The clause that allows another split.
    pub again: Clause,
    /// The clause on a single split, where the text has a separate one.
    pub once: Option<Clause>,
    /// How many hands one may become.
    pub limit: Clause,
    /// How many at a table of seven boxes.
    pub limit_at_seven: Clause,
    /// A split ace gets one card.
    pub ace: Clause,
    /// Aces are not split again, or may be.
    pub aces_again: Clause,
    /// The totals of the new hands are announced.
    pub total: Clause,
    /// The clause on what a dealer's blackjack leaves of the added money.
    pub returned: Clause,
    /// Whether a ruling can make each hand of a split lose its share of the original wager to a dealer's blackjack:
    /// 36.9(d).
    pub shares: bool,
    /// The rule on split aces in words.
    pub ace_sentence: Said,
}

/// The exchange of second cards: 2A.7(g)-(k).
#[derive(Clone, Copy)]
pub struct Switching {
    /// The clause that allows the switch.
    pub by: Clause,
    /// The cards are exchanged.
    pub switched: Clause,
    /// The new totals are announced.
    pub switched_total: Clause,
    /// The clause under which the player takes the switch back.
    pub revoked: Clause,
    /// Refuses a second one.
    pub once: Clause,
    /// The clause under which the turn ends with the cards where they are.
    pub kept: Clause,
    /// The second hand's total is announced.
    pub second_total: Clause,
}

/// Drawing: 2.12, 2A.12, 26.12, 36.11.
#[derive(Clone, Copy)]
pub struct Drawing {
    /// The clause under which a player draws or stands.
    pub by: Clause,
    /// Nobody draws to a 21.
    pub at_21: Clause,
    /// The clause that gives a doubled hand one card and no other.
    pub doubled: Clause,
    /// A hand that passed 21 is out.
    pub bust: Clause,
    /// The clause by which the dealer draws to 16 and stands on every 17.
    pub dealer_stands: Clause,
    /// The dealer draws to a soft 17 too.
    pub dealer_hits: Clause,
    /// The dealer draws no card that cannot change an outcome.
    pub needless: Clause,
}

/// Several bettors on a box, several boxes for a player: 2.13-14, 2A.13-14, 26.13-14, 36.12-13.
#[derive(Clone, Copy)]
pub struct Sharing {
    /// Several people may wager on a box.
    pub by: Clause,
    /// The clause that requires the consent of those already at the box.
    pub consent: Clause,
    /// How many boxes may be shared is limited by the regulator.
    pub limited: Clause,
    /// The clause by which one bettor decides for all.
    pub caller: Clause,
    /// The caller doubles: the others may, and need not.
    pub double: Clause,
    /// The caller splits: the others do, or name the hand that their wager is on.
    pub split: Clause,
    /// The clause that lets one person play several boxes.
    pub boxes: Clause,
    /// The clause that needs the licensee's permission for further boxes.
    pub more_boxes: Clause,
}

/// Irregularities and their remedies: 2.15, 2A.15, 26.15, 36.14.
#[derive(Clone, Copy)]
pub struct Irregular {
    /// A card is found face up in the shoe.
    pub face_up: Clause,
    /// A second one is.
    pub face_up_again: Clause,
    /// Whether a second card found face up voids the round, and the cards are shuffled.
    pub second_voids: bool,
    /// The clause on a card drawn in error that nobody saw.
    pub unexposed: Clause,
    /// The clause on a card drawn in error that was seen.
    pub exposed: Clause,
    /// A card that a player refuses.
    pub refused: Clause,
    /// The clause that burns the exposed card.
    pub burned: Clause,
    /// The clause on a dealer who drew after having to stand.
    pub drew_on_standing: Clause,
    /// The dealer missed their own first card.
    pub missed_own: Clause,
    /// Whether the dealer's missed first card voids the round; otherwise it is dealt late.
    pub missed_own_voids: bool,
    /// A box was missed in the deal.
    pub missed_box: Clause,
    /// The clause that gives the hand its missed card late.
    pub late_card: Clause,
    /// A card that was asked for was not dealt.
    pub missed_draw: Clause,
    /// The clause on a shoe without enough cards to end the round.
    pub out_of_cards: Clause,
    /// The card that is burned after the shuffle that follows.
    pub reshuffle_burn: Clause,
    /// The shuffling device fails.
    pub shuffler_failed: Clause,
    /// The clause that takes a failed shuffler from the table.
    pub shuffler_removed: Clause,
    /// The clause that has the supervisor told when the reader was used under a 2 to 9.
    pub reader_notice: Clause,
    /// The hole card was seen.
    pub reader_seen: Clause,
    /// The clause on a misused reader that showed nothing.
    pub reader_unseen: Clause,
    /// The reader fails.
    pub reader_failed: Clause,
    /// The clause by which play continues without the burned card, where the text says so: MA 15(n).
    pub burn_forgotten: Option<Clause>,
    /// A card went to the wrong place.
    pub misdelivered: Clause,
    /// A misdelivered card moves forward, or a player is let out: MA 15(a).
    pub forward: Option<Forward>,
    /// The round is void, and wagers are returned.
    pub void: Clause,
}

/// The remedies of Massachusetts for a misdelivered card.
#[derive(Clone, Copy)]
pub struct Forward {
    /// The clause by which the card moves on to where it belongs.
    pub card: Clause,
    /// A player may withdraw the wager.
    pub let_out: Clause,
}

/// Settlement.
#[derive(Clone, Copy)]
pub struct Settling {
    /// Player against dealer, both finished.
    pub compare: fn(&Choices, &Hand, &Hand, Stake) -> Verdict,
    /// A hand that passed 21.
    pub bust: Clause,
    /// Whether a busted hand's wagers are collected at once.
    pub collects_bust: bool,
    /// Whether a busted hand's cards are collected with its wagers, and not at the end of the round with all
    /// others.
    pub takes_cards: bool,
    /// Whether doubling and splitting money of a busted hand waits for the dealer's blackjack, as far as ruled so.
    pub spares_busted: bool,
    /// What an attack wager that the dealer's blackjack does not take is returned by.
    pub attack_returned: Clause,
    /// Whether a hand is paid as soon as its total is announced, given that the dealer may yet have a blackjack.
    pub pays_at_turn: fn(&Choices, &Hand, bool) -> bool,
    /// Whether the dealer's further cards can change what a finished hand below 22 gets.
    pub depends: fn(&Choices, &Hand) -> bool,
    /// What a standard blackjack pays.
    pub blackjack: Odds,
    /// Whether a dealer's 22 is something else than a higher count.
    pub at_22: bool,
    /// The number of cards from which one more makes no difference to the comparison.
    pub most_cards: usize,
}

/// The side wagers of a text.
#[derive(Clone, Copy)]
pub struct Sides {
    /// The side wagers of the text, each with its clauses and pay tables.
    pub rows: &'static [Side],
    /// Finds the clause that refuses a wager that the text does not have.
    pub refused: fn(SideWager) -> Clause,
    /// The pairs of side wagers that may not be offered at one table.
    pub exclusions: &'static [(SideWager, SideWager, Clause)],
    /// What the text asks of the side wagers of a table.
    pub check: fn(&Choices, &mut crate::lawful::Report),
}

/// An inscription of the layout, with the soft 17 rule that it applies to.
#[derive(Clone, Copy)]
pub struct Felt {
    /// The words of the inscription.
    pub text: &'static str,
    /// The clause that requires the inscription.
    pub by: Clause,
    /// The soft 17 rule for which the inscription applies; `None` for both.
    pub soft_17: Option<Soft17>,
}

impl Felt {
    /// Returns an inscription that every table of the text bears.
    pub const fn new(text: &'static str, by: Clause) -> Felt {
        Felt { text, by, soft_17: None }
    }
}

//! The parts of a regulation that follow the players' first decision.
//!
//! These parts cover the players' options, drawing and settlement, irregularities, the side bets and the
//! inscriptions.

use super::parts::CitedRule;
use crate::choice::{Choices, Soft17};
use crate::clause::Clause;
use crate::hand::{Hand, Total};
use crate::message::Fixed;
use crate::odds::Odds;
use crate::play::{Refusal, Situation};
use crate::settle::{Stake, Verdict};
use crate::wager::{Side, SideWager};

/// When a hand may be surrendered.
#[derive(Clone, Copy)]
pub enum MaySurrender {
    /// On the first two cards and before any other decision, if the licensee offers surrender (2.8(a), 2A.9(a)).
    First(FirstDecision),
    /// Whenever this function allows surrender (26.8(a)).
    ///
    /// The function returns the clause that allows the surrender, or the refusal.
    Own(fn(&Choices, &Situation<'_>) -> Result<Clause, Refusal>),
}

/// The clauses on a surrender that must be the player's first decision.
#[derive(Clone, Copy)]
pub struct FirstDecision {
    /// The clause that requires a surrender to come before every other decision.
    pub by: Clause,
    /// The clause that refuses surrender at a table that does not offer it.
    pub not_offered: Clause,
    /// The clause that refuses the surrender of a hand formed by a split.
    pub after_split: Clause,
}

/// The clauses on settling a surrender against an ace or ten-value card immediately.
#[derive(Clone, Copy)]
pub struct SettledAtOnce {
    /// The clause on a surrender after a card reader has ruled out a blackjack.
    pub ruled_out: Clause,
    /// The clause that makes a surrender at a table without a card reader wait for the dealer's second card.
    pub waits: Clause,
}

/// The clauses on surrender (2.8, 2A.9, 26.8).
#[derive(Clone, Copy)]
pub struct Surrender {
    /// When a hand may be surrendered.
    pub may: MaySurrender,
    /// The clause that allows surrender.
    pub by: Clause,
    /// The clause that settles a surrender against a 2 to 9 immediately.
    pub low: Clause,
    /// The clause on a surrender against an ace or ten-value card when the dealer has no blackjack.
    pub high: Clause,
    /// The clauses on settling a surrender against an ace or ten-value card immediately (2.8(a)2, 26.8(a)3).
    ///
    /// `None` if the regulation has no such clauses.
    pub at_once: Option<SettledAtOnce>,
    /// The function that returns the verdict on a surrendered stake against a dealer's blackjack.
    pub to_blackjack: fn(&Choices, Stake) -> Verdict,
    /// The clause that refuses surrender after another decision.
    pub too_late: Clause,
    /// The clause that requires the department to be notified when surrender is introduced or withdrawn, if there
    /// is one.
    pub notice: Option<Clause>,
    /// Whether surrender halves every bet on the hand, including attack bets and doubling money.
    pub halves_all: bool,
    /// Whether a player may surrender after other decisions, until the hand stands (26.8(a)#2-5).
    pub until_standing: bool,
    /// The rule on surrender in words, with its clause, for tables that offer surrender.
    pub if_offered: CitedRule,
    /// The rule on surrender in words, with its clause, for tables that do not offer surrender.
    pub if_not: CitedRule,
}

/// The clauses on insurance (2.9, 2A.8, 26.11, 36.10).
#[derive(Clone, Copy)]
pub struct Insurance {
    /// The clause that allows insurance.
    pub by: Clause,
    /// The sentence that says why there is no insurance (2.6(k)3), or `None` if insurance is offered.
    pub none: Option<Fixed>,
    /// The clause that limits insurance to half of the original bet.
    pub most: Clause,
    /// The clause that requires insurance to be placed before any additional card.
    pub in_time: Clause,
    /// The clause that requires insurance to be placed before a device reads the hole card.
    pub before_reader: Clause,
    /// Whether the clause `before_reader` refuses all late insurance at a table with a card reader.
    ///
    /// Otherwise `in_time` refuses late insurance until the hole card is read.
    pub cites_before_reader: bool,
    /// Whether insurance is paid only after the losing bets have been collected (MA 8(d)).
    pub after_losers: bool,
    /// The odds that insurance pays.
    pub pays: Odds,
    /// The clause on paying winning insurance.
    pub won: Clause,
    /// The better odds that insurance pays for a suited blackjack, with their clause (36.10(c)), or `None` if
    /// there are none.
    pub suited: Option<(Odds, Clause)>,
    /// The clause on collecting losing insurance.
    pub lost: Clause,
    /// The rule on insurance in words, with its clause.
    pub sentence: CitedRule,
    /// The clause that lets a blackjack against an ace be paid immediately (2.7(c)).
    ///
    /// In a regulation without such a clause, this is the clause that lists the decisions.
    pub even_money: Clause,
}

/// A function that returns the clause that allows a total to be doubled, or the refusal.
pub type MayDouble = fn(&Choices, Total) -> Result<Clause, Refusal>;

/// The clauses on doubling (2.10, 2A.10, 26.9, 36.8).
#[derive(Clone, Copy)]
pub struct Doubling {
    /// The clause that allows doubling.
    pub by: Clause,
    /// The clause that allows doubling a hand formed by a split.
    pub after_split: Clause,
    /// The clause that forbids doubling on more than two cards, if there is one.
    pub two_cards: Option<Clause>,
    /// The clause that forbids doubling a blackjack.
    pub not_blackjack: Clause,
    /// Whether a ruling can allow doubling a two-card 21 that is not a blackjack (2A.10(a)).
    pub plain_21: bool,
    /// Whether a ruling can allow doubling an ace and a ten-value card after a split (26.9(a), 36.8(a)).
    pub split_21: bool,
    /// Whether a split ace may be doubled, and the clause that decides it.
    pub split_ace: OnSplitAce,
    /// The clause that forbids doubling a split hand at a table that does not offer it.
    pub not_after_split: Clause,
    /// The function that restricts which totals may be doubled (2.6(k)4), or `None` if every total may be doubled.
    pub totals: Option<MayDouble>,
    /// The clause on the amount that a double adds to the bet.
    pub amount: Clause,
    /// The clause that gives a doubled hand exactly one card.
    pub card: Clause,
    /// The clause on whether the double card is dealt face up or face down.
    pub face_up: Clause,
    /// The clause on turning over a face-down double card when the hand is settled (2.10(c)), if there is one.
    pub turned: Option<Clause>,
    /// The clause that returns doubling money after a dealer's blackjack.
    pub returned: Clause,
    /// The rule on doubling in words, with its clause.
    pub sentence: CitedRule,
}

/// Whether a split ace with its one card may be doubled.
#[derive(Clone, Copy)]
pub enum OnSplitAce {
    /// This clause forbids doubling a split ace.
    Refused(Clause),
    /// A ruling decides how to read this clause, because 26.9(a) and 26.10(e) disagree.
    Ruled(Clause),
    /// This clause allows doubling a split ace.
    Allowed(Clause),
}

/// The clauses on splitting pairs (2.11, 2A.11, 26.10, 36.9).
#[derive(Clone, Copy)]
pub struct Splitting {
    /// The clause that allows a pair to be split.
    pub by: Clause,
    /// The clause that allows splitting a switched pair, if there is one.
    pub switched: Option<Clause>,
    /// The clause that allows a pair to be split again.
    pub again: Clause,
    /// The clause that limits a pair to one split, if there is one.
    pub once: Option<Clause>,
    /// The clause on the maximum number of hands after splits.
    pub limit: Clause,
    /// The clause on the maximum number of hands after splits at a table with seven boxes.
    pub limit_at_seven: Clause,
    /// The clause that gives a split ace only one card.
    pub ace: Clause,
    /// The clause on whether aces may be split again.
    pub aces_again: Clause,
    /// The clause that requires the dealer to announce the totals of the hands formed by a split.
    pub total: Clause,
    /// The clause on announcing a split of sevens, which forfeits the sevens bet (2.11(f)), if there is one.
    pub sevens: Option<Clause>,
    /// The clause that returns splitting money after a dealer's blackjack.
    pub returned: Clause,
    /// Whether a ruling can divide the original bet among split hands (36.9(d)).
    ///
    /// Each losing hand then loses its share to a dealer's blackjack.
    pub may_share_original: bool,
    /// The rule on split aces in words, with its clause.
    pub ace_sentence: CitedRule,
}

/// The clauses on exchanging the second cards of two hands (2A.7(g)-(k)).
#[derive(Clone, Copy)]
pub struct Switching {
    /// The clause that allows the switch.
    pub by: Clause,
    /// The clause that requires the dealer to exchange the cards.
    pub switched: Clause,
    /// The clause that requires the dealer to announce the new totals.
    pub switched_total: Clause,
    /// The clause that lets the player revoke the switch.
    pub revoked: Clause,
    /// The clause that refuses a second switch.
    pub once: Clause,
    /// The clause that ends the player's turn when the player keeps the switched cards.
    pub revocation_declined: Clause,
    /// The clause that requires the dealer to announce the total of the second hand.
    pub second_total: Clause,
}

/// The clauses on drawing cards (2.12, 2A.12, 26.12, 36.11).
#[derive(Clone, Copy)]
pub struct Drawing {
    /// The clause that lets a player draw or stand.
    pub by: Clause,
    /// The clause that forbids drawing to a 21.
    pub at_21: Clause,
    /// The clause that forbids drawing to a soft 21; 26.12(a)1 and 36.11(a)1 name only a hard 21.
    pub at_soft_21: Clause,
    /// The clause that gives a doubled hand exactly one card.
    pub doubled: Clause,
    /// The clause that forbids drawing to a hand that has busted.
    pub bust: Clause,
    /// The clause that requires the dealer to draw to 16 or less and to stand on every 17.
    pub dealer_stands: Clause,
    /// The clause that requires the dealer to draw to a soft 17 as well.
    pub dealer_hits: Clause,
    /// The clause that forbids the dealer to draw a card that cannot change an outcome.
    pub needless: Clause,
}

/// The clauses on shared boxes and on several boxes for one player (2.13-14, 2A.13-14, 26.13-14, 36.12-13).
#[derive(Clone, Copy)]
pub struct Sharing {
    /// The clause that lets several people bet on one box.
    pub by: Clause,
    /// The clause that requires the first bettor's consent before others join.
    pub consent: Clause,
    /// The clause that lets the regulator limit the number of shared boxes.
    pub limited: Clause,
    /// The clause that lets one bettor, the box owner, decide for everyone on a shared box.
    pub box_owner: Clause,
    /// The clause that lets co-bettors double when the box owner doubles.
    pub double: Clause,
    /// The clause on co-bettors when the box owner splits.
    ///
    /// Co-bettors split too, or choose the hand on which their bet stays.
    pub split: Clause,
    /// The clause that says how many boxes one person may play.
    pub boxes: Clause,
    /// The clause that lets the licensee allow a player further boxes.
    pub more_boxes: Clause,
}

/// The clauses on irregularities and their remedies (2.15, 2A.15, 26.15, 36.14).
#[derive(Clone, Copy)]
pub struct Irregular {
    /// The clause on a card found face up in the shoe.
    pub face_up: Clause,
    /// The clause on a second card found face up in the shoe.
    pub face_up_again: Clause,
    /// Whether a second face-up card in the shoe voids the round and requires a shuffle.
    pub second_voids: bool,
    /// The clause on a card drawn in error that nobody has seen.
    pub unexposed: Clause,
    /// The clause on a card drawn in error that players have seen.
    pub exposed: Clause,
    /// The clause on a player who refuses an exposed card.
    pub refused: Clause,
    /// The clause that burns an exposed card if nobody takes the card.
    pub burned: Clause,
    /// The clause on a card that the dealer drew when the dealer had to stand.
    pub drew_on_standing: Clause,
    /// The clause on the dealer's own first card, if the dealer forgot to deal it.
    pub missed_own: Clause,
    /// Whether a forgotten first card of the dealer voids the round; otherwise the card is dealt late.
    pub missed_own_voids: bool,
    /// The clause on a box that the dealer forgot in the deal.
    pub missed_box: Clause,
    /// The clause that requires a hand's forgotten card to be dealt late.
    pub late_card: Clause,
    /// The clause on a card that a player asked for and did not get.
    pub missed_draw: Clause,
    /// The clause on a shoe without enough cards to finish the round.
    pub out_of_cards: Clause,
    /// The clause that requires a card to be burned after a shuffle in the middle of a round.
    pub reshuffle_burn: Clause,
    /// The clause on a shuffling device that fails.
    pub shuffler_failed: Clause,
    /// The clause that requires a failed shuffling device to be removed from the table.
    pub shuffler_removed: Clause,
    /// The clause that requires a supervisor to be told that the card reader was used with an upcard of 2 to 9.
    pub reader_notice: Clause,
    /// The clause on a card reader used by mistake that let a player see the hole card.
    pub reader_seen: Clause,
    /// The clause on a card reader used by mistake that showed nobody the hole card.
    pub reader_unseen: Clause,
    /// The clause on a card reader that fails.
    pub reader_failed: Clause,
    /// The clause that lets the round continue when the dealer forgot to burn a card (MA 15(n)), if there is one.
    pub burn_forgotten: Option<Clause>,
    /// The clause on a card dealt to the wrong place.
    pub misdelivered: Clause,
    /// The clauses on moving a misdelivered card or letting a player withdraw (MA 15(a)), if there are any.
    pub misdelivered_remedies: Option<MisdeliveredRemedies>,
    /// The clause on a round dealt from the wrong side of a double shoe (2.15(h)), if there is one.
    pub wrong_side: Option<Clause>,
    /// The clauses on an upcard that was not moved to the next dealer hand in multiple action, if there are any.
    pub up_card: Option<UpCardMove>,
    /// The clause on a progressive betting area whose light fails (2.15(n)), if there is one.
    pub light_failed: Option<Clause>,
    /// The clause on a bonus system that shows no amount (2.15(o)), if there is one.
    pub bonus_failed: Option<Clause>,
    /// The clause on a double card dealt face up instead of face down (2.15(p)), if there is one.
    pub double_dealt_up: Option<Clause>,
    /// The clause that voids the round and returns all bets.
    pub void: Clause,
}

/// The clauses on an upcard that was not moved to the next dealer hand (2.15(l), (m)).
#[derive(Clone, Copy)]
pub struct UpCardMove {
    /// The clause on an upcard that was not moved to the next dealer hand.
    pub missed: Clause,
    /// The clause on an upcard that was put in the discard rack too early.
    pub discarded: Clause,
    /// The clause that requires a supervisor to be notified of the error.
    pub notified: Clause,
    /// The clause that requires the supervisor to reconstruct the hand to find the upcard.
    pub found: Clause,
    /// The clause that requires the upcard to be put back on the layout.
    pub put_back: Clause,
}

/// The clauses on the remedies for a misdelivered card in Massachusetts.
#[derive(Clone, Copy)]
pub struct MisdeliveredRemedies {
    /// The clause that requires a misdelivered card to be moved to its correct place.
    pub card: Clause,
    /// The clause that lets a player withdraw the bet because of a misdelivered card.
    pub withdraw: Clause,
}

/// The rules for settling bets.
#[derive(Clone, Copy)]
pub struct Settling {
    /// The function that returns the verdict on a stake from the player's hand and then the dealer's.
    pub compare: fn(&Choices, &Hand, &Hand, Stake) -> Verdict,
    /// The clause under which a busted hand loses.
    pub bust: Clause,
    /// Whether the bets on a busted hand are collected immediately.
    pub collects_bust: bool,
    /// Whether a busted hand's cards are collected with its bets, and not at the end of the round.
    pub takes_cards: bool,
    /// Whether doubling and splitting money on a busted hand is held until the dealer is known to have no
    /// blackjack.
    ///
    /// By the ruling `busted_v_dealer_blackjack`, such money can be lost even where this is true.
    pub holds_busted_added_bets: bool,
    /// The clause that returns an attack bet after a dealer's blackjack (26.5(b)), if there is one.
    pub attack_returned: Option<Clause>,
    /// The function that returns whether a hand is paid when its total is announced.
    ///
    /// The last argument says whether the dealer may still have a blackjack.
    pub pays_at_turn: fn(&Choices, &Hand, bool) -> bool,
    /// The function that returns whether further dealer cards can change a hand's result.
    ///
    /// The function is called only for finished hands of 21 or less.
    pub dealer_can_change: fn(&Choices, &Hand) -> bool,
    /// The odds that a standard blackjack pays.
    pub blackjack: Odds,
    /// Whether a dealer total of 22 settles differently from a higher total.
    pub at_22: bool,
    /// The number of cards in a hand beyond which further cards do not affect the verdict.
    pub most_cards: usize,
}

/// The side bets of a regulation.
#[derive(Clone, Copy)]
pub struct Sides {
    /// The regulation's side bets, with their clauses and paytables.
    pub rows: &'static [Side],
    /// The function that returns the clause that refuses a side bet which the regulation does not have.
    pub refused: fn(SideWager) -> Clause,
    /// The pairs of side bets that may not be offered at one table, each with the clause that says so.
    pub exclusions: &'static [(SideWager, SideWager, Clause)],
    /// The function that checks a table's side bets against the regulation.
    pub check: fn(&Choices, &mut crate::lawful::Report),
}

/// An inscription on the layout, for tables with one or both of the soft 17 rules.
#[derive(Clone, Copy)]
pub struct Felt {
    /// The words of the inscription.
    pub text: Fixed,
    /// The clause that requires the inscription.
    pub by: Clause,
    /// The soft 17 rule of the tables that have the inscription, or `None` for all tables.
    pub soft_17: Option<Soft17>,
}

impl Felt {
    /// Returns an inscription that appears at every table of the regulation.
    pub const fn new(text: Fixed, by: Clause) -> Felt {
        Felt { text, by, soft_17: None }
    }
}

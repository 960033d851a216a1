//! The parts of a regulation from the players' first decision on.
//!
//! They are the players' options, drawing and settlement, irregularities, the side bets and the inscriptions.

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
    /// Whenever this function allows it (26.8(a)).
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
    /// The clause that makes a surrender wait for the dealer's second card.
    ///
    /// It applies at a table without a card reader.
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
    /// The clause on a surrender against an ace or ten-value card.
    ///
    /// It applies if the dealer has no blackjack.
    pub high: Clause,
    /// The clauses on settling a surrender against an ace or ten-value card at once.
    ///
    /// They are 2.8(a)2 and 26.8(a)3, or `None` elsewhere.
    pub at_once: Option<SettledAtOnce>,
    /// The function for the verdict on surrender against a dealer's blackjack.
    pub to_blackjack: fn(&Choices, Stake) -> Verdict,
    /// The clause that refuses surrender after another decision.
    pub too_late: Clause,
    /// The clause that requires notice of changes to surrender, if there is one.
    ///
    /// It is about introducing and withdrawing surrender. The notice goes to the department.
    pub notice: Option<Clause>,
    /// Whether surrender halves every bet on the hand, including attack and doubling money.
    pub halves_all: bool,
    /// Whether surrender may follow other decisions until the player stands (26.8(a)#2-5).
    pub until_standing: bool,
    /// The rule on surrender in words, at a table that offers it.
    pub if_offered: CitedRule,
    /// The rule on surrender in words, at a table that does not offer it.
    pub if_not: CitedRule,
}

/// The clauses on insurance (2.9, 2A.8, 26.11, 36.10).
#[derive(Clone, Copy)]
pub struct Insurance {
    /// The clause that allows insurance.
    pub by: Clause,
    /// The reason for having no insurance (2.6(k)3), or `None` with insurance.
    pub none: Option<Fixed>,
    /// The clause that limits insurance to half of the original bet.
    pub most: Clause,
    /// The clause that requires insurance to be placed before any additional card.
    pub in_time: Clause,
    /// The clause that requires insurance to be placed before a device reads the hole card.
    pub before_reader: Clause,
    /// Whether late insurance always cites `before_reader` at a card reader's table.
    ///
    /// Otherwise the table cites `in_time` until the hole card is read.
    pub cites_before_reader: bool,
    /// Whether insurance is paid only after the losing bets have been collected (MA 8(d)).
    pub after_losers: bool,
    /// The odds that insurance pays.
    pub pays: Odds,
    /// The clause on paying winning insurance.
    pub won: Clause,
    /// The better odds against a suited blackjack, with their clause (36.10(c)), or `None` if there are none.
    pub suited: Option<(Odds, Clause)>,
    /// The clause on collecting losing insurance.
    pub lost: Clause,
    /// The rule on insurance in words, with its clause.
    pub sentence: CitedRule,
    /// The clause that lets a blackjack against an ace be paid immediately (2.7(c)).
    ///
    /// A regulation without such a clause has its list of decisions here.
    pub even_money: Clause,
}

/// A function that decides whether a total may be doubled.
///
/// It returns the clause that allows it, or the refusal.
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
    /// The clause that forbids doubling after a split where it is not offered.
    pub not_after_split: Clause,
    /// The function that decides which totals may be doubled (2.6(k)4), or `None` if all may be.
    pub totals: Option<MayDouble>,
    /// The clause on the amount that a double adds to the bet.
    pub amount: Clause,
    /// The clause that gives a doubled hand exactly one card.
    pub card: Clause,
    /// The clause on whether the double card is dealt face up or face down.
    pub face_up: Clause,
    /// The clause on turning over a double card that was dealt face down (2.10(c)), if there is one.
    ///
    /// The card is turned over at the settlement.
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
    /// A ruling decides how this clause is read, since 26.9(a) and 26.10(e) disagree.
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
    /// The clause that allows splitting again.
    pub again: Clause,
    /// The clause that limits a pair to one split, if there is one.
    pub once: Option<Clause>,
    /// The clause on the maximum number of hands after splits.
    pub limit: Clause,
    /// The clause on the maximum number of hands after splits at a table with seven boxes.
    pub limit_at_seven: Clause,
    /// The clause that gives a split ace only one card.
    pub ace: Clause,
    /// The clause on splitting aces again.
    pub aces_again: Clause,
    /// The clause that requires the totals of the new hands to be announced.
    pub total: Clause,
    /// The clause on announcing a split of sevens (2.11(f)), if there is one.
    ///
    /// The split forfeits the sevens bet.
    pub sevens: Option<Clause>,
    /// The clause that returns splitting money after a dealer's blackjack.
    pub returned: Clause,
    /// Whether a ruling can divide the original bet among split hands.
    ///
    /// Every hand then loses its share to a dealer's blackjack. The clause is 36.9(d).
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
    /// The clause under which the turn ends when the player keeps the switched cards.
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
    /// The clause that forbids drawing to a soft 21.
    ///
    /// 26.12(a)1 and 36.11(a)1 name only hard ones.
    pub at_soft_21: Clause,
    /// The clause that gives a doubled hand one card and no more.
    pub doubled: Clause,
    /// The clause that forbids drawing to a hand that has busted.
    pub bust: Clause,
    /// The clause that requires the dealer to draw to 16 and stand on every 17.
    pub dealer_stands: Clause,
    /// The clause that requires the dealer to draw to a soft 17 as well.
    pub dealer_hits: Clause,
    /// The clause that forbids the dealer to draw a card that cannot change an outcome.
    pub needless: Clause,
}

/// The clauses on shared boxes, and on several boxes for one player.
///
/// They are 2.13-14, 2A.13-14, 26.13-14, 36.12-13.
#[derive(Clone, Copy)]
pub struct Sharing {
    /// The clause that lets several people bet on one box.
    pub by: Clause,
    /// The clause that requires the first bettor's consent before others join.
    pub consent: Clause,
    /// The clause that lets the regulator limit the number of shared boxes.
    pub limited: Clause,
    /// The clause that lets one bettor decide for everyone on a shared box.
    pub box_owner: Clause,
    /// The clause that lets co-bettors follow the box owner's double.
    pub double: Clause,
    /// The clause on co-bettors at the box owner's split.
    ///
    /// They follow the split, or choose the hand on which their bet stays.
    pub split: Clause,
    /// The clause on how many boxes one person may play.
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
    /// Whether a second face-up card in the shoe voids the round.
    ///
    /// It then also requires a shuffle.
    pub second_voids: bool,
    /// The clause on a card drawn in error that nobody has seen.
    pub unexposed: Clause,
    /// The clause on a card drawn in error that players have seen.
    pub exposed: Clause,
    /// The clause on a player who refuses an exposed card.
    pub refused: Clause,
    /// The clause that requires an exposed card that nobody takes to be burned.
    pub burned: Clause,
    /// The clause on a card that the dealer drew after having to stand.
    pub drew_on_standing: Clause,
    /// The clause on the dealer's own first card, if it was forgotten.
    pub missed_own: Clause,
    /// Whether forgetting the dealer's first card voids the round. Otherwise the card is dealt late.
    pub missed_own_voids: bool,
    /// The clause on a box that the dealer forgot in the deal.
    pub missed_box: Clause,
    /// The clause that gives a hand its forgotten card late.
    pub late_card: Clause,
    /// The clause on a card that a player asked for and did not get.
    pub missed_draw: Clause,
    /// The clause on a shoe without enough cards to finish the round.
    pub out_of_cards: Clause,
    /// The clause that requires a card to be burned after a shuffle in mid-round.
    pub reshuffle_burn: Clause,
    /// The clause on a shuffling device that fails.
    pub shuffler_failed: Clause,
    /// The clause that requires a failed shuffling device to be removed from the table.
    pub shuffler_removed: Clause,
    /// The clause that requires notice of a misused card reader to a supervisor.
    ///
    /// The reader was used with a 2 to 9.
    pub reader_notice: Clause,
    /// The clause on a misused card reader that let a player see the hole card.
    pub reader_seen: Clause,
    /// The clause on a misused card reader that showed nobody the hole card.
    pub reader_unseen: Clause,
    /// The clause on a card reader that fails.
    pub reader_failed: Clause,
    /// The clause that lets play continue when the dealer forgot the burn (MA 15(n)), if there is one.
    pub burn_forgotten: Option<Clause>,
    /// The clause on a card dealt to the wrong place.
    pub misdelivered: Clause,
    /// The clauses on moving a misdelivered card or letting a player out (MA 15(a)), if there are any.
    pub misdelivered_remedies: Option<MisdeliveredRemedies>,
    /// The clause on a round dealt from the wrong side of a double shoe (2.15(h)), if there is one.
    pub wrong_side: Option<Clause>,
    /// The clauses on an upcard that was not moved, if there are any.
    ///
    /// In multiple action it moves to the next dealer hand.
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

/// The clauses on an upcard that was not moved (2.15(l), (m)).
///
/// It should have been moved to the next dealer hand.
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

/// The clauses of Massachusetts on a misdelivered card.
#[derive(Clone, Copy)]
pub struct MisdeliveredRemedies {
    /// The clause that requires a misdelivered card to be moved to its correct place.
    pub card: Clause,
    /// The clause that lets a player withdraw the bet after a misdelivered card.
    pub withdraw: Clause,
}

/// The rules for settling bets.
#[derive(Clone, Copy)]
pub struct Settling {
    /// The function that compares the finished hands.
    ///
    /// The player's hand comes before the dealer's.
    pub compare: fn(&Choices, &Hand, &Hand, Stake) -> Verdict,
    /// The clause under which a busted hand loses.
    pub bust: Clause,
    /// Whether the bets on a busted hand are collected immediately.
    pub collects_bust: bool,
    /// Whether a busted hand's cards are collected with its bets.
    ///
    /// Otherwise they are collected at the end of the round.
    pub takes_cards: bool,
    /// Whether doubling and splitting money on a busted hand is held.
    ///
    /// It waits until the dealer's blackjack is ruled out. The ruling `busted_v_dealer_blackjack` can overrule this.
    pub holds_busted_added_bets: bool,
    /// The clause that returns an attack bet after a dealer's blackjack (26.5(b)), if there is one.
    pub attack_returned: Option<Clause>,
    /// The function that decides whether a hand is paid at its announcement.
    ///
    /// Its last argument says whether the dealer may still have a blackjack.
    pub pays_at_turn: fn(&Choices, &Hand, bool) -> bool,
    /// The function that decides whether more dealer cards can change a result.
    ///
    /// It is called for finished hands below 22.
    pub dealer_can_change: fn(&Choices, &Hand) -> bool,
    /// The odds that a standard blackjack pays.
    pub blackjack: Odds,
    /// Whether a dealer total of 22 settles differently from a higher total.
    pub at_22: bool,
    /// The maximum number of cards that matters to the comparison.
    ///
    /// Further cards in a hand make no difference.
    pub most_cards: usize,
}

/// The side bets of a regulation.
#[derive(Clone, Copy)]
pub struct Sides {
    /// The regulation's side bets, with their clauses and paytables.
    pub rows: &'static [Side],
    /// The function from a side bet to the clause that refuses it.
    ///
    /// It is for side bets that the regulation does not have.
    pub refused: fn(SideWager) -> Clause,
    /// The pairs of side bets that exclude each other, with the clause.
    ///
    /// They may not be offered at one table.
    pub exclusions: &'static [(SideWager, SideWager, Clause)],
    /// The function that checks a table's side bets against the regulation.
    pub check: fn(&Choices, &mut crate::lawful::Report),
}

/// An inscription on the layout, for one or both soft 17 rules.
#[derive(Clone, Copy)]
pub struct Felt {
    /// The words of the inscription.
    pub text: Fixed,
    /// The clause that requires the inscription.
    pub by: Clause,
    /// The soft 17 rule of the inscription, or `None` for both rules.
    pub soft_17: Option<Soft17>,
}

impl Felt {
    /// Returns an inscription that appears at every table of the regulation.
    pub const fn new(text: Fixed, by: Clause) -> Felt {
        Felt { text, by, soft_17: None }
    }
}

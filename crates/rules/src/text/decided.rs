//! The parts of a text from the first decision on: players' options, drawing and settlement, irregularities, the side
//! bets and the inscriptions.

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
    /// On the first two cards, before any other decision, if the licensee offers it: 2.8(a), 2A.9(a).
    First(FirstDecision),
    /// As this function says, which returns the clause or a refusal: 26.8(a).
    Own(fn(&Choices, &Situation<'_>) -> Result<Clause, Refusal>),
}

/// The clauses of a surrender that must be the first decision.
#[derive(Clone, Copy)]
pub struct FirstDecision {
    /// The clause that puts surrender before every other decision.
    pub by: Clause,
    /// The clause that refuses surrender if the licensee does not offer it.
    pub not_offered: Clause,
    /// The clause for a hand of a split.
    pub after_split: Clause,
}

/// The clauses of a surrender that is settled at once against an ace or ten value.
#[derive(Clone, Copy)]
pub struct SettledAtOnce {
    /// The clause that settles a surrender when a reader has ruled out a blackjack.
    pub ruled_out: Clause,
    /// The clause by which a surrender waits for the dealer's second card without a reader.
    pub waits: Clause,
}

/// Surrender: 2.8, 2A.9, 26.8.
#[derive(Clone, Copy)]
pub struct Surrender {
    /// When a hand may be surrendered.
    pub may: MaySurrender,
    /// The clause that allows the surrender.
    pub by: Clause,
    /// The clause that settles a surrender at once against a low card.
    pub low: Clause,
    /// The clause that settles a surrender against an ace or ten value without a blackjack.
    pub high: Clause,
    /// The clauses by which it is settled at once against an ace or ten value, if the text has them: 2.8(a)2, 26.8(a)3.
    pub at_once: Option<SettledAtOnce>,
    /// Returns the verdict on a surrendered stake against a dealer's blackjack.
    pub to_blackjack: fn(&Choices, Stake) -> Verdict,
    /// The clause that refuses surrender after another decision.
    pub too_late: Clause,
    /// The clause that requires notice to the department before surrender is introduced or withdrawn.
    pub notice: Option<Clause>,
    /// Whether everything on a hand is halved, including attack and doubling money.
    pub halves_all: bool,
    /// Whether the surrender may follow other decisions, until the player stands: 26.8(a)#2-5.
    pub until_standing: bool,
    /// The rule in words, if surrender is offered.
    pub if_offered: CitedRule,
    /// The rule in words, if surrender is not offered.
    pub if_not: CitedRule,
}

/// Insurance: 2.9, 2A.8, 26.11, 36.10.
#[derive(Clone, Copy)]
pub struct Insurance {
    /// The clause that allows the insurance.
    pub by: Clause,
    /// The reason why there is no insurance, if the text excludes it: 2.6(k)3.
    pub none: Option<Fixed>,
    /// The clause that limits insurance to half of the original bet.
    pub most: Clause,
    /// The clause that requires insurance before any additional card.
    pub in_time: Clause,
    /// The clause that requires insurance before the hole card is read.
    pub before_reader: Clause,
    /// Whether a table with a reader cites that clause from the start.
    pub reader_first: bool,
    /// Whether insurance is paid only after the losing bets have been collected: MA 8(d).
    pub after_losers: bool,
    /// What the insurance pays.
    pub pays: Odds,
    /// The clause under which insurance wins.
    pub won: Clause,
    /// Better odds for a suited blackjack: 36.10(c).
    pub suited: Option<(Odds, Clause)>,
    /// The clause under which insurance loses.
    pub lost: Clause,
    /// The rule on insurance in words.
    pub sentence: CitedRule,
    /// The clause that pays a blackjack against an ace at once: 2.7(c). If the text has none, the list of decisions.
    pub even_money: Clause,
}

/// Returns the clause that allows a hand of this total to be doubled, or a refusal.
pub type MayDouble = fn(&Choices, Total) -> Result<Clause, Refusal>;

/// Doubling: 2.10, 2A.10, 26.9, 36.8.
#[derive(Clone, Copy)]
pub struct Doubling {
    /// The clause that allows the doubling.
    pub by: Clause,
    /// The clause that allows the doubling on a hand of a split.
    pub after_split: Clause,
    /// The clause that refuses to double on more than two cards; `None` if a hand of any number of cards may be
    /// doubled.
    pub two_cards: Option<Clause>,
    /// The clause that refuses to double a blackjack.
    pub not_blackjack: Clause,
    /// Whether a ruling can allow doubling a two-card 21 that is not a blackjack: 2A.10(a).
    pub plain_21: bool,
    /// Whether a ruling can allow doubling an ace and a ten-value card of a split hand: 26.9(a), 36.8(a).
    pub split_21: bool,
    /// The rule for a split ace.
    pub split_ace: OnSplitAce,
    /// The clause that refuses to double after a split, if the licensee prohibits it.
    pub not_after_split: Clause,
    /// Which totals may be doubled, if not all may: 2.6(k)4.
    pub totals: Option<MayDouble>,
    /// The clause on the amount that is added.
    pub amount: Clause,
    /// The clause that gives a doubled hand one card.
    pub card: Clause,
    /// The clause on whether the double card is dealt face up or face down.
    pub face_up: Clause,
    /// The clause by which a card dealt face down is turned over at the settlement: 2.10(c).
    pub turned: Option<Clause>,
    /// The clause on what a dealer's blackjack leaves of the added money.
    pub returned: Clause,
    /// The rule on doubling in words.
    pub sentence: CitedRule,
}

/// Whether a split ace with its one card may be doubled.
#[derive(Clone, Copy)]
pub enum OnSplitAce {
    /// This clause forbids doubling a split ace.
    Refused(Clause),
    /// A ruling decides, since 26.9(a) and 26.10(e) disagree.
    Ruled(Clause),
    /// This clause allows a split ace to be doubled.
    Allowed(Clause),
}

/// Splitting: 2.11, 2A.11, 26.10, 36.9.
#[derive(Clone, Copy)]
pub struct Splitting {
    /// The clause that allows a split.
    pub by: Clause,
    /// The clause for a pair formed by a switch, if cards are switched.
    pub switched: Option<Clause>,
    /// The clause that allows another split.
    pub again: Clause,
    /// The clause on a single split, if the text has a separate one.
    pub once: Option<Clause>,
    /// The clause on the maximum number of hands.
    pub limit: Clause,
    /// The clause on the maximum number of hands at a table of seven boxes.
    pub limit_at_seven: Clause,
    /// The clause that gives a split ace one card.
    pub ace: Clause,
    /// The clause on splitting aces again.
    pub aces_again: Clause,
    /// The clause by which the totals of the new hands are announced.
    pub total: Clause,
    /// The clause by which the dealer announces that a player splits sevens and forfeits the sevens bet: 2.11(f).
    pub sevens: Option<Clause>,
    /// The clause on what a dealer's blackjack leaves of the added money.
    pub returned: Clause,
    /// Whether a ruling can make each hand of a split lose its share of the original bet to a dealer's blackjack:
    /// 36.9(d).
    pub shares: bool,
    /// The rule on split aces in words.
    pub ace_sentence: CitedRule,
}

/// The exchange of second cards: 2A.7(g)-(k).
#[derive(Clone, Copy)]
pub struct Switching {
    /// The clause that allows the switch.
    pub by: Clause,
    /// The clause that exchanges the cards.
    pub switched: Clause,
    /// The clause by which the new totals are announced.
    pub switched_total: Clause,
    /// The clause that lets the player revoke the switch.
    pub revoked: Clause,
    /// The clause that refuses a second switch.
    pub once: Clause,
    /// The clause under which the turn ends with the cards unchanged.
    pub kept: Clause,
    /// The clause by which the second hand's total is announced.
    pub second_total: Clause,
}

/// Drawing: 2.12, 2A.12, 26.12, 36.11.
#[derive(Clone, Copy)]
pub struct Drawing {
    /// The clause under which a player draws or stands.
    pub by: Clause,
    /// The clause that forbids drawing to a 21.
    pub at_21: Clause,
    /// The clause that forbids drawing to a soft 21: 26.12(a)1 and 36.11(a)1 name only hard ones.
    pub at_soft_21: Clause,
    /// The clause that gives a doubled hand one card and no other.
    pub doubled: Clause,
    /// The clause by which a busted hand is out.
    pub bust: Clause,
    /// The clause by which the dealer draws to 16 and stands on every 17.
    pub dealer_stands: Clause,
    /// The clause by which the dealer also draws to a soft 17.
    pub dealer_hits: Clause,
    /// The clause by which the dealer draws no card that cannot change an outcome.
    pub needless: Clause,
}

/// Several bettors on a box, several boxes for a player: 2.13-14, 2A.13-14, 26.13-14, 36.12-13.
#[derive(Clone, Copy)]
pub struct Sharing {
    /// The clause that lets several people bet on a box.
    pub by: Clause,
    /// The clause that requires the consent of those already at the box.
    pub consent: Clause,
    /// The clause by which the regulator limits the number of shared boxes.
    pub limited: Clause,
    /// The clause by which one bettor decides for all.
    pub caller: Clause,
    /// The clause on a caller's double, which the others may follow.
    pub double: Clause,
    /// The clause on a caller's split, which the others follow, or else choose the hand that their bet stays on.
    pub split: Clause,
    /// The clause that lets one person play several boxes.
    pub boxes: Clause,
    /// The clause that needs the licensee's permission for further boxes.
    pub more_boxes: Clause,
}

/// Irregularities and their remedies: 2.15, 2A.15, 26.15, 36.14.
#[derive(Clone, Copy)]
pub struct Irregular {
    /// The clause on a card found face up in the shoe.
    pub face_up: Clause,
    /// The clause on a second such card.
    pub face_up_again: Clause,
    /// Whether a second card found face up voids the round, and the cards are shuffled.
    pub second_voids: bool,
    /// The clause on a card drawn in error that nobody saw.
    pub unexposed: Clause,
    /// The clause on a card drawn in error that was seen.
    pub exposed: Clause,
    /// The clause on a card that a player refuses.
    pub refused: Clause,
    /// The clause that burns the exposed card.
    pub burned: Clause,
    /// The clause on a dealer who drew after having to stand.
    pub drew_on_standing: Clause,
    /// The clause on the dealer's own first card when it was missed.
    pub missed_own: Clause,
    /// Whether the dealer's missed first card voids the round; otherwise it is dealt late.
    pub missed_own_voids: bool,
    /// The clause on a box missed in the deal.
    pub missed_box: Clause,
    /// The clause that gives the hand its missed card late.
    pub late_card: Clause,
    /// The clause on a requested card that was not dealt.
    pub missed_draw: Clause,
    /// The clause on a shoe without enough cards to finish the round.
    pub out_of_cards: Clause,
    /// The clause that burns a card after the shuffle that follows.
    pub reshuffle_burn: Clause,
    /// The clause on a failed shuffling device.
    pub shuffler_failed: Clause,
    /// The clause that removes a failed shuffler from the table.
    pub shuffler_removed: Clause,
    /// The clause by which the supervisor is notified if the reader was used with a 2 to 9.
    pub reader_notice: Clause,
    /// The clause on a hole card that was seen.
    pub reader_seen: Clause,
    /// The clause on a misused reader that showed nothing.
    pub reader_unseen: Clause,
    /// The clause on a failed reader.
    pub reader_failed: Clause,
    /// The clause by which play continues without the burned card, where the text says so: MA 15(n).
    pub burn_forgotten: Option<Clause>,
    /// The clause on a card dealt to the wrong place.
    pub misdelivered: Clause,
    /// The clauses by which a misdelivered card moves forward, or a player is let out: MA 15(a).
    pub forward: Option<Forward>,
    /// The clause on a round dealt from the wrong side of a double shoe: 2.15(h).
    pub wrong_side: Option<Clause>,
    /// The clauses on an upcard that should have moved to the next hand of multiple action.
    pub up_card: Option<UpCardMove>,
    /// The clause on a progressive betting area whose light does not work: 2.15(n).
    pub light_failed: Option<Clause>,
    /// The clause on a bonus system that shows no amount: 2.15(o).
    pub bonus_failed: Option<Clause>,
    /// The clause on a double card that was due face down and dealt face up: 2.15(p).
    pub double_dealt_up: Option<Clause>,
    /// The clause that voids the round and returns the bets.
    pub void: Clause,
}

/// The upcard that should have moved to the next hand: 2.15(l), (m).
#[derive(Clone, Copy)]
pub struct UpCardMove {
    /// The clause on an upcard that was not moved.
    pub missed: Clause,
    /// The clause on an upcard that was put in the discard rack.
    pub discarded: Clause,
    /// The clause by which a supervisor is notified.
    pub notified: Clause,
    /// The clause by which the supervisor reconstructs the hand.
    pub found: Clause,
    /// The clause by which the upcard is put back.
    pub put_back: Clause,
}

/// The remedies of Massachusetts for a misdelivered card.
#[derive(Clone, Copy)]
pub struct Forward {
    /// The clause that moves the card to its correct place.
    pub card: Clause,
    /// The clause that lets a player withdraw the bet.
    pub let_out: Clause,
}

/// The rules of settlement.
#[derive(Clone, Copy)]
pub struct Settling {
    /// Compares the finished hands of player and dealer.
    pub compare: fn(&Choices, &Hand, &Hand, Stake) -> Verdict,
    /// The clause on a busted hand.
    pub bust: Clause,
    /// Whether a busted hand's bets are collected at once.
    pub collects_bust: bool,
    /// Whether a busted hand's cards are collected with its bets, and not at the end of the round with all others.
    pub takes_cards: bool,
    /// Whether doubling and splitting money of a busted hand waits for the dealer's blackjack, subject to the ruling.
    pub spares_busted: bool,
    /// The clause that returns an attack bet that the dealer's blackjack does not take, if there is one: 26.5(b).
    pub attack_returned: Option<Clause>,
    /// Returns whether a hand is paid as soon as its total is announced, given that the dealer may yet have a
    /// blackjack.
    pub pays_at_turn: fn(&Choices, &Hand, bool) -> bool,
    /// Returns whether the dealer's further cards can change the result of a finished hand below 22.
    pub depends: fn(&Choices, &Hand) -> bool,
    /// The odds of a standard blackjack.
    pub blackjack: Odds,
    /// Whether a dealer's 22 differs from a higher total.
    pub at_22: bool,
    /// The number of cards from which one more makes no difference to the comparison.
    pub most_cards: usize,
}

/// The side bets of a text.
#[derive(Clone, Copy)]
pub struct Sides {
    /// The side bets of the text, each with its clauses and paytables.
    pub rows: &'static [Side],
    /// Returns the clause that refuses a side bet that the text does not have.
    pub refused: fn(SideWager) -> Clause,
    /// The pairs of side bets that may not be offered at one table.
    pub exclusions: &'static [(SideWager, SideWager, Clause)],
    /// Checks the text's requirements on the side bets of a table.
    pub check: fn(&Choices, &mut crate::lawful::Report),
}

/// An inscription of the layout, with the soft 17 rule that it applies to.
#[derive(Clone, Copy)]
pub struct Felt {
    /// The words of the inscription.
    pub text: Fixed,
    /// The clause that requires the inscription.
    pub by: Clause,
    /// The soft 17 rule for which the inscription applies; `None` for both.
    pub soft_17: Option<Soft17>,
}

impl Felt {
    /// Returns an inscription that every table of the text bears.
    pub const fn new(text: Fixed, by: Clause) -> Felt {
        Felt { text, by, soft_17: None }
    }
}

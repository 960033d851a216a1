//! The sentences that say why a regulation rejects or limits a choice, each with a code under which a page
//! translates it.

use super::values::Reason;
use crate::message::Fixed;

type Sentence = Reason<'static>;

pub(super) const ONE_ACE_SPLIT_NEEDS_NOTICE: Fixed =
    message!("one-ace-split-needs-notice", "limiting aces to one split requires notice");

pub(super) const SWITCH_SIX_OR_EIGHT_DECKS: Sentence = Reason::Fixed(message!(
    "switch-six-or-eight-decks",
    "Blackjack Switch is played with six or eight decks"
));
pub(super) const DOUBLE_ATTACK_SIX_OR_EIGHT_DECKS: Sentence = Reason::Fixed(message!(
    "double-attack-six-or-eight-decks",
    "Double Attack is played with six or eight decks"
));
pub(super) const NO_BART_CARTER_IN_MASSACHUSETTS: Sentence =
    Reason::Fixed(message!("no-bart-carter-in-massachusetts", "Massachusetts has no Bart Carter shuffle"));
pub(super) const TRIPLE_ATTACK_NO_SURRENDER_TO_SETTLE: Sentence = Reason::Fixed(message!(
    "triple-attack-no-surrender-to-settle",
    "Triple Attack has no surrender, so there is nothing to settle"
));
pub(super) const TRIPLE_ATTACK_NO_SURRENDER: Sentence =
    Reason::Fixed(message!("triple-attack-no-surrender", "Triple Attack has no surrender"));
pub(super) const TRIPLE_ATTACK_EIGHT_DECKS: Sentence =
    Reason::Fixed(message!("triple-attack-eight-decks", "Triple Attack is played with eight decks"));
pub(super) const SWITCH_FIVE_BOXES: Sentence = Reason::Fixed(message!(
    "switch-five-boxes",
    "a Blackjack Switch table has at most five betting positions"
));
pub(super) const SWITCH_NO_SIX_TO_FIVE: Sentence = Reason::Fixed(message!(
    "switch-no-six-to-five",
    "a blackjack is paid 1 to 1; the 6 to 5 variation is only for blackjack"
));
pub(super) const BURN_EACH_ROUND_SIX_TO_FIVE_ONLY: Sentence = Reason::Fixed(message!(
    "burn-each-round-six-to-five-only",
    "a card is burned before each round only in the 6 to 5 variation"
));
pub(super) const BURN_WHEN_LOADED: Sentence = Reason::Fixed(message!(
    "burn-when-loaded",
    "a card is burned when the shoe is loaded, not before each round"
));
pub(super) const DOUBLE_AFTER_SPLIT_IS_A_RIGHT: Sentence =
    Reason::Fixed(message!("double-after-split-is-a-right", "a hand formed by a split may be doubled"));
pub(super) const AT_MOST_FOUR_HANDS: Sentence =
    Reason::Fixed(message!("at-most-four-hands", "a hand may be split into at most four hands"));
pub(super) const AT_LEAST_ONE_BOX: Sentence =
    Reason::Fixed(message!("at-least-one-box", "a player must be allowed to bet on at least one box"));
pub(super) const SPLITTING_IS_A_RIGHT: Sentence =
    Reason::Fixed(message!("splitting-is-a-right", "a player has the right to split a pair"));
pub(super) const RESPLIT_IS_A_RIGHT: Sentence = Reason::Fixed(message!(
    "resplit-is-a-right",
    "a player may split pairs again: up to four hands with six positions, three with seven"
));
pub(super) const SURRENDER_SETTLED_AT_HOLE_CARD: Sentence = Reason::Fixed(message!(
    "surrender-settled-at-hole-card",
    "a surrender against an ace or ten-value card is settled when the dealer's second card is revealed"
));
pub(super) const AT_MOST_SEVEN_BOXES: Sentence =
    Reason::Fixed(message!("at-most-seven-boxes", "a table has at most seven boxes"));
pub(super) const SIX_OR_SEVEN_BOXES: Sentence =
    Reason::Fixed(message!("six-or-seven-boxes", "a table has six or seven player positions"));
pub(super) const NEEDS_A_BOX: Sentence =
    Reason::Fixed(message!("needs-a-box", "a table needs at least one betting position"));
pub(super) const ACES_ONE_SPLIT_BY_LAW: Sentence =
    Reason::Fixed(message!("aces-one-split-by-law", "aces may be split only once"));
pub(super) const METER_SHARE: Sentence =
    Reason::Fixed(message!("meter-share", "at least 70 percent of each bet must go to the meter"));
pub(super) const AT_LEAST_ONE_DECK: Sentence =
    Reason::Fixed(message!("at-least-one-deck", "at least one deck must be used"));
pub(super) const BONUS_AWARD_BETS: Sentence =
    Reason::Fixed(message!("bonus-award-bets", "awards are allowed only for bonus bets of 1.00 or 5.00"));
pub(super) const BONUS_AWARDS_OF_ONE_DOLLAR: Sentence = Reason::Fixed(message!(
    "bonus-awards-of-one-dollar",
    "awards for a bonus bet of 1.00 must be between 5.00 and 1000.00"
));
pub(super) const BONUS_AWARDS_OF_FIVE_DOLLARS: Sentence = Reason::Fixed(message!(
    "bonus-awards-of-five-dollars",
    "awards for a bonus bet of 5.00 must be between 50.00 and 5000.00"
));
pub(super) const FROM_THE_HAND_SIX_TO_FIVE_ONLY: Sentence = Reason::Fixed(message!(
    "from-the-hand-six-to-five-only",
    "cards are dealt from a dealing shoe; only the 6 to 5 variation is dealt from the hand"
));
pub(super) const NO_DOUBLE_AFTER_SPLIT_SIX_TO_FIVE_ONLY: Sentence = Reason::Fixed(message!(
    "no-double-after-split-six-to-five-only",
    "doubling after a split may be prohibited only in the 6 to 5 variation"
));
pub(super) const AREA_FOR_EACH_BONUS_BET: Sentence = Reason::Fixed(message!(
    "area-for-each-bonus-bet",
    "every betting position must have an area for each bonus bet"
));
pub(super) const AREA_FOR_MATCH_BET: Sentence = Reason::Fixed(message!(
    "area-for-match-bet",
    "every betting position must have an area for the match bet"
));
pub(super) const WINS_PAY_EVEN: Sentence =
    Reason::Fixed(message!("wins-pay-even", "every win is paid 1 to 1"));
pub(super) const WINS_PAY_EVEN_NO_SPECIAL_ODDS: Sentence = Reason::Fixed(message!(
    "wins-pay-even-no-special-odds",
    "every win is paid 1 to 1; there are no special odds"
));
pub(super) const BETTORS_OF_A_BOX: Sentence =
    Reason::Fixed(message!("bettors-of-a-box", "one to three people may bet on one box"));
pub(super) const FROM_THE_HAND_HOLE_CARD: Sentence = Reason::Fixed(message!(
    "from-the-hand-hole-card",
    "in a game dealt from the hand, the dealer's second card is dealt after the players' decisions, or face down with \
        a card reader device"
));
pub(super) const MULTIPLE_ACTION_NO_RESPLIT: Sentence =
    Reason::Fixed(message!("multiple-action-no-resplit", "in multiple action, pairs may not be split again"));
pub(super) const MULTIPLE_ACTION_HOLE_CARD: Sentence = Reason::Fixed(message!(
    "multiple-action-hole-card",
    "in multiple action, the dealer's second card is dealt after the players' decisions"
));
pub(super) const SIX_TO_FIVE_HITS_SOFT_SEVENTEEN: Sentence = Reason::Fixed(message!(
    "six-to-five-hits-soft-seventeen",
    "in the 6 to 5 variation, the dealer must hit soft 17"
));
pub(super) const INSURANCE_AFTER_SECOND_CARDS: Sentence = Reason::Fixed(message!(
    "insurance-after-second-cards",
    "insurance must be placed right after the second cards are dealt, before any additional card"
));
pub(super) const INSURANCE_COLLECTED_AT_DISCLOSURE: Sentence = Reason::Fixed(message!(
    "insurance-collected-at-disclosure",
    "losing insurance must be collected when the dealer discloses the hole card"
));
pub(super) const SWITCH_NO_MULTIPLE_ACTION: Sentence = Reason::Fixed(message!(
    "switch-no-multiple-action",
    "multiple action bets may not be offered in Blackjack Switch"
));
pub(super) const TRIPLE_ATTACK_NOT_FROM_THE_HAND: Sentence = Reason::Fixed(message!(
    "triple-attack-not-from-the-hand",
    "only games that the clause names may be dealt from the hand, and Triple Attack is not one of them"
));
pub(super) const AT_MOST_THREE_SPLITS: Sentence = Reason::Fixed(message!(
    "at-most-three-splits",
    "pairs may be split at most three times, for four hands in total"
));
pub(super) const UP_TO_THREE_SPLITS: Sentence = Reason::Fixed(message!(
    "up-to-three-splits",
    "pairs may be split up to three times, so that one hand becomes four"
));
pub(super) const SIX_TO_FIVE_NO_SPECIAL_ODDS: Sentence = Reason::Fixed(message!(
    "six-to-five-no-special-odds",
    "special odds are not available in the 6 to 5 variation"
));
pub(super) const SURRENDER_IS_A_RIGHT: Sentence =
    Reason::Fixed(message!("surrender-is-a-right", "players have a right to surrender in Double Attack"));
pub(super) const SIX_TO_FIVE_FROM_THE_HAND: Sentence = Reason::Fixed(message!(
    "six-to-five-from-the-hand",
    "the 6 to 5 variation must be dealt from the dealer's hand"
));
pub(super) const SIX_TO_FIVE_SHUFFLER: Sentence = Reason::Fixed(message!(
    "six-to-five-shuffler",
    "the 6 to 5 variation requires an automated card shuffling device"
));
pub(super) const SIX_TO_FIVE_DECKS: Sentence =
    Reason::Fixed(message!("six-to-five-decks", "the 6 to 5 variation is played with one or two decks"));
pub(super) const BART_CARTER_GAMES: Sentence = Reason::Fixed(message!(
    "bart-carter-games",
    "the Bart Carter shuffle is only for blackjack and Blackjack Switch"
));
pub(super) const BONUS_BET_ONE_OR_FIVE: Sentence =
    Reason::Fixed(message!("bonus-bet-one-or-five", "the bonus bet must be 1.00 or 5.00"));
pub(super) const DOUBLED_CARD_FACE_UP: Sentence =
    Reason::Fixed(message!("doubled-card-face-up", "the card of a doubled hand must be dealt face up"));
pub(super) const ONE_DEALING_SHOE: Sentence =
    Reason::Fixed(message!("one-dealing-shoe", "the cards must be dealt from a single dealing shoe"));
pub(super) const CUT_BY_DEALER_IN_MASSACHUSETTS_ONLY: Sentence = Reason::Fixed(message!(
    "cut-by-dealer-in-massachusetts-only",
    "the cut must be offered to the players; only Massachusetts lets the dealer cut instead"
));
pub(super) const CUT_OFFERED_TO_PLAYERS: Sentence = Reason::Fixed(message!(
    "cut-offered-to-players",
    "the cut must be offered to the players; the dealer cuts only if all decline"
));
pub(super) const DEALER_HITS_SOFT_SEVENTEEN: Sentence =
    Reason::Fixed(message!("dealer-hits-soft-seventeen", "the dealer must hit soft 17"));
pub(super) const DEALER_STANDS_ON_SOFT_SEVENTEEN: Sentence =
    Reason::Fixed(message!("dealer-stands-on-soft-seventeen", "the dealer must stand on soft 17"));
pub(super) const SECOND_CARD_AFTER_PLAYERS_OR_DOWN: Sentence = Reason::Fixed(message!(
    "second-card-after-players-or-down",
    "the dealer's second card must be dealt after the players' decisions, or face down"
));
pub(super) const SECOND_CARD_FACE_DOWN: Sentence = Reason::Fixed(message!(
    "second-card-face-down",
    "the dealer's second card must be dealt face down together with the players' second cards"
));
pub(super) const DESIGNATED_BLACKJACK_CARDS: Sentence = Reason::Fixed(message!(
    "designated-blackjack-cards",
    "the designated blackjack must consist of an ace and a king, queen or jack"
));
pub(super) const HOLE_CARD_AFTER_PLAYERS_OR_DOWN: Sentence = Reason::Fixed(message!(
    "hole-card-after-players-or-down",
    "the hole card must be dealt after the players' decisions, or face down"
));
pub(super) const METER_AT_LEAST: Sentence = Reason::Fixed(message!(
    "meter-at-least",
    "the initial and reset amounts must be at least 5,000.00, so the meter never shows less"
));
pub(super) const TWENTY_POINT_CAP: Sentence = Reason::Fixed(message!(
    "twenty-point-cap",
    "the maximum for all queen of hearts pairs with a dealer blackjack must be at least 25,000.00"
));
pub(super) const VARIATIONS_OF_BLACKJACK_ONLY: Sentence = Reason::Fixed(message!(
    "variations-of-blackjack-only",
    "this game has no variations; they exist only in blackjack"
));
pub(super) const EVEN_MONEY_NOT_IN_GAME: Sentence =
    Reason::Fixed(message!("even-money-not-in-game", "even money is not offered in this game"));
pub(super) const EVEN_MONEY_NEEDLESS: Sentence = Reason::Fixed(message!(
    "even-money-needless",
    "even money is not offered in this game, because every win is paid 1 to 1"
));
pub(super) const MULTIPLE_ACTION_NO_SURRENDER: Sentence =
    Reason::Fixed(message!("multiple-action-no-surrender", "there is no surrender in multiple action"));
pub(super) const SIX_TO_FIVE_NO_SURRENDER: Sentence =
    Reason::Fixed(message!("six-to-five-no-surrender", "there is no surrender in the 6 to 5 variation"));
pub(super) const NO_OWN_PROCEDURES: Sentence =
    Reason::Fixed(message!("no-own-procedures", "these rules do not allow the licensee's own procedures"));
pub(super) const TWO_OR_THREE_BETS: Sentence =
    Reason::Fixed(message!("two-or-three-bets", "a table must require either two bets or all three"));
pub(super) const FACE_UP_NO_RESPLIT: Sentence =
    Reason::Fixed(message!("face-up-no-resplit", "with the hole card face up, pairs may not be split again"));
pub(super) const FACE_UP_NO_EVEN_MONEY: Sentence = Reason::Fixed(message!(
    "face-up-no-even-money",
    "with the hole card face up, there is no insurance and therefore no even money"
));
pub(super) const FACE_UP_NO_SURRENDER: Sentence =
    Reason::Fixed(message!("face-up-no-surrender", "with the hole card face up, there is no surrender"));
pub(super) const MINIMUM_ABOVE_ZERO: Sentence =
    Reason::Fixed(message!("minimum-above-zero", "the minimum must be above zero"));
pub(super) const MAXIMUM_ABOVE_ZERO: Sentence =
    Reason::Fixed(message!("maximum-above-zero", "the maximum must be above zero"));
pub(super) const CHIP_ABOVE_ZERO: Sentence =
    Reason::Fixed(message!("chip-above-zero", "the smallest chip must be above zero"));
pub(super) const THIRD_BEHIND_CUT_CARD: Sentence = Reason::Fixed(message!(
    "third-behind-cut-card",
    "at least one third of the cards must lie behind the second cut card"
));
pub(super) const QUARTER_BEHIND_CUT_CARD: Sentence = Reason::Fixed(message!(
    "quarter-behind-cut-card",
    "at least about one quarter of the stack must lie behind the cut card"
));

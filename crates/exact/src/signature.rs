//! The signature of a table: a hash of everything that matters to the value of its main game.
//!
//! Two tables with the same signature have the same value to the last bit, because their judges give the solver
//! the same answers.

use crate::cards::{Points, Shoe};
use crate::hands::{Hand, Hands, Suits};
use crate::judge::{Blackjack, Ending, Finish, Judge, Net, Origin, Stake};
use crate::result::At22;
use crate::seen::Seen;
use crate::table::{Attacked, Table};
use crate::vocabulary::{ACE, DealerResult, RANKS, Rank, TEN};
use rules::Choices;
use rules::text::Form;
use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::sync::{Arc, Mutex};

/// The signature of a table: two hashes of all answers that its judge gives to the solver.
///
/// The chance that any two of ten thousand tables collide is about one in 10^30.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature([u64; 2]);

/// Returns the signature of the table with these options.
pub fn signature(choices: &Choices) -> Signature {
    Signatures::default().of(choices)
}

/// A cache of the hands needed to compute signatures, for computing those of many tables.
///
/// The hands depend only on the cards of a table, and listing them takes longer than asking the judge about them.
#[derive(Default)]
pub struct Signatures {
    hands: Mutex<Vec<(Cards, ClassHands)>>,
}

/// The cards of a table: its shoe, and whether suits matter.
type Cards = (Shoe, bool);
/// One hand for each class of hands that the rules of play and settlement distinguish.
type ClassHands = Arc<[Hand]>;

impl Signatures {
    /// Returns the signature of the table with these options.
    pub fn of(&self, choices: &Choices) -> Signature {
        let form = choices.text().form();
        let mut all = Answers(Vec::new());
        all.extend([form as i64, choices.dealer_hands() as i64]);
        self.of_judge(&Table::new(choices, Attacked::No), &mut all);
        if matches!(form, Form::OneAttack | Form::TwoAttacks) {
            self.of_judge(&Table::new(choices, Attacked::Yes), &mut all);
        }
        Signature([0, 1].map(|nth| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(nth);
            hasher.write(&all.0);
            hasher.finish()
        }))
    }

    fn class_hands(&self, cards: Cards) -> ClassHands {
        let mut known = self.hands.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((_, hands)) = known.iter().find(|(of, _)| *of == cards) {
            return hands.clone();
        }
        let hands: ClassHands = classes(cards).into();
        known.push((cards, hands.clone()));
        hands
    }

    fn of_judge(&self, table: &Table<'_>, all: &mut Answers) {
        all.extend(table.shoe().map(i64::from));
        all.extend([
            i64::from(table.seen() == Seen::BothCards),
            i64::from(table.blackjack() == Blackjack::BeforePlay),
            i64::from(table.at_22() == At22::Apart),
            i64::from(table.shares()),
        ]);
        for total in 4..=21 {
            for soft in [false, true] {
                all.extend([i64::from(table.dealer_stands(Points { total, soft }))]);
            }
        }
        let pair = |pair: Option<(i64, i64)>| pair.map_or([0, 0, 0], |(n, d)| [1, n, d]);
        all.extend(pair(Some(table.original())));
        all.extend(pair(Some(table.unseen())));
        all.extend(pair(table.third_suited()));
        all.extend(pair(table.designated()));
        all.extend(pair(table.even_money()));
        all.extend(Rank::ALL.map(|rank| i64::from(table.split_hands(rank))));
        for hand in self.class_hands((table.shoe(), table.third_suited().is_some())).iter() {
            of_hand(table, hand, all);
        }
        let over =
            Hand { points: Points { total: 22, soft: false }, size: 3, cards: [0; RANKS], suits: Suits::Any };
        for origin in [Origin::Dealt, Origin::Split] {
            for ending in [Ending::Busted, Ending::BustedUnseen, Ending::Surrendered] {
                nets(table, (&over, origin, ending), all);
            }
        }
    }
}

/// The encoded answers to the solver's questions, one after the other.
struct Answers(Vec<u8>);

impl Answers {
    fn extend(&mut self, answers: impl IntoIterator<Item = i64>) {
        answers.into_iter().for_each(|answer| self.0.extend(answer.to_le_bytes()));
    }
}

fn is_natural(hand: &Hand) -> bool {
    hand.size == 2 && hand.cards[ACE] == 1 && hand.cards[TEN] == 1
}

/// Returns the first hand of each class of hands that the rules of play and settlement distinguish.
fn classes((shoe, suits): Cards) -> Vec<Hand> {
    let mut hands = Hands::new(&shoe, &[0; RANKS]);
    if suits {
        hands.tell_suits_apart();
    }
    let mut seen = BTreeSet::new();
    hands.list.retain(|hand| {
        let sevens = hand.size == 3 && hand.cards[Rank::Seven] == 3;
        let points = (hand.points.total, hand.points.soft);
        hand.size > 1 && seen.insert((points, hand.size.min(8), is_natural(hand), sevens, hand.suits as u8))
    });
    hands.list
}

fn of_hand(table: &Table<'_>, hand: &Hand, all: &mut Answers) {
    for origin in [Origin::Dealt, Origin::Switched, Origin::Split, Origin::SplitAce] {
        let may = table.may(hand, origin);
        all.extend([may.hit, may.double, may.surrender, may.surrender_doubled].map(i64::from));
        nets(table, (hand, origin, Ending::Stood), all);
    }
    if is_natural(hand) && table.designated().is_some() {
        nets(table, (&Hand { suits: Suits::Suited, ..*hand }, Origin::Dealt, Ending::Stood), all);
    }
}

fn nets(table: &Table<'_>, (hand, origin, ending): (&Hand, Origin, Ending), all: &mut Answers) {
    let finish = |stake| Finish { hand: *hand, origin, ending, stake };
    let player = table.finished(&finish(Stake::Single));
    for stake in [Stake::Single, Stake::Doubled] {
        for result in DealerResult::ALL {
            all.extend(match table.net_of(&finish(stake), &player, result) {
                Net::Amount(n, d) => [n, d],
                Net::Original => [0, 0],
                Net::Collected(n, d) => [n, -d],
                Net::CollectedFirst(n, d) => [-n, -d],
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Strategy, value};
    use rules::file;

    /// Changing an option keeps the signature exactly if it keeps the value.
    #[test]
    fn a_signature_says_whether_a_choice_matters() {
        let table = rules::preset::preset("nj-blackjack").unwrap();
        let (stands, worth) = (signature(&table), value(&table, &Strategy::CompositionDependent));
        for (change, matters) in [
            ("decks=6", true),
            ("soft_17=hit", true),
            ("surrender=true", true),
            ("split_hands=3", true),
            ("rulings.split_two_card_21=push", true),
            ("bonus_payouts=[\"three-sevens\"]", true),
            ("positions=5", false),
            ("cut_behind=0.3", false),
            ("double_card=\"down\"", false),
            ("rulings.lone_seven=either", false),
            ("rulings.two_card_21_v_dealer_blackjack=lose", false),
        ] {
            let mut changed = table.clone();
            file::set(&mut changed, change).unwrap();
            assert_eq!(signature(&changed) != stands, matters, "{change}");
            assert_eq!(value(&changed, &Strategy::CompositionDependent) != worth, matters, "{change}");
        }
    }

    /// The ruling on shares of the original bet changes the signature.
    ///
    /// It concerns the split as a whole and not a hand.
    #[test]
    fn shares_of_the_original_wager_matter() {
        let table = rules::preset::preset("nj-triple-attack").unwrap();
        let mut changed = table.clone();
        file::set(&mut changed, "rulings.split_hands_v_dealer_blackjack=each-its-share").unwrap();
        assert_ne!(signature(&changed), signature(&table));
    }
}

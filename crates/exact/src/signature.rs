//! What of a table matters to the value of its main game: two tables with the same signature have the same value to the
//! last bit, because every answer that the solver can ask for is the same.

use crate::cards::Points;
use crate::hands::{Hand, Hands, Suits};
use crate::judge::{Blackjack, Ending, Finish, Judge, Net, Origin, Stake};
use crate::result::At22;
use crate::seen::Seen;
use crate::table::{Attacked, Table};
use crate::vocabulary::{ACE, DealerResult, RANKS, Rank, TEN};
use rules::Choices;
use std::collections::BTreeSet;

/// The signature of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature(Vec<i64>);

/// The signature of the table with these choices.
pub fn signature(choices: &Choices) -> Signature {
    let mut all = vec![choices.text().form() as i64, choices.spots() as i64];
    for attacked in [Attacked::No, Attacked::Yes] {
        of_judge(&Table::new(choices, attacked), &mut all);
    }
    Signature(all)
}

fn of_judge(table: &Table<'_>, all: &mut Vec<i64>) {
    all.extend(table.shoe().map(i64::from));
    all.push(i64::from(table.seen() == Seen::BothCards));
    all.push(i64::from(table.blackjack() == Blackjack::BeforePlay));
    all.push(i64::from(table.at_22() == At22::Apart));
    for total in 4..=21 {
        for soft in [false, true] {
            all.push(i64::from(table.dealer_stands(Points { total, soft })));
        }
    }
    let pair = |pair: Option<(i64, i64)>| pair.map_or([0, 0, 0], |(n, d)| [1, n, d]);
    all.extend(pair(Some(table.original())));
    all.extend(pair(table.third_suited()));
    all.extend(pair(table.designated()));
    all.extend(pair(table.even_money()));
    all.extend(Rank::ALL.into_iter().map(|rank| i64::from(table.split_hands(rank))));
    let mut hands = Hands::new(&table.shoe(), &[0; RANKS]);
    if table.third_suited().is_some() {
        hands.tell_suits_apart();
    }
    let mut asked = BTreeSet::new();
    for hand in hands.list.iter().filter(|hand| hand.size > 1) {
        let natural = hand.size == 2 && hand.cards[ACE] == 1 && hand.cards[TEN] == 1;
        let sevens = hand.size == 3 && hand.cards[Rank::Seven] == 3;
        let points = (hand.points.total, hand.points.soft);
        // what play and settlement can tell apart
        if asked.insert((points, hand.size.min(8), natural, sevens, hand.suits as u8)) {
            of_hand(table, hand, natural, all);
        }
    }
    let over =
        Hand { points: Points { total: 22, soft: false }, size: 3, cards: [0; RANKS], suits: Suits::Any };
    for origin in [Origin::Dealt, Origin::Split] {
        for ending in [Ending::Busted, Ending::Surrendered] {
            nets(table, (&over, origin, ending), all);
        }
    }
}

fn of_hand(table: &Table<'_>, hand: &Hand, natural: bool, all: &mut Vec<i64>) {
    for origin in [Origin::Dealt, Origin::Switched, Origin::Split, Origin::SplitAce] {
        let may = table.may(hand, origin);
        all.extend([may.hit, may.double, may.surrender, may.surrender_doubled].map(i64::from));
        nets(table, (hand, origin, Ending::Stood), all);
    }
    if natural && table.designated().is_some() {
        nets(table, (&Hand { suits: Suits::Suited, ..*hand }, Origin::Dealt, Ending::Stood), all);
    }
}

fn nets(table: &Table<'_>, (hand, origin, ending): (&Hand, Origin, Ending), all: &mut Vec<i64>) {
    for stake in [Stake::Single, Stake::Doubled] {
        let finish = Finish { hand: *hand, origin, ending, stake };
        for result in DealerResult::ALL {
            all.extend(match table.net(&finish, result) {
                Net::Amount(n, d) => [n, d],
                Net::Original => [0, 0],
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Strategy, value};
    use rules::file;

    /// Changes of one choice: a signature stays the same just where the value does.
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
}

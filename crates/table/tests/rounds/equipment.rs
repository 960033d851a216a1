//! The cutting cards and the two sides of a double shoe.

use crate::{card, obey, open, rules};
use rules::{Cents, Deck, Rules, Suit};
use std::sync::Arc;
use table::command::Command;
use table::ids::{BoxId, Person, Side};
use table::shoe::Procedure;
use table::table::Table;

/// The steps that prepare the cards for the first round.
fn preparation(rules: Arc<Rules>) -> Vec<Procedure> {
    let table = Table::new(rules);
    let mut steps = table.custody().pending.clone();
    steps.reverse();
    steps
}

fn cutting_cards(steps: &[Procedure]) -> usize {
    let uses_one =
        |step: &&Procedure| matches!(step, Procedure::CoverBottom | Procedure::PlaceCuttingCard { .. });
    steps.iter().filter(uses_one).count()
}

/// Proves 19:47-2.2(a)#4.
#[test]
fn one_cutting_card_and_a_second_one_at_six_to_five() {
    assert_eq!(cutting_cards(&preparation(rules("nj-blackjack", &[]))), 1);
    assert_eq!(cutting_cards(&preparation(rules("nj-six-to-five", &[]))), 2);
}

/// Proves 19:47-2.2(c)#4, 19:47-2.6(d)1#3.
#[test]
fn each_side_of_a_double_shoe_has_its_colour_and_its_cutting_card() {
    for card in Deck::FiftyTwo.cards() {
        let colour = match card.suit() {
            Suit::Hearts | Suit::Diamonds => Side::Red,
            Suit::Spades | Suit::Clubs => Side::Black,
        };
        assert_eq!(Side::called_by(card), colour, "{card}");
    }
    // six decks a side and the cutting card 78 from the back: each side may be dealt down to it by itself
    let mut table = open("nj-blackjack", &["shoe=double", "decks=6"]);
    let behind = table.custody().behind();
    assert!(behind > 0);
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    obey(&mut table, Command::Wager { box_id: BoxId(1), person: Person(1), seated: true, amounts });
    obey(&mut table, Command::CloseWagers);
    let first = table.custody().side;
    let (determinant, other) = match first {
        Side::Red => (card("9s"), Side::Black),
        Side::Black => (card("9h"), Side::Red),
    };
    obey(&mut table, Command::Determinant(determinant, first));
    assert_eq!(table.custody().side, other, "the other side deals");
    assert_eq!(table.custody().behind(), behind, "and has its own cutting card, as far from its back");
    assert_eq!(table.custody().stack(), 6 * 52, "of which no card has been dealt");
}

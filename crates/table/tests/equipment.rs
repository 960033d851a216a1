//! The cutting cards and the two sides of a double shoe.

use rules::{Card, Deck, Rules, Suit, preset};
use std::sync::Arc;
use table::command::Command;
use table::event::{Event, Fact};
use table::ids::{BoxId, Person, Side};
use table::shoe::Procedure;
use table::table::Table;

fn rules(name: &str, settings: &[&str]) -> Arc<Rules> {
    let mut choices = preset::preset(name).expect("a preset");
    for setting in settings {
        rules::file::set(&mut choices, setting).expect("a setting");
    }
    Arc::new(Rules::new(choices).expect("a lawful table"))
}

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
    let mut table = Table::prepared(rules("nj-blackjack", &["shoe=double", "decks=6"]));
    let behind = table.custody().behind();
    assert!(behind > 0);
    let amounts = [rules::Cents::dollars(10), rules::Cents::ZERO, rules::Cents::ZERO];
    let wager = Command::Wager { box_id: BoxId(1), person: Person(1), seated: true, amounts };
    for command in [wager, Command::CloseWagers] {
        let event = table.decide(command).expect("accepted");
        table.apply(&event);
    }
    while let Some(event) = table.due() {
        table.apply(&event);
    }
    let first = table.custody().side;
    let (card, other): (Card, Side) = match first {
        Side::Red => ("9s".parse().expect("a card"), Side::Black),
        Side::Black => ("9h".parse().expect("a card"), Side::Red),
    };
    let event: Event = table.decide(Command::Determinant(card, first)).expect("a determinant card");
    assert!(matches!(event.fact, Fact::Determined { .. }));
    table.apply(&event);
    assert_eq!(table.custody().side, other, "the other side deals");
    assert_eq!(table.custody().behind(), behind, "and has its own cutting card, as far from its back");
    assert_eq!(table.custody().stack(), 6 * 52, "of which no card has been dealt");
}

//! The cut cards and the two sides of a double shoe.

use crate::{card, obey, open, rules};
use rules::{Card, Cents, Deck, Rank, Rules, Suit};
use std::sync::Arc;
use table::command::{Command, Decision};
use table::ids::{Bettor, BoxId, CardPlace, Person, Side};
use table::shoe::Procedure;
use table::table::{Awaiting, Table};
use table::{Event, Fact, Word};

/// Returns the steps that prepare the cards for the first round.
fn preparation(rules: Arc<Rules>) -> Vec<Procedure> {
    let table = Table::new(rules);
    let mut steps = table.custody().pending.clone();
    steps.reverse();
    steps
}

fn cutting_cards(steps: &[Procedure]) -> usize {
    let uses_one =
        |step: &&Procedure| matches!(step, Procedure::CoverBottom | Procedure::PlaceCutCard { .. });
    steps.iter().filter(uses_one).count()
}

/// Proves 19:47-2.2(a)#4, 19:47-2A.2(a)#3, MA-BJS 2(a)#3, 19:47-26.2(a)#3, 19:47-36.2(a)#3.
#[test]
fn one_cutting_card_and_a_second_one_at_six_to_five() {
    for name in ["nj-blackjack", "nj-switch", "ma-switch", "nj-double-attack", "nj-triple-attack"] {
        assert_eq!(cutting_cards(&preparation(rules(name, &[]))), 1, "{name}");
    }
    assert_eq!(cutting_cards(&preparation(rules("nj-six-to-five", &[]))), 2);
}

/// Before the cut, the discards and the rest of the shoe form one stack of all cards, by hand and by device.
/// Proves 19:47-2A.4(a)#4, MA-BJS 4(a)#4, 19:47-26.4(a)#5, 19:47-36.4(a)#5.
#[test]
fn behind_the_shuffle_all_cards_are_one_stack() {
    for name in ["nj-switch", "ma-switch", "nj-double-attack", "nj-triple-attack"] {
        for device in ["shuffle=manual", "shuffle=automated"] {
            let mut table = open(name, &[device]);
            let all = table.custody().total();
            obey(&mut table, Command::OrderReshuffle);
            assert!(table.custody().stack() < all, "{name}: the burned card lies in the rack");
            let mut shuffled = false;
            while let Some(Awaiting::Procedure(step)) = table.awaiting() {
                if matches!(step, Procedure::Cut { .. } | Procedure::Load | Procedure::PlaceCutCard { .. }) {
                    assert_eq!(
                        (table.custody().stack(), table.custody().rack.len()),
                        (all, 0),
                        "{name} {device}"
                    );
                    shuffled = true;
                    break;
                }
                obey(&mut table, Command::Perform(step));
            }
            assert!(shuffled, "{name} {device}");
        }
    }
}

/// Proves 19:47-2.2(c)#4, 19:47-2.6(d)1#3.
#[test]
fn each_side_of_a_double_shoe_has_its_colour_and_its_cutting_card() {
    for card in Deck::FIFTY_TWO.cards() {
        let colour = match card.suit() {
            Suit::Hearts | Suit::Diamonds => Side::Red,
            Suit::Spades | Suit::Clubs => Side::Black,
        };
        assert_eq!(Side::called_by(card), colour, "{card}");
    }
    // six decks per side and the cut card 78 from the back: each side may be dealt down to it by itself
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
    assert_eq!(table.custody().behind(), behind, "and has its own cut card, as far from its back");
    assert_eq!(table.custody().stack(), 6 * 52, "of which no card has been dealt");
}

/// Between "no more bets" and the determinant card nothing has been dealt yet; the determinant card closes betting.
/// Proves 19:47-2.3(j).
#[test]
fn the_determinant_card_closes_the_wagers() {
    let mut table = open("nj-blackjack", &["shoe=double", "decks=6"]);
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    let (box_id, person) = (BoxId(1), Person(1));
    obey(&mut table, Command::Wager { box_id, person, seated: true, amounts });
    obey(&mut table, Command::Withdraw { box_id, person });
    obey(&mut table, Command::Wager { box_id, person, seated: true, amounts });
    obey(&mut table, Command::CloseWagers);
    assert_eq!(table.awaiting(), Some(Awaiting::Card(CardPlace::Determinant)), "the first card of the round");
    obey(&mut table, Command::Determinant(card("9h"), Side::Red));
    for command in [
        Command::Withdraw { box_id, person },
        Command::Wager { box_id: BoxId(2), person: Person(2), seated: true, amounts },
    ] {
        assert_eq!(table.decide(command).expect_err("closed").by.id(), "19:47-2.3(c)", "{command:?}");
    }
}

/// Returns a card of this suit that the side still holds; two of them make a hand that stands.
fn left(table: &Table, suit: Suit, side: Side) -> Card {
    let ranks = [Rank::Nine, Rank::Ten, Rank::Jack, Rank::Queen, Rank::King];
    let mut cards = ranks.into_iter().map(|rank| Card::new(rank, suit));
    cards.find(|card| table.custody().side_may_hold(side, *card)).expect("six decks hold enough")
}

/// Plays a round of four cards, dealt by the side of `suit`, and returns the events.
fn round(table: &mut Table, suit: Suit, drawn_from: Side) -> Vec<Event> {
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    obey(table, Command::Wager { box_id: BoxId(1), person: Person(1), seated: true, amounts });
    obey(table, Command::CloseWagers);
    let mut log = Vec::new();
    while table.round().step > 0 {
        let event = match (table.due(), table.awaiting()) {
            (Some(event), _) => event,
            (_, Some(Awaiting::Card(CardPlace::Determinant))) => table
                .decide(Command::Determinant(left(table, suit, drawn_from), drawn_from))
                .expect("the side holds the card"),
            (_, Some(Awaiting::Card(_))) => {
                let card = left(table, suit, table.custody().side);
                table.decide(Command::Card(card)).expect("the side holds the card")
            }
            (_, Some(Awaiting::Decision(ask))) => {
                let (box_id, bettor) = (ask.box_id, Bettor(0));
                table
                    .decide(Command::Decide { box_id, bettor, decision: Decision::Stand })
                    .expect("may stand")
            }
            (_, other) => panic!("nobody is to be asked for {other:?}"),
        };
        table.apply(&event);
        assert!(table.custody().is_whole(), "{event:?}");
        log.push(event);
    }
    log
}

/// Performs the preparation before the next bet; returns the side, step and clause of each.
fn prepared(table: &mut Table) -> Vec<(Side, Procedure, &'static str)> {
    let mut done = Vec::new();
    while let Some(event) = table.due().or_else(|| match table.awaiting() {
        Some(Awaiting::Cut(box_id)) => table.decide(Command::DeclineCut { box_id }).ok(),
        Some(Awaiting::Procedure(step)) => {
            let step = match step {
                Procedure::Cut { .. } => Procedure::Cut { by: None, at: 100 },
                Procedure::PlaceCutCard { .. } => Procedure::PlaceCutCard { behind: 100 },
                other => other,
            };
            table.decide(Command::Perform(step)).ok()
        }
        _ => None,
    }) {
        let side = table.custody().side;
        table.apply(&event);
        if let Fact::Performed(step) = event.fact {
            done.push((side, step, event.by.id()));
        }
    }
    assert_eq!(table.awaiting(), Some(Awaiting::Wagers));
    done
}

fn told_out(log: &[Event]) -> Vec<CardPlace> {
    let out = log.iter().filter_map(|event| match event.fact {
        Fact::CutCardOut(place) => Some(place),
        _ => None,
    });
    out.collect()
}

/// Returns a table with six decks per side, and twenty cards in front of each cut card.
fn double_shoe() -> Table {
    let table = open("nj-blackjack", &["shoe=double", "decks=6", "cut_behind=0.9358"]);
    assert_eq!((table.custody().stack(), table.custody().behind()), (312, 292));
    table
}

/// The side whose cut card came out is then not the side that deals the round. Proves 19:47-2.6(l)3#2.
#[test]
fn the_cutting_card_may_come_out_with_a_burned_determinant_card() {
    let mut table = double_shoe();
    for _ in 0..4 {
        assert_eq!(told_out(&round(&mut table, Suit::Hearts, Side::Red)), []);
    }
    for _ in 0..4 {
        assert_eq!(told_out(&round(&mut table, Suit::Spades, Side::Red)), []);
    }
    assert_eq!((table.custody().stack_of(Side::Red), table.custody().stack_of(Side::Black)), (292, 296));
    assert_eq!(told_out(&round(&mut table, Suit::Spades, Side::Red)), [CardPlace::Determinant]);
    let steps = prepared(&mut table);
    assert!(steps.iter().all(|(side, ..)| *side == Side::Red), "{steps:?}");
    assert_eq!(steps[0], (Side::Red, Procedure::EmptyShoe, "19:47-2.6(l)2.ii"));
    assert_eq!(steps[1], (Side::Red, Procedure::Shuffle, "19:47-2.5(a)#3"));
    assert_eq!(table.custody().stack_of(Side::Red), 312, "shuffled");
    assert_eq!(table.custody().stack_of(Side::Black), 292, "the other side keeps its depth");
    // The other side's cut card is where it was: the next card behind it.
    assert_eq!(told_out(&round(&mut table, Suit::Spades, Side::Black)), [CardPlace::Hand(BoxId(1), one())]);
    assert!(prepared(&mut table).iter().all(|(side, ..)| *side == Side::Black));
    assert_eq!((table.custody().stack_of(Side::Red), table.custody().stack_of(Side::Black)), (312, 312));
}

/// Proves 19:47-2.2(c)#4, 19:47-2.6(l)3#2.
#[test]
fn both_cutting_cards_may_come_out_in_one_round() {
    let mut table = double_shoe();
    for _ in 0..5 {
        assert_eq!(told_out(&round(&mut table, Suit::Hearts, Side::Red)), []);
    }
    for _ in 0..5 {
        assert_eq!(told_out(&round(&mut table, Suit::Spades, Side::Black)), []);
    }
    let out = told_out(&round(&mut table, Suit::Spades, Side::Red));
    assert_eq!(out, [CardPlace::Determinant, CardPlace::Hand(BoxId(1), one())]);
    let steps = prepared(&mut table);
    let of = |wanted: Side| steps.iter().filter(move |(side, ..)| *side == wanted).map(|(_, step, _)| *step);
    assert!(of(Side::Red).eq(of(Side::Black)), "{steps:?}");
    assert_eq!(of(Side::Red).filter(|step| *step == Procedure::Shuffle).count(), 1);
    assert_eq!((table.custody().stack_of(Side::Red), table.custody().stack_of(Side::Black)), (312, 312));
}

/// Proves 19:47-2.5(j).
#[test]
fn an_idle_table_spreads_both_sides() {
    let mut table = double_shoe();
    round(&mut table, Suit::Hearts, Side::Red);
    round(&mut table, Suit::Spades, Side::Black);
    obey(&mut table, Command::FallIdle);
    prepared(&mut table);
    assert_eq!((table.custody().stack_of(Side::Red), table.custody().stack_of(Side::Black)), (312, 312));
}

fn one() -> table::HandNumber {
    table::HandNumber(1)
}

/// Returns the words of the pending steps.
fn named(table: &Table) -> String {
    table.custody().pending.iter().rev().map(Word::word).collect::<Vec<_>>().join(" ")
}

/// Dealt cards go back into a continuous shuffler, whatever the occasion. Proves 19:47-2.21.
#[test]
fn a_continuous_shuffler_takes_the_cards_back() {
    let mut table = open("nj-blackjack", &["shoe=continuous"]);
    obey(&mut table, Command::OrderReshuffle);
    assert_eq!(named(&table), "return-to-shuffler");
}

/// A surplus card is noticed.
#[test]
fn custody_is_not_whole_with_a_card_too_many() {
    let mut custody = open("nj-blackjack", &[]).custody().clone();
    assert!(custody.is_whole());
    custody.rack.push(None);
    assert!(!custody.is_whole());
}

/// Until a player is offered the newly ordered cut, nobody else cuts. Proves 19:47-2.5(g)#2, 19:47-2.15(f).
#[test]
fn a_cut_waits_for_its_offer() {
    let mut table = open("nj-blackjack", &[]);
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    let wager = Command::Wager { box_id: BoxId(1), person: Person(1), seated: true, amounts };
    let stand = Command::Decide { box_id: BoxId(1), bettor: Bettor(0), decision: Decision::Stand };
    let cards = ["Tc", "9d", "9h"].map(|name| Command::Card(card(name)));
    let round =
        [wager, Command::CloseWagers].into_iter().chain(cards).chain([stand, Command::Card(card("Ts"))]);
    for command in round.chain([wager, Command::CloseWagers, Command::Card(card("Tc"))]) {
        while let Some(event) = table.due() {
            table.apply(&event);
        }
        obey(&mut table, command);
    }
    obey(&mut table, Command::Report(table::Irregularity::OutOfCards));
    assert!(matches!(table.due().map(|event| event.fact), Some(Fact::CutOffered(BoxId(1)))));
    let cut = Command::Perform(Procedure::Cut { by: None, at: 60 });
    assert_eq!(table.decide(cut).expect_err("not yet").why.code, "other-step-first");
}

/// A ten found in a deck without tens is destroyed and counted.
#[test]
fn a_foreign_ten_is_remembered_as_destroyed() {
    let mut table = open("nj-double-attack", &[]);
    assert!(table.custody().destroyed.is_empty());
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    obey(&mut table, Command::Wager { box_id: BoxId(1), person: Person(0), seated: true, amounts });
    obey(&mut table, Command::CloseWagers);
    while let Some(event) = table.due() {
        table.apply(&event);
    }
    obey(&mut table, Command::Card(card("Ts")));
    assert_eq!(table.custody().destroyed, [card("Ts")]);
    assert!(table.custody().is_whole());
}

/// A meter that several tables share is passed to each: 2.19(h).
#[test]
fn a_shared_meter_is_taken_over() {
    let mut table = open("nj-blackjack", &["side_wagers.progressive.meter=10000"]);
    assert_eq!(table.memory().meter, Cents::dollars(10_000));
    table.share_meter(Cents(1_234_567));
    assert_eq!(table.memory().meter, Cents(1_234_567));
}

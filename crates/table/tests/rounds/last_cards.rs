//! Decks dealt to their last card: nothing comes from an empty stack.

use crate::{card, obey, open, rules};
use rules::Cents;
use std::sync::Arc;
use table::command::{Command, Decision};
use table::event::Fact;
use table::ids::{Bettor, BoxId, Person, Side};
use table::irregular::Irregularity;
use table::notation::{Played, Stop, parse::parse, play};
use table::table::{Awaiting, Table};

fn of(ranks: &[&str]) -> Vec<String> {
    ranks.iter().flat_map(|rank| ["c", "d", "h", "s"].map(|suit| format!("{rank}{suit}"))).collect()
}

/// Plays rounds from one deck without a cut card, four cards each and the dealer never drawing; then the given last
/// round. The king of spades is face down in the rack.
fn dealt_down(rounds: usize, cards: &str, last: &str) -> Result<Played, Stop> {
    let (up, hole) = (of(&["7", "8", "9"]), of(&["T", "J", "Q"]));
    let low = of(&["A", "2", "3", "4", "5", "6"]);
    let mut dealt = Vec::new();
    for round in 0..rounds {
        dealt.extend([&*low[round], &up[round], &low[round + 12], &hole[round]]);
    }
    let said = "bet 1 ann 10\n1 stand\nnext\n".repeat(rounds);
    let file = format!("table nj-blackjack\ncards {} {cards}\n{said}{last}", dealt.join(" "));
    let sets = ["decks=1", "hole_card=down", "own_procedures=[\"no-cutting-card\"]", "approval=\"A-1\""];
    play(&parse(&file).expect("rounds"), rules("nj-blackjack", &sets))
}

fn error(played: Result<Played, Stop>) -> String {
    match played {
        Err(Stop::Error { message, .. }) => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_card_is_laid_face_down_from_an_empty_stack() {
    let one = "bet 1 ann 10\n1 stand\n";
    assert!(error(dealt_down(12, "Kc Kd Kh ?? Ks", one)).contains("no card is left in the stack"));
    assert!(
        error(dealt_down(12, "Kc Kd Kh Ks", one)).contains("every Ks in the stack has already been dealt")
    );
}

/// The hole card is still turned, because it was dealt; a new dealer has nothing to burn.
#[test]
fn a_hole_card_is_turned_behind_an_empty_stack() {
    let last = "bet 1 ann 10\nbet 2 bob 10\n1 hit\n1 stand\n2 stand\n";
    let played = dealt_down(11, "3s Kh Kc 6s Qs ?? 9s Kd", last).expect("it can be played");
    let mut table = played.table;
    assert_eq!(table.custody().stack(), 0);
    obey(&mut table, Command::RelieveDealer(Person(9)));
    assert!(table.custody().is_ready(), "{:?}", table.custody().pending);
    assert!(table.custody().is_whole());
}

/// The dealer does not draw either, although one king has not been seen.
#[test]
fn the_dealer_draws_nothing_from_an_empty_stack() {
    let last = "bet 1 ann 10\nbet 2 bob 10\n1 hit\n2 stand\n";
    let played = dealt_down(11, "9s Kh 6s Qs Kd 3s Kc Ks", last);
    assert!(error(played).contains("every Ks in the stack has already been dealt"));
}

/// Each side of a double shoe has its own cards: the black side cannot deal a card again that it has dealt.
/// Proves 19:47-2.6(d)1.
#[test]
fn a_determinant_card_is_of_its_own_side() {
    let mut table = open("nj-blackjack", &["shoe=double", "decks=1"]);
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    let (box_id, bettor) = (BoxId(1), Bettor(0));
    for (determinant, cards) in [("9s", ["7c", "Ts", "Kc"]), ("9h", ["7d", "Th", "Kd"])] {
        obey(&mut table, Command::Wager { box_id, person: Person(1), seated: true, amounts });
        obey(&mut table, Command::CloseWagers);
        let side = Side::called_by(card(determinant));
        let mut cards = [determinant].into_iter().chain(cards);
        while table.due().is_none_or(|event| event.fact != Fact::PickedUp) {
            match (table.due(), table.awaiting()) {
                (Some(event), _) => table.apply(&event),
                (_, Some(Awaiting::Card(_))) => {
                    obey(&mut table, Command::Card(card(cards.next().expect("a card"))))
                }
                (_, Some(Awaiting::Decision(_))) => {
                    obey(&mut table, Command::Decide { box_id, bettor, decision: Decision::Stand });
                }
                (_, awaiting) => panic!("{awaiting:?}"),
            }
        }
        assert_eq!(table.custody().side, side);
        let picked_up = table.due().expect("the end");
        table.apply(&picked_up);
        // a restored snapshot has the same cards on both sides
        let line = table.snapshot().expect("between two rounds");
        let resumed = Table::from_snapshot(Arc::new(table.rules().clone()), &line).expect("what was written");
        assert_eq!((resumed.custody(), resumed.memory()), (table.custody(), table.memory()));
    }
    obey(&mut table, Command::Wager { box_id, person: Person(1), seated: true, amounts });
    obey(&mut table, Command::CloseWagers);
    while let Some(event) = table.due() {
        table.apply(&event);
    }
    assert!(table.decide(Command::Card(card("9s"))).is_err(), "the only one of the black side");
    assert!(table.decide(Command::Card(card("8s"))).is_ok());
}

/// Plays a round of one player against a dealer who never draws, from the side that the first card calls.
fn round_of(table: &mut Table, hand: &[&str], dealer: [&str; 2]) {
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    let (box_id, bettor) = (BoxId(1), Bettor(0));
    obey(table, Command::Wager { box_id, person: Person(1), seated: true, amounts });
    obey(table, Command::CloseWagers);
    let (mut hand, mut dealer) = (hand.iter().peekable(), dealer.iter());
    while table.due().is_none_or(|event| event.fact != Fact::PickedUp) {
        match (table.due(), table.awaiting()) {
            (Some(event), _) => table.apply(&event),
            (_, Some(Awaiting::Card(table::CardPlace::HoleDown))) => obey(table, Command::FaceDown),
            (_, Some(Awaiting::Card(table::CardPlace::Dealer))) => {
                obey(table, Command::Card(card(dealer.next().expect("a card"))));
            }
            (_, Some(Awaiting::Card(_))) => obey(table, Command::Card(card(hand.next().expect("a card")))),
            (_, Some(Awaiting::Decision(_))) => {
                let decision = if hand.peek().is_some() { Decision::Hit } else { Decision::Stand };
                obey(table, Command::Decide { box_id, bettor, decision });
            }
            (_, awaiting) => panic!("{awaiting:?}"),
        }
    }
    let picked_up = table.due().expect("the end");
    table.apply(&picked_up);
}

/// A side dealt to its last card is empty, although one of its cards was never seen.
#[test]
fn no_determinant_card_comes_from_a_side_that_is_empty() {
    let sets = [
        "shoe=double",
        "decks=1",
        "hole_card=down",
        "own_procedures=[\"no-cutting-card\"]",
        "approval=\"A-1\"",
    ];
    let mut table = open("nj-blackjack", &sets);
    let (up, hole) = (of(&["7", "8", "9"]), of(&["T", "J", "Q"]));
    let low = ["A", "2", "3", "4", "5", "6"];
    for round in 0..12 {
        let (rank, black, red) = (low[round % 6], ["c", "s"][round / 6], ["d", "h"][round / 6]);
        let (first, second) = (format!("{rank}{black}"), format!("{}{red}", low[(round + 1) % 6]));
        // the last hand busts, so that nobody sees the queen of spades
        let drawn: &[&str] = match round {
            1 => &["Kc"],
            2 => &["Kd"],
            11 => &["Kh", "Ks"],
            _ => &[],
        };
        let hand: Vec<&str> = [&*first, &*second].into_iter().chain(drawn.iter().copied()).collect();
        round_of(&mut table, &hand, [&up[round], &hole[round]]);
    }
    let black = Side::called_by(card("Qs"));
    assert_eq!((table.custody().side, table.custody().stack()), (black, 0));
    round_of(&mut table, &["9h", "Th"], ["7d", "Td"]);
    assert_ne!(table.custody().side, black);
    let (box_id, amounts) = (BoxId(1), [Cents::dollars(10), Cents::ZERO, Cents::ZERO]);
    obey(&mut table, Command::Wager { box_id, person: Person(1), seated: true, amounts });
    obey(&mut table, Command::CloseWagers);
    while let Some(event) = table.due() {
        table.apply(&event);
    }
    assert_eq!(table.awaiting(), Some(Awaiting::Card(table::CardPlace::Determinant)));
    assert!(table.decide(Command::Card(card("Qs"))).is_err(), "nothing is left on that side");
    assert!(table.decide(Command::Card(card("8h"))).is_ok());
}

/// Only a rack of more than one deck, 52 cards, goes back in three stacks. Proves 19:47-2.5(h)2.
#[test]
fn bart_carter_waits_for_more_than_a_deck() {
    let played = |rounds: usize| {
        let cards =
            ["Tc 9d 9h Ts", "Td 8d 9c Th"].repeat(rounds).into_iter().take(rounds).collect::<Vec<_>>();
        let said = ["bet 1 ann 10\n1 stand\n"].repeat(rounds).join("next\n");
        let file = format!("table nj-blackjack\ncards {}\n{said}", cards.join(" "));
        play(&parse(&file).expect("rounds"), rules("nj-blackjack", &["shuffle=bart-carter"])).expect("played")
    };
    let table = played(13).table;
    assert_eq!((table.custody().rack.len(), table.custody().is_ready()), (52, true));
    assert!(!played(14).table.custody().is_ready());
}

/// Proves 19:47-2.7(a)#2.
#[test]
fn a_paid_blackjack_is_removed_at_once() {
    let file = "table nj-blackjack\ncards Ac Tc 6d Kh 9h Ts 9c\nbet 1 ann 10\nbet 2 bob 10\n2 stand\n";
    let played = play(&parse(file).expect("a round"), rules("nj-blackjack", &[])).expect("it can be played");
    let rack: Vec<String> = played.table.custody().rack.iter().flatten().map(ToString::to_string).collect();
    assert_eq!(rack.join(" "), "Ac Kh Tc 9h 6d Ts 9c");
}

/// The exposed card is still the next one after the hole card has been turned, and is burned if nobody needs it.
/// Proves 19:47-2.15(c)#3.
#[test]
fn an_exposed_card_is_burned_behind_the_hole_card() {
    let mut table = open("nj-blackjack", &["hole_card=down"]);
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    let (box_id, bettor) = (BoxId(1), Bettor(0));
    for command in [
        Command::Wager { box_id, person: Person(1), seated: true, amounts },
        Command::CloseWagers,
        Command::Card(card("Tc")),
        Command::Card(card("9d")),
        Command::Card(card("9h")),
        Command::FaceDown,
        Command::Report(Irregularity::Exposed(card("4s"))),
        Command::RefuseCard(box_id),
    ] {
        while let Some(event) = table.due() {
            table.apply(&event);
        }
        obey(&mut table, command);
    }
    while table.awaiting() != Some(Awaiting::Card(table::CardPlace::Dealer)) {
        match table.due() {
            Some(event) => table.apply(&event),
            None => obey(&mut table, Command::Decide { box_id, bettor, decision: Decision::Stand }),
        }
    }
    obey(&mut table, Command::Card(card("Ts")));
    let mut burned = Vec::new();
    while let Some(event) = table.due().filter(|event| event.fact != Fact::PickedUp) {
        if let Fact::Burned(card) = event.fact {
            burned.push((card, event.by.id()));
        }
        table.apply(&event);
    }
    assert_eq!(burned, [(Some(card("4s")), "19:47-2.15(c)#3")]);
}

/// A player who has already insured the hand is not asked again during the turn of the box. Proves 19:47-2.9(b)#4.
#[test]
fn who_has_insured_is_not_asked_again() {
    for insures in [true, false] {
        let mut table = open("nj-blackjack", &["late_insurance=true"]);
        let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
        let (box_id, bettor, hand) = (BoxId(1), Bettor(0), table::HandNumber(1));
        let answer = match insures {
            true => Command::Insure {
                box_id,
                bettor,
                hand,
                amounts: [Cents::dollars(5), Cents::ZERO, Cents::ZERO],
            },
            false => Command::Decline { box_id, bettor, offer: rules::script::Offer::Insurance },
        };
        for command in [
            Command::Wager { box_id, person: Person(1), seated: true, amounts },
            Command::CloseWagers,
            Command::Card(card("Tc")),
            Command::Card(card("Ad")),
            Command::Card(card("8h")),
            answer,
        ] {
            obey(&mut table, command);
            while let Some(event) = table.due() {
                table.apply(&event);
            }
        }
        let asked = matches!(table.awaiting(), Some(Awaiting::LateInsurance(_)));
        assert_eq!(asked, !insures, "{:?}", table.awaiting());
    }
}

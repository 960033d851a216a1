//! Irregularities at moments that a round file cannot name: between two due events, and before the determinant card.

use crate::{card, obey, open};
use rules::{Cents, SideBet};
use table::command::{Command, Decision};
use table::event::Fact;
use table::ids::{Bettor, BoxId, CardPlace, Person, Wager};
use table::irregular::Irregularity;
use table::table::{Awaiting, Table};

fn wager(table: &mut Table, box_id: u8) {
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    let person = Person(u32::from(box_id));
    obey(table, Command::Wager { box_id: BoxId(box_id), person, seated: true, amounts });
}

/// The first card out is the determinant card, so no card can have been drawn in error before it.
/// Proves 19:47-2.6(d)1.
#[test]
fn no_card_is_exposed_before_the_determinant_card() {
    let mut table = open("nj-blackjack", &["shoe=double"]);
    wager(&mut table, 1);
    obey(&mut table, Command::CloseWagers);
    assert_eq!(table.awaiting(), Some(Awaiting::Card(CardPlace::Determinant)));
    let exposed = Command::Report(Irregularity::Exposed(card("3s")));
    assert!(table.decide(exposed).is_err());
    obey(&mut table, Command::Card(card("9h")));
    assert!(table.decide(exposed).is_ok());
}

/// The reader's result stands, even if it fails while side bets are being settled by it. Proves 19:47-36.14(m).
#[test]
fn a_reader_that_fails_after_it_was_used_leaves_no_wager_unsettled() {
    let mut table = open("nj-triple-attack", &["hole_card=reader"]);
    let boxes = [1, 2];
    for box_id in boxes {
        wager(&mut table, box_id);
        obey(
            &mut table,
            Command::SideWager {
                box_id: BoxId(box_id),
                person: Person(u32::from(box_id)),
                bet: SideBet::SuitedRoyals,
                amount: Cents::dollars(5),
            },
        );
    }
    obey(&mut table, Command::CloseWagers);
    let mut cards = ["7c", "Ac", "As", "2s", "2s", "Qc"].map(card).into_iter();
    let mut failed = false;
    loop {
        match (table.due(), table.awaiting()) {
            (Some(event), _) => {
                if event.fact == Fact::PickedUp {
                    break;
                }
                table.apply(&event);
                if matches!(event.fact, Fact::Settled(_)) && !failed {
                    failed = true;
                    obey(&mut table, Command::Report(Irregularity::ReaderFailed));
                }
            }
            (None, Some(Awaiting::Card(_))) => {
                let next = cards.next().expect("enough cards");
                obey(&mut table, Command::Card(next));
            }
            (None, Some(Awaiting::Offers(offer))) => {
                let asked = boxes.into_iter().find(|&b| table.is_asked(BoxId(b), Bettor(0)));
                let box_id = BoxId(asked.expect("somebody"));
                obey(&mut table, Command::Decline { box_id, bettor: Bettor(0), offer });
            }
            other => panic!("{other:?}"),
        }
    }
    let settled = &table.round().settled;
    for box_id in boxes.map(BoxId) {
        let royals = settled
            .iter()
            .find(|one| one.box_id == box_id && one.wager == Wager::Side(SideBet::SuitedRoyals))
            .expect("the side wager is settled");
        assert_eq!(royals.net, Cents::dollars(-5));
    }
}

/// New Jersey has no remedy for a misdelivered card: by 2.15(c) a card drawn in error is the next card.
#[test]
fn new_jersey_burns_no_misdelivered_card() {
    let mut table = open("nj-blackjack", &[]);
    wager(&mut table, 1);
    obey(&mut table, Command::CloseWagers);
    assert!(table.decide(Command::Report(Irregularity::Misdelivered(card("3s")))).is_err());
}

/// A hole card like the exposed one is turned: the exposed card is still the next one, and is burned.
/// Proves 19:47-2.15(c)#3.
#[test]
fn a_hole_card_that_is_turned_is_not_the_exposed_card() {
    let mut table = open("nj-blackjack", &["hole_card=down"]);
    wager(&mut table, 1);
    obey(&mut table, Command::CloseWagers);
    let mut cards = ["Kc", "8c", "9d", "Qs"].map(card).into_iter();
    let mut burned = Vec::new();
    loop {
        match (table.due(), table.awaiting()) {
            (Some(event), _) => {
                match event.fact {
                    Fact::Burned(card) => burned.push(card),
                    Fact::PickedUp => break,
                    _ => {}
                }
                table.apply(&event);
            }
            (None, Some(Awaiting::Card(CardPlace::HoleDown))) => obey(&mut table, Command::FaceDown),
            (None, Some(Awaiting::Card(_))) => {
                obey(&mut table, Command::Card(cards.next().expect("enough cards")));
            }
            (None, Some(Awaiting::Decision(_))) => {
                obey(&mut table, Command::Report(Irregularity::Exposed(card("Qs"))));
                let decision = Decision::Stand;
                obey(&mut table, Command::Decide { box_id: BoxId(1), bettor: Bettor(0), decision });
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(burned, [Some(card("Qs"))]);
}

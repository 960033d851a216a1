//! What a round file cannot express: a side bet without a main bet, a box whose first bettor does not consent, and the
//! order of the discard rack.

use crate::{open, rules};
use rules::{Cents, Clause, SideBet, clause};
use table::notation::{parse::parse, play};
use table::{BoxId, Command, Person, Table};

fn wager(box_id: u8, person: u32) -> Command {
    Command::Wager {
        box_id: BoxId(box_id),
        person: Person(person),
        seated: true,
        amounts: [Cents::dollars(10), Cents::ZERO, Cents::ZERO],
    }
}

fn refused_by(table: &Table, command: Command) -> Clause {
    table.decide(command).unwrap_err().by
}

/// Each side bet needs the main bet of 2.3(a) on the same box. Proves 19:47-2.17(b), 19:47-2.19(f), 19:47-2.20(c),
/// 19:47-2.22(b), 19:47-2.23(c), 19:47-2.24(c), 19:47-2.25(b).
#[test]
fn a_side_wager_needs_a_main_wager() {
    let cases: [(&[&str], SideBet, i64, Clause); 7] = [
        (&["side_wagers.over-under-13.maximum=25"], SideBet::Over13, 5, clause!("19:47-2.17(b)")),
        (&["side_wagers.progressive.meter=10000"], SideBet::Progressive, 1, clause!("19:47-2.19(f)")),
        (&["side_wagers.blackjack-bonus.maximum=5"], SideBet::BlackjackBonus, 1, clause!("19:47-2.20(c)")),
        (&["side_wagers.streak.maximum=25"], SideBet::Streak2, 5, clause!("19:47-2.22(b)")),
        (&["side_wagers.match-the-dealer.maximum=25"], SideBet::MatchTheDealer, 5, clause!("19:47-2.23(c)")),
        (
            &["hole_card=down", "side_wagers.twenty-point.maximum=25"],
            SideBet::TwentyPoint,
            5,
            clause!("19:47-2.24(c)"),
        ),
        (&["side_wagers.dealer-bust.maximum=25"], SideBet::DealerBust, 5, clause!("19:47-2.25(b)")),
    ];
    for (settings, bet, dollars, by) in cases {
        let mut table = open("nj-blackjack", settings);
        let side =
            Command::SideWager { box_id: BoxId(1), person: Person(0), bet, amount: Cents::dollars(dollars) };
        assert_eq!(refused_by(&table, side), by, "{bet:?}");
        let event = table.decide(wager(1, 0)).unwrap();
        table.apply(&event);
        assert!(table.decide(side).is_ok(), "{bet:?}");
    }
}

/// Proves 19:47-2.13(a)#2.
#[test]
fn nobody_joins_a_box_without_consent() {
    let mut table = open("nj-blackjack", &["bettors_per_box=3"]);
    let event = table.decide(wager(1, 0)).unwrap();
    table.apply(&event);
    assert_eq!(refused_by(&table, wager(1, 1)), clause!("19:47-2.13(a)#2"));
    let event = table.decide(Command::Consent(BoxId(1))).unwrap();
    table.apply(&event);
    let behind = match wager(1, 1) {
        Command::Wager { box_id, person, amounts, .. } => {
            Command::Wager { box_id, person, seated: false, amounts }
        }
        other => other,
    };
    assert!(table.decide(behind).is_ok());
    // 2.13(b): one player is seated at a box
    assert_eq!(refused_by(&table, wager(1, 1)), clause!("19:47-2.13(b)"));
}

/// The cards are picked up from the far right to the left, the dealer's last, so that every hand can be reconstructed.
/// Proves 19:47-2.6(i), 19:47-2.6(i)#2, 19:47-2.6(i)#3.
#[test]
fn the_rack_shows_every_hand() {
    let round = "table nj-blackjack\ncards Tc 5c 9d 9h 7h 6s 8s\nbet 1 ann 10\nbet 2 bob 10\n1 stand\n2 hit\n2 stand\n";
    let played = play(&parse(round).unwrap(), rules("nj-blackjack", &[])).unwrap();
    let rack = &played.table.custody().rack;
    let cards: Vec<String> =
        rack.iter().map(|card| card.map_or("burned".to_string(), |card| card.to_string())).collect();
    assert_eq!(cards.join(" "), "burned 5c 7h 6s Tc 9h 9d 8s");
    assert!(played.table.custody().is_whole());
}

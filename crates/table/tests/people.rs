//! What a round file cannot say: a side wager without a main wager, and a box whose first bettor does not consent.

use rules::{Cents, Clause, Rules, SideBet, clause, file, preset};
use std::sync::Arc;
use table::{BoxId, Command, Person, Table};

fn table_with(settings: &[&str]) -> Table {
    let mut choices = preset::preset("nj-blackjack").unwrap();
    for setting in settings {
        file::set(&mut choices, setting).unwrap();
    }
    Table::prepared(Arc::new(Rules::new(choices).unwrap()))
}

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

/// Each needs the main wager of 2.3(a) on the same box. Proves 19:47-2.17(b), 19:47-2.19(f), 19:47-2.20(c), 19:47-2.22(b),
/// 19:47-2.23(c), 19:47-2.24(c), 19:47-2.25(b).
#[test]
fn a_side_wager_needs_a_main_wager() {
    let cases: [(&[&str], SideBet, i64, Clause); 7] = [
        (
            &["side_wagers.over-under-13.maximum=25"],
            SideBet::Over13,
            5,
            clause!("19:47-2.17(b)"),
        ),
        (
            &["side_wagers.progressive.meter=10000"],
            SideBet::Progressive,
            1,
            clause!("19:47-2.19(f)"),
        ),
        (
            &["side_wagers.blackjack-bonus.maximum=5"],
            SideBet::BlackjackBonus,
            1,
            clause!("19:47-2.20(c)"),
        ),
        (
            &["side_wagers.streak.maximum=25"],
            SideBet::Streak2,
            5,
            clause!("19:47-2.22(b)"),
        ),
        (
            &["side_wagers.match-the-dealer.maximum=25"],
            SideBet::MatchTheDealer,
            5,
            clause!("19:47-2.23(c)"),
        ),
        (
            &["hole_card=down", "side_wagers.twenty-point.maximum=25"],
            SideBet::TwentyPoint,
            5,
            clause!("19:47-2.24(c)"),
        ),
        (
            &["side_wagers.dealer-bust.maximum=25"],
            SideBet::DealerBust,
            5,
            clause!("19:47-2.25(b)"),
        ),
    ];
    for (settings, bet, dollars, by) in cases {
        let mut table = table_with(settings);
        let side = Command::SideWager {
            box_id: BoxId(1),
            person: Person(0),
            bet,
            amount: Cents::dollars(dollars),
        };
        assert_eq!(refused_by(&table, side), by, "{bet:?}");
        let event = table.decide(wager(1, 0)).unwrap();
        table.apply(&event);
        assert!(table.decide(side).is_ok(), "{bet:?}");
    }
}

/// Proves 19:47-2.13(a)#2.
#[test]
fn nobody_joins_a_box_without_consent() {
    let mut table = table_with(&["bettors_per_box=3"]);
    let event = table.decide(wager(1, 0)).unwrap();
    table.apply(&event);
    assert_eq!(refused_by(&table, wager(1, 1)), clause!("19:47-2.13(a)#2"));
    let event = table.decide(Command::Consent(BoxId(1))).unwrap();
    table.apply(&event);
    assert!(table.decide(wager(1, 1)).is_ok());
}

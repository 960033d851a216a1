//! What no round file can show: only the dealer moves a card or a bet in play, hole cards stay unseen, and money
//! follows the cards, not the announcements.

use crate::{card, open, rules};
use rules::{Cents, SideBet};
use table::command::{Command, Decision};
use table::event::{Announcement, Event, Fact, Finding};
use table::ids::{Bettor, BoxId, CardPlace, HandNumber, Person};
use table::round::HandState;
use table::shoe::Procedure;
use table::table::{Awaiting, Table};

const GAMES: [&str; 4] = ["nj-switch", "ma-switch", "nj-double-attack", "nj-triple-attack"];

/// Executes a command, and applies everything that is due.
fn obey(table: &mut Table, command: Command) {
    crate::obey(table, command);
    settle_dues(table);
}

fn settle_dues(table: &mut Table) {
    while let Some(event) = table.due() {
        if event.fact == Fact::PickedUp {
            return;
        }
        table.apply(&event);
    }
}

fn wager(table: &mut Table) {
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    obey(table, Command::Wager { box_id: BoxId(1), person: Person(0), seated: true, amounts });
    obey(table, Command::CloseWagers);
}

/// Deals the cards in order, declining every offer, until the player must decide or the cards are used up.
fn deal(table: &mut Table, cards: &str) {
    let mut cards = cards.split_whitespace().map(card);
    loop {
        match table.awaiting() {
            Some(Awaiting::Card(_)) => match cards.next() {
                Some(card) => obey(table, Command::Card(card)),
                None => return,
            },
            Some(Awaiting::Offers(offer)) => {
                obey(table, Command::Decline { box_id: BoxId(1), bettor: Bettor(0), offer })
            }
            _ => return,
        }
    }
}

/// Returns the cards up to the first decision: the player has 15, and in Switch 15 on both hands.
fn first_cards(name: &str) -> &'static str {
    match name {
        "nj-double-attack" => "9h Kd 5c",
        "nj-triple-attack" => "Kd 9h 5c 8d",
        "nj-blackjack" | "nj-six-to-five" => "Td 9h 5c",
        _ => "Td Tc 9h 5c 5d",
    }
}

fn decide(decision: Decision) -> Command {
    Command::Decide { box_id: BoxId(1), bettor: Bettor(0), decision }
}

/// Returns every command that a player can give.
fn of_players() -> Vec<Command> {
    let (box_id, bettor, person) = (BoxId(1), Bettor(0), Person(0));
    let amount = Cents::dollars(5);
    let amounts = [amount, Cents::ZERO, Cents::ZERO];
    let hand = HandNumber(1);
    vec![
        Command::Wager { box_id, person, seated: true, amounts },
        Command::SideWager { box_id, person, bet: SideBet::Match, amount },
        Command::Withdraw { box_id, person },
        Command::AcceptCut { box_id, at: 60 },
        Command::Attack { box_id, bettor, amount },
        Command::Insure { box_id, bettor, hand, amounts },
        Command::Switch(box_id),
        Command::Revoke(box_id),
        Command::RefuseCard(box_id),
        Command::TakeLateCard { box_id, take: true },
        decide(Decision::Hit),
        decide(Decision::Stand),
        decide(Decision::Double { amounts, face_down: false }),
        decide(Decision::Split),
        decide(Decision::Surrender),
    ]
}

/// Proves 19:47-2A.7(p), 19:47-2A.7(p)#2, MA-BJS 7(o), MA-BJS 7(o)#2, 19:47-26.7(k), 19:47-26.7(k)#2, 19:47-36.7(m),
/// 19:47-36.7(m)#2, 19:47-2.6(n), 19:47-2.6(n)#2.
#[test]
fn no_player_moves_a_card() {
    for name in GAMES.into_iter().chain(["nj-blackjack"]) {
        let mut table = open(name, &[]);
        wager(&mut table);
        while let Some(Awaiting::Card(_)) = table.awaiting() {
            for command in of_players() {
                assert!(table.decide(command).is_err(), "{name}: {command:?}");
            }
            deal(&mut table, "9c");
        }
        let before = (table.custody().stack(), table.custody().layout.len());
        for command in of_players() {
            if let Ok(event) = table.decide(command) {
                let mut after = table.clone();
                after.apply(&event);
                let now = (after.custody().stack(), after.custody().layout.len());
                assert_eq!(now, before, "{name}: {command:?} moved a card");
            }
        }
    }
}

/// Proves 19:47-2A.5(e), MA-BJS 5(e), 19:47-26.5(d), 19:47-26.5(f), 19:47-36.5(d.2), 19:47-36.5(f).
#[test]
fn no_wager_is_touched_after_the_first_card() {
    let (box_id, person) = (BoxId(1), Person(0));
    for name in GAMES {
        let mut table = open(name, &[]);
        wager(&mut table);
        deal(&mut table, "9c");
        let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
        let touching = [
            Command::Withdraw { box_id, person },
            Command::Wager { box_id: BoxId(2), person: Person(1), seated: true, amounts },
            Command::SideWager { box_id, person, bet: SideBet::Match, amount: Cents::dollars(5) },
            Command::CloseWagers,
        ];
        for command in touching {
            let refusal = table.decide(command).expect_err("a refusal");
            let closed = match name {
                "nj-switch" => "19:47-2A.5(e)",
                "ma-switch" => "MA-BJS 5(e)",
                "nj-double-attack" => "19:47-26.5(d)",
                _ => "19:47-36.5(d.2)",
            };
            assert_eq!(refusal.by.id(), closed, "{command:?}");
        }
    }
}

/// Proves 19:47-2A.5(d), MA-BJS 5(d), 19:47-2A.6(b)#2, MA-BJS 6(b)#2, 19:47-26.5(c), 19:47-26.6(c), 19:47-36.5(e.1),
/// 19:47-36.6(c).
#[test]
fn every_wager_lies_on_an_area_of_its_own() {
    let bets = [
        ("nj-switch", SideBet::Match),
        ("ma-switch", SideBet::Match),
        ("nj-double-attack", SideBet::DealerBust),
        ("nj-triple-attack", SideBet::SuitedRoyals),
    ];
    for (name, bet) in bets {
        let mut table = open(name, &[]);
        let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
        let (box_id, person) = (BoxId(1), Person(0));
        obey(&mut table, Command::Wager { box_id, person, seated: true, amounts });
        let amount = Cents::dollars(5);
        obey(&mut table, Command::SideWager { box_id, person, bet, amount });
        let bettor = &table.round().boxes[0].bettors[0];
        assert_eq!(bettor.main[0], Cents::dollars(10), "{name}");
        assert_eq!(bettor.side(bet), amount, "{name}");
    }
}

/// Only a player with a main bet on the box may make a side bet there. Proves 19:47-2.17(b), 19:47-2.19(f),
/// 19:47-2.20(c), 19:47-2.22(b), 19:47-2.23(c), 19:47-2.24(c), 19:47-2.25(b), 19:47-2A.6(a), 19:47-2A.6(b),
/// MA-BJS 6(a), MA-BJS 6(b), 19:47-26.6(a), 19:47-26.6(b), 19:47-36.6(a)1, 19:47-36.6(a)2, 19:47-36.6(b).
#[test]
fn no_side_wager_without_a_main_wager() {
    for (name, sets, bet, by) in [
        ("nj-blackjack", vec!["side_wagers.over-under-13=true"], SideBet::Over13, "19:47-2.17(b)"),
        ("nj-blackjack", vec!["side_wagers.same-suit=true"], SideBet::SameSuit, "19:47-2.17(b)"),
        ("nj-blackjack", vec!["side_wagers.sevens=true"], SideBet::Sevens, "19:47-2.17(b)"),
        ("nj-blackjack", vec!["side_wagers.progressive=true"], SideBet::Progressive, "19:47-2.19(f)"),
        ("nj-blackjack", vec!["side_wagers.blackjack-bonus=true"], SideBet::BlackjackBonus, "19:47-2.20(c)"),
        ("nj-blackjack", vec!["side_wagers.streak=true"], SideBet::Streak2, "19:47-2.22(b)"),
        ("nj-blackjack", vec!["side_wagers.match-the-dealer=true"], SideBet::MatchTheDealer, "19:47-2.23(c)"),
        (
            "nj-blackjack",
            vec!["hole_card=down", "side_wagers.twenty-point=true"],
            SideBet::TwentyPoint,
            "19:47-2.24(c)",
        ),
        ("nj-blackjack", vec!["side_wagers.dealer-bust=true"], SideBet::DealerBust, "19:47-2.25(b)"),
        ("nj-switch", vec![], SideBet::Match, "19:47-2A.6(a)"),
        ("ma-switch", vec![], SideBet::Match, "MA-BJS 6(a)"),
        ("nj-double-attack", vec![], SideBet::DealerBust, "19:47-26.6(a)"),
        ("nj-triple-attack", vec![], SideBet::SuitedRoyals, "19:47-36.6(a)1"),
        ("nj-triple-attack", vec![], SideBet::TripleMatch, "19:47-36.6(a)2"),
    ] {
        let mut table = open(name, &sets);
        let (box_id, amount) = (BoxId(1), Cents::dollars(1));
        let side = |person| Command::SideWager { box_id, person, bet, amount };
        assert_eq!(table.decide(side(Person(0))).expect_err("refused").by.id(), by, "{name}: {bet:?}");
        let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
        obey(&mut table, Command::Wager { box_id, person: Person(0), seated: true, amounts });
        assert_eq!(table.decide(side(Person(1))).expect_err("refused").by.id(), by, "{name}: another's box");
        assert!(table.decide(side(Person(0))).is_ok(), "{name}: {bet:?}");
    }
}

/// Proves 19:47-2A.7(q), 19:47-2A.7(q)#2, MA-BJS 7(p), MA-BJS 7(p)#2, 19:47-26.7(l), 19:47-26.7(l)#2, 19:47-36.7(n),
/// 19:47-2.6(o), 19:47-2.6A(k).
#[test]
fn money_goes_by_the_cards_and_not_by_an_announced_total() {
    for name in GAMES.into_iter().chain(["nj-blackjack", "nj-six-to-five"]) {
        let mut table = open(name, &[]);
        wager(&mut table);
        deal(&mut table, first_cards(name));
        let false_total = Announcement::PlayerTotal(BoxId(1), HandNumber(1), 21);
        let by = table.decide(decide(Decision::Stand)).expect("a decision").by;
        let fact = Fact::Announced(false_total);
        table.apply(&Event { fact, by });
        obey(&mut table, decide(Decision::Stand));
        if name.ends_with("switch") {
            obey(&mut table, decide(Decision::Stand));
        }
        deal(&mut table, "8s");
        let settled = table.round().settled.clone();
        assert!(!settled.is_empty(), "{name}");
        for settlement in settled {
            assert_eq!(settlement.net, Cents::dollars(-10), "{name}: 15 loses to 17");
        }
    }
}

/// Proves 19:47-36.7(n)#2.
#[test]
fn money_goes_by_the_cards_and_not_by_an_announced_bonus() {
    let mut table = open("nj-triple-attack", &[]);
    let (box_id, person, five) = (BoxId(1), Person(0), Cents::dollars(5));
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    obey(&mut table, Command::Wager { box_id, person, seated: true, amounts });
    for bet in [SideBet::SuitedRoyals, SideBet::TripleMatch] {
        obey(&mut table, Command::SideWager { box_id, person, bet, amount: five });
    }
    obey(&mut table, Command::CloseWagers);
    deal(&mut table, "Kd 9h 5c");
    let by = table.decide(Command::Card(card("8d"))).expect("the hole card").by;
    let fact = Fact::Announced(Announcement::Bonus(box_id, Bettor(0), Cents::dollars(100)));
    table.apply(&Event { fact, by });
    deal(&mut table, "8d");
    let nets: Vec<Cents> = table.round().settled.iter().map(|settlement| settlement.net).collect();
    assert_eq!(nets, [-five, -five], "neither wager has won");
}

/// Proves 19:47-2A.7(l)2#2, MA-BJS 7(l)(2)#2, MA-BJS 7(b)#3, 19:47-26.7(i)#5, 19:47-36.7(k)#4, 19:47-2.6(j)#5.
#[test]
fn nobody_sees_the_hole_card_that_goes_into_the_reader() {
    for name in GAMES.into_iter().chain(["nj-blackjack"]) {
        let mut table = open(name, &["hole_card=reader"]);
        wager(&mut table);
        let before_the_hole_card = match name {
            "nj-double-attack" => "Kh Kd 5c",
            "nj-triple-attack" | "nj-blackjack" => "Kd Kh 5c",
            _ => "Td Tc Kh 5c 5d",
        };
        deal(&mut table, before_the_hole_card);
        assert_eq!(table.awaiting(), Some(Awaiting::Card(CardPlace::HoleDown)), "{name}");
        obey(&mut table, Command::FaceDown);
        assert_eq!(table.awaiting(), Some(Awaiting::Reader), "{name}");
        obey(&mut table, Command::Reader(Finding::NoBlackjack));
        assert_eq!(table.round().dealer.len(), 1, "{name}: the hole card is still unseen");
        assert!(matches!(table.awaiting(), Some(Awaiting::Decision(_))), "{name}");
    }
}

/// Only Massachusetts strips the cards: elsewhere a strip is refused by the clause on the shuffle.
#[test]
fn no_other_text_has_the_cards_stripped() {
    for (name, by) in [
        ("nj-blackjack", "19:47-2.5(a)"),
        ("nj-switch", "19:47-2A.4(a)"),
        ("nj-double-attack", "19:47-26.4(a)"),
        ("nj-triple-attack", "19:47-36.4(a)"),
    ] {
        let table = Table::new(rules(name, &[]));
        let refused = table.decide(Command::Perform(Procedure::Strip)).expect_err("no part of the shuffle");
        assert_eq!(refused.by.id(), by, "{name}");
    }
}

/// Proves MA-BJS 4(i)(4)#2, MA-BJS 4(i)(5).
#[test]
fn the_cards_are_not_stripped_before_two_riffles_and_are_cut_last() {
    // cards are plugged only if some are left undealt, so not at the opening
    let mut table = Table::new(rules("ma-switch", &[]));
    table.prepare();
    obey(&mut table, Command::OrderReshuffle);
    let mut riffles = 0;
    let mut done = Vec::new();
    while let Some(Awaiting::Procedure(procedure)) = table.awaiting() {
        if riffles < 2 {
            let refused = table.decide(Command::Perform(Procedure::Strip));
            let by = refused.expect_err("a strip too early").by.id();
            assert_eq!(by, "MA-BJS 4(i)(4)#2", "after {riffles} riffles");
        }
        riffles += u32::from(procedure == Procedure::Riffle);
        done.push(procedure);
        let procedure = match procedure {
            Procedure::Cut { .. } => Procedure::Cut { by: None, at: 60 },
            Procedure::PlaceCutCard { .. } => Procedure::PlaceCutCard { behind: 78 },
            other => other,
        };
        obey(&mut table, Command::Perform(procedure));
    }
    let at = |wanted: fn(&Procedure) -> bool| done.iter().rposition(wanted).expect("a step");
    let cut = at(|step| matches!(step, Procedure::Cut { .. }));
    for step in [
        at(|step| *step == Procedure::Strip),
        at(|step| *step == Procedure::Riffle),
        at(|step| *step == Procedure::Turn),
        at(|step| *step == Procedure::Plug),
    ] {
        assert!(step < cut);
    }
    assert!(at(|step| *step == Procedure::Load) > cut);
}

/// Proves 19:47-2A.1 "Suit", MA-BJS 1 "Suit", 19:47-26.1 "Suit", 19:47-36.1 "Suit".
#[test]
fn there_are_four_suits() {
    for name in GAMES {
        let table = open(name, &[]);
        let mut suits: Vec<char> = table.rules().deck().cards().map(|card| card.suit().letter()).collect();
        suits.sort_unstable();
        suits.dedup();
        assert_eq!(suits, ['c', 'd', 'h', 's'], "{name}");
    }
}

/// Proves 19:47-26.7(b)#2, 19:47-36.7(b)#2.
#[test]
fn every_card_but_the_hole_card_is_dealt_face_up() {
    for name in GAMES {
        let without_reader = if name == "nj-triple-attack" { "down" } else { "none" };
        for hole_card in [without_reader, "reader"] {
            let mut table = open(name, &[&format!("hole_card={hole_card}")]);
            wager(&mut table);
            let mut face_up = 0;
            while let Some(Awaiting::Card(place)) = table.awaiting() {
                let unseen = table.decide(Command::FaceDown);
                assert_eq!(unseen.is_ok(), place == CardPlace::HoleDown, "{name}, {hole_card}: {place:?}");
                face_up += usize::from(unseen.is_err());
                deal(&mut table, "9c");
            }
            assert!(face_up >= 3, "{name}: the player's two cards and the dealer's upcard");
        }
    }
}

/// A limit on the bettors of a box applies to each table separately. Proves 19:47-2.13(a)#3, 19:47-2A.13(a)#3,
/// MA-BJS 13(a)#3, 19:47-26.13(a)#3, 19:47-36.12(a)#3.
#[test]
fn a_limit_on_shared_boxes_holds_at_its_table() {
    for name in ["nj-blackjack"].into_iter().chain(GAMES) {
        for most in 1..=3 {
            let mut table = open(name, &[&format!("bettors_per_box={most}")]);
            let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
            let box_id = BoxId(1);
            let join =
                |person| Command::Wager { box_id, person: Person(person), seated: person == 0, amounts };
            for person in 0..most {
                obey(&mut table, join(person));
                if most > 1 && person == 0 {
                    obey(&mut table, Command::Consent(box_id));
                }
            }
            assert!(table.decide(join(most)).is_err(), "{name}: more than {most}");
        }
    }
}

/// A hand is out with the card that busts it, before anybody announces its total.
#[test]
fn a_hand_is_out_with_the_card_that_takes_it_past_21() {
    for name in GAMES.into_iter().chain(["nj-blackjack"]) {
        let mut table = open(name, &[]);
        wager(&mut table);
        deal(&mut table, first_cards(name));
        obey(&mut table, decide(Decision::Hit));
        crate::obey(&mut table, Command::Card(card("Ks")));
        assert!(matches!(table.due().map(|event| event.fact), Some(Fact::Announced(_))), "{name}: its total");
        assert_eq!(table.round().boxes[0].hands[0].state, HandState::Bust, "{name}");
    }
}

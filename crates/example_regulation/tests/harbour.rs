//! Runs the sixth regulation through every crate: checked, played, replayed, solved, simulated and priced, although
//! none of them contains a line about it.

use exact::game::{Strategy, value};
use exact::offers::total_dependent_chart;
use program::{CompileOptions, compile};
use rules::card::parse_cards;
use rules::{Cents, Choices, Rules, SideBet, file, lawful, words};
use sim::{Hooks, Options, simulate};
use std::sync::Arc;
use table::notation::{Stop, parse::parse, play};
use table::{Awaiting, Bettor, BoxId, Command, Decision, Event, Fact, Person, Table};

fn harbour() -> Choices {
    (example_regulation::TEXT.preset)()
}

fn lawful_rules() -> Rules {
    Rules::new(harbour()).expect("a legal table")
}

fn is_own(clause: rules::Clause) -> bool {
    example_regulation::ROWS.iter().any(|row| row.clause() == clause)
}

#[test]
fn a_table_is_lawful_or_breaks_a_clause_of_its_own_text() {
    assert!(lawful::check(&harbour()).is_lawful());
    for (set, clause) in [
        ("decks=8", "1(a)"),
        ("soft_17=hit", "4(e)"),
        ("hole_card=down", "4(a)"),
        ("cut_behind=0.1", "3(e)"),
        ("shoe=double", "4(a)"),
        ("side_wagers.streak=true", "10"),
    ] {
        let mut choices = harbour();
        file::set(&mut choices, set).expect("a key");
        let report = lawful::check(&choices);
        let found: Vec<&str> = report.violations.iter().map(|finding| finding.clause.id()).collect();
        assert_eq!(found, [clause], "{set}");
    }
    assert!(words::in_words(&harbour()).iter().all(|sentence| is_own(sentence.by)));
}

const WAGER: Command = Command::Wager {
    box_id: BoxId(1),
    person: Person(0),
    seated: true,
    amounts: [Cents::dollars(10), Cents::ZERO, Cents::ZERO],
};

/// Plays one round of one box, standing on every decision.
fn live(table: &mut Table, cards: &str) -> Vec<Event> {
    let mut cards = parse_cards(cards).expect("cards").into_iter();
    let (box_id, bettor, person) = (BoxId(1), Bettor(0), Person(0));
    let amount = Cents::dollars(5);
    let side = Command::SideWager { box_id, person, bet: SideBet::MatchTheDealer, amount };
    let mut commands = vec![Command::CloseWagers, side, WAGER];
    let mut events = Vec::new();
    loop {
        let event = table.due().unwrap_or_else(|| {
            let command = match table.awaiting().expect("something is awaited") {
                Awaiting::Wagers => commands.pop().expect("one round"),
                Awaiting::Card(_) => Command::Card(cards.next().expect("a card")),
                Awaiting::Offers(offer) => Command::Decline { box_id, bettor, offer },
                Awaiting::Decision(_) => Command::Decide { box_id, bettor, decision: Decision::Stand },
                other => panic!("{other:?}"),
            };
            table.decide(command).expect("a legal command")
        });
        table.apply(&event);
        events.push(event);
        if event.fact == Fact::PickedUp {
            return events;
        }
    }
}

/// Plays a round in which a dealer's 22 pushes against 18 and an eight of another suit pays 3 to 1. The deck has no
/// twos.
#[test]
fn it_is_played_live_and_every_event_cites_it() {
    let mut table = Table::prepared(Arc::new(lawful_rules()));
    let events = live(&mut table, "Kd 8c 8h 8s 6s");
    let settled = |event: &Event| match event.fact {
        Fact::Settled(settlement) => Some((settlement.wager.name(), settlement.net, event.by.id())),
        _ => None,
    };
    let settled: Vec<_> = events.iter().filter_map(settled).collect();
    assert_eq!(settled, [("match-the-dealer", Cents::dollars(15), "10"), ("main", Cents::ZERO, "5(f)")]);
    let foreign: Vec<_> = events.iter().filter(|event| !is_own(event.by)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");

    for command in [WAGER, Command::CloseWagers] {
        let event = table.decide(command).expect("a legal command");
        table.apply(&event);
    }
    let two = "2c".parse().expect("a card");
    assert_eq!(table.decide(Command::Card(two)).expect_err("there are no twos").by.id(), "4(a)");
}

#[test]
fn it_is_replayed_from_a_round_file() {
    let replay = |text: &str| play(&parse(text).expect("a round file"), Arc::new(lawful_rules()));
    // 4 5 4 4 4 is 21 in five cards, against a dealer's 19
    let hits = "1 hit\n".repeat(3);
    let played = replay(&format!("table harbour\ncards 4d 9c 5h 4h 4s 4c Td\nbet 1 ann 10\n{hits}"));
    let Ok(played) = played else { panic!("the round was not played") };
    let settled: Vec<_> =
        played.rounds[0].wagers.iter().map(|wager| (wager.net.to_string(), wager.clause.id())).collect();
    assert_eq!(settled, [("20.00".to_string(), "5(e)")]);
    match replay("table harbour\ncards 4d 9c 5h\nbet 1 ann 10\n1 surrender\n") {
        Err(Stop::Refused { clause, .. }) => assert_eq!(clause.id(), "4(d)"),
        _ => panic!("a surrender was not refused"),
    }
}

/// A simulation from fresh shoes agrees with the exact EV of the same total-dependent chart.
#[test]
fn exact_and_simulated_agree() {
    let rules = lawful_rules();
    let exact = value(&rules, &Strategy::TotalDependent);
    let best = value(&rules, &Strategy::CompositionDependent);
    assert!(best >= exact - 1e-12 && best.abs() < 0.2, "{best} {exact}");
    let compile_options = CompileOptions { bets: program::side::offered(&rules), stake: None };
    let program = compile(&rules, &total_dependent_chart(&rules), &compile_options).expect("a whole chart");
    let options = Options { rounds: 20_000_000, seed: 6, fresh: true, ..Options::default() };
    let results = simulate(program, &options, Hooks::default()).expect("a simulation");
    let (ev, error) = sim::report::ev_and_error(&results.job, &results.part.tally);
    assert!(error < 0.001, "{error}");
    assert!((ev - exact).abs() < 4.0 * error, "{ev} +- {error} is not {exact}");
    let (side, tally) = (&results.job.program.sides[0], &results.part.tally.sides[0]);
    let (edge, error) = (-tally.net.mean() / side.unit as f64, tally.net.error() / side.unit as f64);
    assert!((edge - MATCH_EDGE).abs() < 4.0 * error, "{edge} +- {error}");
}

/// The house edge of Match the Dealer. Besides the upcard there are 87 cards: one identical card and six more of its
/// rank. Of the 3,741 pairs, 6 pay 15, 80 pay 12, 15 pay 6, 480 pay 3, and 3,160 lose.
const MATCH_EDGE: f64 = 580.0 / 3741.0;

#[test]
fn its_side_wager_is_priced() {
    let reports = side::side_wagers(&lawful_rules());
    let [report, tide] = reports.as_slice() else { panic!("{reports:?}") };
    assert_eq!((report.wager(), report.paytable), ("match-the-dealer", "harbour"));
    assert!((report.house_edge - MATCH_EDGE).abs() < 1e-12, "{}", report.house_edge);
    assert!(report.outcomes.iter().all(|outcome| outcome.by.id() == "10"));

    assert_eq!((tide.wager(), tide.paytable), ("own", "tide"));
    let loses = 1.0 - tide.outcomes.iter().map(|outcome| outcome.probability).sum::<f64>();
    assert!((tide.loses - loses).abs() < 1e-12);
    assert!((tide.house_edge - tide_edge()).abs() < 1e-12, "{} {}", tide.house_edge, tide_edge());
    assert!(tide.outcomes.iter().all(|outcome| outcome.by.id() == "11"));
}

/// Returns the house edge of High Tide, counted by hand: two decks without twos and threes have eight cards of each
/// value but ten, of which there are 32, a quarter of each suit.
fn tide_edge() -> f64 {
    let (mut won, mut all) = (0.0, 0.0);
    for up in [1, 4, 5, 6, 7, 8, 9, 10] {
        let ways = if up == 10 { 32.0 } else { 8.0 };
        let higher: f64 = [4, 5, 6, 7, 8, 9, 10]
            .into_iter()
            .filter(|&value| value > up)
            .map(|value| if value == 10 { 32.0 } else { 8.0 })
            .sum();
        let (pairs, suited) = (higher * (higher - 1.0), higher * (higher / 4.0 - 1.0));
        won += ways * (6.0 * suited + 2.0 * (pairs - suited));
        all += ways * 87.0 * 86.0;
    }
    1.0 - won / all
}

/// High Tide exists in this text alone: no other crate has a line about it.
#[test]
fn its_own_side_wager_goes_through_every_crate() {
    let mut choices = harbour();
    file::set(&mut choices, "side_wagers.own.maximum=50").expect("a key");
    let rules = Arc::new(Rules::new(choices).expect("a legal table"));
    assert!(rules::layout::areas(&rules).iter().any(|area| area.name == "High Tide" && area.by.id() == "11"));
    assert!(
        words::in_words(&rules)
            .iter()
            .any(|said| said.text.text.contains("High Tide: high tide pays 1 to 1"))
    );
    assert!(file::show(&rules).contains("[side_wagers.own]"));

    let replay = |cards: &str, own: &str| {
        let file = format!("table harbour\ncards {cards}\nbet 1 ann 10 own={own}\n1 stand\n");
        let played = play(&parse(&file).expect("a round file"), rules.clone());
        let Ok(played) = played else { panic!("{cards} was not played") };
        let wager = played.rounds[0].wagers.iter().find(|wager| wager.wager.name() == "own");
        wager.map(|wager| (wager.net.to_string(), wager.clause.id())).expect("the bet")
    };
    assert_eq!(replay("9c 8d Ts Tc", "5"), ("5.00".to_string(), "11"));
    assert_eq!(replay("9c 8d Tc Th", "5"), ("25.00".to_string(), "11"));
    assert_eq!(replay("9c 9d Tc Ts", "5"), ("-5.00".to_string(), "11"));

    let compile_options = CompileOptions { bets: vec![SideBet::Own], stake: None };
    let program = compile(&rules, &total_dependent_chart(&rules), &compile_options).expect("a whole chart");
    let options = Options { rounds: 4_000_000, seed: 11, fresh: true, ..Options::default() };
    let results = simulate(program, &options, Hooks::default()).expect("a simulation");
    let (side, tally) = (&results.job.program.sides[0], &results.part.tally.sides[0]);
    let (edge, error) = (-tally.net.mean() / side.unit as f64, tally.net.error() / side.unit as f64);
    assert!((edge - tide_edge()).abs() < 4.0 * error, "{edge} +- {error} is not {}", tide_edge());

    gym::compile::Tree::new(&rules, &[SideBet::Own]).expect("every decision with the bet beside it");

    let mut foreign = rules::preset::preset("nj-blackjack").expect("a preset");
    file::set(&mut foreign, "side_wagers.own=true").expect("a key");
    let found: Vec<&str> =
        lawful::check(&foreign).violations.iter().map(|finding| finding.clause.id()).collect();
    assert_eq!(found, ["19:47-2.17(a)"]);
}

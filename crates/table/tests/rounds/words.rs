//! What people read: the drawing of a round, and the messages about wrong lines of a round file.

use crate::{card, obey, open, rules};
use rules::Cents;
use table::command::{Command, Decision};
use table::event::{Event, Fact, Finding};
use table::ids::{Bettor, BoxId, Person};
use table::notation::{Stop, Style, parse::parse, play, settlements, show::show, write, write_alone};
use table::shoe::Procedure;
use table::table::{Awaiting, Table};

fn shown(file: &str) -> String {
    let played = play(&parse(file).expect("a round"), rules("nj-blackjack", &[])).expect("it can be played");
    show(&played)
}

/// Drawn by hand: a blackjack, a bust, a hand that stands, a dealer who busts.
#[test]
fn a_round_is_drawn_as_it_lay() {
    let drawn = shown(
        "table nj-blackjack\ncards As Tc 5c 6d Kh 2h 6h Ts 9c 7h Tc\nbet 1 ann 10\nbet 2 bob 20\nbet 4 cay 15\n\
         2 hit\n4 hit\n4 stand\n",
    );
    let head = "\
Round 1
  +--------------------------------------------------------------+
  | dealer      6♦ 7♥ T♣                23 bust                  |
  |                                                              |
  | box 1 #1    A♠ K♥                   soft 21     ann          |
  | box 2 #1    T♣ 2♥ T♠                22 bust     bob          |
  | box 4 #1    5♣ 6♥ 9♣                20          cay          |
  +--------------------------------------------------------------+

  ann bets 10.00 on box 1                                                    19:47-2.3(a)
";
    assert!(drawn.starts_with(head), "{drawn}");
    let foot = "\
  cay: main 15.00 on box 4 #1 wins +15.00                                    19:47-2.3(a)1
  the cards are picked up                                                    19:47-2.6(i)

  ann                +15.00
  bob                -20.00
  cay                +15.00
";
    assert!(drawn.ends_with(foot), "{drawn}");
}

#[test]
fn a_dealers_blackjack_and_a_second_round_are_drawn() {
    let drawn = shown(
        "table nj-blackjack\ncards Tc Ad 9h Ks Tc 9d 9h Ts\nbet 1 ann 10\n1 stand\nnext\nbet 1 ann 10\n1 stand\n",
    );
    assert!(drawn.contains("| dealer      A♦ K♠                   blackjack                |"), "{drawn}");
    assert!(drawn.contains("  ann                -10.00\n\nRound 2\n"), "{drawn}");
    assert!(drawn.ends_with("  ann                  0.00\n"), "{drawn}");
}

/// Returns the message about the last line of a round file.
fn wrong(line: &str) -> String {
    let file = format!("table nj-blackjack\ncards Tc 9d 9h Ts\nbet 1 ann 10\n{line}\n");
    let file = match parse(&file) {
        Ok(file) => file,
        Err(error) => return error.to_string(),
    };
    match play(&file, rules("nj-blackjack", &[])) {
        Ok(_) => "nothing is wrong".to_string(),
        Err(Stop::Error { message, line }) => format!("line {line:?}: {message}"),
        Err(Stop::Refused { clause, reason, .. }) => format!("refused by {}: {reason}", clause.id()),
    }
}

#[test]
fn a_wrong_line_is_told_what_it_lacks() {
    for (line, words) in [
        ("dealer exposed", "`exposed` needs a card"),
        (
            "dealer exposed 1x",
            "unknown card `1x`; expected a rank A 2..9 T J Q K and a suit c d h s, such as As or Td",
        ),
        ("dealer exposed As after x", "`after x`: expected a number of cards"),
        ("dealer determinant As", "say from which side of the shoe it was drawn: red or black"),
        ("dealer missed-box", "`missed-box` needs the number of a box"),
        ("dealer place-cutting-card", "`place-cutting-card` needs a number of cards"),
        ("dealer cut", "`cut` needs a number of cards"),
        ("dealer admit", "`admit` needs a name"),
        ("dealer jumps", "unknown irregularity or procedure `jumps`"),
        ("dealer jumps x", "unknown irregularity or procedure `jumps`"),
        ("dealer jumps As", "unknown irregularity or procedure `jumps`"),
        ("dealer", "`dealer` must be followed by what happened"),
        ("1", "expected a decision after the box"),
        ("1 jump", "unknown decision `jump`"),
        ("1 double x", "invalid amount `x`"),
        ("1 double 5/5/5/5", "`5/5/5/5` has more than three amounts"),
        ("1 insurance", "`insurance` needs an amount"),
        ("1 award", "`award` needs an amount"),
        ("1 follow", "`follow` needs the number of a hand"),
        ("1 cut", "`cut` needs a number of cards"),
        ("1 stand now", "unexpected `now` after `stand`"),
        ("99 stand", "refused by 19:47-2.6(f)#2: there is no bet on box 99"),
        ("bet 1 ann", "a bet needs a box, a player and an amount, such as `bet 1 ann 10`"),
        ("bet x ann 10", "invalid box number `x`"),
        ("bet 1 ann 10 nonsense=5", "unknown side bet `nonsense`; expected over-13, under-13"),
        ("bet 1 ann 10 nonsense", "invalid side bet `nonsense`; expected one such as match=5"),
        ("hello", "unknown statement `hello`"),
        ("next 2", "unknown statement `next`"),
        ("table x", "a round file has only one `table` line"),
        ("cards 1x", "unknown card `1x`"),
        ("1 stand \"", "missing closing quote"),
    ] {
        let said = wrong(line);
        assert!(said.contains(words), "{line}: {said}");
    }
    assert_eq!(wrong("1 stand # and a remark \" here"), "nothing is wrong");
    assert_eq!(
        wrong(""),
        "line Some(3): box 1, hand 1: a decision is missing after this line; add one, like `1 stand`"
    );
}

/// Messages about what a file lacks, and about a line whose time has passed or not come.
#[test]
fn a_line_in_the_wrong_place_is_told_why() {
    let stop = |preset: &str, sets: &[&str], lines: &str| {
        let file = parse(&format!("table {preset}\n{lines}")).expect("a file");
        match play(&file, rules(preset, sets)) {
            Ok(_) => "nothing is wrong".to_string(),
            Err(Stop::Error { message, line }) => format!("line {line:?}: {message}"),
            Err(Stop::Refused { clause, reason, line, .. }) => {
                format!("line {line}: refused by {}: {reason}", clause.id())
            }
        }
    };
    let due = |to: &str| {
        format!(
            "the `cards` line has run out: {to} is dealt a card on this line; add one more card to `cards`"
        )
    };
    for (lines, expected) in [
        ("cards Tc 9d 2h\nbet 1 ann 10\n1 hit\n1 stand\n", format!("line Some(5): {}", due("box 1, hand 1"))),
        ("cards Tc 9d 9h\nbet 1 ann 10\n1 stand\n", format!("line Some(4): {}", due("the dealer"))),
        (
            "cards Tc 9d 9h Ts\nbet 1 ann 10\nfloor house-void after 20\n1 stand\n",
            "line Some(4): this line comes too early: box 1, hand 1 must decide first; put that decision before this \
                line, or use a smaller number after `after`"
                .to_string(),
        ),
        (
            "cards Tc 9d 9h Ts\nbet 1 ann 10\ndealer exposed 2c\n1 stand\n",
            "line Some(4): the card on this line is not the next card".to_string(),
        ),
        (
            "cards Tc 9d 6h Ts\nbet 1 ann 10\n1 hit\n1 pass\n",
            "line 5: refused by 19:47-2.6(f)#2: there is no offer to decline now".to_string(),
        ),
    ] {
        assert_eq!(stop("nj-blackjack", &[], lines), expected, "{lines}");
    }
    let surrendered = "cards Tc 9d 9h 8s 7c Td\nbet 1 ann 10\n1 switch\n1 surrender\n1 revoke\n1 stand\n";
    let expected = "a hand was surrendered after the switch, so its card cannot be switched back";
    let said = stop("nj-switch", &["surrender=true"], surrendered);
    assert!(said.starts_with("line 6: refused by 19:47-2A.7(g)2") && said.ends_with(expected), "{said}");
}

/// Nobody has bet, in the first round or a later one.
#[test]
fn a_round_without_a_bet_is_told_so() {
    let said = |file: &str| match play(&parse(file).expect("a file"), rules("nj-blackjack", &[])) {
        Err(Stop::Error { message, .. }) => message,
        other => panic!("{other:?}"),
    };
    let first = "table nj-blackjack\ncards Tc 9d 9h Ts\n";
    assert_eq!(said(first), "a round begins with a bet, like `bet 1 ann 10`");
    let second = format!("{first}bet 1 ann 10\n1 stand\nnext\n");
    assert_eq!(said(&second), "a round needs at least one bet");
    assert_eq!(said(&format!("{second}1 stand\n")), "a round begins with a bet, like `bet 1 ann 10`");
    let headless = parse("cards Tc\ntable nj-blackjack\n").expect_err("the table comes first");
    assert_eq!((headless.line, &*headless.message), (1, "a round file must start with a `table` line"));
}

/// Executes the commands and everything due between them, to the end of the round.
fn played(table: &mut Table, commands: Vec<Command>) -> Vec<Event> {
    let mut commands = commands.into_iter();
    let mut log = Vec::new();
    while log.last().is_none_or(|event: &Event| event.fact != Fact::PickedUp) {
        let event = table.due().unwrap_or_else(|| {
            let command = commands.next().expect("all is said");
            table.decide(command).expect("accepted")
        });
        table.apply(&event);
        log.push(event);
    }
    log
}

/// An unseen hole card is written where it was dealt, as the card that was turned later.
#[test]
fn a_hole_card_is_written_where_it_was_dealt() {
    let mut table = open("nj-blackjack", &["hole_card=reader"]);
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    let (box_id, bettor) = (BoxId(1), Bettor(0));
    let commands = vec![
        Command::Wager { box_id, person: Person(0), seated: true, amounts },
        Command::CloseWagers,
        Command::Card(card("Tc")),
        Command::Card(card("Kd")),
        Command::Card(card("5h")),
        Command::FaceDown,
        Command::Reader(Finding::NoBlackjack),
        Command::Decide { box_id, bettor, decision: Decision::Hit },
        Command::Card(card("4s")),
        Command::Decide { box_id, bettor, decision: Decision::Stand },
        Command::Card(card("9d")),
    ];
    let log = played(&mut table, commands);
    let style = Style { name: &|_| "ann".to_string(), remark: &|_| None };
    let written = write(table.rules().choices(), &log, style);
    assert!(written.contains("\ncards Tc Kd 5h 9d 4s\n"), "{written}");
}

/// Brackets group words, except brackets in quotes.
#[test]
fn a_bracket_in_quotes_is_a_letter() {
    let file = parse("table nj-blackjack name=\"a [b\" own_procedures=[\"no-burn\", \"x\"] decks=6\n")
        .expect("a table");
    assert_eq!(file.table.overrides, ["name=\"a [b\"", "own_procedures=[\"no-burn\", \"x\"]", "decks=6"]);
    let file = parse("table nj-blackjack name=\"a #1\" decks=6 # a remark\n").expect("a table");
    assert_eq!(file.table.overrides, ["name=\"a #1\"", "decks=6"]);
    let file = parse("table nj-blackjack own_procedures=[\"a]\", \"x\"] decks=6\n").expect("a table");
    assert_eq!(file.table.overrides, ["own_procedures=[\"a]\", \"x\"]", "decks=6"]);
}

/// Players are listed in box order, whoever was settled first.
#[test]
fn the_net_of_each_player_stands_in_the_order_of_the_boxes() {
    let drawn =
        shown("table nj-blackjack\ncards Tc As 6d 9h Ks Tc 9c\nbet 1 ann 10\nbet 2 bob 10\n1 stand\n");
    let at = |name: &str| drawn.rfind(&format!("  {name}    ")).expect(name);
    assert!(drawn.find("bob: main").expect("paid") < drawn.find("ann: main").expect("settled"), "{drawn}");
    assert!(at("ann") < at("bob"), "{drawn}");
}

/// Writes the last of several rounds by itself: with the meter as it was before it, or not at all if a streak was
/// pending.
#[test]
fn a_round_is_written_alone() {
    let sets = &["side_wagers.progressive.meter=10000"];
    let file = "table nj-blackjack side_wagers.progressive.meter=10000\ncards Tc 6d 9h Tc 9c Tc 6d 9h Tc 9c\n\
                bet 1 ann 10 progressive=1\n1 stand\nnext\nbet 1 ann 20 progressive=1\n1 stand\n";
    let played = play(&parse(file).expect("rounds"), rules("nj-blackjack", sets)).expect("it can be played");
    let name = |_| "ann".to_string();
    let style = Style { name: &name, remark: &|_| None };
    let log = played.events.concat();
    let choices = played.table.rules().choices();
    let alone = write_alone(choices, &log, style).expect("it stands alone");
    let raised = played.events[1].iter().find_map(|event| match event.fact {
        Fact::MeterRaised { by_amount, meter } => Some(meter - by_amount),
        _ => None,
    });
    let meter = raised.expect("the meter was raised");
    assert!(meter > Cents::dollars(10_000));
    assert!(alone.starts_with("table nj-blackjack side_wagers.progressive=true"), "{alone}");
    assert!(alone.contains(&format!("side_wagers.progressive.meter=\"{meter}\"")), "{alone}");
    assert!(
        alone.contains("bet 1 ann 20.00 seated progressive=1.00\n") && !alone.contains("next"),
        "{alone}"
    );
    let file = "table nj-blackjack\ncards Tc 6d 9h Tc 9c Tc 6d 9h Tc 9c\n\
                bet 1 ann 10 streak-2=5\n1 stand\nnext\nbet 1 ann 20\n1 stand\n";
    let played = play(&parse(file).expect("rounds"), rules("nj-blackjack", &["side_wagers.streak=true"]))
        .expect("it can");
    assert_eq!(write_alone(played.table.rules().choices(), &played.events.concat(), style), None);
}

/// The reversals of a void round are listed like settlements.
#[test]
fn what_is_undone_is_told_with_the_names() {
    let file = "table nj-double-attack\ncards 7h Kd Kc 6c 5c Tc Td\n\
                bet 1 ann 10\nbet 2 bob 10\n1 surrender\n2 hit\n";
    let played =
        play(&parse(file).expect("a round"), rules("nj-double-attack", &[])).expect("it can be played");
    let log = played.events.concat();
    let told = settlements(&log, &|_| "ann".to_string());
    let undone = told.iter().filter(|(name, event)| name == "ann" && matches!(event.fact, Fact::Reversed(_)));
    let reversed = log.iter().filter(|event| matches!(event.fact, Fact::Reversed(_))).count();
    assert_eq!((undone.count(), reversed), (1, 1));
}

/// The amount returned to a player is the stake plus the win.
#[test]
fn what_is_returned_is_stake_and_winnings() {
    let file =
        "table nj-blackjack\ncards Ts 8c 6d Kh 9h Tc 9c\nbet 1 ann 10\nbet 2 bob 10\n1 stand\n2 stand\n";
    let played =
        play(&parse(file).unwrap(), rules("nj-blackjack", &[])).unwrap_or_else(|stop| panic!("{stop:?}"));
    let returned = played
        .events
        .concat()
        .iter()
        .filter_map(|event| match event.fact {
            Fact::Settled(settlement) => Some((settlement.staked, settlement.net, settlement.returned())),
            _ => None,
        })
        .collect::<Vec<_>>();
    assert!(returned.iter().any(|(.., back)| *back == Cents::dollars(20)), "{returned:?}");
    for (staked, net, back) in returned {
        assert_eq!(back.0, staked.0 + net.0);
        assert!(back >= Cents::ZERO && net != Cents::ZERO);
    }
}

/// Every reassembly of the cards counts as a new shoe.
#[test]
fn every_shuffle_makes_a_new_shoe() {
    for sets in [&["shuffle=bart-carter"][..], &[]] {
        let mut table = open("nj-blackjack", sets);
        let first = table.custody().shoe_number;
        assert!(table.custody().is_whole());
        obey(&mut table, Command::OrderReshuffle);
        while let Some(Awaiting::Procedure(step)) = table.awaiting() {
            let step = match step {
                Procedure::Cut { .. } => Procedure::Cut { by: None, at: 60 },
                Procedure::PlaceCutCard { .. } => Procedure::PlaceCutCard { behind: 104 },
                other => other,
            };
            obey(&mut table, Command::Perform(step));
        }
        assert_eq!(table.custody().shoe_number, first + 1, "{sets:?}");
        assert!(table.custody().is_whole());
    }
}

/// Two aces that may be resplit take no other card: a line for the next box is not an answer to them, and the wrong
/// line after it is the one reported.
#[test]
fn the_wrong_line_is_told_and_no_other() {
    let file = "table nj-blackjack resplit_aces=true\ncards Ac Tc 9d Ah 9h As Ks Ts\nbet 1 ann 10\nbet 2 bob 10\n\
                1 split\n2 stand\n2 stand\n";
    let stop = play(&parse(file).expect("a round"), rules("nj-blackjack", &["resplit_aces=true"]));
    match stop.expect_err("one decision too many") {
        Stop::Error { line, .. } => assert_eq!(line, Some(7)),
        Stop::Refused { line, .. } => assert_eq!(line, 7),
    }
}

/// A void round ignores the remaining officials' lines.
#[test]
fn a_void_round_leaves_lines_unsaid() {
    let file =
        "table nj-blackjack\ncards Tc 9d 5h 4s\nbet 1 ann 10\n1 hit\nfloor house-void\ndealer out-of-cards\n";
    let played = play(&parse(file).expect("a round"), rules("nj-blackjack", &[])).expect("it can be played");
    assert!(played.events.concat().iter().any(|event| event.fact == Fact::Voided));
}

/// A withdrawn bet is removed, and no other: bets added later have their own line.
#[test]
fn a_wager_taken_back_is_written_so() {
    let mut table = open("nj-blackjack", &["side_wagers.match-the-dealer.maximum=25"]);
    let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
    let (box_id, bet) = (BoxId(2), rules::SideBet::MatchTheDealer);
    let commands = vec![
        Command::Wager { box_id: BoxId(1), person: Person(1), seated: true, amounts },
        Command::Wager { box_id, person: Person(2), seated: true, amounts },
        Command::Withdraw { box_id: BoxId(1), person: Person(1) },
        Command::SideWager { box_id, person: Person(2), bet, amount: Cents::dollars(5) },
        Command::CloseWagers,
        Command::Card(card("Tc")),
        Command::Card(card("9d")),
        Command::Card(card("9h")),
        Command::Decide { box_id, bettor: Bettor(0), decision: Decision::Stand },
        Command::Card(card("Ts")),
    ];
    let log = played(&mut table, commands);
    let style = Style { name: &|person| format!("p{}", person.0), remark: &|_| None };
    let written = write(table.rules().choices(), &log, style);
    let lines = "bet 1 p1 10.00 seated\nbet 2 p2 10.00 seated match-the-dealer=5.00\n1 p1 withdraw\n";
    assert!(written.contains(lines), "{written}");
}

/// An option with several words is written as one word in the table line.
#[test]
fn an_option_of_the_table_is_written_without_spaces() {
    let table = open("nj-multiple-action", &["multiple_action={required=3}"]);
    let style = Style { name: &|_| "ann".to_string(), remark: &|_| None };
    let written = write(table.rules().choices(), &[], style);
    assert!(written.contains(" multiple_action={required=3}"), "{written}");
}

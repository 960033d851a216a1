//! Checks every compiled row against the pure function that it was compiled from, for several hands that lead to it.

use program::class::{Classes, Finished, final_of};
use program::face::Symbol;
use program::hand::{Ground, Next, Node, Start, choose};
use program::infinite_deck::infinite_deck_chart;
use program::side::{Pay, Sees};
use program::view::ViewId;
use program::{Chart, CompileOptions, Program, compile};
use rules::play::{Action, Doubled, dealer_draws};
use rules::preset::{PRESETS, preset};
use rules::wager::{Pays, View};
use rules::{Card, Choices, Hand, HoleCard, Origin, file};

/// The number of hands followed through each row.
const HANDS: u8 = 3;

struct Check<'c> {
    choices: &'c Choices,
    ground: Ground<'c>,
    program: &'c Program,
    classes: Classes,
    /// The number of hands already followed through each row.
    rows: Vec<u8>,
}

impl Check<'_> {
    /// Asserts that the entry, and every entry reached from it, follows the rules and the chart for this hand.
    fn decided(&mut self, node: &Node, view: ViewId, next: Next) {
        let open = node.actions(self.choices);
        let action = match open.is_empty() {
            true => Action::Stand,
            false => choose(&self.ground, node, view, open, 0).unwrap(),
        };
        let finished = |surrendered| Finished { hand: node.hand, doubled: node.doubled, surrendered };
        let doubled = Node { doubled: Doubled::Yes, ..*node };
        match (action, next) {
            (Action::Stand, Next::Done(class)) => self.same_class(&finished(None), class),
            (Action::Surrender, Next::Done(class)) => {
                let high = self.program.views[view as usize].high();
                self.same_class(&finished(Some(high)), class);
            }
            (Action::Hit, Next::Draw(row)) => self.row(node, view, row),
            (Action::Double, Next::Draw(row)) => self.row(&doubled, view, row),
            (Action::Split, Next::Split(value)) => {
                assert_eq!(value, node.hand.cards()[0].value());
                assert!(node.hand.is_pair());
            }
            other => panic!("{}: {:?} v {view}: {other:?}", self.choices.name, node.hand),
        }
    }

    fn same_class(&mut self, finished: &Finished, class: u16) {
        let at = self.classes.of(self.choices, self.program.money, finished);
        assert_eq!(self.classes.all[at as usize], self.program.classes.all[class as usize], "{finished:?}");
    }

    fn row(&mut self, node: &Node, view: ViewId, row: u16) {
        // a row must hold for all hands that lead to it; a few different ones test that
        if self.rows[row as usize] == HANDS {
            return;
        }
        self.rows[row as usize] += 1;
        for (symbol, &(card, _)) in self.program.faces.symbols.iter().enumerate() {
            let mut drawn = *node;
            drawn.hand.push(card);
            let next = self.program.hands.next(row, symbol as Symbol);
            self.decided(&drawn, view, next);
        }
    }
}

fn check(choices: &Choices, chart: &Chart) {
    let program = compile(choices, chart, &CompileOptions::default()).unwrap();
    let ground =
        Ground { choices, chart, faces: &program.faces, views: &program.views, money: program.money };
    let mut check = Check {
        choices,
        ground,
        program: &program,
        classes: Classes::default(),
        rows: vec![0; program.hands.rows.len() / program.hands.stride],
    };
    let starts = if choices.text().switch.is_some() { &Start::ALL[..] } else { &Start::ALL[..1] };
    // with the hole card face up, many views have the same total; a subset of them is enough
    let step = if choices.hole_card == HoleCard::Up { 6 } else { 1 };
    for view in (0..program.views.len()).step_by(step) {
        let view = view as ViewId;
        for &start in starts {
            let switched = matches!(start, Start::Switched | Start::SwitchedSecond);
            for (first, &(a, _)) in program.faces.symbols.iter().enumerate() {
                for (second, &(b, _)) in program.faces.symbols.iter().enumerate() {
                    let origin = if switched { Origin::Switched } else { Origin::Dealt };
                    let node = Node {
                        hand: Hand::new(origin, &[a, b]),
                        doubled: Doubled::No,
                        again: true,
                        other_played: matches!(start, Start::DealtSecond | Start::SwitchedSecond),
                    };
                    let next = program.hands.start(start, view, first as Symbol, second as Symbol);
                    check.decided(&node, view, next);
                }
            }
        }
        for value in 1..=10 {
            for again in [false, true] {
                let card = program.faces.symbols.iter().map(|s| s.0).find(|c| c.value() == value).unwrap();
                let node = Node {
                    hand: Hand::new(Origin::Split, &[card]),
                    doubled: Doubled::No,
                    again,
                    other_played: false,
                };
                check.row(&node, view, program.hands.split(view, value, again));
            }
        }
    }
    let seen = check.rows.iter().filter(|&&hands| hands > 0).count();
    assert!(step > 1 || seen == check.rows.len(), "{}: {seen} of {} rows", choices.name, check.rows.len());
}

#[test]
fn every_row_of_every_preset_follows_the_rulebook() {
    for (name, _) in PRESETS {
        let choices = preset(name).unwrap();
        check(&choices, &infinite_deck_chart(&choices));
    }
}

#[test]
fn rows_with_options_follow_the_rulebook() {
    for changes in [
        vec!["surrender=true", "resplit_aces=true", "soft_17=hit"],
        vec!["bonus_payouts=[\"five-card-21\",\"blackjack:As Ks\"]"],
        vec!["rulings.split_two_card_21=push", "rulings.busted_v_dealer_blackjack=busted-too"],
    ] {
        let mut choices = preset("nj-blackjack").unwrap();
        for change in changes {
            file::set(&mut choices, change).unwrap();
        }
        check(&choices, &infinite_deck_chart(&choices));
    }
}

#[test]
fn every_row_of_the_dealer_follows_the_drawing_rule() {
    for (name, _) in PRESETS {
        let choices = preset(name).unwrap();
        let program = compile(&choices, &infinite_deck_chart(&choices), &CompileOptions::default()).unwrap();
        let mut todo: Vec<(Hand, u16)> = Vec::new();
        for (symbol, &(card, _)) in program.faces.symbols.iter().enumerate() {
            todo.push((Hand::dealt(&[card]), program.dealer.up(symbol as Symbol)));
        }
        while let Some((hand, row)) = todo.pop() {
            for (symbol, &(card, _)) in program.faces.symbols.iter().enumerate() {
                let mut drawn = hand;
                drawn.push(card);
                let entry = program.dealer.next(row, symbol as Symbol);
                match entry.last {
                    Some(last) => {
                        assert!(!dealer_draws(&choices, drawn.total()));
                        assert_eq!(usize::from(last), final_of(&drawn));
                    }
                    None => {
                        assert!(dealer_draws(&choices, drawn.total()));
                        todo.push((drawn, entry.row));
                    }
                }
            }
        }
    }
}

#[test]
fn every_line_of_a_side_wager_is_the_rulebooks() {
    let tables = [
        ("nj-blackjack", "over-under-13"),
        ("nj-blackjack", "same-suit"),
        ("nj-blackjack", "sevens"),
        ("nj-blackjack", "progressive"),
        ("nj-blackjack", "match-the-dealer"),
        ("nj-blackjack-reader", "twenty-point"),
        ("nj-blackjack", "dealer-bust"),
        ("nj-switch", "match"),
        ("nj-double-attack", "dealer-bust"),
        ("nj-triple-attack", "suited-royals"),
        ("nj-triple-attack", "triple-match"),
    ];
    let mut number = 1u64;
    for (name, wager) in tables {
        let mut choices = preset(name).unwrap();
        file::set(&mut choices, &format!("side_wagers.{wager}.minimum=1")).unwrap();
        let compile_options = CompileOptions { bets: program::side::offered(&choices), stake: None };
        let program = compile(&choices, &infinite_deck_chart(&choices), &compile_options).unwrap();
        let deck: Vec<Card> = choices.deck().cards().collect();
        for side in program.sides.iter().filter(|side| side.bet.wager().word() == wager) {
            for _ in 0..20_000 {
                // a linear congruential generator is random enough to pick cards
                let mut pick = || {
                    number = number
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    deck[(number >> 33) as usize % deck.len()]
                };
                let cards = [pick(), pick(), pick(), pick()];
                let count = match side.sees {
                    Sees::Two | Sees::TwoAndBlackjack => 2,
                    Sees::Four | Sees::Aces => 4,
                    _ => 3,
                };
                let seen = &cards[..count];
                let (own, dealer): (&[Card], &[Card]) = match side.sees {
                    Sees::TwoAndUp => (&seen[..2], &seen[2..]),
                    Sees::DealerThree => (&[], seen),
                    _ => (seen, &[]),
                };
                let classes: Vec<u8> = seen
                    .iter()
                    .map(|c| side.class_of[program.faces.face_of[c.index() as usize] as usize])
                    .collect();
                let line = &side.lines[side.line(&classes) as usize];
                match side.bet.line(&choices, &View { cards: own, dealer }) {
                    None => assert_eq!(line.pay, Pay::Net(-side.unit), "{wager} {seen:?}"),
                    Some(rule) => {
                        assert_eq!(line.hand, rule.hand, "{wager} {seen:?}");
                        if let (Pays::Odds(odds), Pay::Net(net)) = (rule.pays, line.pay) {
                            assert_eq!(net * i64::from(odds.per()), side.unit * i64::from(odds.pays()));
                        }
                    }
                }
            }
        }
    }
}

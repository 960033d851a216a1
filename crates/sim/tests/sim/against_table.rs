//! Plays the same cards at a live table, which asks the rulebook at every step, and with the compiled tables. Every box
//! and every side bet must have the same result, with the same number of cards.

use program::chart::{Cell, Kind, Take};
use program::hand::{Ground, Node, choose};
use program::infinite_deck::infinite_deck_chart;
use program::view::view_of;
use program::{Chart, CompileOptions, Program, compile};
use rules::choice::OwnProcedure;
use rules::limit::least_wager;
use rules::play::Doubled;
use rules::preset::{PRESETS, preset};
use rules::script::Offer;
use rules::{Action, Card, Cents, Choices, DoubleCard, Rules, SideBet, file};
use sim::chunk::ListSource;
use sim::rng::mix;
use sim::round::Player;
use sim::sides::Memory;
use sim::tally::SideTally;
use std::sync::Arc;
use table::table::{Decide, SwitchOption};
use table::{Awaiting, Bettor, BoxId, Command, Decision, Fact, HandNumber, Person, Table, Wager};

/// A live table, with a chart that makes all decisions.
struct Live<'c> {
    table: Table,
    choices: &'c Choices,
    chart: &'c Chart,
    program: &'c Program,
    cards: Vec<Card>,
    at: usize,
    main: [i64; 8],
    sides: Vec<i64>,
    /// The award of the bonus button by box, if it is pressed.
    awards: [Cents; 8],
}

impl Live<'_> {
    fn command(&mut self, command: Command) {
        let event = self.table.decide(command).unwrap_or_else(|refusal| {
            panic!("{command:?} is refused: {refusal}\n{}", file::show(self.choices));
        });
        self.table.apply(&event);
    }

    /// Places bets on these boxes and plays until the cards are picked up.
    fn round(&mut self, boxes: u8, bets: &[(SideBet, Cents)]) {
        self.main = [0; 8];
        for box_id in (1..=boxes).map(BoxId) {
            let person = Person(u32::from(box_id.0));
            let mut amounts = [Cents::ZERO; 3];
            amounts[..self.choices.dealer_hands()].fill(least_wager(self.choices));
            self.command(Command::Wager { box_id, person, seated: true, amounts });
            for &(bet, amount) in bets {
                let wager = Command::SideWager { box_id, person, bet, amount };
                // a streak bet cannot be made again while the streak is unfinished
                match self.table.decide(wager) {
                    Ok(event) => self.table.apply(&event),
                    Err(_) if bet.streak().is_some() => {}
                    Err(refusal) => panic!("{}: {bet:?}: {refusal}", self.choices.name),
                }
            }
        }
        self.command(Command::CloseWagers);
        loop {
            if let Some(event) = self.table.due() {
                if let Fact::Settled(settlement) = event.fact {
                    self.note(&settlement);
                }
                self.table.apply(&event);
                if event.fact == Fact::PickedUp {
                    return;
                }
                continue;
            }
            let awaiting = self.table.awaiting().expect("something is due or awaited");
            self.answer(awaiting);
        }
    }

    fn note(&mut self, settlement: &table::Settlement) {
        match settlement.wager {
            Wager::Side(bet) => {
                let at = self.program.sides.iter().position(|side| side.bet == bet);
                self.sides[at.expect("the wager was compiled")] += settlement.net.0;
            }
            _ => self.main[usize::from(settlement.box_id.0)] += settlement.net.0,
        }
    }

    fn answer(&mut self, awaiting: Awaiting) {
        match awaiting {
            Awaiting::Card(_) => {
                let card = self.cards[self.at];
                self.at += 1;
                self.command(Command::Card(card));
            }
            Awaiting::Offers(offer) => {
                let asked = self.table.round().boxes.iter().find(|play| !play.bettors[0].answered);
                let box_id = asked.expect("somebody is asked").id;
                self.offer(box_id, offer);
            }
            Awaiting::LateInsurance(box_id) => self.offer(box_id, Offer::Insurance),
            Awaiting::Switch(box_id) => {
                let command = if self.switches(box_id) {
                    Command::Switch(box_id)
                } else {
                    Command::DeclineSwitch(box_id)
                };
                self.command(command);
            }
            Awaiting::Revocation(box_id) => self.command(Command::DeclineSwitch(box_id)),
            Awaiting::Decision(ask) => self.decide(ask),
            Awaiting::Award(box_id, bettor) => {
                let amount = self.awards[usize::from(box_id.0)];
                self.command(Command::Award { box_id, bettor, amount });
            }
            Awaiting::SevensCard(box_id) => self.command(Command::TakeSevensCard { box_id, take: true }),
            Awaiting::Approval(what) => {
                self.command(Command::Approve { what, role: what.role(), person: Person(99) })
            }
            other => panic!("{}: {other:?}", self.choices.name),
        }
    }

    fn offer(&mut self, box_id: BoxId, offer: Offer) {
        let play = &self.table.round().boxes[self.table.round().box_at(box_id).unwrap()];
        let bettor = Bettor(0);
        let symbol = |card: Card| usize::from(self.program.faces.symbol(card));
        let own = play.hands[0].hand.cards().first().map_or(0, |&card| symbol(card));
        let up = self.table.round().up().map_or(0, symbol);
        let offers = &self.program.offers;
        let attacks = match offer {
            Offer::Attack => offers.attack[up],
            Offer::SecondAttack => offers.second_attack[own],
            Offer::ThirdAttack => offers.third_attack[own * self.program.symbols() + up],
            Offer::Insurance => {
                self.insure(box_id);
                return;
            }
        };
        let amount = least_wager(self.choices);
        self.command(if attacks {
            Command::Attack { box_id, bettor, amount }
        } else {
            Command::Decline { box_id, bettor, offer }
        });
    }

    fn insure(&mut self, box_id: BoxId) {
        let bettor = Bettor(0);
        let play = &self.table.round().boxes[self.table.round().box_at(box_id).unwrap()];
        let natural = play.hands[0].hand.is_blackjack();
        if natural && self.choices.even_money.is_yes() && self.chart.even_money == Take::Always {
            return self.command(Command::TakeEvenMoney { box_id, bettor, spots: table::Spots::ALL });
        }
        if self.chart.insurance == Take::Never {
            return self.command(Command::Decline { box_id, bettor, offer: Offer::Insurance });
        }
        let amounts = std::array::from_fn(|spot| {
            let of = play.hands[0].stakes[0].laid(spot).insured(self.choices);
            if of == Cents::ZERO { Cents::ZERO } else { rules::limit::most_insurance(self.choices, of) }
        });
        let hands = self.choices.hands_per_box() as u8;
        for hand in (1..=hands).map(HandNumber) {
            let asked = self.table.is_asked(box_id, bettor);
            assert!(asked || hand.0 > 1);
            self.command(Command::Insure { box_id, bettor, hand, amounts });
        }
        if self.table.is_asked(box_id, bettor) {
            self.command(Command::Decline { box_id, bettor, offer: Offer::Insurance });
        }
    }

    fn switches(&self, box_id: BoxId) -> bool {
        let play = &self.table.round().boxes[self.table.round().box_at(box_id).unwrap()];
        let symbols = |hand: usize| {
            let cards = play.hands[hand].hand.cards();
            [self.program.faces.symbol(cards[0]), self.program.faces.symbol(cards[1])]
        };
        let up = self.program.faces.symbol(self.table.round().up().unwrap());
        self.program.switches(up, symbols(0), symbols(1))
    }

    fn decide(&mut self, ask: Decide) {
        if ask.switch == SwitchOption::Switch && self.switches(ask.box_id) {
            return self.command(Command::Switch(ask.box_id));
        }
        let round = self.table.round();
        let play = &round.boxes[round.box_at(ask.box_id).unwrap()];
        let hand = &play.hands[play.hand_at(ask.hand).unwrap()];
        let node = Node {
            hand: hand.hand,
            doubled: hand.doubled,
            again: true,
            other_played: play.first_hand_played,
        };
        let hole = round.dealer.cards().get(1).copied();
        let ground = Ground {
            choices: self.choices,
            chart: self.chart,
            faces: &self.program.faces,
            views: &self.program.views,
            money: self.program.money,
        };
        let view = view_of(self.choices, &self.program.views, round.up().unwrap(), hole);
        let action = choose(&ground, &node, view, ask.actions, 0).unwrap();
        let decision = match action {
            Action::Stand => Decision::Stand,
            Action::Hit => Decision::Hit,
            Action::Split => Decision::Split,
            Action::Surrender => Decision::Surrender,
            Action::Double => Decision::Double {
                amounts: self.table.cost(ask.box_id, ask.hand, Bettor(0)),
                face_down: false,
            },
        };
        assert!(hand.doubled == Doubled::No || action != Action::Hit);
        self.command(Command::Decide { box_id: ask.box_id, bettor: Bettor(0), decision });
    }
}

fn shuffled(choices: &Choices, random: &mut u64) -> Vec<Card> {
    let mut cards: Vec<Card> = (0..choices.decks).flat_map(|_| choices.deck().cards()).collect();
    for at in (1..cards.len()).rev() {
        cards.swap(at, (mix(random) % (at as u64 + 1)) as usize);
    }
    cards
}

/// Returns one bet of each side bet family, chosen at random, with a legal amount.
fn bets(choices: &Choices, random: &mut u64) -> Vec<(SideBet, Cents)> {
    let mut of = |wager: &rules::SideWager| {
        let all: Vec<SideBet> = wager.bets().collect();
        let bet = all[(mix(random) % all.len() as u64) as usize];
        let amount = choices.side_wagers[wager].minimum;
        rules::limit::side_wager(choices, bet, amount, least_wager(choices)).is_ok().then_some((bet, amount))
    };
    choices.side_wagers.keys().filter_map(&mut of).collect()
}

/// Returns the award that the bonus button must have shown for a one-dollar bet to win this much.
fn award(choices: &Choices, won: i128) -> Cents {
    let for_one = choices.rulings.bonus_pays == rules::ruling::BonusPays::ForOne;
    Cents(won as i64 + if for_one { 100 } else { 0 })
}

fn chart(choices: &Choices, insure: Take) -> Chart {
    Chart { insurance: insure, even_money: insure, ..infinite_deck_chart(choices) }
}

/// Plays rounds with the compiled tables and at the live table, and compares them.
fn compare(rules: &Arc<Rules>, chart: &Chart, seed: u64, rounds: usize) {
    let choices = rules.choices();
    let mut random = seed;
    let bets = bets(choices, &mut random);
    let compile_options = CompileOptions { bets: bets.iter().map(|bet| bet.0).collect(), stake: None };
    let program = compile(choices, chart, &compile_options).unwrap();
    let boxes = 1 + (mix(&mut random) % u64::from(choices.positions.min(7))) as u8;
    let mut player = Player::new(&program, None, usize::from(boxes));
    let mut memory = Memory::new(&program, seed);
    let mut tallies: Vec<SideTally> = program
        .sides
        .iter()
        .map(|side| SideTally { lines: vec![0; side.lines.len()], ..SideTally::default() })
        .collect();
    let mut live = Live {
        table: Table::prepared(rules.clone()),
        choices,
        chart,
        program: &program,
        cards: shuffled(choices, &mut random),
        at: program.stack.burned,
        main: [0; 8],
        sides: vec![0; program.sides.len()],
        awards: [Cents::ZERO; 8],
    };
    let simple = matches!(choices.shoe, rules::Shoe::Single | rules::Shoe::Hand)
        && choices.shuffle != rules::Shuffle::BartCarter;
    // a double shoe switches sides, so only its first round is certain to come from one side
    for _ in 0..if choices.shoe == rules::Shoe::Double { 1 } else { rounds } {
        if matches!(live.table.awaiting(), Some(Awaiting::Procedure(_) | Awaiting::Cut(_))) {
            if !simple {
                return;
            }
            live.table.prepare();
            live.cards = shuffled(choices, &mut random);
            live.at = program.stack.burned;
        }
        let begin = live.at + program.stack.burned_each_round;
        let faces: Vec<u8> = live.cards.iter().map(|c| program.faces.face_of[c.index() as usize]).collect();
        let mut source = ListSource { faces: &faces, at: begin };
        player.play(&mut source);
        if source.at > faces.len() {
            // where cards return to play, a list of cards must run out; and a thin shoe may not serve every box
            let left = faces.len() - begin;
            let thin = left < 5 * (usize::from(boxes) + 1);
            assert!(!simple || thin, "the shoe ran out with {left} cards\n{}", file::show(choices));
            return;
        }
        for box_ in 0..usize::from(boxes) {
            let before: Vec<i128> = tallies.iter().map(|tally| tally.net.sum).collect();
            memory.settle(&program, &player.round, box_, &mut tallies);
            if let Some(at) = program.sides.iter().position(|side| side.bet == SideBet::BlackjackBonus) {
                live.awards[box_ + 1] = award(choices, tallies[at].net.sum - before[at]);
            }
        }
        live.round(boxes, &bets);
        while let Some(event) = live.table.due() {
            live.table.apply(&event);
        }
        let shown = rules::card::show_cards(&live.cards[begin..live.at.max(source.at)]);
        let context = format!("{} with {boxes} boxes: {shown}\n{}", choices.name, file::show(choices));
        assert_eq!(source.at, live.at, "cards used; {context}");
        for box_ in 0..usize::from(boxes) {
            let result = &player.round.boxes[box_];
            let net = i64::from(result.net + result.insurance) * least_wager(choices).0;
            let paid = live.main[box_ + 1] * i64::from(program.money.unit);
            // odd cents of a shared award go to the first hands
            let odd = i64::from(program.shared) * 3 * i64::from(program.money.unit);
            assert!((net - paid).abs() <= odd, "{net} {paid}: box {}; {context}", box_ + 1);
        }
        for (at, side) in program.sides.iter().enumerate() {
            let amount = bets[at].1.0;
            let net = tallies[at].net.sum * i128::from(amount);
            assert_eq!(net, i128::from(live.sides[at] * side.unit), "{:?}; {context}", side.bet);
        }
        // without a cut card, the licensee orders the reshuffle
        if choices.has_own(OwnProcedure::NoCutCard) && live.at > program.stack.before_cut {
            live.command(Command::OrderReshuffle);
        }
        if simple && choices.shoe == rules::Shoe::Single {
            let over = matches!(live.table.awaiting(), Some(Awaiting::Procedure(_) | Awaiting::Cut(_)));
            assert_eq!(over, live.at > program.stack.before_cut, "at {} {context}", live.at);
        }
    }
}

#[test]
fn presets_settle_alike() {
    for (nth, (name, _)) in PRESETS.iter().enumerate() {
        let rules = Arc::new(Rules::new(preset(name).unwrap()).unwrap());
        for (insure, seed) in [(Take::Never, 1), (Take::Always, 2), (Take::Never, 3)] {
            compare(&rules, &chart(&rules, insure), seed + 10 * nth as u64, 1500);
        }
    }
}

/// Every side bet settles alike at every preset where it is legal.
#[test]
fn every_side_wager_settles_alike() {
    let mut seen = std::collections::BTreeSet::new();
    for (nth, (name, _)) in PRESETS.iter().enumerate() {
        let chart = chart(&preset(name).unwrap(), Take::Never);
        for &wager in rules::SideWager::ALL {
            let mut choices = preset(name).unwrap();
            // Triple Attack is legal only with all of its bonus areas
            let own = choices.side_wagers.contains_key(&wager);
            let whole = own.then(|| Rules::new(choices.clone()).ok()).flatten();
            choices.side_wagers.clear();
            choices.side_wagers.insert(wager, rules::choice::SideOffer::of(wager));
            let Some(rules) = Rules::new(choices).ok().or(whole) else { continue };
            let rules = Arc::new(rules);
            for seed in 0..wager.bets().count() as u64 * 2 {
                compare(&rules, &chart, seed + 100 * nth as u64, 150);
            }
            seen.insert(wager);
        }
    }
    assert_eq!(seen.len(), rules::SideWager::ALL.len(), "{seen:?}");
}

#[test]
fn random_lawful_tables_settle_alike() {
    let mut chance = table::random::Chance::seeded(20_261_115);
    for seed in 0..table::random::sized(40) {
        let rules = table::random::tables::lawful(&mut chance);
        let insure = if seed % 3 == 0 { Take::Always } else { Take::Never };
        compare(&rules, &chart(&rules, insure), seed, 250);
    }
}

/// 2.10(b), (c): stiff hands doubled face down bust unnoticed, until the first settlement turns them over.
#[test]
fn doubles_that_bust_face_down_settle_alike() {
    for (nth, name) in ["nj-six-to-five", "nj-multiple-action"].into_iter().enumerate() {
        let mut choices = preset(name).unwrap();
        choices.double_card = DoubleCard::Down;
        let rules = Arc::new(Rules::new(choices).unwrap());
        for (insure, seed) in [(Take::Never, 1), (Take::Always, 2), (Take::Never, 3), (Take::Never, 4)] {
            let mut chart = chart(&rules, insure);
            for total in 12..=17 {
                for column in ["5", "9", "T", "A"] {
                    let double = Cell(vec![Action::Double, Action::Hit]);
                    chart.set("initial", (Kind::Hard, total), column, double);
                }
            }
            compare(&rules, &chart, seed + 100 * nth as u64, 1500);
        }
    }
}

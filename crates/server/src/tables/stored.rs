//! Tests that random rounds pass through the journal unchanged.
//!
//! Rounds read from the journal are replayed, exported, and settled as they were played, and the chips on the
//! layout match the table.

use super::entry::write_rounds;
use super::live::{By, CommandError, Fixed, Live, Step, TableFault};
use super::seats::Seat;
use super::snapshot::tests::record;
use crate::fair::Vault;
use crate::house_file::Dealing;
use ledger::{Account, Chips, Holder, PersonId, TableId};
use rules::preset::{PRESETS, preset};
use rules::{Cents, Rules, file};
use std::sync::Arc;
use table::notation::{parse::parse, play, settlements, write, write_alone};
use table::random::{Chance, Driver, Style};
use table::{BoxId, Command, Event, Fact, Person};

/// Returns the settlements of a log as sorted lines.
///
/// They are sorted because a bet line merges later bets, so that some are settled in another order.
fn settled(log: &[Event], name: &dyn Fn(Person) -> String) -> Vec<String> {
    let mut lines: Vec<String> = settlements(log, name).iter().map(|line| format!("{line:?}")).collect();
    lines.sort();
    lines
}

/// Gives seats to the people of random play, except for the staff, who have higher numbers.
fn meet(live: &mut Live) {
    for number in 1..400 {
        let chips = if number % 2 == 0 { Chips::Cash } else { Chips::Play };
        live.seats.meet(Seat { person: PersonId(number), chips });
    }
}

struct Stored {
    fixed: Fixed,
    steps: Vec<(i64, Step)>,
}

/// Plays some random rounds at a dealer's table, and returns their steps as they would be stored.
fn stored(rules: Arc<Rules>, chance: &mut Chance<'_>) -> Stored {
    let fixed = Fixed { id: TableId(1), rules: Arc::clone(&rules), dealing: Dealing::Dealer };
    let mut live = Live::new(fixed.clone());
    let mut steps = vec![(1, Step::default())];
    live.reopen(&mut steps[0].1);
    meet(&mut live);
    let mut driver = Driver::new(rules, Style::random(chance));
    let (mut rounds, mut lying) = (chance.below(5) + 1, 0);
    while rounds > 0 {
        let command = driver.choose(chance);
        let (round, mut step) = (live.round_no().0, Step::default());
        live.perform(By::Person, command, &mut step).unwrap_or_else(|halt| panic!("{command:?}: {halt:?}"));
        for (_, event) in &step.events {
            driver.apply(event, chance);
            rounds -= usize::from(event.fact == Fact::PickedUp);
        }
        let on_layout = |account: Account| account.holder == Holder::Layout(TableId(1));
        let legs = step.postings.legs().iter();
        lying += legs.filter(|leg| on_layout(leg.account)).map(|leg| leg.amount.0).sum::<i64>();
        if live.table.is_idle() {
            let pending: Cents = live.table.memory().streaks.iter().flat_map(|streak| streak.bets).sum();
            assert_eq!(lying, pending.0, "the chips on the layout between two rounds");
        }
        steps.push((round, step));
    }
    Stored { fixed, steps }
}

#[test]
fn every_stored_round_is_exported_and_settled_the_same() {
    let keys = tempfile::tempdir().expect("a directory");
    let vault = Vault::open(keys.path()).expect("opens");
    let (mut rounds, mut alone) = (0, 0);
    for (at, (preset_name, _)) in PRESETS.iter().enumerate() {
        for seed in 0..80 {
            let mut chance = Chance::seeded((at as u64) << 32 | seed);
            let mut choices = preset(preset_name).expect("a preset");
            if seed % 2 == 1 {
                choices.bettors_per_box = 3;
            }
            let rules = Arc::new(Rules::new(choices).expect("lawful"));
            let Stored { fixed, steps } = stored(rules, &mut chance);
            let mut live = Live::new(fixed);
            let mut log: Vec<(By, Event)> = Vec::new();
            let mut start = 0;
            for (seq, step) in steps.iter().enumerate() {
                let again =
                    live.replay(&record(seq, step), &vault).expect("the table accepts its stored records");
                log.extend(again.events);
                if !log[start..].iter().any(|(_, event)| event.fact == Fact::PickedUp) {
                    continue;
                }
                let mut named = live.clone();
                named.seats = live.seats.renumbered(|person| person);
                let text = match write_rounds(&log, &named, write_alone) {
                    Some(text) => text,
                    None => write_rounds(&log, &named, write),
                };
                let file = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                let mut choices = preset(&file.table.table).expect("a preset");
                for assignment in &file.table.overrides {
                    file::set(&mut choices, assignment).expect("a key of the table file");
                }
                let rules = Arc::new(Rules::new(choices).expect("lawful"));
                let played = play(&file, rules).unwrap_or_else(|stop| panic!("{stop:?}\n{text}"));
                let in_file = |person: Person| played.people[person.0 as usize].clone();
                let seat = |person| live.seats.seat(person).expect("known");
                let in_house = |person: Person| format!("p{}", seat(person).person.0);
                let round: Vec<Event> = log[start..].iter().map(|(_, event)| *event).collect();
                let last = played.events.last().expect("a round");
                assert_eq!(settled(last, &in_file), settled(&round, &in_house), "{text}");
                rounds += 1;
                alone += i32::from(played.events.len() == 1);
                start = log.len();
            }
        }
    }
    assert!(rounds > 1_500 && alone * 4 > rounds * 3, "{alone} of {rounds} rounds stand alone");
}

#[test]
fn chips_of_a_stranger_are_an_error() {
    let rules = Arc::new(Rules::new(preset("nj-blackjack").expect("a preset")).expect("lawful"));
    let mut live = Live::new(Fixed { id: TableId(1), rules, dealing: Dealing::Dealer });
    live.table.prepare();
    let amounts = [Cents(1000), Cents(0), Cents(0)];
    let wager = Command::Wager { box_id: BoxId(1), person: Person(7), seated: true, amounts };
    let halt = live.perform(By::Person, wager, &mut Step::default());
    assert!(matches!(halt, Err(CommandError::TableFault(TableFault::Stranger(7)))), "{halt:?}");
}

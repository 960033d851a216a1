//! Computes the identity of a run: a fingerprint of everything that its results depend on.
//!
//! The fingerprint is taken over a byte encoding defined here. Parts with the same fingerprint may be merged. Another
//! version of the encoding, or of how rounds are played, gives another fingerprint.

use crate::chunk::Job;
use crate::count::{Counting, Divisor, Rounding};
use program::class::Class;
use program::face::Symbol;
use program::hand::Start;
use program::moves::Move;
use program::side::{Pay, Sees, Side};
use program::{Program, chart::Take};

/// The version of the encoding and of how rounds are played.
///
/// The version is raised when encoded bytes change their meaning, or when the same program and seed give other
/// rounds.
pub const FORM: u32 = 2;

/// An FNV-1a hash over the bytes of an encoding.
///
/// Numbers take 16 bytes, lowest first; texts and lists begin with their length.
struct Fingerprint(u64);

impl Fingerprint {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn number(&mut self, number: impl Into<i128>) {
        self.bytes(&number.into().to_le_bytes());
    }

    fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.bytes(text.as_bytes());
    }

    fn numbers<T: Into<i128>>(&mut self, numbers: impl ExactSizeIterator<Item = T>) {
        self.length(numbers.len());
        numbers.for_each(|number| self.number(number));
    }
}

/// Returns the fingerprint of a job, which is the same for all parts of one run.
pub fn identity(job: &Job) -> u64 {
    let mut print = Fingerprint(0xcbf2_9ce4_8422_2325);
    print.text("cutcard run");
    print.number(FORM);
    run(&mut print, job);
    table(&mut print, &job.program);
    hands(&mut print, &job.program);
    dealer(&mut print, &job.program);
    offers(&mut print, &job.program);
    print.length(job.program.sides.len());
    job.program.sides.iter().for_each(|one| side(&mut print, one));
    print.0
}

fn run(print: &mut Fingerprint, job: &Job) {
    print.text("run");
    print.number(job.seed);
    print.length(job.boxes);
    print.number(u8::from(job.fresh));
    print.number(job.shoes);
    match &job.counting {
        Some(counting) => {
            print.number(1);
            counted(print, counting);
        }
        None => print.number(0),
    }
    // written only if there are any, so that other runs keep the fingerprints from before side counts existed
    for count in &job.side_counts {
        print.text("side count");
        print.length(count.side);
        counted(print, &count.counting);
    }
}

fn counted(print: &mut Fingerprint, counting: &Counting) {
    let system = &counting.system;
    print.numbers(system.tags.iter().copied());
    print.number(system.scale);
    print.number(counting.start);
    print.number(match system.divisor {
        Divisor::None => 0,
        Divisor::Decks => 1,
        Divisor::HalfDecks => 2,
    });
    print.number(match system.rounding {
        Rounding::Down => 0,
        Rounding::TowardsZero => 1,
        Rounding::Nearest => 2,
    });
    print.numbers(counting.stakes.iter().copied());
}

fn table(print: &mut Fingerprint, program: &Program) {
    print.text("table");
    print.number(program.money.unit);
    print.numbers(program.money.insurance.iter().copied());
    for cards in [&program.faces.faces, &program.faces.symbols] {
        print.numbers(cards.iter().map(|(card, _)| card.index()));
        print.numbers(cards.iter().map(|(_, count)| *count));
    }
    print.numbers(program.faces.symbol_of.iter().copied());
    print.numbers(program.moves.iter().map(|step| match step {
        Move::Each => 0,
        Move::Up => 1,
        Move::HoleDown => 2,
        Move::HoleUp => 3,
        Move::Attack => 4,
        Move::SecondAttack => 5,
        Move::ThirdAttack => 6,
        Move::Insurance => 7,
        Move::Peek => 8,
        Move::OpenBlackjack => 9,
        Move::Play => 10,
        Move::Finish => 11,
    }));
    let stack = &program.stack;
    for number in [stack.cards, stack.before_cut, stack.burned, stack.burned_each_round] {
        print.length(number);
    }
    print.number(u8::from(stack.fresh));
    print.number(program.decks);
    print.length(program.hands_per_box);
    print.length(program.dealer_hands);
    print.number(program.split_hands);
    print.number(u8::from(program.second_card_always));
    print.numbers(program.original.iter().copied());
    print.number(program.even_money.map_or(-1, i32::from));
    print.length(program.classes.all.len());
    program.classes.all.iter().for_each(|one| class(print, one));
}

fn class(print: &mut Fingerprint, class: &Class) {
    class.pay.iter().for_each(|row| print.numbers(row.iter().copied()));
    print.numbers(class.staked.iter().copied());
    for lost in class.split.iter().flatten() {
        print.numbers([lost.fixed, lost.capped, lost.collected].into_iter());
    }
    print.number(u8::from(class.depends));
    class.waits.iter().for_each(|row| print.numbers(row.iter().map(|waits| u8::from(*waits))));
    print.number(class.ending as u8);
    print.number(u8::from(class.doubled));
    print.number(class.later.map_or(0, |later| later + 1));
}

fn symbols(program: &Program) -> impl Iterator<Item = Symbol> + Clone {
    0..program.symbols() as Symbol
}

fn hands(print: &mut Fingerprint, program: &Program) {
    print.text("hands");
    let hands = &program.hands;
    print.length(hands.stride);
    print.numbers(hands.rows.iter().map(|entry| entry.0));
    for start in Start::ALL {
        for view in 0..program.views.len() as u8 {
            for first in symbols(program) {
                for second in symbols(program) {
                    print.number(hands.start_entry(start, view, first, second).0);
                }
            }
        }
    }
    for view in 0..program.views.len() as u8 {
        for value in 1..=10 {
            print.numbers([hands.split(view, value, false), hands.split(view, value, true)].into_iter());
        }
    }
    print.length(hands.consults.len());
    hands.consults.iter().for_each(|row| print.numbers(row.iter().map(|entry| entry.0)));
    for first in symbols(program) {
        for second in symbols(program) {
            print.number(program.view(first, second));
            print.number(program.stood(first, second));
        }
    }
}

fn dealer(print: &mut Fingerprint, program: &Program) {
    print.text("dealer");
    let dealer = &program.dealer;
    print.length(dealer.hands.len());
    for row in 0..dealer.hands.len() as u16 {
        for symbol in symbols(program) {
            let drawn = dealer.next(row, symbol);
            print.number(drawn.row);
            print.number(drawn.last.map_or(-1, i32::from));
        }
    }
    print.numbers(dealer.decided_on_two.iter().map(|decided| u8::from(*decided)));
}

fn offers(print: &mut Fingerprint, program: &Program) {
    print.text("offers");
    let offers = &program.offers;
    let lists = [
        &offers.attack,
        &offers.second_attack,
        &offers.third_attack,
        &offers.insurable,
        &offers.read,
        &offers.high,
    ];
    lists.iter().for_each(|list| print.numbers(list.iter().map(|flag| u8::from(*flag))));
    for take in [offers.insurance, offers.even_money] {
        match take {
            Take::Never => print.number(0),
            Take::Always => print.number(1),
            Take::FromCount(count) => {
                print.number(2);
                print.number(count);
            }
        }
    }
    for attacks in 0..program.original.len() {
        for up in symbols(program) {
            for second in symbols(program) {
                print.number(program.insurance(attacks, up, second));
            }
        }
    }
    if program.hands_per_box < 2 {
        return;
    }
    // one byte for each pair of hands in a Switch box: whether the strategy switches
    for up in symbols(program) {
        for first in symbols(program).flat_map(|a| symbols(program).map(move |b| [a, b])) {
            let switches = symbols(program).flat_map(|c| symbols(program).map(move |d| [c, d]));
            let bits = switches.map(|second| u8::from(program.switches(up, first, second)));
            print.bytes(&bits.collect::<Vec<u8>>());
        }
    }
}

fn side(print: &mut Fingerprint, side: &Side) {
    print.text(side.bet.name());
    print.number(match side.sees {
        Sees::Two => 0,
        Sees::TwoAndUp => 1,
        Sees::Four => 2,
        Sees::DealerThree => 3,
        Sees::TwoAndBlackjack => 4,
        Sees::Sevens => 5,
        Sees::Aces => 6,
        Sees::Streak(hands) => 16 + i32::from(hands),
    });
    print.number(side.unit);
    print.length(side.lines.len());
    for line in &side.lines {
        print.text(line.hand);
        match line.pay {
            Pay::Net(net) => print.numbers([0, net].into_iter()),
            Pay::Meter(besides) => print.numbers([1, besides].into_iter()),
            Pay::Award => print.numbers([2, 0_i64].into_iter()),
        }
    }
    print.numbers(side.class_of.iter().copied());
    for &(award, weight) in &side.awards {
        print.number(award);
        print.number(weight);
    }
    print.numbers([side.meter.start, side.meter.reset, side.meter.adds].into_iter());
    print.number(u8::from(side.split_ends));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{Ramp, System};
    use crate::run::{Options, job};
    use program::{CompileOptions, compile, infinite_deck::infinite_deck_chart};

    fn of(name: &str, change: &str, options: &Options) -> u64 {
        let mut choices = rules::preset::preset(name).unwrap();
        if !change.is_empty() {
            rules::file::set(&mut choices, change).unwrap();
        }
        let program = compile(&choices, &infinite_deck_chart(&choices), &CompileOptions::default()).unwrap();
        identity(&job(program, options).unwrap())
    }

    /// Pins the fingerprint of one run, so that nobody changes the encoding without raising its version.
    #[test]
    fn the_encoding_is_that_of_its_version() {
        assert_eq!(format!("{FORM} {:016x}", of("nj-blackjack", "", &Options::default())), PINNED);
    }

    const PINNED: &str = "2 e7034898639e1d9f";

    #[test]
    fn whatever_changes_the_results_changes_the_fingerprint() {
        let plain = Options::default();
        let counted = Options { system: System::parse("hi-lo").ok(), ..plain.clone() };
        let mut seen = vec![
            of("nj-blackjack", "", &plain),
            of("nj-blackjack", "soft_17=hit", &plain),
            of("nj-blackjack", "cut_behind=0.3", &plain),
            of("nj-blackjack", "split_hands=3", &plain),
            of("nj-six-to-five", "", &plain),
            of("nj-blackjack", "", &Options { seed: 2, ..plain.clone() }),
            of("nj-blackjack", "", &Options { boxes: 2, ..plain.clone() }),
            of("nj-blackjack", "", &Options { fresh: true, ..plain.clone() }),
            of("nj-blackjack", "", &counted),
            of("nj-blackjack", "", &Options { ramp: Ramp::parse("1:1,2:4").unwrap(), ..counted.clone() }),
        ];
        let all = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), all);
        // the number of threads and the instruction set are not part of a run's identity
        assert_eq!(
            of("nj-blackjack", "", &Options { threads: 7, ..plain.clone() }),
            of("nj-blackjack", "", &plain)
        );
    }
}

//! Effects of removal: the change in the player's EV when one card of a value leaves the shoe.
//!
//! The player either follows the best play for the remaining cards, or that for the full shoe.

use crate::cards::{Shoe, shoe_size};
use crate::fixed::{Fixed, FixedBeside};
use crate::game::{Strategy, value_at};
use crate::judge::{Judge, Measure};
use crate::play::{AfterSplit, PlayChoice};
use crate::round::{Solved, by_first_card};
use crate::seen::{Row, Seen, sum};
use crate::solve::Solver;
use crate::switch::{Switch, twos};
use crate::table::{Attacked, Table};
use crate::threads::{at_once, each, threads};
use crate::vocabulary::{RANKS, Rank, Upcard};
use rules::text::Form;

/// Which strategy the player follows after a card is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayAfterRemoval {
    /// The play that is best for the cards left in the shoe.
    Reoptimized,
    /// The play that is best for the full shoe, kept although a card is gone.
    Fixed,
}

/// Returns the effect of removing one card of each value: the change in the expected net of a round.
///
/// The effect is in units of the initial required bets. It is `None` for a value without cards in the shoe.
pub fn removal(table: &Table<'_>, play: PlayAfterRemoval) -> [Option<f64>; RANKS] {
    let all = table.shoe();
    let values: Vec<Rank> = Rank::ALL.into_iter().filter(|&r| all[r] > 0 && shoe_size(&all) > 1).collect();
    let mut shoes = vec![all];
    shoes.extend(values.iter().map(|&r| {
        let mut shoe = all;
        shoe[r] -= 1;
        shoe
    }));
    let found = match (play, table.seen()) {
        (PlayAfterRemoval::Reoptimized, _) => each(&shoes, at_once(table.choices()), |shoe| {
            value_at(&table.dealt_from(*shoe), &Strategy::CompositionDependent)
        }),
        (PlayAfterRemoval::Fixed, Seen::UpCard) => fixed_values::<RANKS>(table, &shoes),
        (PlayAfterRemoval::Fixed, _) => fixed_values::<55>(table, &shoes),
    };
    let mut effects = [None; RANKS];
    for (&r, value) in values.iter().zip(found.iter().skip(1)) {
        effects[r] = found.first().map(|whole| value - whole);
    }
    effects
}

/// Returns a round's expected net from each of several shoes, with the decisions that are best for the first shoe.
fn fixed_values<const U: usize>(table: &Table<'_>, shoes: &[Shoe]) -> Vec<f64> {
    match table.choices().text().form() {
        Form::TwoHands => switch(table, shoes),
        Form::OneHand => one_hand::<U>(table, shoes),
        Form::OneAttack => double_attack(table, shoes),
        Form::TwoAttacks => triple_attack(table, shoes),
    }
}

const BEST: PlayChoice<'static> = PlayChoice::Best(AfterSplit::AsDealt);

fn one_hand<const U: usize>(table: &Table<'_>, shoes: &[Shoe]) -> Vec<f64> {
    let dealer = table.dealer::<f64, U>();
    let whole = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let play = Fixed::of(&Solved::by(&whole, &dealer, BEST));
    each(shoes, threads(), |shoe| {
        let solver = Solver::new(table, &dealer, *shoe, &[0; RANKS]);
        sum(&Solved::given(&solver, &dealer, &play).round(Measure::Net))
    })
}

/// Returns the value of Double Attack from each shoe, with the attack bets that are best for the full shoe.
fn double_attack(table: &Table<'_>, shoes: &[Shoe]) -> Vec<f64> {
    let dealer = table.dealer::<f64, RANKS>();
    let attacked = Table::new(table.choices(), Attacked::Yes);
    let whole = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let doubled = whole.judged_by(&attacked);
    let (once, twice) = (Solved::by(&whole, &dealer, BEST), Solved::by(&doubled, &dealer, BEST));
    let nets = (once.round(Measure::Net), twice.round(Measure::Net));
    let plays = (Fixed::of(&once), Fixed::of(&twice));
    each(shoes, threads(), |shoe| {
        let solver = Solver::new(table, &dealer, *shoe, &[0; RANKS]);
        let doubled = solver.judged_by(&attacked);
        let once = Solved::given(&solver, &dealer, &plays.0).round(Measure::Net);
        let twice = Solved::given(&doubled, &dealer, &plays.1).round(Measure::Net);
        Upcard::all::<RANKS>().map(|u| if nets.1[u] > nets.0[u] { twice[u] } else { once[u] }).sum()
    })
}

fn triple_attack(table: &Table<'_>, shoes: &[Shoe]) -> Vec<f64> {
    let dealer = table.dealer::<f64, RANKS>();
    let whole = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::by(&whole, &dealer, BEST);
    let net = by_first_card(&solved, &solved.rounds(Measure::Net));
    let wagers = |first: Rank, u: Upcard| {
        1.0 + f64::from(u8::from(sum(&net[first]) > 0.0)) + f64::from(u8::from(net[first][u] > 0.0))
    };
    let play = Fixed::of(&solved);
    each(shoes, threads(), |shoe| {
        let solver = Solver::new(table, &dealer, *shoe, &[0; RANKS]);
        let solved = Solved::given(&solver, &dealer, &play);
        let net = by_first_card(&solved, &solved.rounds(Measure::Net));
        let of_row = |(first, row): (Rank, &Row<f64, RANKS>)| -> f64 {
            Upcard::all::<RANKS>().zip(row).map(|(u, value)| wagers(first, u) * value).sum()
        };
        Rank::ALL.into_iter().zip(&net).map(of_row).sum()
    })
}

/// Returns the value of Switch from each shoe, with the switches that are best for the full shoe.
fn switch(table: &Table<'_>, shoes: &[Shoe]) -> Vec<f64> {
    let dealer = table.dealer::<f64, RANKS>();
    let (twos, none) = (twos(), [0; RANKS]);
    let hands = (&twos[..], &none);
    let (whole, plays) =
        Switch::solve_with(table, &dealer, &table.shoe(), (hands, (BEST, threads())), |solved| {
            Fixed::of(solved)
        });
    let beside = twos.iter().copied().zip(plays).filter_map(|(other, play)| Some((other, play?)));
    let play = FixedBeside(beside.collect());
    let value = |shoe: &Shoe| {
        let found = Switch::solve_hands(table, &dealer, shoe, hands, (PlayChoice::Given(&play), threads()));
        let mut value = 0.0;
        found.each_deal(|chance, decision, five @ (first, second, up)| {
            let switches = whole.decision(first, second, up).is_some_and(|best| whole.switches(&best, five));
            value += chance * if switches { decision.switch } else { decision.keep };
        });
        value / 2.0
    };
    shoes.iter().map(value).collect()
}

//! The arguments of `cutcard ramp` about the player: back-counting, hands, estimates, trips and dollars.

use documents::Failure;
use documents::by_count::boxes::covariance;
use documents::by_count::reading::{BackCounting, DeckReading};
use documents::ramp::BestRamp;
use documents::seat::Seat;
use documents::subject::Subject;
use std::fmt::Write as _;

#[derive(clap::Args)]
pub struct SeatArgs {
    /// Back-count the table, and start playing at this count.
    #[arg(long, value_name = "COUNT", allow_hyphen_values = true)]
    enter: Option<i32>,
    /// Stop playing again below this count (default: the count of --enter).
    #[arg(long, value_name = "COUNT", allow_hyphen_values = true, requires = "enter")]
    leave: Option<i32>,
    /// Hands to play by count, up to 6: 1:1,3:2. The bets of the ramp are for each hand.
    #[arg(long, value_name = "COUNT:HANDS,...", allow_hyphen_values = true, value_parser = hands)]
    hands: Option<Hands>,
    /// Standard deviation of the player's estimate of the decks left, in decks.
    #[arg(long, value_name = "DECKS")]
    deck_error: Option<f64>,
    /// Fraction of a deck to which the player rounds the decks left, such as 0.5.
    #[arg(long, value_name = "DECKS")]
    deck_nearest: Option<f64>,
    /// Rounds of a trip: shows its risk of ruin.
    #[arg(long, value_parser = crate::simulate::count)]
    trip: Option<u64>,
    /// Bankroll in dollars: shows the size of a unit for several risks of ruin.
    #[arg(long, value_name = "DOLLARS")]
    dollars: Option<f64>,
}

/// The number of hands that the player plays at each count, as pairs of a count and a number of hands.
///
/// The pairs are sorted, lowest count first. Each pair applies from its count up to the count of the next pair.
#[derive(Clone)]
pub struct Hands(Vec<(i32, u8)>);

fn hands(text: &str) -> Result<Hands, String> {
    let wrong = || {
        format!(
            "invalid hands `{text}`; expected COUNT:HANDS pairs in ascending order of count, with 1 to 6 \
             hands each, for example 1:1,3:2"
        )
    };
    let one = |part: &str| {
        let (count, hands) = part.split_once(':')?;
        let hands = hands.trim().parse().ok().filter(|hands| (1..=6).contains(hands))?;
        Some((count.trim().parse().ok()?, hands))
    };
    let all: Option<Vec<(i32, u8)>> = text.split(',').map(one).collect();
    let all = all.filter(|all| all.windows(2).all(|two| two[0].0 < two[1].0)).ok_or_else(wrong)?;
    Ok(Hands(all))
}

fn positive(flag: &str, value: Option<f64>) -> Result<Option<f64>, Failure> {
    match value {
        Some(value) if !(value > 0.0 && value.is_finite()) => {
            Err(Failure::NotUnderstood(format!("--{flag} must be greater than 0")))
        }
        value => Ok(value),
    }
}

impl SeatArgs {
    /// Returns the counts at which a back-counting player starts and stops playing.
    ///
    /// Returns `None` if the player plays every round, and an error if the count for stopping is above the
    /// count for starting.
    pub fn back_counting(&self) -> Result<Option<BackCounting>, Failure> {
        let Some(enter) = self.enter else { return Ok(None) };
        let leave = self.leave.unwrap_or(enter);
        if leave > enter {
            return Err(Failure::NotUnderstood("--leave must not be above --enter".into()));
        }
        Ok(Some(BackCounting { enter, leave }))
    }

    /// Returns how the player plays, apart from bet sizes: hands, estimates of the decks left, trip and dollars.
    ///
    /// Returns an error if `--deck-error`, `--deck-nearest` or `--dollars` is not positive.
    pub fn seat(&self, table: &Subject) -> Result<Seat, Failure> {
        let hands = self.hands.clone().map_or_else(Vec::new, |hands| hands.0);
        let several = hands.iter().any(|(_, hands)| *hands > 1);
        let reading = DeckReading {
            error: positive("deck-error", self.deck_error)?.unwrap_or_default(),
            nearest: positive("deck-nearest", self.deck_nearest)?,
        };
        Ok(Seat {
            reading,
            covariance: if several { Some(covariance(table)?) } else { None },
            hands,
            trip: self.trip.map(|rounds| rounds as f64),
            dollars: positive("dollars", self.dollars)?,
        })
    }
}

/// Formats the win rate and the risks of a ramp as text.
pub fn prospects_for_people(told: &BestRamp) -> String {
    let mut text = String::new();
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<32}{value}");
    };
    let all = &told.prospects;
    row("certainty equivalent per 100", format!("{:.4}", all.certainty_equivalent_100));
    if let Some(of) = &all.watched {
        row("fraction of seen rounds played", format!("{:.2} %", 100.0 * of.played));
        row(
            "win per 100 rounds seen",
            format!(
                "{:.4}, standard deviation {:.2}, SCORE {:.2}",
                of.win_per_100_seen, of.std_dev_100_seen, of.score_seen
            ),
        );
    }
    if let Some(covariance) = told.hands_covariance {
        row("covariance of two hands", format!("{covariance:.4}"));
    }
    if let Some(of) = &all.trip {
        row(
            &format!("a trip of {:.0} rounds", of.rounds),
            format!(
                "wins {:.2}, standard deviation {:.2}, risk of ruin {:.4} %",
                of.win,
                of.std_dev,
                100.0 * of.risk_of_ruin
            ),
        );
    }
    for unit in &all.unit_for_risk {
        let dollars = unit.dollars.map_or_else(String::new, |d| format!(", a unit of ${d:.2}"));
        row(
            &format!("for a risk of ruin of {:.1} %", 100.0 * unit.risk),
            format!("{:.0} units{dollars}", unit.bankroll),
        );
    }
    text
}

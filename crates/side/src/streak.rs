//! Computes the streak bet (2.22) from the probabilities that a round is won, lost, or neither.

use crate::prize::paytable_name;
use crate::report::{SideOutcome, SideReport};
use rules::wager::{
    Pays,
    streak::{self, Effect},
};
use rules::{Choices, SideBet};

/// The probabilities that one round advances a streak, loses it, or leaves it unchanged (2.22(d) to (h)).
///
/// The hands of a split count together as one result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rounds {
    /// The probability that the streak advances.
    pub won: f64,
    /// The probability that the streak bet loses; a surrendered hand counts as a loss (Q22).
    pub lost: f64,
    /// The probability that the streak is unchanged.
    pub pushed: f64,
}

impl Rounds {
    pub(crate) const NONE: Rounds = Rounds { won: 0.0, lost: 0.0, pushed: 0.0 };

    pub(crate) fn add(&mut self, effect: Effect, chance: f64) {
        match effect {
            Effect::Advances => self.won += chance,
            Effect::Loses => self.lost += chance,
            Effect::Holds => self.pushed += chance,
        }
    }

    pub(crate) fn add_all(&mut self, chance: f64, other: Rounds) {
        self.won += chance * other.won;
        self.lost += chance * other.lost;
        self.pushed += chance * other.pushed;
    }

    /// Returns the probability that a round is won, given that the round is not a push.
    pub fn decided_won(self) -> f64 {
        self.won / (self.won + self.lost)
    }
}

/// Returns the report on a streak bet (2.22(j)), or `None` if the table pays no streak of this length.
///
/// Rounds are assumed to be independent, each from a fresh shoe. A push counts as if the round had not been
/// played, so the probability of a streak of k rounds is the k-th power of [`Rounds::decided_won`].
pub fn streak(choices: &Choices, bet: SideBet, rounds: Rounds) -> Option<SideReport> {
    let hands = bet.streak()?;
    let line = streak::line(choices, hands)?;
    let Pays::Odds(odds) = line.pays else { return None };
    let (chance, net) = (rounds.decided_won().powi(i32::from(hands)), odds.as_f64());
    let house_edge = 1.0 - chance * (net + 1.0);
    let variance = chance * net * net + (1.0 - chance) - house_edge * house_edge;
    Some(SideReport {
        bet,
        paytable: paytable_name(choices, bet.wager()),
        stake: None,
        house_edge,
        exact_edge: None,
        variance,
        std_dev: variance.max(0.0).sqrt(),
        outcomes: vec![SideOutcome {
            outcome: line.hand.to_string(),
            probability: chance,
            exact: None,
            pays: odds.to_string(),
            net,
            by: line.by,
        }],
        loses: 1.0 - chance,
        exact_loses: None,
        break_even: None,
        variants: Vec::new(),
        notes: notes(choices, hands, rounds),
    })
}

fn notes(choices: &Choices, hands: u8, rounds: Rounds) -> Vec<String> {
    let p = rounds.decided_won();
    // a streak takes 1 + p + ... + p^(k-1) decided rounds on average
    let decided: f64 = (0..hands).map(|n| p.powi(i32::from(n))).sum();
    vec![
        "rounds are assumed to be independent, each from a fresh shoe, and no player leaves during a streak \
            (19:47-2.22(f))"
            .to_string(),
        format!(
            "a round is won with probability {:.6}, lost with {:.6} and neither with {:.6}; split hands count by \
                ruling streak_splits={}",
            rounds.won,
            rounds.lost,
            rounds.pushed,
            choices.rulings.streak_splits.word()
        ),
        "splits to four hands are approximated from splits to three hands; the error is about 1e-11 per round with \
            eight decks, 1e-9 with one or two"
            .to_string(),
        format!(
            "the bet is decided after {:.3} rounds on average",
            decided / (1.0 - rounds.pushed)
        ),
    ]
}

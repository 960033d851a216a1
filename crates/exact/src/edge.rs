//! The report on a table: house edge, spread, bets, frequencies, insurance, and the value of each option.

use crate::dealers::Dealers;
use crate::ev::insurance_value;
use crate::figures::Figures;
use crate::game::{Strategy, figures_at, value_at};
use crate::table::{Attacked, Table};
use rules::choice::BonusPayouts;
use rules::ruling::RULINGS;
use rules::text::Form;
use rules::{Card, Choices, HoleCard, Offered, Rank, Rules, Soft17, Suit};
use std::time::Instant;

/// The house edge and the other figures of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeReport {
    /// Expected net of a round, in units of the initial required bets.
    pub ev: f64,
    /// The house edge, equal to `-ev`.
    pub house_edge: f64,
    /// The standard deviation of the net, in units of the initial required bets.
    pub std_dev: f64,
    /// What the standard deviation refers to: `one wager` if each bet has its own dealer hand, otherwise `a
    /// round`.
    pub std_dev_of: &'static str,
    /// The square of the standard deviation.
    pub variance: f64,
    /// The house edge as a fraction of the average total bet.
    pub element_of_risk: f64,
    /// The average total bet, in units of the initial required bets.
    pub staked: f64,
    /// Expected numbers of hands per round, by ending such as `won`.
    ///
    /// Hands that are `busted` are also counted as `lost`.
    pub outcomes: Vec<(&'static str, f64)>,
    /// Fractions of rounds in which the player takes each optional action, such as `switched`.
    pub shares: Vec<(&'static str, f64)>,
    /// The name of the evaluated strategy, such as `total-dependent`.
    pub strategy: &'static str,
    /// The value of insurance bets from a full shoe, or `None` if the table does not offer insurance.
    pub insurance: Option<Insurance>,
    /// The part of `ev` that comes from insurance, or zero if the chart declines insurance.
    ///
    /// The variance and the bets exclude insurance.
    pub insured: f64,
    /// The seconds to solve the game, without the time for the variance of split hands.
    pub seconds: f64,
    /// Additional seconds to compute the variance of split hands.
    pub spread_seconds: f64,
}

/// The value of insurance from a full shoe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Insurance {
    /// The house edge of one unit of insurance if the player knows only the dealer's ace.
    pub house_edge: f64,
    /// The highest possible EV of one unit of insurance, reached if none of the player's cards is ten-value.
    pub best_value: f64,
}

impl Insurance {
    /// Returns whether a player with the best strategy ever takes insurance.
    ///
    /// From the full shoe of a legal table, the best strategy never takes it.
    pub fn is_ever_taken(&self) -> bool {
        self.best_value > 0.0
    }
}

/// Returns the house edge and the other figures of a table under a strategy, dealt from a full shoe.
pub fn edge(choices: &Choices, strategy: &Strategy) -> EdgeReport {
    edge_at(&Table::new(choices, Attacked::No), strategy)
}

/// Returns the house edge and the other figures of a table under a strategy, dealt from the table's shoe.
pub fn edge_at(table: &Table<'_>, strategy: &Strategy) -> EdgeReport {
    let (started, choices) = (Instant::now(), table.choices());
    let figures = figures_at(table, strategy);
    let Figures { ev, variance, staked, outcomes, shares, insured, spread_took } = figures;
    let seconds = started.elapsed().saturating_sub(spread_took).as_secs_f64();
    EdgeReport {
        ev,
        house_edge: -ev,
        std_dev: variance.max(0.0).sqrt(),
        std_dev_of: if choices.dealer_hands() > 1 { "one wager" } else { "a round" },
        variance,
        element_of_risk: if staked > 0.0 { -ev / staked } else { 0.0 },
        staked,
        outcomes,
        shares,
        strategy: strategy.name(),
        insurance: insurance(choices),
        insured,
        seconds,
        spread_seconds: spread_took.as_secs_f64(),
    }
}

/// Returns the value of insurance from a full shoe, or `None` if the table does not offer insurance.
pub fn insurance(choices: &Choices) -> Option<Insurance> {
    if choices.hole_card == HoleCard::Up {
        return None;
    }
    let ace = Card::new(Rank::Ace, Suit::Spades);
    let mut left: Vec<(Card, u16)> = choices.deck().cards().map(|c| (c, u16::from(choices.decks))).collect();
    let mut take = |card: Card| {
        if let Some((_, n)) = left.iter_mut().find(|(c, n)| *c == card && *n > 0) {
            *n -= 1;
        }
        insurance_value(choices, ace, &left)
    };
    let house_edge = -take(ace);
    let hands = choices.hands_per_box();
    let best_value =
        (0..2 * hands).map(|_| take(Card::new(Rank::Two, Suit::Clubs))).last().unwrap_or(-house_edge);
    Some(Insurance { house_edge, best_value })
}

/// The effect of a change to one option of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The option's key in the table file, such as `decks`.
    pub key: String,
    /// The changed value of the option, as in the table file.
    pub value: String,
    /// The house edge of the changed table.
    pub house_edge: f64,
    /// The change in the house edge compared with the table as configured.
    pub change: f64,
}

/// Returns the effect on the house edge of every legal change to a single option.
///
/// Changes that leave the house edge the same are left out.
pub fn effects(choices: &Choices, strategy: &Strategy) -> Vec<Effect> {
    effects_with_progress(choices, strategy, &mut |_, _| ())
}

/// Returns the same effects as [`effects`], with progress reports for games that take long to solve.
///
/// `on_progress` gets the number of tables begun and the total number of tables.
pub fn effects_with_progress(
    choices: &Choices,
    strategy: &Strategy,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Vec<Effect> {
    let all = changed(choices);
    let dealers = Dealers::default();
    let value = |choices: &Choices| -> f64 {
        value_at(&Table::new(choices, Attacked::No).sharing(&dealers), strategy)
    };
    let stands = -value(choices);
    let mut effects = Vec::new();
    let many = all.len() + 1;
    for (done, (key, word, changed)) in all.into_iter().enumerate() {
        on_progress(done + 1, many);
        let house_edge = -value(&changed);
        if house_edge != stands {
            effects.push(Effect { key, value: word, house_edge, change: house_edge - stands });
        }
    }
    effects
}

/// Returns the legal tables that differ from `choices` in one option.
///
/// Each table comes with the key of that option and its new value.
pub fn changed(choices: &Choices) -> Vec<(String, String, Choices)> {
    let lawful = |changed: &Choices| changed != choices && Rules::new(changed.clone()).is_ok();
    changes(choices).into_iter().filter(|(_, _, changed)| lawful(changed)).collect()
}

/// Returns a copy of the table for every value of every option, legal or not, with the option's key and value.
fn changes(choices: &Choices) -> Vec<(String, String, Choices)> {
    let mut all: Vec<(String, String, Choices)> = Vec::new();
    let mut add = |key: &str, word: &str, change: &dyn Fn(&mut Choices)| {
        let mut changed = choices.clone();
        change(&mut changed);
        all.push((key.to_string(), word.to_string(), changed));
    };
    for decks in [1, 2, 4, 6, 8] {
        add("decks", &decks.to_string(), &|c| c.decks = decks);
    }
    for &soft_17 in Soft17::ALL {
        add("soft_17", soft_17.word(), &|c| c.soft_17 = soft_17);
    }
    for &hole in HoleCard::ALL {
        // A face-up hole card allows one split only.
        add("hole_card", hole.word(), &|c| {
            c.hole_card = hole;
            if hole == HoleCard::Up {
                c.split_hands = 2;
            }
        });
    }
    for hands in 2..=4 {
        add("split_hands", &hands.to_string(), &|c| c.split_hands = hands);
    }
    for (word, offered) in [("false", Offered::No), ("true", Offered::Yes)] {
        add("surrender", word, &|c| c.surrender = offered);
        add("resplit_aces", word, &|c| c.resplit_aces = offered);
        add("double_after_split", word, &|c| c.double_after_split = offered);
        add("even_money", word, &|c| c.even_money = offered);
    }
    if choices.text().form() == Form::OneHand {
        type Set = fn(&mut BonusPayouts);
        let payouts: [(&str, Set); 4] = [
            ("suited-678", |b| b.suited_678 = Offered::Yes),
            ("three-sevens", |b| b.three_sevens = Offered::Yes),
            ("five-card-21", |b| b.five_card_21 = Offered::Yes),
            ("blackjack:As Ks", |b| {
                b.blackjacks =
                    vec![[Card::new(Rank::Ace, Suit::Spades), Card::new(Rank::King, Suit::Spades)]];
            }),
        ];
        for (word, set) in payouts {
            add("bonus_payouts", word, &|c| set(&mut c.bonus_payouts));
        }
    }
    for ruling in RULINGS {
        for word in ruling.readings {
            add(&format!("rulings.{}", ruling.key), word, &|c| {
                // The readings come from the ruling itself, so setting one cannot fail.
                let _ = c.rulings.set(ruling.key, word);
            });
        }
    }
    all
}

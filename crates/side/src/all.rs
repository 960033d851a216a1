//! Every side wager of a table at once.

use crate::bonus::blackjack_bonus;
use crate::prize::{paytable_name, prizes};
use crate::progressive::progressive;
use crate::report::{SideReport, write_up};
use crate::rounds::{pair_of_sevens, rounds};
use crate::sevens::{SevensPlay, sevens};
use crate::streak::{Rounds, streaks};
use crate::twenty_point::twenty_point;
use rules::{Cents, Choices, Rules, Shoe, SideBet, SideWager};

/// What some side wagers need to know of the main game as it is played.
#[derive(Clone, Copy, Default)]
pub struct MainGame<'a> {
    /// For the streak.
    pub rounds: Option<Rounds>,
    /// For the third card of the sevens wager as it is played.
    pub sevens: Option<&'a SevensPlay<'a>>,
}

/// The exact odds of every bet that the table offers, in the order of the regulation; over and under 13, each streak and
/// each denomination of the blackjack bonus apart. The main game is solved where a streak or a sevens wager needs it.
pub fn side_wagers(rules: &Rules) -> Vec<SideReport> {
    let rounds = rules.offer(SideWager::Streak).and_then(|_| rounds(rules));
    let sevens = rules.offer(SideWager::Sevens).and_then(|_| pair_of_sevens(rules));
    let play = sevens.map(|sevens| move |dealer: &[rules::Card]| sevens.against(dealer));
    let main = MainGame { rounds, sevens: play.as_ref().map(|play| play as &SevensPlay<'_>) };
    side_wagers_beside(rules, &main)
}

/// The same beside a main game that is known already. Streaks appear if it tells how rounds end.
pub fn side_wagers_beside(rules: &Rules, main: &MainGame<'_>) -> Vec<SideReport> {
    let choices = rules.choices();
    let mut reports = Vec::new();
    for &wager in choices.side_wagers.keys() {
        let found = of_wager(choices, wager, main);
        reports.extend(found.into_iter().map(|report| with_shoe_note(choices, report)));
    }
    reports
}

fn of_wager(choices: &Choices, wager: SideWager, main: &MainGame<'_>) -> Vec<SideReport> {
    match wager {
        SideWager::Sevens => sevens(choices, main.sevens).into_iter().collect(),
        SideWager::Progressive => progressive(choices).into_iter().collect(),
        SideWager::BlackjackBonus => blackjack_bonus(choices),
        SideWager::Streak => main.rounds.map_or_else(Vec::new, |rounds| streaks(choices, rounds)),
        SideWager::TwentyPoint => twenty_point(choices).into_iter().collect(),
        SideWager::OverUnder13
        | SideWager::SameSuit
        | SideWager::MatchTheDealer
        | SideWager::DealerBust
        | SideWager::Match
        | SideWager::SuitedRoyals
        | SideWager::TripleMatch => wager.bets().map(|bet| plain(choices, bet)).collect(),
    }
}

/// A bet that needs nothing but its pay table.
fn plain(choices: &Choices, bet: SideBet) -> SideReport {
    let found = prizes(choices, bet, Cents::ZERO);
    let mut report = write_up(bet, paytable_name(choices, bet.wager()), &found);
    if bet == SideBet::DealerBust {
        report.notes.push(
            "the dealer's cards are as likely to be any cards of the shoe as the first three; the third is dealt whenever \
             two count below 17 (19:47-2.25(d)#4, 19:47-26.12(c))"
                .to_string(),
        );
    }
    report
}

/// 2.6(d)1: the determinant card of a double shoe becomes box 1's first card only if its suit stands for that side.
fn with_shoe_note(choices: &Choices, mut report: SideReport) -> SideReport {
    if choices.shoe == Shoe::Double {
        report.notes.push(
            "in a double shoe the first card of the first box is not free of its suit (19:47-2.6(d)2); the figures hold for \
             the other boxes, and for the first with the side drawn from chosen evenly"
                .to_string(),
        );
    }
    report
}

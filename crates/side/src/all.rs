//! Computes the exact odds of every side bet of a table.

use crate::bonus::blackjack_bonus;
use crate::dealt::Dealt;
use crate::prize::{paytable_name, prizes};
use crate::progressive::progressive;
use crate::report::{SideReport, side_report};
use crate::rounds::{pair_of_sevens, rounds};
use crate::sevens::{SevensPlay, sevens};
use crate::streak::{Rounds, streak};
use crate::twenty_point::twenty_point;
use rules::wager::{Prize, Sees};
use rules::{Cents, Choices, Shoe, SideBet, SideWager};

/// The results of the main game that the odds of some side bets depend on.
#[derive(Clone, Copy, Default)]
pub struct MainGame<'a> {
    /// The probabilities that a round is won, lost or pushed, which the streak bets need. `None` leaves out the
    /// streak bets.
    pub rounds: Option<Rounds>,
    /// The player's action on a pair of sevens, or `None` to omit the variant that uses this action.
    ///
    /// The action decides whether the pair gets the third card, on which the sevens bet depends.
    pub sevens: Option<&'a SevensPlay<'a>>,
}

/// Returns the exact odds of the table's side bets, in the order of the regulation.
///
/// Over and under 13, each streak and each denomination of the blackjack bonus have separate reports. Solves the
/// main game if a streak or a sevens bet needs it.
pub fn side_wagers(choices: &Choices) -> Vec<SideReport> {
    let rounds = if choices.has_streaks() { rounds(choices) } else { None };
    let has_sevens = choices.side_bets().any(|bet| bet.sees() == Sees::Sevens);
    let sevens = if has_sevens { pair_of_sevens(choices) } else { None };
    let play = sevens.map(|sevens| move |dealer: &[rules::Card]| sevens.against(dealer));
    let main = MainGame { rounds, sevens: play.as_ref().map(|play| play as &SevensPlay<'_>) };
    side_wagers_with(choices, &main)
}

/// Returns the exact odds of the table's side bets, given the results of a solved main game.
///
/// Leaves out the streak bets if `main.rounds` is `None`.
pub fn side_wagers_with(choices: &Choices, main: &MainGame<'_>) -> Vec<SideReport> {
    reports(&Dealt::fresh(choices), main)
}

fn reports(dealt: &Dealt<'_>, main: &MainGame<'_>) -> Vec<SideReport> {
    let mut reports = Vec::new();
    for &wager in dealt.side_wagers.keys() {
        let found = of_wager(dealt, wager, main);
        reports.extend(found.into_iter().map(|report| with_shoe_note(dealt, report)));
    }
    reports
}

/// Returns the exact odds of the side bets on the next round, which is dealt from the cards left in the shoe.
///
/// Leaves out variants that need the main game. Also leaves out streak bets, because the later rounds of a streak
/// are dealt from other cards.
pub fn side_wagers_from(dealt: &Dealt<'_>) -> Vec<SideReport> {
    reports(dealt, &MainGame::default())
}

/// Returns whether a bet's odds depend only on card values, and not on suits or on the ranks of ten-value cards.
pub fn goes_by_values(bet: SideBet) -> bool {
    bet.kind().by_values
}

fn of_wager(choices: &Dealt<'_>, wager: SideWager, main: &MainGame<'_>) -> Vec<SideReport> {
    let kind = wager.kind();
    let of_bet = |bet: SideBet| match (kind.prize, bet.sees()) {
        (Prize::Meter, _) => progressive(choices, bet).into_iter().collect(),
        (Prize::Button, _) => blackjack_bonus(choices),
        (Prize::Odds, Sees::Sevens) => vec![sevens(choices, bet, main.sevens)],
        (Prize::Odds, Sees::Streak(_)) => {
            main.rounds.and_then(|rounds| streak(choices, bet, rounds)).into_iter().collect()
        }
        (Prize::Odds, Sees::TwoAndBlackjack) => vec![twenty_point(choices, bet)],
        (Prize::Odds, _) => vec![plain(choices, bet)],
    };
    wager.bets().flat_map(of_bet).collect()
}

/// Returns the report on a side bet whose odds depend only on its paytable and the cards left in the shoe.
fn plain(choices: &Dealt<'_>, bet: SideBet) -> SideReport {
    let found = prizes(choices, bet, Cents::ZERO);
    let mut report = side_report(bet, paytable_name(choices, bet.wager()), &found);
    if bet.sees() == Sees::DealerThree {
        report.notes.push(
            "the dealer's cards are equally likely to be any cards of the shoe, like the first three; the third is \
                dealt whenever the first two total less than 17 (19:47-2.25(d)#4, 19:47-26.12(c))"
                .to_string(),
        );
    }
    report
}

/// Adds a note to the report on a side bet if the table deals from a double shoe (2.6(d)2).
///
/// In a double shoe, the determinant card becomes the first card of box 1 only if its suit stands for the side of
/// the shoe that dealt it.
fn with_shoe_note(choices: &Choices, mut report: SideReport) -> SideReport {
    if choices.shoe == Shoe::Double {
        report.notes.push(
            "in a double shoe, the suit of the first box's first card depends on the side (19:47-2.6(d)2); the \
                figures are exact for the other boxes, and for the first box if both sides are equally likely"
                .to_string(),
        );
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::view;
    use rules::Card;
    use rules::preset::preset;

    /// Any two cards reach the same paytable line as any other two cards of the same values.
    #[test]
    fn bets_that_go_by_values_do_not_look_at_suits_or_faces() {
        let choices = preset("nj-blackjack").unwrap();
        let all: Vec<Card> = (0..52).filter_map(Card::from_index).collect();
        let alike = |a: Card, b: Card| a.value() == b.value();
        let first = |card: Card| *all.iter().find(|other| alike(**other, card)).unwrap();
        for bet in [SideBet::Over13, SideBet::Under13, SideBet::BlackjackBonus] {
            assert!(goes_by_values(bet));
            let line = |two: [Card; 2]| bet.line(&choices, &view(&two, &[]));
            for &a in &all {
                for &b in &all {
                    assert_eq!(line([a, b]), line([first(a), first(b)]), "{a} {b}");
                }
            }
        }
    }
}

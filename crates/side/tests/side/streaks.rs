//! Streaks from given chances of a round.

use crate::choices;
use rules::Rules;
use side::{MainGame, Rounds, side_wagers};

/// Proves 19:47-2.22(d)1, 19:47-2.22(d)2#3, 19:47-2.22(d)3#3, 19:47-2.22(d)4#3, 19:47-2.22(e), 19:47-2.22(g),
/// 19:47-2.22(j) "Two consecutive winning hands", 19:47-2.22(j) "Three consecutive winning hands",
/// 19:47-2.22(j) "Four consecutive winning hands", 19:47-2.22(j) "Five consecutive winning hands".
#[test]
fn streaks_of_two_to_five() {
    let rules = Rules::new(choices("nj-blackjack", &["side_wagers.streak.minimum=1"])).unwrap();
    let main = MainGame {
        rounds: Some(Rounds {
            won: 0.45,
            lost: 0.45,
            pushed: 0.1,
        }),
        ..MainGame::default()
    };
    let found = side_wagers(&rules, &main);
    let names: Vec<&str> = found.iter().map(|report| report.wager()).collect();
    assert_eq!(names, ["streak-2", "streak-3", "streak-4", "streak-5"]);
    // 3, 7, 17 and 37 to 1 on 1/4, 1/8, 1/16 and 1/32
    let edges: Vec<f64> = found.iter().map(|report| report.house_edge).collect();
    for (edge, expected) in edges.into_iter().zip([0.0, 0.0, -2.0 / 16.0, -6.0 / 32.0]) {
        assert!((edge - expected).abs() < 1e-15);
    }
    assert!(side_wagers(&rules, &MainGame::default()).is_empty());
}

/// Playing rounds one by one, pushes included, ends as the power says.
#[test]
fn a_push_is_as_if_the_round_had_not_been() {
    let (won, lost): (f64, f64) = (0.43, 0.48);
    // chance[k] that k more wins come before a loss, from the recursion chance = won * next + pushed * chance
    let mut chance = 1.0;
    for _ in 0..5 {
        let pushed = 1.0 - won - lost;
        chance = won * chance / (1.0 - pushed);
    }
    let power = Rounds {
        won,
        lost,
        pushed: 1.0 - won - lost,
    }
    .decided_won()
    .powi(5);
    assert!((chance - power).abs() < 1e-15);
}

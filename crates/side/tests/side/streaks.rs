//! Tests streaks from given probabilities of a round.

use crate::choices;
use rules::Rules;
use side::{MainGame, Rounds, rounds, side_wagers, side_wagers_with};

/// Proves 19:47-2.22(j) "Two consecutive winning hands", 19:47-2.22(j) "Three consecutive winning hands",
/// 19:47-2.22(j) "Four consecutive winning hands", 19:47-2.22(j) "Five consecutive winning hands".
#[test]
fn streaks_of_two_to_five() {
    let rules = Rules::new(choices("nj-blackjack", &["side_wagers.streak.minimum=1"])).unwrap();
    let main =
        MainGame { rounds: Some(Rounds { won: 0.45, lost: 0.45, pushed: 0.1 }), ..MainGame::default() };
    let found = side_wagers_with(&rules, &main);
    let names: Vec<&str> = found.iter().map(|report| report.wager()).collect();
    assert_eq!(names, ["streak-2", "streak-3", "streak-4", "streak-5"]);
    // 3, 7, 17 and 37 to 1 on 1/4, 1/8, 1/16 and 1/32
    let edges: Vec<f64> = found.iter().map(|report| report.house_edge).collect();
    for (edge, expected) in edges.into_iter().zip([0.0, 0.0, -2.0 / 16.0, -6.0 / 32.0]) {
        assert!((edge - expected).abs() < 1e-15);
    }
    assert!(side_wagers_with(&rules, &MainGame::default()).is_empty());
}

/// Playing rounds one by one, including pushes, gives the k-th power.
#[test]
fn a_push_is_as_if_the_round_had_not_been() {
    let (won, lost): (f64, f64) = (0.43, 0.48);
    // the chance that k more wins come before a loss, from the recursion chance = won * next + pushed * chance
    let mut chance = 1.0;
    for _ in 0..5 {
        let pushed = 1.0 - won - lost;
        chance = won * chance / (1.0 - pushed);
    }
    let power = Rounds { won, lost, pushed: 1.0 - won - lost }.decided_won().powi(5);
    assert!((chance - power).abs() < 1e-15);
}

/// Proves 19:47-2.22(h).
#[test]
fn rounds_of_the_best_played_game() {
    let found = |settings: &[&str]| rounds::rounds(&choices("nj-six-to-five", settings)).unwrap();
    let compare = found(&[]);
    let majority = found(&["rulings.streak_splits=majority"]);
    // a hand won and a hand pushed advance a streak by comparison, but are not a majority
    assert!(majority.won < compare.won && majority.lost > compare.lost);
    assert!((majority.won + majority.lost + majority.pushed - 1.0).abs() < 1e-12);
    assert!((compare.won + compare.lost + compare.pushed - 1.0).abs() < 1e-12);
    let rules = Rules::new(choices("nj-six-to-five", &["side_wagers.streak.minimum=5"])).unwrap();
    let reports = side_wagers(&rules);
    let two = compare.decided_won().powi(2);
    assert_eq!(reports[0].outcomes[0].probability, two);
    assert!((reports[0].house_edge - (1.0 - 4.0 * two)).abs() < 1e-15);
}

/// A reader changes how rounds end by less than 0.001, because the cards of a round do not depend on when the dealer's
/// second card is dealt.
#[test]
fn a_reader_changes_no_result_of_a_round() {
    let found = |preset| rounds::rounds(&choices(preset, &["decks=1"])).unwrap();
    let (none, reader) = (found("nj-blackjack"), found("nj-blackjack-reader"));
    assert!((none.won - reader.won).abs() < 1e-3 && (none.lost - reader.lost).abs() < 1e-3);
    assert!((none.won + none.lost + none.pushed - 1.0).abs() < 1e-12);
    assert!(rounds::rounds(&choices("nj-switch", &[])).is_none());
}

#[test]
fn sevens_as_the_main_game_is_best_played() {
    let rules = Rules::new(choices("nj-blackjack", &["decks=6", "side_wagers.sevens.minimum=1"])).unwrap();
    let found = side_wagers(&rules).remove(0);
    let played = found.variants.last().unwrap();
    assert!(played.assuming.contains("best play"));
    let never = found
        .variants
        .iter()
        .find(|variant| variant.assuming.starts_with("the player takes no third card"))
        .unwrap();
    assert!(played.house_edge > found.house_edge && played.house_edge < never.house_edge);
}

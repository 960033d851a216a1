//! Which text governs, and what it offers.

use crate::table;
use rules::text::{TEXTS, find};
use rules::{SideBet, SideWager, lawful};

#[test]
fn the_text_of_a_game_where_it_is_played() {
    let name = |game: &str, jurisdiction: &str| find(&TEXTS, game, jurisdiction).map(|text| text.name);
    assert_eq!(name("switch", "nj"), Some("nj-switch"));
    assert_eq!(name("switch", "ma"), Some("ma-switch"));
    assert_eq!(name("blackjack", "ma"), Some("nj-blackjack"), "the first text of the game");
    assert_eq!(name("poker", "nj"), None);
}

#[test]
fn a_text_governs_its_own_clauses() {
    for text in TEXTS {
        for other in TEXTS {
            assert_eq!(
                text.governs(other.wagers.required),
                text.name == other.name,
                "{} {}",
                text.name,
                other.name
            );
        }
    }
}

#[test]
fn the_bets_of_a_side_wager_are_its_own() {
    let bets = |wager: SideWager| wager.bets().collect::<Vec<_>>();
    assert_eq!(bets(SideWager::OverUnder13), [SideBet::Over13, SideBet::Under13]);
    assert_eq!(
        bets(SideWager::Streak),
        [SideBet::Streak2, SideBet::Streak3, SideBet::Streak4, SideBet::Streak5]
    );
    assert_eq!(bets(SideWager::Match), [SideBet::Match]);
    assert_eq!(SideWager::ALL.iter().map(|&wager| bets(wager).len()).sum::<usize>(), SideBet::ALL.len());
}

/// A cut card closer to the end than the text allows, or no cut card at all, needs an approval.
/// Proves 19:47-2.5(k).
#[test]
fn the_cutting_card_lies_where_an_approval_has_it() {
    let by = |sets: &[&str]| {
        let report = lawful::check(&table("nj-blackjack", sets));
        report.violations.iter().map(|finding| finding.clause.id()).collect::<Vec<_>>()
    };
    assert_eq!(by(&["cut_behind=0.1"]), ["19:47-2.5(d)#3"]);
    for own in ["cutting-card-placement", "no-cutting-card"] {
        let own = format!("own_procedures=[\"{own}\"]");
        assert_eq!(by(&["cut_behind=0.1", &own, "approval=R-1"]), [""; 0], "{own}");
        assert_eq!(by(&["cut_behind=0.1", &own]), ["19:47-2.5(k)"], "{own}");
    }
    assert_eq!(by(&["cut_behind=0.1", "own_procedures=[\"no-burn\"]", "approval=R-1"]), ["19:47-2.5(d)#3"]);
}

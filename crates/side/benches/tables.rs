//! Times the side bets of each table: all of them should take at most 50 ms, and the streaks at most 1 s.

use rules::{Choices, Rules, SideWager, preset::preset};
use side::{MainGame, side_wagers, side_wagers_with};
use std::time::Instant;

fn main() {
    let tables: [(&str, u8, &[SideWager]); 8] = [
        ("nj-blackjack", 8, &[SideWager::OverUnder13, SideWager::MatchTheDealer]),
        ("nj-blackjack", 8, &[SideWager::SameSuit, SideWager::BlackjackBonus]),
        ("nj-blackjack", 8, &[SideWager::Sevens, SideWager::DealerBust]),
        ("nj-blackjack", 8, &[SideWager::Progressive, SideWager::MatchTheDealer]),
        ("nj-blackjack-reader", 8, &[SideWager::TwentyPoint, SideWager::Sevens, SideWager::MatchTheDealer]),
        ("nj-switch", 8, &[]),
        ("nj-double-attack", 8, &[]),
        ("nj-triple-attack", 8, &[]),
    ];
    for (name, decks, wagers) in tables {
        let mut choices = Choices { decks, ..preset(name).expect("a preset") };
        for &wager in wagers {
            choices.side_wagers.insert(wager, rules::choice::SideOffer::of(wager));
        }
        let rules = Rules::new(choices).expect("a legal table");
        let start = Instant::now();
        let reports = side_wagers_with(&rules, &MainGame::default());
        let spent = start.elapsed().as_secs_f64() * 1e3;
        let edges: Vec<String> = reports
            .iter()
            .map(|report| format!("{} {} {:.6}", report.wager(), report.paytable, report.house_edge))
            .collect();
        println!("{name} {decks} decks: {spent:.2} ms of 50 ({:.2})  {}", spent / 50.0, edges.join("; "));
    }
    for name in ["nj-blackjack", "nj-blackjack-face-up", "nj-six-to-five"] {
        let mut choices = preset(name).expect("a preset");
        let mut offer = rules::choice::SideOffer::of(SideWager::Streak);
        offer.minimum = rules::Cents::dollars(5);
        choices.side_wagers.insert(SideWager::Streak, offer);
        let rules = Rules::new(choices).expect("a legal table");
        let start = Instant::now();
        let reports = side_wagers(&rules);
        let spent = start.elapsed().as_secs_f64();
        println!("{name} streaks: {spent:.3} s of 1");
        for report in reports {
            println!("  {} {:.9} {:?}", report.wager(), report.house_edge, report.notes[1]);
        }
    }
}

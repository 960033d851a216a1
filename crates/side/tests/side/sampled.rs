//! Checks the counts against sampled deals in the real order of a round, with a burn card and a second box. This shows
//! that no figure depends on which cards of the shoe decide a bet.

use crate::{choices, reports};
use rules::wager::{Pays, View};
use rules::{Card, SideBet};

/// A small generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(x ^ (x >> 31)) * n as u128) >> 64) as usize
    }
}

const ROUNDS: u32 = 150_000;

/// Returns the sampled mean net win of the first box.
fn sample(name: &str, settings: &[&str], bet: SideBet) -> f64 {
    let choices = choices(name, settings);
    let mut shoe: Vec<Card> =
        choices.deck().cards().flat_map(|card| vec![card; usize::from(choices.decks)]).collect();
    let (mut random, mut net) = (Random(7), 0.0);
    for _ in 0..ROUNDS {
        for at in 0..12 {
            let other = at + random.below(shoe.len() - at);
            shoe.swap(at, other);
        }
        // burn card; two boxes and the dealer; second cards; hole card; further cards of the boxes; the dealer's third
        // card
        let [_, first, _, up, second, _, hole, third, fourth, _, _, last] = shoe[..12] else {
            unreachable!("twelve cards")
        };
        let switch = [first, shoe[2], second, shoe[5]];
        let cards = if bet == SideBet::Match { switch } else { [first, second, third, fourth] };
        let dealer = [up, hole, last];
        let dealer = if bet == SideBet::TwentyPoint { &dealer[..2] } else { &dealer[..] };
        net += match bet.line(&choices, &View { cards: &cards, dealer }) {
            Some(line) => match line.pays {
                Pays::Odds(odds) => odds.as_f64(),
                other => panic!("{other}"),
            },
            None => -1.0,
        };
    }
    net / f64::from(ROUNDS)
}

#[test]
fn sampled_rounds_agree() {
    let tables: [(&str, &[&str]); 7] = [
        (
            "nj-blackjack",
            &["decks=6", "side_wagers.over-under-13.minimum=1", "side_wagers.match-the-dealer.minimum=1"],
        ),
        ("nj-blackjack", &["decks=2", "side_wagers.same-suit.paytable=\"3\""]),
        ("nj-blackjack", &["decks=4", "side_wagers.sevens.minimum=1"]),
        ("nj-blackjack-reader", &["decks=2", "side_wagers.twenty-point.paytable=\"B\""]),
        ("nj-switch", &[]),
        ("nj-double-attack", &[]),
        ("nj-triple-attack", &[]),
    ];
    for (name, settings) in tables {
        for report in reports(name, settings) {
            let mean = sample(name, settings, report.bet);
            let sigma = report.std_dev / f64::from(ROUNDS).sqrt();
            let off = (mean + report.house_edge) / sigma;
            assert!(off.abs() < 4.0, "{name} {}: {off:.2} standard errors off", report.wager());
        }
    }
}

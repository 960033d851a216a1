//! Tests perfect play against a simulation, and an index against an independent recursion written here.

use crate::{answer, cutcard, number, status};
use serde_json::Value;

/// The mean of the exact chart EVs over sampled compositions agrees with a simulation of the same chart. Perfect play
/// is above it, and counts are below perfect play.
#[test]
fn perfect_play_bounds_what_is_simulated() {
    let table = ["nj-blackjack-reader", "--set", "decks=6"];
    let told = answer(&[&["perfect"], &table[..], &["--rounds", "40"]].concat());
    let played = answer(&[&["simulate"], &table[..], &["--rounds", "2e7", "--side-wager", "none"]].concat());
    let apart = number(&told["chart"]["ev"]) - number(&played["ev"]);
    let error = number(&told["chart"]["std_error"]).hypot(number(&played["std_error"]));
    assert!(apart.abs() < 4.0 * error, "{apart} {error}");
    assert!(number(&told["playing"]["ev"]) > 0.0 && number(&told["insurance"]["ev"]) >= 0.0);
    assert!(number(&told["score_error"]) > 0.0, "{}", told["score_error"]);
    let parts = ["chart", "playing", "insurance"].map(|key| number(&told[key]["ev"]));
    assert!((number(&told["flat"]["ev"]) - parts.iter().sum::<f64>()).abs() < 1e-12, "{parts:?}");
    let counts = told["counts"].as_array().expect("counts");
    assert!(
        counts.iter().all(|c| number(&c["captured"]) <= 1.0 && number(&c["correlation"]) > 0.5),
        "{counts:?}"
    );
    let shares: f64 =
        told["distribution"].as_array().expect("classes").iter().map(|c| number(&c["frequency"])).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
}

/// Two seeds sample different compositions, and their SCOREs, including every count's, agree within the stated errors.
#[test]
fn long_two_seeds_agree_within_their_errors() {
    let asked = |seed: &str| {
        answer(&["perfect", "nj-blackjack-reader", "--set", "decks=6", "--rounds", "80", "--seed", seed])
    };
    let (one, other) = (asked("1"), asked("2"));
    let agree = |a: &Value, b: &Value| {
        let error = number(&a["score_error"]).hypot(number(&b["score_error"]));
        let apart = number(&a["score"]) - number(&b["score"]);
        assert!(error > 0.0 && apart.abs() < 4.0 * error, "{a} {b}");
    };
    agree(&one, &other);
    let counts = |told: &Value| told["counts"].as_array().expect("counts").clone();
    let (ones, others) = (counts(&one), counts(&other));
    assert_eq!(ones.len(), others.len());
    ones.iter().zip(&others).for_each(|(a, b)| agree(a, b));
}

/// With a full shoe every round there is only one composition and no insurance, and the result is the exact EV of the
/// table.
#[test]
fn a_full_shoe_every_round_is_worth_its_edge() {
    let table = ["nj-blackjack", "--set", "shoe=continuous"];
    let told = answer(&[&["perfect"], &table[..]].concat());
    let edge = answer(&[&["edge"], &table[..]].concat());
    assert_eq!(told["rounds"], 1);
    assert!((number(&told["flat"]["ev"]) - number(&edge["main"]["ev"])).abs() < 1e-12, "{}", told["flat"]);
}

/// The cards of a shoe by value, possibly fractional. The recursion plays against a ten whose hole card is known not to
/// be an ace.
struct Shoe([f64; 10]);

impl Shoe {
    fn without(&self, card: usize) -> Shoe {
        let mut left = self.0;
        left[card] -= 1.0;
        Shoe(left)
    }

    /// Returns the EV of standing on `own` against the dealer's total so far. `second` excludes an ace as the hole
    /// card.
    fn dealer(&self, own: i32, (total, ace): (i32, bool), second: bool) -> f64 {
        let best = if ace && total + 10 <= 21 { total + 10 } else { total };
        if best >= 17 {
            return if best > 21 { 1.0 } else { f64::from((own - best).signum()) };
        }
        let open = |card: usize| if second && card == 0 { 0.0 } else { self.0[card].max(0.0) };
        let all: f64 = (0..10).map(open).sum();
        let drawn = |card: usize| (total + card as i32 + 1, ace || card == 0);
        (0..10)
            .filter(|&card| open(card) > 0.0)
            .map(|card| open(card) / all * self.without(card).dealer(own, drawn(card), false))
            .sum()
    }

    /// Returns the EV of a hard total of twelve or more, standing or hitting, whichever is better. Aces count one.
    fn best(&self, own: i32) -> f64 {
        let stand = self.dealer(own, (10, false), true);
        if own >= 19 { stand } else { stand.max(self.draw(own)) }
    }

    /// Returns the EV of hitting. As the hole card is not an ace, it is slightly more likely to be any other card, and
    /// the next card slightly more likely to be an ace.
    fn draw(&self, own: i32) -> f64 {
        let all: f64 = self.0.iter().sum();
        let aces = self.0[0];
        let value = |card: usize| {
            let other = if card == 0 { all - aces } else { all - 1.0 - aces };
            let chance = self.0[card] / all * other / (all - 1.0) / ((all - aces) / all);
            let total = own + card as i32 + 1;
            chance * if total > 21 { -1.0 } else { self.without(card).best(total) }
        };
        (0..10).map(value).sum()
    }
}

/// Checks T 5 and T 6 against a ten with a recursion over all cards: at the reported count, standing and hitting have
/// nearly the same EV. The chart's row also covers other hands of that total, which stand somewhat sooner.
pub fn indices_agree_with_a_recursion(told: &Value) {
    let rows = told["indices"].as_array().expect("indices");
    for (own, hand) in [(15, "hard 15"), (16, "hard 16")] {
        let index =
            rows.iter().find(|i| i["hand"] == hand && i["up"] == "T" && i["play"] == "S").expect("an index");
        let gain = |above: f64| {
            // per point of true count, a deck has half a low card less (a tenth of each of five values) and half a high
            // card more
            let low = 24.0 - 6.0 * above * 0.1;
            let mut cards = [low; 10];
            (cards[0], cards[9]) = (24.0 + 6.0 * above * 0.1, 96.0 + 6.0 * above * 0.4);
            cards[6..9].fill(24.0);
            let left = Shoe(cards).without(9).without(9).without(own as usize - 11);
            let count = (6.0 * above - 2.0 + 1.0) * 52.0 / left.0.iter().sum::<f64>();
            (count, left.dealer(own, (10, false), true) - left.draw(own))
        };
        let (mut low, mut high) = (-10.0, 15.0);
        for _ in 0..12 {
            let middle = (low + high) / 2.0;
            if gain(middle).1 > 0.0 { high = middle } else { low = middle }
        }
        let (count, _) = gain(low);
        let apart = number(&index["exact"]) - count;
        assert!(apart.abs() < 0.75, "{hand}: {} here {count}", index["exact"]);
    }
}

/// Over 13 has a count of its own: from some count on it is profitable, and no count wins more than perfect knowledge.
#[test]
fn a_side_wager_has_a_count_of_its_own() {
    let table = ["nj-blackjack", "--set", "side_wagers.over-under-13.minimum=1"];
    let told = answer(&[&["side"], &table[..], &["--wager", "over-13", "--rounds", "3000"]].concat());
    let edge = answer(&[&["edge"], &table[..]].concat());
    let sides = edge["side_wagers"].as_array().expect("side wagers");
    let over = sides.iter().find(|side| side["wager"] == "over-13").expect("over 13");
    // the mean over all compositions is the full-shoe EV, since unseen cards are exchangeable
    assert!((number(&told["flat"]) + number(&over["house_edge"])).abs() < 0.005, "{} {over}", told["flat"]);
    let by_count = told["by_count"].as_array().expect("counts");
    let shares: f64 = by_count.iter().map(|row| number(&row["frequency"])).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    let from = number(&told["from"]);
    let won: f64 = by_count
        .iter()
        .filter(|row| number(&row["count"]) >= from)
        .map(|row| 100.0 * number(&row["frequency"]) * number(&row["ev"]))
        .sum();
    assert!((number(&told["win_per_100"]) - won).abs() < 1e-9 && won > 0.0, "{won}");
    let captured = number(&told["captured"]);
    assert!(captured > 0.8 && captured <= 1.0 && number(&told["correlation"]) > 0.9, "{told}");
    // Hi-Lo counts aces as high cards although they hurt over 13, so it captures less
    let hi_lo = answer(
        &[&["side"], &table[..], &["--wager", "over-13", "--rounds", "3000", "--count", "hi-lo"]].concat(),
    );
    assert!(
        number(&hi_lo["captured"]) < captured && number(&hi_lo["correlation"]) < number(&told["correlation"])
    );
    let none = cutcard(&["side", "nj-blackjack", "--wager", "over-13"]);
    assert_eq!(status(&none), 2);
}

/// Bets on a side bet follow its own count. One unit in every round wins the flat EV, three units from the break-even
/// count on win three times the reported amount, and Kelly bets are the bankroll times EV over variance, capped by the
/// spread.
#[test]
fn a_side_wager_is_staked_by_its_count() {
    let table =
        ["side", "nj-blackjack", "--set", "side_wagers.over-under-13.minimum=1", "--wager", "over-13"];
    let asked = |more: &[&str]| answer(&[&table[..], &["--rounds", "400"], more].concat());
    let flat = asked(&["--ramp", "0:1"]);
    assert!((number(&flat["stakes"]["win_per_100"]) - 100.0 * number(&flat["flat"])).abs() < 1e-9);
    let from = flat["from"].as_i64().expect("a count");
    let ramp = format!("{}:0,{from}:3", from - 1);
    let chosen = asked(&["--ramp", &ramp]);
    assert!(
        (number(&chosen["stakes"]["win_per_100"]) - 3.0 * number(&flat["win_per_100"])).abs() < 1e-9,
        "{chosen}"
    );
    let best = asked(&["--bankroll", "300", "--spread", "0-20"]);
    let stakes = best["stakes"]["ramp"].as_array().expect("stakes");
    let rows = best["by_count"].as_array().expect("counts").iter().zip(stakes);
    let (mut mean, mut squares) = (0.0, 0.0);
    for (row, stake) in rows {
        let (frequency, ev, deviation) =
            (number(&row["frequency"]), number(&row["ev"]), number(&row["std_dev"]));
        let kelly = (300.0 * ev / (deviation * deviation)).clamp(0.0, 20.0).round();
        assert_eq!((number(&stake["stake"]), &stake["count"]), (kelly, &row["count"]), "{row}");
        mean += frequency * kelly * ev;
        squares += frequency * kelly * kelly * (deviation * deviation + ev * ev);
    }
    let variance = squares - mean * mean;
    let told = |key: &str| number(&best["stakes"][key]);
    assert!((told("win_per_100") / (100.0 * mean) - 1.0).abs() < 1e-9 && mean > 0.0, "{best}");
    assert!((told("n0") * mean * mean / variance - 1.0).abs() < 1e-9, "{best}");
    assert!((told("risk_of_ruin") - (-600.0 * mean / variance).exp()).abs() < 1e-9, "{best}");
    // a ramp that is printed can be read back
    let again = asked(&["--ramp", best["stakes"]["ramp_text"].as_str().expect("text")]);
    assert_eq!(again["stakes"]["ramp"], best["stakes"]["ramp"]);
    let both = cutcard(&[&table[..], &["--ramp", "0:1", "--bankroll", "5"]].concat());
    assert_eq!(status(&both), 2);
    let alone = cutcard(&[&table[..], &["--risk", "0.1"]].concat());
    assert_eq!(status(&alone), 2);
}

/// A bet on suits can be counted too: which cards of a value are gone is drawn at random.
#[test]
fn a_bet_on_suits_is_counted_by_values() {
    let table = ["nj-double-attack", "--wager", "dealer-bust"];
    let told = answer(&[&["side"], &table[..], &["--rounds", "200"]].concat());
    let edge = answer(&["edge", "nj-double-attack"]);
    let flat = number(&told["flat"]) + number(&edge["side_wagers"][0]["house_edge"]);
    assert!(flat.abs() < 0.02, "{flat}");
    assert!(number(&told["correlation"]) > 0.7, "{}", told["correlation"]);
}

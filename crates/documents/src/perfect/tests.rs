//! Compares perfect play with independently computed sums, and checks its errors.

use super::*;

/// Compares the gain from insurance with a sum over every order of three cards of a small shoe.
///
/// The ace comes first, then the player's two cards. The dealer's second card is a ten in proportion to the
/// tens left.
#[test]
fn insurance_is_taken_where_it_gains() {
    let choices = rules::preset::preset("nj-blackjack").unwrap();
    let chart = total_dependent_chart(&choices);
    let shoe: Shoe = [3, 1, 0, 0, 2, 0, 0, 1, 0, 4];
    let cards: Vec<Rank> =
        Rank::ALL.into_iter().flat_map(|r| std::iter::repeat_n(r, usize::from(shoe[r]))).collect();
    let (mut sum, mut deals) = (0.0, 0.0);
    for a in 0..cards.len() {
        for b in (0..cards.len()).filter(|&b| b != a) {
            for c in (0..cards.len()).filter(|&c| c != a && c != b) {
                deals += 1.0;
                let gone = [a, b, c].iter().filter(|&&at| cards[at] == TEN).count() as f64;
                let left = cards.len() as f64 - 3.0;
                let tens = (4.0 - gone) / left;
                // half of the bet, at two to one
                let gain: f64 = 0.5 * (2.0 * tens - (1.0 - tens));
                sum += if cards[a] == ACE { gain.max(0.0) } else { 0.0 };
            }
        }
    }
    let table = Table::new(&choices, Attacked::No).with_shoe(shoe);
    let found = insurance(&table, &chart);
    assert!(sum > 0.0 && (found - sum / deals).abs() < 1e-12, "{found} {}", sum / deals);
}

/// Returns the gain from insurance at the odds `odds`, computed in integers.
///
/// The gain is summed over every order of a dealer's ace and `own` cards of a box. The insurance bet is half of
/// the initial bet, and is made where it gains. With four suits, a quarter of the blackjacks are suited.
fn insured_apart(shoe: &Shoe, own: usize, odds: impl Fn(i64) -> (i64, i64)) -> f64 {
    let (mut gained, mut deals) = (0_i64, 1_i64);
    let all: i64 = shoe.iter().map(|n| i64::from(*n)).sum();
    (0..=own as i64).for_each(|nth| deals *= all - nth);
    let mut open = vec![(shoe.map(i64::from), 1_i64, 0)];
    while let Some((left, ways, dealt)) = open.pop() {
        if dealt <= own {
            // the dealer's ace comes first
            for r in Rank::ALL.into_iter().filter(|&r| left[r] > 0 && (dealt > 0 || r == ACE)) {
                let mut next = left;
                next[r] -= 1;
                open.push((next, ways * left[r], dealt + 1));
            }
            continue;
        }
        let (paid, of) = odds(left[TEN]);
        // `of` times the total win over all possible second cards
        let gain = paid - of * (all - own as i64 - 1 - left[TEN]);
        gained += ways * gain.max(0);
    }
    let of = odds(0).1;
    gained as f64 / (2 * of * deals * (all - own as i64 - 1)) as f64
}

/// Compares the values of small shoes with those of a program written from the regulations alone (as in `exact`).
///
/// The gain from insurance is compared with [`insured_apart`].
#[test]
fn perfect_play_of_thin_shoes_worked_out_apart() {
    let shoe: Shoe = [4, 0, 0, 0, 4, 0, 0, 4, 0, 8];
    // 5 to 2; 2 to 1 and for a quarter of the blackjacks 5 to 1; 2 to 1
    let double = insured_apart(&shoe, 2, |tens| (5 * tens, 2));
    let triple = insured_apart(&shoe, 2, |tens| (3 * 2 * tens + 5 * tens, 4));
    let switch = insured_apart(&shoe, 4, |tens| (2 * tens, 1));
    for (name, value, insured) in [
        ("nj-double-attack", 0.289_054_179_394_737, double),
        ("nj-triple-attack", 0.527_516_427_157_294, triple),
        ("nj-switch", 0.149_300_898_848_886, switch),
    ] {
        let mut choices = rules::preset::preset(name).unwrap();
        choices.split_hands = 2;
        let chart = total_dependent_chart(&choices);
        let given = Strategy::Given(Box::new(CompleteChart::new(&choices, chart.clone()).unwrap()));
        let found = valued(&Table::new(&choices, Attacked::No).with_shoe(shoe), &chart, &given);
        assert!(insured > 0.01 && (found.insured - insured).abs() < 1e-12, "{name}: {found:?} {insured}");
        assert!((found.ev - value - insured).abs() < 1e-12, "{name}: {found:?} {value} {insured}");
        assert!(found.charted < value, "{name}: {found:?}");
    }
}

#[test]
fn the_cards_left_are_those_that_nobody_has_seen() {
    let choices = rules::preset::preset("nj-blackjack").unwrap();
    let program = compile(&choices, &total_dependent_chart(&choices), &CompileOptions::default()).unwrap();
    let met = compositions(&program, 40, 7);
    assert_eq!(met.len(), 40);
    assert_eq!(met, compositions(&program, 40, 7));
    let cards: Vec<i64> = met.iter().map(shoe_size).collect();
    assert!(cards.iter().all(|&n| (103..=416).contains(&n)), "{cards:?}");
    assert!(cards.iter().any(|&n| n < 200) && cards.iter().any(|&n| n > 320), "{cards:?}");
    assert!(met.iter().all(|shoe| shoe.iter().zip(&full_shoe(&program)).all(|(left, full)| left <= full)));
}

/// A count that ranks compositions by their value captures the whole win; the opposite count captures little.
#[test]
fn a_count_is_measured_by_what_it_captures() {
    let at = |tens: u16, ev: f64| {
        let shoe = [0, 0, 0, 0, 0, 0, 0, 0, 40, tens];
        ValuedShoe { shoe, weight: 0.25, ev, insured: 0.0, charted: ev }
    };
    let met = [at(60, 0.02), at(52, 0.01), at(40, -0.01), at(30, -0.03)];
    let full = [0, 0, 0, 0, 0, 0, 0, 0, 40, 64];
    let tens = System::parse("0,0,0,0,0,0,0,0,0,-1").unwrap();
    let nines = System { start: Some(64), ..System::parse("0,0,0,0,0,0,0,0,0,1").unwrap() };
    // fewer tens mean a lower count, more tens a higher one
    let (wrong, right) = (compare_count(&met, &nines, &full, 2.0), compare_count(&met, &tens, &full, 2.0));
    assert!((right.captured - 1.0).abs() < 1e-12 && right.correlation > 0.9, "{right:?}");
    assert!(wrong.captured < 0.5 && wrong.correlation < 0.0, "{wrong:?}");
}

/// Two shuffles with two rounds each have the variance of two observations, not of four.
#[test]
fn rounds_of_one_shuffle_are_one_observation() {
    let one = |value: f64, shuffle| Pooled { shoe: [0; RANKS], features: [value; TERMS], shuffle };
    // sums of 2 and -2 from the mean: (4 + 4) / 4^2, times 2 / 1
    let pool = [one(1.0, 0), one(1.0, 0), one(-1.0, 1), one(-1.0, 1)];
    assert_eq!(between_shuffles(&pool, |known| known[1]), 1.0);
    let apart = [one(1.0, 0), one(1.0, 1), one(-1.0, 2), one(-1.0, 3)];
    assert!((between_shuffles(&apart, |known| known[1]) - 1.0 / 3.0).abs() < 1e-15);
    assert_eq!(between_shuffles(&pool[..2], |known| known[1]), 0.0);
}

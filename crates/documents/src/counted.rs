//! What a count knows of the cards that are left: the shoe that is to be expected at a count, the count of a shoe, and
//! how well tags agree with what the removal of cards is worth.

use exact::cards::Shoe;
use exact::vocabulary::{RANKS, Rank};
use program::Program;
use sim::count::{Divisor, System};

/// A counting system at a table.
#[derive(Clone, Debug)]
pub struct Counted {
    pub system: System,
    /// What each value counts.
    pub tags: [f64; RANKS],
    full: [f64; RANKS],
    /// The running count of a full stack.
    start: f64,
    /// Cards of a deck.
    deck: f64,
    /// Cards that are left on average when a round begins.
    left: f64,
}

impl Counted {
    pub fn new(program: &Program, system: &System, shoe: &Shoe) -> Counted {
        let decks = f64::from(program.decks);
        let before_cut = if program.stack.fresh { 0 } else { program.stack.before_cut };
        let start = system.start.unwrap_or(system.start_per_deck * (program.decks as i32 - 1));
        Counted {
            tags: system.tags.map(|tag| f64::from(tag) / f64::from(system.scale)),
            system: system.clone(),
            full: shoe.map(f64::from),
            start: f64::from(start),
            deck: program.stack.cards as f64 / decks,
            left: program.stack.cards as f64 - before_cut as f64 / 2.0,
        }
    }

    fn cards(&self) -> f64 {
        self.full.iter().sum()
    }

    fn mean_tag(&self) -> f64 {
        dot(&self.full, &self.tags) / self.cards()
    }

    fn spread(&self) -> f64 {
        let mean = self.mean_tag();
        Rank::ALL.into_iter().map(|r| self.full[r] * (self.tags[r] - mean).powi(2)).sum::<f64>()
            / self.cards()
    }

    /// How large the tags are beside those of Hi-Lo, whose mean square is ten thirteenths.
    pub fn size(&self) -> f64 {
        (self.spread() / (10.0 / 13.0)).sqrt()
    }

    /// The shoe of full size that is to be expected where the count is so much above its mean, in tags a deck. The cards
    /// of a value are fewer the more they count.
    pub fn expected(&self, above: f64) -> [f64; RANKS] {
        let mean = self.mean_tag();
        let spread = self.spread();
        let slope = if spread > 0.0 { above / (self.deck * spread) } else { 0.0 };
        std::array::from_fn(|r| (self.full[r] * (1.0 - slope * (self.tags[r] - mean))).max(0.0))
    }

    /// The count that somebody has who has seen everything but these cards, before it is rounded. They stand for the
    /// number of cards that are left on average.
    pub fn count(&self, left: &[f64; RANKS]) -> f64 {
        let cards: f64 = left.iter().sum();
        let running = self.start + dot(&self.full, &self.tags) - dot(left, &self.tags) * self.left / cards;
        match self.system.divisor {
            Divisor::None => running,
            Divisor::Decks => running / (self.left / self.deck),
            Divisor::HalfDecks => running / (2.0 * self.left / self.deck),
        }
    }

    /// How the tags and what the removal of each value is worth go together: the correlation over the cards of the shoe.
    pub fn correlation(&self, effects: &[Option<f64>; RANKS]) -> f64 {
        correlation(&self.full, &self.tags, &effects.map(|effect| effect.unwrap_or(0.0)))
    }
}

fn dot(a: &[f64; RANKS], b: &[f64; RANKS]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The correlation of two figures over so many cards of each value.
pub fn correlation(cards: &[f64; RANKS], a: &[f64; RANKS], b: &[f64; RANKS]) -> f64 {
    let all: f64 = cards.iter().sum();
    let mean = |of: &[f64; RANKS]| dot(cards, of) / all;
    let (of_a, of_b) = (mean(a), mean(b));
    let product = |f: &dyn Fn(Rank) -> f64| Rank::ALL.into_iter().map(|r| cards[r] * f(r)).sum::<f64>();
    let covariance = product(&|r| (a[r] - of_a) * (b[r] - of_b));
    let spread = product(&|r| (a[r] - of_a).powi(2)) * product(&|r| (b[r] - of_b).powi(2));
    if spread > 0.0 { covariance / spread.sqrt() } else { 0.0 }
}

/// The correlation of pairs of figures.
pub fn correlation_of(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len().max(1) as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (of_a, of_b) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |f: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|&(a, b)| f(a - of_a, b - of_b)).sum::<f64>();
    let spread = sum(&|a, _| a * a) * sum(&|_, b| b * b);
    if spread > 0.0 { sum(&|a, b| a * b) / spread.sqrt() } else { 0.0 }
}

/// Whole cards nearest to these, as many in all.
pub fn whole_cards(cards: &[f64; RANKS]) -> Shoe {
    let all = cards.iter().sum::<f64>().round() as i64;
    let mut whole = cards.map(|n| n.floor() as i64);
    let mut rest = Rank::ALL;
    rest.sort_by(|&a, &b| (cards[b] - cards[b].floor()).total_cmp(&(cards[a] - cards[a].floor())));
    let short = (all - whole.iter().sum::<i64>()).max(0) as usize;
    rest.iter().take(short).for_each(|&r| whole[r] += 1);
    whole.map(|n| n.clamp(0, i64::from(u16::MAX)) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hi_lo(divisor: Divisor) -> Counted {
        let choices = rules::preset::preset("nj-blackjack").unwrap();
        let chart = program::reckon::reckon(&choices);
        let program = program::compile(&choices, &chart, &program::Wish::default()).unwrap();
        let system = System { divisor, ..System::parse("hi-lo").unwrap() };
        Counted::new(&program, &system, &[32, 32, 32, 32, 32, 32, 32, 32, 32, 128])
    }

    /// One more true count in eight decks: eight tags, half of them low cards that are gone, half high cards that are not.
    #[test]
    fn the_shoe_at_a_count_has_that_count() {
        let counted = hi_lo(Divisor::Decks);
        let shoe = counted.expected(1.0);
        // four low cards fewer of five values, four high cards more of which tens are four fifths
        assert!(
            (shoe[3] - (32.0 - 0.8)).abs() < 1e-12 && (shoe[9] - (128.0 + 3.2)).abs() < 1e-12,
            "{shoe:?}"
        );
        assert!((shoe[0] - 32.8).abs() < 1e-12 && (shoe[7] - 32.0).abs() < 1e-12);
        for above in [-7.0, 0.0, 3.5] {
            assert!((counted.count(&counted.expected(above)) - above).abs() < 1e-12);
        }
        // half decks are counted by twice as many
        assert!((hi_lo(Divisor::HalfDecks).count(&shoe) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn correlations_are_those_of_all_cards() {
        let cards = [4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 16.0];
        let tags = [-1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, -1.0];
        assert!((correlation(&cards, &tags, &tags.map(|t| 3.0 * t + 5.0)) - 1.0).abs() < 1e-12);
        // insurance: tens against all others, by Hi-Lo 0.76 (Griffin)
        let tens = std::array::from_fn(|r| if r == 9 { -9.0 } else { 4.0 });
        assert!((correlation(&cards, &tags, &tens) - 0.76).abs() < 0.01);
    }

    #[test]
    fn whole_cards_are_as_many() {
        let shoe = whole_cards(&[31.4, 32.6, 31.5, 32.5, 32.0, 32.0, 32.0, 32.0, 32.0, 128.0]);
        assert_eq!(shoe.iter().sum::<u16>(), 416);
        assert_eq!((shoe[1], shoe[9]), (33, 128));
    }
}

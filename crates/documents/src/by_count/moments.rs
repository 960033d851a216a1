//! Computes exact moments of the cards left in a shoe, given the number of cards left and the sum of their tags.
//!
//! The moments follow from the number of ways in which that many cards with that sum of tags can be left of a full
//! shoe.

use exact::cards::Shoe;
use exact::vocabulary::RANKS;
use std::ops::Range;

/// The number of cards left in a shoe, and the sum of their tags.
pub type Left = (usize, i32);

/// The mean number of cards left of each rank, and the mean product of the numbers of cards left of every two
/// ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    pub mean: [f64; RANKS],
    pub product: [[f64; RANKS]; RANKS],
}

/// A tag, and the number of cards in the full shoe that have this tag.
struct Group {
    tag: i32,
    cards: usize,
}

/// The number of ways to leave cards in the shoe, by number of cards left (rows) and sum of their tags (columns).
struct Ways {
    cards: usize,
    least: i32,
    width: usize,
    ways: Vec<f64>,
}

impl Ways {
    fn of(groups: &[Group]) -> Ways {
        let cards = groups.iter().map(|group| group.cards).sum();
        let bound = |sign: i32| -> i32 {
            let of = groups.iter().filter(|group| group.tag * sign > 0);
            of.map(|group| group.tag * group.cards as i32).sum()
        };
        let (least, most) = (bound(-1), bound(1));
        let width = (most - least + 1) as usize;
        let mut ways = Ways { cards, least, width, ways: vec![0.0; (cards + 1) * width] };
        let start = ways.at(0, 0).unwrap_or(0);
        ways.ways[start] = 1.0;
        // each card in turn is left or not, small tags first, so that the first cards reach few columns
        let mut in_order: Vec<&Group> = groups.iter().collect();
        in_order.sort_by_key(|group| group.tag.abs());
        let (mut dealt, mut reached) = (0, (-least) as usize..(1 - least) as usize);
        for group in in_order {
            for _ in 0..group.cards {
                dealt += 1;
                for n in (1..=dealt).rev() {
                    ways.add_row(n, group.tag, &reached);
                }
                match group.tag {
                    tag if tag < 0 => reached.start -= tag.unsigned_abs() as usize,
                    tag => reached.end += tag as usize,
                }
            }
        }
        ways
    }

    fn at(&self, n: usize, tags: i32) -> Option<usize> {
        let column = usize::try_from(tags - self.least).ok().filter(|column| *column < self.width)?;
        (n <= self.cards).then_some(n * self.width + column)
    }

    /// Adds the columns `reached` of row `n - 1`, shifted by `tag`, to row `n`: one more card with the tag `tag`.
    fn add_row(&mut self, n: usize, tag: i32, reached: &Range<usize>) {
        let (before, here) = self.ways.split_at_mut(n * self.width);
        let before = &before[(n - 1) * self.width..][reached.clone()];
        let to = reached.start.saturating_add_signed(tag as isize);
        for (to, from) in here[to..to + before.len()].iter_mut().zip(before) {
            *to += from;
        }
    }

    fn get(&self, n: usize, tags: i32) -> f64 {
        self.at(n, tags).map_or(0.0, |at| self.ways[at])
    }

    /// Returns the numbers of ways for the same shoe without one card of the tag `tag`.
    ///
    /// Subtracts the ways that leave this card in the shoe from all ways. Proceeds from both ends towards the
    /// middle, where the numbers are largest, so that rounding errors do not grow.
    fn without(&self, tag: i32) -> Ways {
        let cards = self.cards - 1;
        let mut less =
            Ways { cards, least: self.least, width: self.width, ways: vec![0.0; (cards + 1) * self.width] };
        let middle = cards / 2;
        for n in (0..=middle).chain((middle + 1..=cards).rev()) {
            for column in 0..self.width {
                let tags = self.least + column as i32;
                let ways = match n {
                    0 => self.get(0, tags),
                    n if n <= middle => self.get(n, tags) - less.get(n - 1, tags - tag),
                    n => self.get(n + 1, tags + tag) - less.get(n + 1, tags + tag),
                };
                less.ways[n * self.width + column] = ways.max(0.0);
            }
        }
        less
    }
}

/// Returns the moments of the cards left in a shoe, for each number of cards left and sum of tags in `wanted`.
///
/// A result is `None` if no cards of that number have that sum of tags.
pub fn moments(shoe: &Shoe, tags: &[i32; RANKS], wanted: &[Left]) -> Vec<Option<Moments>> {
    let mut groups: Vec<Group> = Vec::new();
    let group_of: [usize; RANKS] = std::array::from_fn(|r| {
        let at = groups.iter().position(|group| group.tag == tags[r]).unwrap_or_else(|| {
            groups.push(Group { tag: tags[r], cards: 0 });
            groups.len() - 1
        });
        groups[at].cards += usize::from(shoe[r]);
        at
    });
    let all = Ways::of(&groups);
    let (many, sums) = (groups.len(), wanted.len());
    // for every group: the mean number of cards, and the mean number of pairs with each other group
    let mut mean = vec![vec![0.0; sums]; many];
    let mut pairs = vec![vec![vec![0.0; sums]; many]; many];
    for (g, group) in groups.iter().enumerate().filter(|(_, group)| group.cards > 0) {
        let one = all.without(group.tag);
        for (at, &(n, tags)) in wanted.iter().enumerate().filter(|(_, left)| left.0 > 0) {
            mean[g][at] = group.cards as f64 * ratio(one.get(n - 1, tags - group.tag), all.get(n, tags));
        }
        for (h, other) in groups.iter().enumerate().skip(g) {
            let cards = other.cards.saturating_sub(usize::from(h == g));
            if cards == 0 {
                continue;
            }
            let two = one.without(other.tag);
            let ways = (group.cards * cards) as f64;
            for (at, &(n, tags)) in wanted.iter().enumerate().filter(|(_, left)| left.0 > 1) {
                let here = ways * ratio(two.get(n - 2, tags - group.tag - other.tag), all.get(n, tags));
                (pairs[g][h][at], pairs[h][g][at]) = (here, here);
            }
        }
    }
    let told = |(at, &(n, tags)): (usize, &Left)| {
        (all.get(n, tags) > 0.0).then(|| {
            // cards of a group are alike: each rank has its share of them
            let part = |r: usize| match groups[group_of[r]].cards {
                0 => 0.0,
                cards => f64::from(shoe[r]) / cards as f64,
            };
            let product = |r: usize, q: usize| {
                let (g, h) = (group_of[r], group_of[q]);
                let size = groups[g].cards as f64;
                if g != h {
                    return pairs[g][h][at] * part(r) * part(q);
                }
                let others = f64::from(shoe[q]) - f64::from(u8::from(r == q));
                let distinct =
                    if size > 1.0 { pairs[g][g][at] * part(r) * others / (size - 1.0) } else { 0.0 };
                distinct + if r == q { mean[g][at] * part(r) } else { 0.0 }
            };
            Moments {
                mean: std::array::from_fn(|r| mean[group_of[r]][at] * part(r)),
                product: std::array::from_fn(|r| std::array::from_fn(|q| product(r, q))),
            }
        })
    };
    wanted.iter().enumerate().map(told).collect()
}

fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the moments with those of every subset of a small shoe's cards.
    #[test]
    fn what_is_left_on_average_is_what_all_sets_of_cards_have() {
        let shoe: Shoe = [2, 1, 2, 0, 1, 1, 0, 1, 1, 4];
        let tags = [-1, 1, 1, 2, 2, 1, 0, 0, -1, -2];
        let cards: Vec<usize> = (0..RANKS).flat_map(|r| vec![r; usize::from(shoe[r])]).collect();
        type Sums = (f64, [f64; RANKS], [[f64; RANKS]; RANKS]);
        let mut sums: std::collections::BTreeMap<Left, Sums> = std::collections::BTreeMap::new();
        for set in 0_u32..1 << cards.len() {
            let mut left = [0.0; RANKS];
            cards.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).for_each(|(_, &r)| left[r] += 1.0);
            let tag: i32 = (0..RANKS).map(|r| tags[r] * left[r] as i32).sum();
            let sum = sums.entry((set.count_ones() as usize, tag)).or_default();
            sum.0 += 1.0;
            for r in 0..RANKS {
                sum.1[r] += left[r];
                (0..RANKS).for_each(|q| sum.2[r][q] += left[r] * left[q]);
            }
        }
        let wanted: Vec<Left> = sums.keys().copied().collect();
        for (found, (left, (n, mean, product))) in moments(&shoe, &tags, &wanted).iter().zip(&sums) {
            let found = found.as_ref().expect("it can be");
            for r in 0..RANKS {
                assert!((found.mean[r] - mean[r] / n).abs() < 1e-9, "{left:?} {r}");
                for (found, product) in found.product[r].iter().zip(&product[r]) {
                    assert!((found - product / n).abs() < 1e-9, "{left:?} {r}");
                }
            }
        }
        assert_eq!(moments(&shoe, &tags, &[(3, 99)]), [None]);
    }

    /// Even in the largest shoe, the means add up to the cards and the tags left.
    #[test]
    fn means_of_a_large_shoe_add_up() {
        let shoe: Shoe = std::array::from_fn(|r| if r == 9 { 192 } else { 48 });
        let tags = [-1, 1, 1, 2, 2, 2, 1, 0, 0, -2];
        for (n, tag) in [(600, 10), (312, -30), (312, 0), (150, 41), (60, -25)] {
            let found = moments(&shoe, &tags, &[(n, tag)]).remove(0).expect("it can be");
            let cards: f64 = found.mean.iter().sum();
            let tagged: f64 = (0..RANKS).map(|r| f64::from(tags[r]) * found.mean[r]).sum();
            assert!(
                (cards - n as f64).abs() < 1e-6 && (tagged - f64::from(tag)).abs() < 1e-6,
                "{n} {tag} {found:?}"
            );
            let pairs: f64 = found.product.iter().flatten().sum();
            assert!((pairs / (n * n) as f64 - 1.0).abs() < 1e-6, "{pairs}");
        }
    }
}

//! A cache of the dealer's finished hands that several games share.
//!
//! Listing the hands takes a fifth of the time of solving a game, and the regulations have few drawing rules. A
//! caller that solves many tables passes one `Dealers` to each.

use crate::cards::Points;
use crate::dealer::DealerTree;
use crate::num::Real;
use crate::result::At22;
use crate::seen::Seen;
use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex};

/// The maximum number of cached entries: every drawing rule of the regulations in two arithmetics.
///
/// A new entry replaces the least recently used one.
const MOST: usize = 8;

/// A drawing rule: the arithmetic, whether 22 is a separate result, and a bit mask of the totals, hard and
/// soft, on which the dealer stands.
type Rule = (TypeId, At22, u64);

type CachedTables = (Rule, Arc<dyn Any + Send + Sync>);

/// A cache of the dealer's finished hands under the most recently used drawing rules.
///
/// A clone shares the cache.
#[derive(Clone, Default)]
pub struct Dealers(Arc<Mutex<Vec<CachedTables>>>);

impl Dealers {
    /// Returns the dealer's finished hands under a drawing rule.
    ///
    /// The hands of a dealer with two visible cards are not cached, because they are too many.
    pub(crate) fn tree<R: Real, const U: usize>(
        &self,
        seen: Seen,
        at_22: At22,
        stops: impl Fn(Points) -> bool,
    ) -> Arc<DealerTree<R, U>> {
        if seen != Seen::UpCard {
            return Arc::new(DealerTree::new(seen, at_22, stops));
        }
        let counts = (1..22).flat_map(|total| [false, true].map(|soft| Points { total, soft }));
        let stood = counts.fold(0, |all, count| all << 1 | u64::from(stops(count)));
        let rule: Rule = (TypeId::of::<DealerTree<R, U>>(), at_22, stood);
        if let Some(tree) = self.find(rule).and_then(|tree| tree.downcast().ok()) {
            return tree;
        }
        let tree = Arc::new(DealerTree::new(seen, at_22, stops));
        self.keep(rule, tree.clone());
        tree
    }

    fn find(&self, rule: Rule) -> Option<Arc<dyn Any + Send + Sync>> {
        let mut kept = self.0.lock().ok()?;
        let at = kept.iter().position(|(other, _)| *other == rule)?;
        // Move the table that was just used to the end.
        kept[at..].rotate_left(1);
        kept.last().map(|(_, tree)| tree.clone())
    }

    fn keep(&self, rule: Rule, tree: Arc<dyn Any + Send + Sync>) {
        if let Ok(mut kept) = self.0.lock() {
            kept.retain(|(other, _)| *other != rule);
            if kept.len() == MOST {
                kept.remove(0);
            }
            kept.push((rule, tree));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(dealers: &Dealers, stands_from: u8) -> Arc<DealerTree<f64, 10>> {
        dealers.tree(Seen::UpCard, At22::Over, |count| count.total >= stands_from)
    }

    #[test]
    fn the_same_rule_gets_the_same_table() {
        let dealers = Dealers::default();
        assert!(Arc::ptr_eq(&tree(&dealers, 17), &tree(&dealers.clone(), 17)));
        assert!(!Arc::ptr_eq(&tree(&dealers, 17), &tree(&dealers, 18)));
        assert!(!Arc::ptr_eq(&tree(&dealers, 17), &tree(&Dealers::default(), 17)));
    }

    #[test]
    fn the_one_used_longest_ago_goes() {
        let dealers = Dealers::default();
        let (seventeen, sixteen) = (tree(&dealers, 17), tree(&dealers, 16));
        // Together with seventeen, which is used again each time, these seven fill the cache.
        for stands_from in [15, 14, 13, 18, 19, 20, 21] {
            tree(&dealers, stands_from);
            assert!(Arc::ptr_eq(&seventeen, &tree(&dealers, 17)));
        }
        assert_eq!(dealers.0.lock().unwrap().len(), MOST);
        assert!(!Arc::ptr_eq(&sixteen, &tree(&dealers, 16)));
    }
}

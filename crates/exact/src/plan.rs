//! The plan of a split pair: the hands that the split can lead to, and the decisions on each.

use crate::cards::{Counts, Index, NONE, pair_of, together, two_cards};
use crate::judge::{Judge, LegalActions, Origin, PayId};
use crate::num::Real;
use crate::play::{AfterSplit, Play};
use crate::seen::{EVERY_GROUP, Groups, groups};
use crate::solve::{LegalActionCache, Solver};
use crate::turn::{Action, Choice};
use crate::vocabulary::{ACE, Rank, Upcard, by_up};

/// The plan of one split pair: the hands that the split can lead to, and the decisions on each.
pub struct Plan<const U: usize> {
    /// The rank of the split pair.
    pub rank: Rank,
    /// The maximum number of hands after splitting.
    pub most: u8,
    /// Whether a split hand that becomes a pair again is split again, by visible state.
    pub again: [bool; U],
    /// The possible hands after the split, in order of evaluation.
    pub hands: Vec<Index>,
    /// The legal actions to consider on each hand.
    pub may: Vec<LegalActions>,
    /// Settlement of each hand, as an index into [`Book::pays`](crate::judge::Book::pays).
    pub pay: Vec<PayId>,
    /// Whether doubling can lead to each hand.
    pub by_double: Vec<bool>,
    /// The groups of visible states in which each hand can stand.
    pub needed: Vec<Groups>,
    /// The chosen action on each hand, in one or several lists.
    ///
    /// There is one list for all cases, or one for each number of pair cards seen besides the split pair.
    pub plays: Vec<Vec<Choice<U>>>,
}

impl<const U: usize> Plan<U> {
    /// Returns the highest number of further pair cards that the recurrence in `arrange` removes.
    pub fn deepest(&self) -> usize {
        2 * usize::from(self.most) - 4
    }

    /// Returns the maximum number of hands after splitting in visible state `u`.
    pub fn most_against(&self, u: Upcard) -> usize {
        usize::from(if self.again[u] { self.most } else { 2 })
    }

    /// Returns, hand by hand, the sets of cards to remove from the shoe, for 0 to `depths - 1` further pair cards.
    ///
    /// A set holds the cards of one hand and the pair cards of other hands (see [`Plan::gone_with`]), and comes
    /// with the groups of visible states in which it matters. It is `None` if the shoe has too few pair cards.
    pub fn gone<J: Judge, R: Real>(
        &self,
        solver: &Solver<J, R, U>,
        depths: usize,
    ) -> impl Iterator<Item = Option<(Counts, Groups)>> {
        self.hands.iter().zip(&self.needed).flat_map(move |(&i, &groups)| {
            (0..depths).map(move |a| Some((self.gone_with(solver, i, a)?, groups)))
        })
    }

    /// Returns the cards to remove from the shoe for hand `i`: its own, and `a + 1` pair cards of other hands.
    ///
    /// Returns `None` if the shoe has too few pair cards.
    pub fn gone_with<J: Judge, R: Real>(
        &self,
        solver: &Solver<J, R, U>,
        i: Index,
        a: usize,
    ) -> Option<Counts> {
        let hand = solver.hand(i);
        let mut cards = together(&hand.cards, &solver.other);
        cards[self.rank] += a as u8 + 1;
        (usize::from(hand.cards[self.rank]) + a < usize::from(solver.shoe[self.rank])).then_some(cards)
    }
}

/// Returns the origin of hands split from a pair of `rank`.
pub fn origin(rank: Rank) -> Origin {
    if rank == ACE { Origin::SplitAce } else { Origin::Split }
}

impl<J: Judge, R: Real, const U: usize> Solver<'_, J, R, U> {
    /// Returns the hands that two cards can form, each with its fraction of the suit combinations.
    ///
    /// There are two such hands where a suited 6-7-8 is possible.
    pub fn second(&self, first: Rank, second: Rank) -> Vec<(Index, R)> {
        let Some(plain) = self.hands.find(&two_cards([first, second])) else {
            return Vec::new();
        };
        let (low, high) = (first.min(second), first.max(second));
        match self.hands.suited.iter().find(|s| (s.0, s.1) == (low, high)) {
            Some(&(_, _, suited)) => vec![(plain, R::ratio(3, 4)), (suited, R::ratio(1, 4))],
            None => vec![(plain, R::one())],
        }
    }

    /// Returns the hand with this index.
    pub fn hand(&self, i: Index) -> &crate::hands::Hand {
        &self.hands.list[i as usize]
    }

    /// Returns the plan for splitting a pair of `rank` into at most `most` hands.
    ///
    /// `play` supplies the decisions on the hands. Unless `after` is [`AfterSplit::AsDealt`], the plan includes
    /// the hands that other decisions lead to, so that the caller can replace the decisions.
    pub fn plan(&self, rank: Rank, most: u8, after: AfterSplit, play: &dyn Play) -> Plan<U> {
        let mut asked = LegalActionCache::new(self.judge, origin(rank));
        let groups = groups(self.judge.seen());
        let mut live: Vec<Groups> = vec![0; self.hands.list.len()];
        let (mut ended, mut settled) = (live.clone(), live.clone());
        let mut choices: Vec<Option<(LegalActions, Choice<U>)>> = vec![None; live.len()];
        for (i, _) in Rank::ALL.into_iter().flat_map(|r| self.second(rank, r)) {
            live[i as usize] = EVERY_GROUP;
        }
        // A hand comes after all hands that it can become.
        for &i in self.hands.order.iter().rev() {
            let i = i as usize;
            if live[i] == 0 {
                continue;
            }
            let mut may = asked.may(&self.hands.list[i]);
            let of = (i as Index, &self.hands.list[i]);
            let action: [Action; U] = by_up(|u| play.action(of, origin(rank), may, u));
            let (mut hits, mut doubles) = (live[i], live[i]);
            settled[i] = live[i];
            if after == AfterSplit::AsDealt {
                let taken = |is: fn(Action) -> bool| {
                    let in_group = |us: &Vec<Upcard>| us.iter().any(|&u| is(action[u]));
                    groups
                        .iter()
                        .enumerate()
                        .fold(0, |all: Groups, (g, us)| all | Groups::from(in_group(us)) << g)
                };
                hits &= taken(|a| a == Action::Hit);
                doubles &= taken(|a| a == Action::Double);
                settled[i] &= taken(|a| !matches!(a, Action::Hit | Action::Double));
            }
            may.hit &= hits != 0;
            may.double &= doubles != 0;
            for &next in self.hands.next[i].iter().filter(|&&n| n != NONE) {
                live[next as usize] |= if may.hit { hits } else { 0 };
                ended[next as usize] |= if may.double { doubles } else { 0 };
            }
            let surrender_doubled = by_up(|u| play.surrenders_doubled(of, origin(rank), u));
            choices[i] = Some((may, Choice { action, surrender_doubled }));
        }
        let pair = self.hands.find(&pair_of(rank)).map_or(self.hands.list[0], |i| *self.hand(i));
        let mut plan = Plan {
            rank,
            most,
            again: by_up(|u| play.splits_again(&pair, origin(rank), u)),
            hands: Vec::new(),
            may: Vec::new(),
            pay: Vec::new(),
            by_double: Vec::new(),
            needed: Vec::new(),
            plays: vec![Vec::new()],
        };
        for &i in &self.hands.order {
            let at = i as usize;
            if live[at] | ended[at] == 0 {
                continue;
            }
            let surrenders = by_up(|u| play.surrenders_doubled((i, self.hand(i)), origin(rank), u));
            let idle = Choice { action: [Action::Stand; U], surrender_doubled: surrenders };
            let surrender_doubled = asked.may(self.hand(i)).surrender_doubled;
            let (may, mut choice) =
                choices[at].unwrap_or((LegalActions { surrender_doubled, ..LegalActions::default() }, idle));
            if !may.surrender_doubled {
                choice.surrender_doubled = [false; U];
            }
            plan.hands.push(i);
            plan.by_double.push(ended[at] != 0);
            plan.needed.push(settled[at] | ended[at]);
            plan.may.push(may);
            plan.plays[0].push(choice);
        }
        plan
    }
}

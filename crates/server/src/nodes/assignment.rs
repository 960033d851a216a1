//! Assigns the tables of a house to its nodes.
//!
//! Every node computes the same assignment from the same data, so that no two nodes claim the same table.

use super::reach::{Quiet, Reach};
use ledger::TableId;
use ledger::nodes::{NodeStatus, Roster};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// Whether this node owns a table, or follows the node that owns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assignment {
    /// This node takes the table, or continues to run it.
    Own,
    /// This node forwards requests to the table's owner at this address. With `None`, the table has no reachable
    /// owner, and the node holds the requests.
    Follow(Option<String>),
}

/// How long a table may lack an owner before any node that notices it takes the table.
///
/// Nodes may disagree for a moment who takes it. With the lease this stays within the five seconds that are promised.
const TOO_LONG: Duration = Duration::from_millis(1_200);
/// The minimum time for which a node keeps a table that it took only because the table had lacked an owner for too
/// long.
const KEPT: Duration = Duration::from_secs(60);

/// What a node remembers from one assignment of the tables to the next.
///
/// It remembers since when tables lack an owner, until when it keeps tables that no other node took, which nodes
/// are about to leave, and which nodes are fit to own tables.
#[derive(Debug, Default)]
pub struct AssignmentMemory {
    free_since: HashMap<u32, Instant>,
    kept_until: HashMap<u32, Instant>,
    /// The owner names, such as `a/1`, of the nodes that are about to leave.
    ///
    /// Such a node owns the tables that it has not released yet, and takes no others.
    pub leaving: BTreeSet<String>,
    pub reach: Reach,
}

/// Returns how many tables each node in `live` should own, by node name.
///
/// Each node gets an equal share; the remaining tables go to the first nodes by name, one each.
fn targets<'a>(live: &[&'a NodeStatus], tables: usize) -> BTreeMap<&'a str, isize> {
    let (each, over) = (tables / live.len().max(1), tables % live.len().max(1));
    let target = |n: usize| (each + usize::from(n < over)) as isize;
    live.iter().enumerate().map(|(n, node)| (node.name.as_str(), target(n))).collect()
}

/// Decides for each of `tables` whether the node `me` owns the table or follows its owner, by table number.
///
/// `me` is the node's owner name, such as `a/1`; `leaving` is true if that node is about to leave.
pub fn assign(
    roster: &Roster,
    me: &str,
    leaving: bool,
    tables: &[u32],
    memory: &mut AssignmentMemory,
    now: Instant,
) -> BTreeMap<u32, Assignment> {
    let live: Vec<&NodeStatus> = roster.nodes.iter().filter(|node| node.alive).collect();
    let owner = |table: u32| roster.owner_of(TableId(table));
    memory.reach.conclude(roster, &memory.leaving, now);
    let (unfit, quiet) = (memory.reach.unfit(), memory.reach.quiet(now));
    // A node that other nodes do not reach, or that is far from the database, gives up its tables as if it left.
    let leaving = leaving || unfit.contains_key(me);
    let goes = |owner: &String| memory.leaving.contains(owner) || unfit.contains_key(owner);
    let stays = |quiet: &BTreeMap<String, Quiet>| -> Vec<&NodeStatus> {
        let stays = |node: &&&NodeStatus| !goes(&node.owner()) && !quiet.contains_key(&node.owner());
        live.iter().filter(stays).copied().collect()
    };
    // A node that has failed lately keeps its tables and gets no more, unless all have failed.
    let steady = stays(&quiet);
    let staying = if steady.is_empty() { stays(&BTreeMap::new()) } else { steady };
    let mut missing = targets(&staying, tables.len());
    for table in tables {
        if let Some(node) = owner(*table)
            && let Some(missing) = missing.get_mut(node.name.as_str())
        {
            // Negative for a node that has too many.
            *missing -= 1;
        }
    }
    let is_short = |missing: &isize| *missing > 0;
    let others_short =
        live.iter().any(|node| node.owner() != me && missing.get(node.name.as_str()).is_some_and(is_short));
    let mine = live.iter().find(|node| node.owner() == me).map(|node| node.name.as_str());
    let too_many = mine.and_then(|mine| missing.get(mine)).map_or(0, |missing| (-*missing).max(0));
    let mut surplus = if others_short { too_many } else { 0 };
    let mut assignments = BTreeMap::new();
    // Releases the last tables first, so that the first ones stay where they are.
    for table in tables.iter().rev() {
        let assignment = match owner(*table) {
            Some(node) if node.owner() == me => {
                memory.free_since.remove(table);
                let kept = memory.kept_until.get(table).is_some_and(|until| now < *until);
                match leaving || (surplus > 0 && !kept) {
                    true => {
                        surplus -= isize::from(!leaving);
                        Assignment::Follow(None)
                    }
                    false => Assignment::Own,
                }
            }
            Some(node) => {
                memory.free_since.remove(table);
                Assignment::Follow(Some(node.address.clone()))
            }
            None if leaving => Assignment::Follow(None),
            None => {
                let since = *memory.free_since.entry(*table).or_insert(now);
                let next = live.iter().find(|node| missing.get(node.name.as_str()).is_some_and(is_short));
                if let Some(missing) = next.and_then(|node| missing.get_mut(node.name.as_str())) {
                    *missing -= 1;
                }
                let ours = next.is_some_and(|node| node.owner() == me);
                let overdue = now.duration_since(since) > TOO_LONG;
                if overdue && !ours {
                    memory.kept_until.insert(*table, now + KEPT);
                }
                if ours || overdue { Assignment::Own } else { Assignment::Follow(None) }
            }
        };
        assignments.insert(*table, assignment);
    }
    assignments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nodes::reach::Report;
    use ledger::nodes::TableOwner;

    fn node(name: &str, alive: bool) -> NodeStatus {
        NodeStatus {
            name: name.into(),
            incarnation: 1,
            address: format!("{name}:1"),
            program: String::new(),
            alive,
            lease_left_ms: 0,
        }
    }

    fn roster(nodes: &[(&str, bool)], owners: &[&str]) -> Roster {
        let owned = |(n, owner): (usize, &&str)| TableOwner {
            table: TableId(n as u32 + 1),
            owner: format!("{owner}/1"),
            epoch: 1,
        };
        Roster {
            nodes: nodes.iter().map(|(name, alive)| node(name, *alive)).collect(),
            owners: owners.iter().enumerate().map(owned).collect(),
            standby_lag_bytes: None,
        }
    }

    fn owns(roster: &Roster, me: &str, leaving: bool) -> Vec<u32> {
        let tables: Vec<u32> = (1..=10).collect();
        let me = format!("{me}/1");
        let assignments =
            assign(roster, &me, leaving, &tables, &mut AssignmentMemory::default(), Instant::now());
        assert_eq!(assignments.len(), 10);
        assignments
            .into_iter()
            .filter(|(_, assignment)| *assignment == Assignment::Own)
            .map(|(table, _)| table)
            .collect()
    }

    #[test]
    fn tables_that_are_free_are_shared_out_and_none_twice() {
        let house = roster(&[("a", true), ("b", true), ("c", true), ("d", false)], &[]);
        let shares: Vec<Vec<u32>> = ["a", "b", "c", "d"].iter().map(|me| owns(&house, me, false)).collect();
        assert_eq!(shares.iter().map(Vec::len).collect::<Vec<_>>(), [4, 3, 3, 0]);
        let mut all: Vec<u32> = shares.concat();
        all.sort_unstable();
        assert_eq!(all, (1..=10).collect::<Vec<_>>());
    }

    #[test]
    fn who_comes_gets_a_share_and_who_dies_leaves_all() {
        let alone = roster(&[("a", true), ("b", true)], &["a"; 10]);
        assert_eq!(owns(&alone, "a", false), [1, 2, 3, 4, 5], "the first node releases five tables");
        assert!(owns(&alone, "b", false).is_empty(), "the second node takes no table before its release");
        let dead = roster(&[("a", false), ("b", true)], &["a", "a", "a", "a", "a", "b", "b", "b", "b", "b"]);
        assert_eq!(owns(&dead, "b", false).len(), 10);
        assert!(owns(&dead, "b", true).is_empty(), "a leaving node takes no tables");
        let even = roster(&[("a", true), ("b", true)], &["b", "b", "b", "b", "b", "a", "a", "a", "a", "a"]);
        assert_eq!(owns(&even, "a", false), [6, 7, 8, 9, 10], "evenly shared tables do not move");
    }

    #[test]
    fn what_a_node_gives_back_goes_to_those_who_stay() {
        let house =
            roster(&[("a", true), ("b", true), ("c", true)], &["", "", "", "", "b", "b", "b", "c", "c", "c"]);
        let tables: Vec<u32> = (1..=10).collect();
        let mut memory =
            AssignmentMemory { leaving: BTreeSet::from(["a/1".into()]), ..AssignmentMemory::default() };
        let mut owned = |me: &str| {
            let assignments = assign(&house, me, false, &tables, &mut memory, Instant::now());
            assignments.values().filter(|assignment| **assignment == Assignment::Own).count()
        };
        assert_eq!(
            (owned("b/1"), owned("c/1")),
            (5, 5),
            "b and c take the tables at once, without waiting for a"
        );
    }

    #[test]
    fn a_table_that_nobody_takes_is_taken_by_whoever_sees_it() {
        let house = roster(&[("a", true), ("b", true)], &["a", "a", "a", "a", "a"]);
        let (mut memory, since, tables) =
            (AssignmentMemory::default(), Instant::now(), (1..=10).collect::<Vec<_>>());
        let mut count = |later: Duration| {
            let assignments = assign(&house, "a/1", false, &tables, &mut memory, since + later);
            assignments.values().filter(|assignment| **assignment == Assignment::Own).count()
        };
        assert_eq!((count(Duration::ZERO), count(TOO_LONG)), (5, 5), "b's");
        assert_eq!(count(TOO_LONG + Duration::from_millis(1)), 10);
    }

    /// Returns how many tables each of the nodes a, b and c owns.
    fn shares(house: &Roster, memory: &mut AssignmentMemory, now: Instant) -> [usize; 3] {
        let tables: Vec<u32> = (1..=10).collect();
        ["a/1", "b/1", "c/1"].map(|me| {
            let assignments = assign(house, me, false, &tables, &mut *memory, now);
            assignments.values().filter(|assignment| **assignment == Assignment::Own).count()
        })
    }

    /// The owners of ten tables while the nodes a, b and c have equal shares.
    const SHARED: [&str; 10] = ["a", "a", "a", "a", "b", "b", "b", "c", "c", "c"];

    #[test]
    fn a_node_that_is_cut_off_or_far_releases_its_tables_and_is_given_none() {
        let report = |micros: u64, unreachable: &[&str]| Report {
            round_trip: Duration::from_micros(micros),
            unreachable: unreachable.iter().map(|owner| (*owner).to_owned()).collect(),
            ..Report::default()
        };
        let cut_off = [report(300, &["c/1"]), report(300, &["c/1"]), report(300, &[])];
        let far = [report(300, &[]), report(300, &[]), report(20_000, &[])];
        let nodes = [("a", true), ("b", true), ("c", true)];
        for reports in [cut_off, far] {
            let (mut memory, now) = (AssignmentMemory::default(), Instant::now());
            assert_eq!(shares(&roster(&nodes, &SHARED), &mut memory, now), [4, 3, 3]);
            for (owner, report) in ["a/1", "b/1", "c/1"].into_iter().zip(reports) {
                memory.reach.add_report(owner.into(), report, now);
            }
            assert_eq!(
                shares(&roster(&nodes, &SHARED), &mut memory, now),
                [4, 3, 0],
                "c releases its tables"
            );
            assert_eq!(
                shares(&roster(&nodes, &SHARED[..7]), &mut memory, now),
                [5, 5, 0],
                "node c must not receive released tables"
            );
        }
    }

    /// Node c has just started and has not seen b fail. Without the reports, b and c would each leave the tables of a
    /// to the other.
    #[test]
    fn nodes_agree_who_takes_a_table_although_they_have_seen_different_failures() {
        let (mut of_b, mut of_c) = (AssignmentMemory::default(), AssignmentMemory::default());
        let begun = Instant::now();
        let at = |second: u64| begun + Duration::from_secs(second);
        let house = |a: bool, b: bool| roster(&[("a", a), ("b", b), ("c", true)], &SHARED);
        let mut assigned = |second: u64, house: Roster, told: bool| {
            let tables: Vec<u32> = (1..=10).collect();
            let owned = |me: &str, memory: &mut AssignmentMemory| {
                let assignments = assign(&house, me, false, &tables, memory, at(second));
                assignments.values().filter(|assignment| **assignment == Assignment::Own).count()
            };
            let counts = [owned("b/1", &mut of_b), owned("c/1", &mut of_c)];
            if told {
                let report = Report { quiet: of_b.reach.quiet(at(second)), ..Report::default() };
                of_c.reach.add_report("b/1".into(), report, at(second));
            } else {
                of_c = AssignmentMemory::default();
            }
            counts
        };
        assigned(0, house(true, true), false);
        assigned(1, house(true, false), false);
        assigned(2, house(true, true), true);
        assert_eq!(assigned(3, house(false, true), true), [3, 7], "c takes all four tables of a");
    }

    #[test]
    fn a_node_that_failed_lately_keeps_its_tables_and_is_given_none() {
        let (mut memory, begun) = (AssignmentMemory::default(), Instant::now());
        let house = |c: bool, owners: &[&str]| roster(&[("a", true), ("b", true), ("c", c)], owners);
        let mut at =
            |second: u64, house: Roster| shares(&house, &mut memory, begun + Duration::from_secs(second));
        at(0, house(true, &SHARED));
        at(1, house(false, &SHARED));
        assert_eq!(at(2, house(true, &SHARED)), [4, 3, 3], "c keeps its tables");
        assert_eq!(at(3, house(true, &SHARED[..7])), [5, 5, 0], "c gets no more tables");
        let without_c = ["a", "a", "a", "a", "a", "b", "b", "b", "b", "b"];
        assert_eq!(at(6, house(true, &without_c)), [5, 5, 0], "nobody releases tables for c");
        assert_eq!(
            at(8, house(true, &without_c)),
            [4, 3, 0],
            "b releases a table for c once c's waiting period is over"
        );
        at(9, house(false, &without_c));
        let alone = roster(&[("a", false), ("b", false), ("c", true)], &[]);
        assert_eq!(at(10, alone), [0, 0, 10], "c is the only live node");
    }
}

//! Tracks which nodes reach each other, how far each node is from the database, and how often each one has failed.
//!
//! Every node publishes what it observes, and all nodes conclude the same: which nodes may own no tables, and
//! which get no more tables for now.

use ledger::nodes::{NodeStatus, Roster};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// How long a node's report counts; every node sends a report each second.
const FRESH: Duration = Duration::from_secs(4);
/// The time without a report after which a node has probably stopped.
const LATE: Duration = Duration::from_millis(2_500);
/// The margin in the limit for a node's round trip to the database, beyond which the node may own no tables.
///
/// The limit is four times the round trip of the nearest node, plus this margin.
const FAR: Duration = Duration::from_millis(5);
/// How long a node gets no more tables after it returns from its first failure.
///
/// Each further failure doubles the time, up to `LONGEST_QUIET`.
const QUIET: Duration = Duration::from_secs(5);
/// The longest time for which a node gets no more tables after it returns from a failure.
const LONGEST_QUIET: Duration = Duration::from_secs(160);
/// The time without a further failure after which a node's failures are forgotten.
const FORGOTTEN: Duration = Duration::from_secs(300);

/// A node's report of its database round trip, its unreachable peers and the nodes that failed recently, sent every
/// second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub round_trip: Duration,
    /// The owner names, such as `a/1`, of the live nodes that the reporting node does not reach.
    pub unreachable: BTreeSet<String>,
    /// The nodes that get no more tables for now, by owner name.
    ///
    /// A node that has just started, or was stopped for a while, has not seen the others fail. Without this list it
    /// would leave free tables to a node that takes none.
    pub quiet: BTreeMap<String, Quiet>,
}

/// How often a node has failed, and how long it gets no more tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quiet {
    failures: u32,
    left: Duration,
}

impl Report {
    pub fn text(&self) -> String {
        let unreachable: String = self.unreachable.iter().map(|owner| format!(" {owner}")).collect();
        let quiet = |(owner, quiet): (&String, &Quiet)| {
            format!(" {}:{}:{owner}", quiet.failures, quiet.left.as_millis())
        };
        let quiet: String = self.quiet.iter().map(quiet).collect();
        format!("misses {}{unreachable}{quiet}", self.round_trip.as_micros())
    }

    /// Parses a report from a message between nodes, or returns `None` for any other message.
    pub fn read(text: &str) -> Option<Report> {
        let mut words = text.strip_prefix("misses ")?.split(' ');
        let round_trip = Duration::from_micros(words.next()?.parse().ok()?);
        let mut report = Report { round_trip, ..Report::default() };
        for word in words {
            match Quiet::read(word) {
                Some((owner, quiet)) => _ = report.quiet.insert(owner, quiet),
                None => _ = report.unreachable.insert(word.to_owned()),
            }
        }
        Some(report)
    }

    /// Returns whether this report says the same as `other`, except for times.
    pub fn agrees(&self, other: &Report) -> bool {
        self.unreachable == other.unreachable && self.quiet.keys().eq(other.quiet.keys())
    }
}

impl Quiet {
    fn read(word: &str) -> Option<(String, Quiet)> {
        let mut parts = word.splitn(3, ':');
        let (failures, left) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some((parts.next()?.to_owned(), Quiet { failures, left: Duration::from_millis(left) }))
    }
}

/// The reason why a live node may own no tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// Other nodes do not reach the node, or the node does not reach them.
    CutOff,
    /// The node is much farther from the database than the nearest node.
    Far,
}

/// What this node knows about one node of the house, kept across restarts of that other node.
#[derive(Debug)]
struct Record {
    owner: String,
    fit: bool,
    failures: u32,
    failed: Option<Instant>,
    /// The time until which the node gets no more tables, or `None` if it never returned from a failure.
    quiet_until: Option<Instant>,
}

impl Record {
    /// Learns from another node that this node gets no more tables for now.
    fn learn(&mut self, quiet: Quiet, now: Instant) {
        let left = quiet.left.min(LONGEST_QUIET);
        self.quiet_until = self.quiet_until.max(Some(now + left));
        if quiet.failures > self.failures {
            (self.failures, self.failed) = (quiet.failures, Some(now));
        }
    }
}

/// The nodes' latest reports, and what this node concludes from them about each node.
#[derive(Debug, Default)]
pub struct Reach {
    reports: HashMap<String, (Instant, Report)>,
    records: HashMap<String, Record>,
    unfit: BTreeMap<String, Unfit>,
}

impl Reach {
    pub fn add_report(&mut self, owner: String, report: Report, now: Instant) {
        for record in self.records.values_mut() {
            // Another start of the node is a failure that this node has yet to note itself.
            if let Some(quiet) = report.quiet.get(&record.owner) {
                record.learn(*quiet, now);
            }
        }
        self.reports.insert(owner, (now, report));
    }

    /// Returns the live nodes that are unfit to own tables, each with the reason, by owner name.
    pub fn unfit(&self) -> &BTreeMap<String, Unfit> {
        &self.unfit
    }

    /// Returns the nodes that get no more tables for now, because they failed recently, by owner name.
    pub fn quiet(&self, now: Instant) -> BTreeMap<String, Quiet> {
        let quiet = |record: &Record| {
            let left = record.quiet_until?.checked_duration_since(now).filter(|left| !left.is_zero())?;
            Some((record.owner.clone(), Quiet { failures: record.failures, left }))
        };
        self.records.values().filter_map(quiet).collect()
    }

    /// Recalculates which nodes are unfit to own tables, and notes which nodes have failed or returned.
    ///
    /// Called after a report, and after a change of the nodes. A node in `leaving` does not count as failed when
    /// it stops.
    pub fn conclude(&mut self, roster: &Roster, leaving: &BTreeSet<String>, now: Instant) {
        let live: Vec<&NodeStatus> = roster.nodes.iter().filter(|node| node.alive).collect();
        self.reports.retain(|owner, (at, _)| {
            now.duration_since(*at) < FRESH && live.iter().any(|node| node.owner() == *owner)
        });
        let owners: Vec<String> = live.iter().map(|node| node.owner()).collect();
        let joined = self.joined(&owners, now);
        let far = self.far(&joined);
        self.unfit = owners
            .iter()
            .filter(|owner| !joined.contains(*owner))
            .map(|o| (o.clone(), Unfit::CutOff))
            .collect();
        self.unfit.extend(far.into_iter().map(|owner| (owner, Unfit::Far)));
        for node in &roster.nodes {
            let owner = node.owner();
            let fit = node.alive && !self.unfit.contains_key(&owner);
            self.note(&node.name, owner, (fit, leaving), now);
        }
    }

    /// Returns nodes of `owners` that all reach each other, chosen one by one.
    ///
    /// First come the nodes that miss the fewest others, among these the nodes that still report, and then the
    /// order of names decides. A node is left out if it and a chosen node do not reach each other.
    fn joined(&self, owners: &[String], now: Instant) -> BTreeSet<String> {
        let misses = |a: &String, b: &String| {
            self.reports.get(a).is_some_and(|(_, report)| report.unreachable.contains(b))
        };
        let apart = |a: &String, b: &String| misses(a, b) || misses(b, a);
        let mut order: Vec<&String> = owners.iter().collect();
        let is_late = |a: &String| self.reports.get(a).is_none_or(|(at, _)| now.duration_since(*at) > LATE);
        let missing = |a: &String| owners.iter().filter(|b| apart(a, b)).count();
        order.sort_by_key(|a| (missing(a), is_late(a), (*a).clone()));
        let mut joined = BTreeSet::new();
        for owner in order {
            if joined.iter().all(|other| !apart(owner, other)) {
                joined.insert(owner.clone());
            }
        }
        joined
    }

    /// Returns the nodes in `joined` that are too far from the database to own tables.
    ///
    /// A node that counts as far has a lower limit, so that small changes do not make it near again.
    fn far(&self, joined: &BTreeSet<String>) -> BTreeSet<String> {
        let round_trip = |owner: &String| Some(self.reports.get(owner)?.1.round_trip);
        let Some(nearest) = joined.iter().filter_map(round_trip).min() else { return BTreeSet::new() };
        let is_far = |owner: &&String| {
            let within = match self.unfit.get(*owner) {
                Some(Unfit::Far) => nearest * 2 + FAR / 2,
                _ => nearest * 4 + FAR,
            };
            round_trip(owner).is_some_and(|round_trip| round_trip > within)
        };
        joined.iter().filter(is_far).cloned().collect()
    }

    fn note(&mut self, name: &str, owner: String, (fit, leaving): (bool, &BTreeSet<String>), now: Instant) {
        let fresh = || Record { owner: owner.clone(), fit, failures: 0, failed: None, quiet_until: None };
        let record = self.records.entry(name.to_owned()).or_insert_with(fresh);
        let restarted = record.owner != owner;
        let left = leaving.contains(&record.owner);
        if record.failed.is_some_and(|failed| now.duration_since(failed) > FORGOTTEN) {
            (record.failures, record.failed) = (0, None);
        }
        // A node that leaves by itself, and one that was absent before it was ever fit, have not failed.
        let fails = record.fit && !left && (!fit || restarted);
        if fails {
            record.failures += 1;
            record.failed = Some(now);
        }
        let returns = fit && (!record.fit || restarted);
        if returns && record.failures > 0 {
            let quiet = QUIET.saturating_mul(1 << (record.failures - 1).min(16)).min(LONGEST_QUIET);
            record.quiet_until = Some(now + quiet);
        }
        (record.owner, record.fit) = (owner, fit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roster(alive: &[(&str, i64, bool)]) -> Roster {
        let node = |(name, incarnation, alive): &(&str, i64, bool)| NodeStatus {
            name: (*name).into(),
            incarnation: *incarnation,
            address: format!("{name}:1"),
            program: String::new(),
            alive: *alive,
            lease_left_ms: 0,
        };
        Roster { nodes: alive.iter().map(node).collect(), ..Roster::default() }
    }

    fn report(micros: u64, unreachable: &[&str]) -> Report {
        Report {
            round_trip: Duration::from_micros(micros),
            unreachable: unreachable.iter().map(|owner| (*owner).to_owned()).collect(),
            quiet: BTreeMap::new(),
        }
    }

    const ALL: [(&str, i64, bool); 3] = [("a", 1, true), ("b", 1, true), ("c", 1, true)];

    fn concluded(reports: [Report; 3]) -> BTreeMap<String, Unfit> {
        let (mut reach, now) = (Reach::default(), Instant::now());
        for (owner, report) in ["a/1", "b/1", "c/1"].into_iter().zip(reports) {
            reach.add_report(owner.into(), report, now);
        }
        reach.conclude(&roster(&ALL), &BTreeSet::new(), now);
        reach.unfit().clone()
    }

    #[test]
    fn a_report_is_read_as_it_was_sent() {
        let quiet = |failures, ms| Quiet { failures, left: Duration::from_millis(ms) };
        let failed =
            BTreeMap::from([("a/3".to_owned(), quiet(2, 9_500)), ("1:2:b/4".to_owned(), quiet(1, 7))]);
        let both = Report { quiet: failed, ..report(350, &["c/1"]) };
        for report in [report(350, &[]), report(20_000, &["a/1", "b.c-1/22"]), both] {
            assert_eq!(Report::read(&report.text()), Some(report));
        }
        assert_eq!(
            [Report::read("leaving"), Report::read("misses x"), Report::read("misses ")],
            [None, None, None]
        );
    }

    #[test]
    fn who_is_not_reached_owns_nothing_even_if_it_says_otherwise() {
        let near = |unreachable: &[&str]| report(300, unreachable);
        assert_eq!(concluded([near(&[]), near(&[]), near(&[])]), BTreeMap::new());
        let cut = |owner: &str| BTreeMap::from([(owner.to_owned(), Unfit::CutOff)]);
        assert_eq!(concluded([near(&["b/1"]), near(&[]), near(&["b/1"])]), cut("b/1"));
        assert_eq!(concluded([near(&["b/1", "c/1"]), near(&["a/1"]), near(&["a/1"])]), cut("a/1"));
        // Of two alone, the one that still reports stays.
        let (mut reach, now) = (Reach::default(), Instant::now());
        let two = roster(&[("a", 1, true), ("b", 1, true)]);
        reach.add_report("a/1".into(), near(&[]), now);
        reach.add_report("b/1".into(), near(&["a/1"]), now + LATE);
        reach.conclude(&two, &BTreeSet::new(), now + LATE + Duration::from_millis(1));
        assert_eq!(*reach.unfit(), cut("a/1"));
        // Of two that do not reach each other, one stays with the third.
        assert_eq!(concluded([near(&["b/1"]), near(&["a/1"]), near(&[])]), cut("b/1"));
    }

    #[test]
    fn who_is_far_from_the_database_owns_nothing_while_others_are_near() {
        let far = |owner: &str| BTreeMap::from([(owner.to_owned(), Unfit::Far)]);
        let apart = |a, b, c| concluded([report(a, &[]), report(b, &[]), report(c, &[])]);
        assert_eq!(apart(300, 20_000, 900), far("b/1"));
        assert_eq!(apart(300, 5_000, 900), BTreeMap::new(), "b is slower, but not slow enough");
        assert_eq!(apart(20_000, 20_000, 25_000), BTreeMap::new(), "all nodes are equally slow");
        // What is far stays so until it is clearly near.
        let (mut reach, now) = (Reach::default(), Instant::now());
        let mut after = |micros: u64| {
            reach.add_report("a/1".into(), report(1_000, &[]), now);
            reach.add_report("b/1".into(), report(micros, &[]), now);
            reach.conclude(&roster(&ALL), &BTreeSet::new(), now);
            reach.unfit().len()
        };
        assert_eq!([8_000, 10_000, 8_000, 4_000].map(&mut after), [0, 1, 1, 0]);
    }

    #[test]
    fn a_node_learns_from_others_who_has_failed_and_counts_it_once() {
        let (mut old, mut new, begun) = (Reach::default(), Reach::default(), Instant::now());
        let second = |n: u64| begun + Duration::from_secs(n);
        let nobody = BTreeSet::new();
        let b = |alive: bool| roster(&[("a", 1, true), ("b", 1, alive)]);
        for (n, alive) in [(0, true), (1, false), (2, true)] {
            old.conclude(&b(alive), &nobody, second(n));
        }
        new.conclude(&b(true), &nobody, second(2));
        assert!(new.quiet(second(2)).is_empty(), "it has just started");
        let of = |reach: &Reach, at| Report { quiet: reach.quiet(at), ..report(300, &[]) };
        // However often each tells the other, one failure stays one.
        for n in 3..5 {
            new.add_report("a/1".into(), of(&old, second(n)), second(n));
            old.add_report("c/1".into(), of(&new, second(n)), second(n));
            assert_eq!(old.quiet(second(n)), new.quiet(second(n)));
            assert_eq!(new.quiet(second(n))["b/1"], Quiet { failures: 1, left: second(7) - second(n) });
        }
        assert!(new.quiet(second(7)).is_empty());
        // Both see the next failure, which is the second for both.
        for (n, alive) in [(8, false), (9, true)] {
            old.conclude(&b(alive), &nobody, second(n));
            new.conclude(&b(alive), &nobody, second(n));
        }
        assert_eq!(new.quiet(second(9))["b/1"].left, QUIET * 2);
        assert_eq!(old.quiet(second(9)), new.quiet(second(9)));
        // What is told of an earlier or later start of a node is not about this one.
        let other = BTreeMap::from([("a/2".to_owned(), Quiet { failures: 9, left: LONGEST_QUIET })]);
        new.add_report("c/1".into(), Report { quiet: other, ..report(300, &[]) }, second(10));
        assert!(!new.quiet(second(10)).contains_key("a/1"));
    }

    #[test]
    fn a_node_that_comes_and_goes_is_kept_waiting_ever_longer() {
        let (mut reach, begun) = (Reach::default(), Instant::now());
        let seconds = Duration::from_secs;
        let nobody = BTreeSet::new();
        let mut at = |second: u64, incarnation: i64, alive: bool, leaving: &BTreeSet<String>| {
            let now = begun + seconds(second);
            reach.conclude(&roster(&[("a", 1, true), ("b", incarnation, alive)]), leaving, now);
            let quiet = |after: u64| !reach.quiet(now + seconds(after)).is_empty();
            (0..=200).position(|after| !quiet(after))
        };
        assert_eq!(at(0, 1, true, &nobody), Some(0), "a new node waits 0 seconds");
        at(1, 1, false, &nobody);
        assert_eq!(at(2, 1, true, &nobody), Some(5), "a node waits 5 seconds after its first failure");
        at(10, 1, false, &nobody);
        assert_eq!(at(11, 1, true, &nobody), Some(10), "a node waits 10 seconds after its second failure");
        assert_eq!(at(30, 2, true, &nobody), Some(20), "an unobserved restart counts as a failure");
        for second in [100, 102, 104, 106, 108] {
            at(second, 2, false, &nobody);
            at(second + 1, 2, true, &nobody);
        }
        at(110, 2, false, &nobody);
        assert_eq!(at(111, 2, true, &nobody), Some(160), "the longest wait is 160 seconds");
        at(420, 2, true, &nobody);
        at(500, 2, false, &BTreeSet::from(["b/2".to_owned()]));
        assert_eq!(
            at(501, 3, true, &nobody),
            Some(0),
            "a node that left on purpose waits 0 seconds once its failures are forgotten"
        );
    }
}

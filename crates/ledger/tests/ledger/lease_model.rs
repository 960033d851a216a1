//! A model of nodes, leases and epochs, checked exhaustively: three nodes, two tables, lost answers, writes that arrive
//! late or never, and nodes that are killed and restarted any number of times. Clocks are arbitrarily wrong: a lease
//! may expire at any time or live forever, whatever the database's clock, and a node may act at any time, whatever its
//! own clock says. The lease decides only from whom a table may be taken; the epoch decides who may write it.
//!
//! A state contains only what matters: whether a lease is alive, not until when; whether an epoch is the table's
//! current one or a past one, which never becomes current again; and nodes and tables without their names. So the
//! states are finite although time, restarts and epochs are not, and none is left out.

use stateright::{Checker, Model, Property};

const NODES: usize = 3;
const TABLES: usize = 2;

/// An epoch as a node remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Epoch {
    /// The table's current epoch.
    Own,
    /// An earlier one.
    Past,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Node {
    up: bool,
    /// Whether, in the database, the lease has not expired and the session lasts.
    alive: bool,
    /// Whether the node has the current epoch of each table. It may still use a past epoch at any time.
    has: [bool; TABLES],
    /// A write in flight: the table, and the epoch it carries.
    sent: Option<(u8, Epoch)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Table {
    /// In the database: the owning node, and whether it is its current incarnation.
    owner: Option<(u8, bool)>,
    /// The node that was given the epoch; not in the database, but needed to state the laws.
    given: Option<u8>,
    broken: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct House {
    nodes: [Node; NODES],
    tables: [Table; TABLES],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start(u8),
    Renew(u8),
    /// The lease expires, or the session ends; the node may not know.
    Expire(u8),
    Kill(u8),
    Claim(u8, u8),
    /// The table is taken, but the answer to the node is lost.
    ClaimUnheard(u8, u8),
    GiveBack(u8, u8),
    Send(u8, u8, Epoch),
    Arrive(u8),
    /// The write in flight is lost.
    Lose(u8),
}

struct Leases;

impl Model for Leases {
    type State = House;
    type Action = Step;

    fn init_states(&self) -> Vec<House> {
        vec![House::default()]
    }

    fn actions(&self, house: &House, steps: &mut Vec<Step>) {
        for (n, node) in (0u8..).zip(&house.nodes) {
            if node.sent.is_some() {
                steps.extend([Step::Arrive(n), Step::Lose(n)]);
            }
            steps.push(Step::Expire(n));
            if !node.up {
                steps.push(Step::Start(n));
                continue;
            }
            steps.extend([Step::Kill(n), Step::Renew(n)]);
            for t in 0..TABLES as u8 {
                steps.extend([Step::Claim(n, t), Step::ClaimUnheard(n, t), Step::GiveBack(n, t)]);
                steps.extend([Step::Send(n, t, Epoch::Own), Step::Send(n, t, Epoch::Past)]);
            }
        }
    }

    fn next_state(&self, before: &House, step: Step) -> Option<House> {
        let mut house = *before;
        house.takes(step)?;
        let house = house.unnamed();
        (house != *before).then_some(house)
    }

    fn properties(&self) -> Vec<Property<Leases>> {
        vec![
            Property::always("no law is broken", |_, house: &House| {
                house.tables.iter().all(|table| table.broken.is_none())
            }),
            Property::always("one node at most can write a table", |_, house: &House| {
                (0..TABLES).all(|t| house.nodes.iter().filter(|node| node.has[t]).count() <= 1)
            }),
            Property::sometimes("two nodes share the tables", |_, house: &House| {
                let [one, two] = house.tables.map(|table| table.owner.map(|(n, _)| n));
                one.is_some() && two.is_some() && one != two
            }),
            Property::sometimes("a former owner's write is still under way", |_, house: &House| {
                house.nodes.iter().any(|node| node.sent == Some((0, Epoch::Past)))
                    && house.nodes.iter().any(|node| node.sent == Some((0, Epoch::Own)))
            }),
        ]
    }
}

impl House {
    fn takes(&mut self, step: Step) -> Option<()> {
        match step {
            Step::Start(n) => {
                if self.nodes[usize::from(n)].alive {
                    return None;
                }
                let node = &mut self.nodes[usize::from(n)];
                // A write that an earlier process sent may still arrive.
                *node = Node { up: true, alive: true, sent: node.sent, ..Node::default() };
                for table in &mut self.tables {
                    table.owner = table.owner.map(|(owner, present)| (owner, present && owner != n));
                }
            }
            Step::Renew(n) => self.nodes[usize::from(n)].alive = true,
            Step::Expire(n) => self.nodes[usize::from(n)].alive = false,
            Step::Kill(n) => {
                let node = &mut self.nodes[usize::from(n)];
                (node.up, node.has) = (false, Default::default());
            }
            Step::Claim(n, t) => self.claim((n, t), true)?,
            Step::ClaimUnheard(n, t) => self.claim((n, t), false)?,
            Step::GiveBack(n, t) => {
                // Fenced like any other write: a former owner gives nothing back.
                if self.nodes[usize::from(n)].has[usize::from(t)] {
                    self.raise(usize::from(t));
                    (self.tables[usize::from(t)].owner, self.tables[usize::from(t)].given) = (None, None);
                }
            }
            Step::Send(n, t, epoch) => {
                let node = &mut self.nodes[usize::from(n)];
                if node.sent.is_some() || (epoch == Epoch::Own && !node.has[usize::from(t)]) {
                    return None;
                }
                node.sent = Some((t, epoch));
            }
            Step::Arrive(n) => {
                let (t, epoch) = self.nodes[usize::from(n)].sent.take()?;
                let table = &mut self.tables[usize::from(t)];
                // The writing transaction compares the epoch.
                if epoch == Epoch::Own && table.given != Some(n) {
                    table.broken = Some("somebody writes to whom the epoch was not given");
                }
            }
            Step::Lose(n) => self.nodes[usize::from(n)].sent = None,
        }
        Some(())
    }

    /// Raises the table's epoch, so that all remembered ones are past.
    fn raise(&mut self, t: usize) {
        for node in &mut self.nodes {
            node.has[t] = false;
            node.sent = node.sent.map(|(table, epoch)| match usize::from(table) == t {
                true => (table, Epoch::Past),
                false => (table, epoch),
            });
        }
    }

    /// Takes a table, in one transaction: only from nobody, from the node itself, or from a node that is not alive.
    fn claim(&mut self, (n, t): (u8, u8), heard: bool) -> Option<()> {
        let t = usize::from(t);
        let holder =
            self.tables[t].owner.filter(|(owner, present)| *present && self.nodes[usize::from(*owner)].alive);
        if holder.is_some_and(|(owner, _)| owner != n) {
            return None;
        }
        self.raise(t);
        (self.tables[t].owner, self.tables[t].given) = (Some((n, true)), Some(n));
        self.nodes[usize::from(n)].has[t] = heard;
        Some(())
    }

    /// Returns a canonical state among those that differ only in the names of nodes and tables. A few may remain, which
    /// does no harm.
    fn unnamed(mut self) -> House {
        let first = |table: &Table| (table.owner.map(|(_, present)| present), table.given.is_some());
        if first(&self.tables[0]) > first(&self.tables[1]) {
            self.tables.reverse();
            for node in &mut self.nodes {
                node.has.reverse();
                node.sent = node.sent.map(|(t, epoch)| (1 - t, epoch));
            }
        }
        let mut order = [0, 1, 2];
        order.sort_by_key(|n| self.nodes[*n]);
        let before = self;
        let name = |n: u8| order.iter().position(|old| *old == usize::from(n)).unwrap_or(0) as u8;
        self.nodes = order.map(|old| before.nodes[old]);
        for table in &mut self.tables {
            table.owner = table.owner.map(|(n, present)| (name(n), present));
            table.given = table.given.map(name);
        }
        self
    }
}

#[test]
fn no_state_of_three_nodes_and_two_tables_breaks_a_law() {
    let checker = Leases.checker().threads(2).spawn_bfs().join();
    checker.assert_properties();
    println!("{} states", checker.unique_state_count());
    assert!(checker.unique_state_count() > 1_000);
}

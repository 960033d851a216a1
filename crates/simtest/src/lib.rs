//! Simulates a whole house from one seed, so that a seed always gives the same history.
//!
//! Clock, disk, network, randomness and scheduling all come from the seed. Simulated people play over requests and
//! sockets, deal real cards, void rounds, buy in, cash out and exclude themselves. Meanwhile disks tear writes,
//! lose what was not synced, fill up and stall, the process dies at any step, connections drop and the clock
//! jumps. After every crash the house opens again from what was left on its disk, and its invariants are checked
//! against its answers.
//!
//! Not covered: PostgreSQL and several nodes (`crates/server/tests/house/chaos`), the lab's processes, and anchors on
//! other machines.

mod arrive;
mod crowd;
mod dealer;
mod dice;
mod disk;
mod face_down;
mod history;
mod images;
mod invariants;
mod masked;
mod network;
mod people;
mod socket;
mod vfs;
mod world;

pub use face_down::{FaceDown, HOLE_CARD, PLAYER_CARD, face_down};
pub use history::{HistoryConfig, Summary, history};

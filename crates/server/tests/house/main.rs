//! The house from outside: over HTTP and WebSocket, on a real port, with a real ledger.

mod bot;
mod client;
#[path = "../../../ledger/tests/ledger/cluster.rs"]
mod cluster;
mod dealer;
mod double_shoe;
mod entry;
mod hostile;
mod kill;
mod money;
mod play;
mod register;
mod roles;
mod shape;
mod socket;
mod training;

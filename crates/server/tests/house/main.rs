//! The house from outside: over HTTP and WebSocket, on a real port, with a real ledger.

mod anchors;
mod behind;
mod bot;
mod ceiling;
mod client;
mod clock;
#[path = "../../../ledger/tests/ledger/cluster.rs"]
mod cluster;
mod concerns;
mod correction;
mod dealer;
mod double_shoe;
mod drill;
mod entry;
mod export;
mod hostile;
mod kill;
mod lab;
mod lockout;
mod money;
mod nodes;
mod play;
mod program;
mod register;
mod rehearsal;
mod replicated;
mod returns;
mod revoke;
mod roles;
mod second_factor;
mod shape;
mod shares;
mod socket;
mod takeover;
mod training;

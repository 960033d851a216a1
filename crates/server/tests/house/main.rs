//! Tests of the house from outside: over HTTP and WebSocket, on a real port, with a real ledger.

mod anchors;
mod behind;
mod bot;
mod ceiling;
mod chaos;
mod client;
mod clock;
#[path = "../../../ledger/tests/ledger/cluster.rs"]
mod cluster;
mod concerns;
mod correction;
mod daily;
mod dealer;
mod doctor;
mod double_shoe;
mod entry;
mod export;
mod face_down;
mod guests;
mod hostile;
mod kill;
mod lab;
mod lockout;
mod money;
mod nodes;
mod outage;
#[path = "../../../ledger/tests/ledger/pgbouncer.rs"]
mod pgbouncer;
mod play;
mod pools;
mod program;
mod register;
mod rehearsal;
mod replicated;
mod returns;
mod revoke;
mod roles;
mod round_bound;
mod second_factor;
mod second_person;
mod self_check;
mod shape;
mod shares;
mod socket;
mod takeover;
mod training;

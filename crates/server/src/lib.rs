//! The live house: people, roles and sessions; tables on the durable ledger; HTTP and WebSocket. The only crate that knows
//! the network, JSON views and the async runtime. No rule of a game is written here.
#![forbid(unsafe_code)]

mod anchors;
mod api;
mod app;
mod attempts;
mod audit;
mod budget;
mod calls;
mod chores;
mod common;
mod crlf;
pub mod daily;
mod described;
mod doctor;
mod error;
mod export;
pub mod fair;
mod frame;
mod guard;
mod guests;
mod hosts;
pub mod house_file;
mod join;
mod keys;
mod lab;
mod listen;
mod live;
mod metrics;
mod needs;
mod nodes;
mod notices;
#[doc(hidden)]
pub mod parsers;
mod password;
mod pool;
mod program;
mod proxies;
mod rate;
mod recent;
mod registry;
mod rehearsal;
mod returns;
mod role;
mod room;
mod second_factor;
mod self_check;
mod serve;
mod session;
mod share;
mod stock;
mod tables;
mod training;
mod verdict;
mod web;
mod wire;

pub use anchors::Acceptance;
pub use audit::{AuditReport, FirstBad, audit, backup, follow, rebuild, restore};
pub use doctor::{Checkup, Diagnosis, doctor};
pub use error::{ErrorBody, ErrorDetail};
pub use export::{Form, export};
pub use fair::{Against, Log, Opening, Verdict, verify};
#[doc(hidden)]
pub use frame::carry_out_frames;
pub use keys::keep_keys;
pub use lab::work_for_a_house;
#[doc(hidden)]
pub use listen::attend_to;
pub use registry::Access;
pub use role::{Allow, Role};
pub use serve::{
    Opened, Options, ServeError, asked_to_stop, log_to_stderr, open, place, runtime, serve, tell_progress,
};
#[doc(hidden)]
pub use stock::store_rounds;

/// Returns the OpenAPI document of the house's interface, as JSON.
pub fn openapi() -> serde_json::Value {
    described::openapi().clone()
}

/// Returns the AsyncAPI document of its live views, as JSON.
pub fn asyncapi() -> serde_json::Value {
    described::asyncapi().clone()
}

/// Returns the access rules of all routes, for tests that try them all.
pub fn access() -> Access {
    api::routes().2.clone()
}

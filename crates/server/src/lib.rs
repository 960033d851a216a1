//! The web server: people, roles and sessions; live tables on the durable ledger; HTTP and WebSocket.
//!
//! This crate is the only one that knows the network, JSON views and the async runtime. It contains no game rules.
#![forbid(unsafe_code)]

mod anchors;
mod api;
mod app;
mod audit;
mod budget;
mod calls;
mod compliance;
mod crlf;
pub mod daily;
mod doctor;
mod error;
mod evicting_store;
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
mod login_throttle;
mod maintenance;
mod metrics;
mod nodes;
mod notices;
mod openapi;
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
mod second_factor;
mod second_person;
mod seed_data;
mod self_check;
mod serve;
mod session;
mod share;
mod tables;
mod training;
mod verdict;
mod weak_passwords;
mod web;
mod wire;

pub use anchors::Acceptance;
pub use audit::{AuditReport, FirstBad, audit, backup, follow, rebuild, restore};
pub use doctor::{Checkup, Diagnosis, doctor};
pub use error::{ErrorBody, ErrorDetail};
pub use export::{Form, export};
pub use fair::{Against, BrowserNotes, Opening, Verdict, verify};
#[doc(hidden)]
pub use frame::carry_out_frames;
pub use keys::keep_keys;
pub use lab::run_worker;
#[doc(hidden)]
pub use listen::attend_to;
pub use registry::Access;
pub use role::{Allow, Role};
#[doc(hidden)]
pub use seed_data::store_rounds;
pub use serve::{
    Opened, Options, ServeError, asked_to_stop, log_to_stderr, open, place, run, runtime, serve,
    tell_progress,
};
pub use tables::KIND_REFUSED;

/// Returns the OpenAPI document as JSON.
pub fn openapi() -> serde_json::Value {
    openapi::openapi().clone()
}

/// Returns the AsyncAPI document of the live views, as JSON.
pub fn asyncapi() -> serde_json::Value {
    openapi::asyncapi().clone()
}

/// Returns the access rules of all routes, with which tests try every route.
pub fn access() -> Access {
    api::routes().2.clone()
}

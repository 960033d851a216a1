//! The lab: exact figures and simulations, separate from the tables.
//!
//! Each task runs in its own process, at a low priority and with a memory limit. The process is suspended while
//! table responses are slow, so that the lab never slows a table.

pub mod answers;
mod desk;
mod task;
mod throttle;
mod workbench;
mod worker;

pub use desk::{Lab, Running};
pub use task::Task;
pub(crate) use task::no_value;
pub use throttle::throttle;
pub use workbench::Workbench;
pub use worker::run_worker;

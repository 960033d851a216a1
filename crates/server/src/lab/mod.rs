//! The lab's work: exact figures and simulations, apart from the tables. Each piece of work runs in a process of its own,
//! at a low priority and with a limit on its memory, and stands still while the house is late, so that nothing that is
//! asked of the lab is felt at a table.

mod bench;
mod desk;
mod give_way;
mod task;
mod worker;

pub use bench::Bench;
pub use desk::{Lab, Running};
pub use give_way::give_way;
pub use task::{Task, simulation};
pub use worker::work_for_a_house;

//! The round file: rounds in text form, played through the machine, and written out again.

pub mod parse;
pub mod play;
pub mod record;
pub mod show;
pub mod write;

pub use parse::{NotUnderstood, RoundFile, TableLine};
pub use play::{Played, Stop, play};
pub use record::{HandRecord, RoundRecord, WagerRecord};
pub use write::{Style, settlements, table_line, write, write_alone};

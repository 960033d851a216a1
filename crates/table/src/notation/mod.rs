//! Round files: rounds in text form, which can be parsed, played at a table, and written.

pub mod parse;
pub mod play;
pub mod record;
pub mod show;
pub mod write;

pub use parse::{NotUnderstood, RoundFile, TableLine};
pub use play::{Played, Stop, play};
pub use record::{HandRecord, RoundRecord, WagerRecord};
pub use write::{Style, settlements, table_line, write, write_alone};

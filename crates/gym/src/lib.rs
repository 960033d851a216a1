//! Tables for agents. [`live`] drives the table machine itself, one step after the other, for programs that want every
//! event with its clause. [`sight`] says what an agent sees and may answer.
#![forbid(unsafe_code)]

pub mod live;
pub mod sight;

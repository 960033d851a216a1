//! Details of the significant events of a table, as the journal has them.

use crate::tables::request::Request;
use serde::Serialize;

/// A significant event in a round of a table, and the person who requested it, if any.
#[derive(Serialize)]
pub(super) struct AtTable<'a> {
    pub table: u32,
    pub round: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<&'a Request>,
}

/// A large wager or win, or winnings that the player owes.
#[derive(Serialize)]
pub(super) struct LargeLeg {
    pub table: u32,
    pub seq: i64,
    pub account: String,
    pub amount: String,
}

/// A table that cannot go on, and why.
#[derive(Serialize)]
pub(super) struct Parked {
    pub table: u32,
    pub why: String,
}

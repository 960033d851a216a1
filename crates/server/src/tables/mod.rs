//! Live tables: the machine of the `table` crate with people, money, cards and time around it.
//!
//! Reading order: `seats` (who is who), `deed` (a command as the journal holds it), `money` (what an event moves),
//! `shoe` (the virtual shoe), `live` (the pure live table), `correction` (a card recorded wrongly), `keep` (the table
//! between two rounds, written down), `entry` (a journal record of it), `platform` (what nobody has to be asked for, and
//! the rule for absent players), `request` (what people may ask), `actor`, then `view`, `fact` and `told`.

pub mod actor;
mod correction;
mod deed;
mod entry;
mod fact;
mod keep;
mod live;
mod money;
mod offered;
#[cfg(test)]
mod out_of_cards;
mod platform;
mod remedy;
mod request;
mod returns;
mod seats;
mod shares;
mod shoe;
mod shoe_view;
#[cfg(test)]
mod stored;
mod told;
mod view;

pub use actor::{Acted, Ask, MeantFor, Published, TableHandle, Tables, not_dealing, player_at, shoe_setting};
pub use entry::{From, History, Watched, audit_records, history, written};
pub use live::{By, Fixed, Live, Step};
pub use request::{Asker, Request};
pub use returns::{MAIN, Returns, Taken};
pub use seats::Seat;
pub use told::Told;
pub use view::{card, events as event_views, state as state_view};
#[cfg(test)]
pub use {fact::view as fact_view, seats::Seats, view::CORRECTED};

//! Live tables: the rules engine of the `table` crate with people, money, cards and time around it.
//!
//! Reading order: `seats` (who is who), `command_codec` (commands in the journal), `money` (the chips that an event
//! moves), `shoe` (the virtual shoe), `origins` (which shoe each card came from), `live` (the live table without time
//! or network), `correction` (a card entered wrongly), `snapshot` (the table between two rounds), `entry` (journal
//! records), `platform` (automatic steps, and the rule for absent players), `request` (what people may ask for),
//! `actor`, `settled` (why a refusal is final), then `view`, `awaiting` and `event_view`, with `shown` (values in JSON).

pub mod actor;
mod awaiting;
mod command_codec;
mod correction;
mod entry;
mod event_view;
mod face_down;
mod live;
mod money;
mod offered;
mod origins;
#[cfg(test)]
mod out_of_cards;
mod platform;
mod remedy;
mod request;
mod returns;
mod seats;
mod settled;
mod shares;
mod shoe;
mod shoe_view;
mod shown;
mod snapshot;
#[cfg(test)]
mod stored;
mod view;

pub use actor::{
    Acted, Ask, MeantFor, Published, TableHandle, Tables, View, not_dealing, shoe_setting, solo_player,
};
pub use entry::{History, RecordCallback, ReplayStart, audit_records, history, write_rounds};
pub use event_view::EventView;
pub use live::{By, Fixed, Live, Step};
pub use request::{Asker, Request};
pub use returns::{BetTotals, BetTotalsByName, MAIN};
pub use seats::Seat;
pub use settled::{KIND_REFUSED, ask, ask_admitted};
pub use view::{BoxView, State, TableCard, TableFacts, card, events as event_views, state as state_view};

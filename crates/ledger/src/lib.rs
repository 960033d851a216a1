//! The house's durable ledger: one totally ordered journal, hash-chained and sealed daily, with the chip movements of
//! every command in double entry. A command's event, movements and answer become durable together or not at all. SQLite
//! and PostgreSQL are behind one small trait. No HTTP, no game rules, and no randomness except for keys and ids.
#![forbid(unsafe_code)]

pub mod account;
mod address;
pub mod anchor;
pub mod archive;
pub mod audit;
mod background;
pub mod backup;
mod batch_sql;
pub mod canonical;
pub mod clock;
mod connect;
mod copies;
pub mod db;
pub mod draft;
mod durability;
pub mod ids;
pub mod journal;
pub mod keys;
mod ledger;
mod live_segment;
pub mod nodes;
mod outage;
mod password;
pub mod people;
mod pipeline;
mod postgres;
pub mod posting;
mod practice;
mod project;
pub mod protect;
mod readers;
pub mod record;
pub mod report;
pub mod schema;
pub mod seal;
pub mod search;
pub mod shape;
pub mod signer;
mod sqlite;
pub mod store;
mod tls;
pub mod world;
mod write;
mod writer;

pub use account::{Account, Chips, Holder};
pub use clock::{Doubt, Timepiece};
pub use copies::Copies;
pub use db::{DbError, DbResult};
pub use draft::{Denied, Draft, Epoch, Fault, Receipt};
pub use durability::Durability;
pub use ids::{Cents, CommandId, GamingDay, Moment, PersonId, RoundNo, Seq, Stream, TableId};
pub use journal::Head;
pub use ledger::{Ledger, OpenError, Opening};
pub use posting::{Bound, Leg, PostedLeg, Postings};
pub use project::rebuild;
pub use protect::{Effect, Limit, Measure, PlayDay, Protection, Span, Stopped};
pub use record::{Digest, Record};
pub use schema::{Column, Table, tables};
pub use store::StoreAddress;

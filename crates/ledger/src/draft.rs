//! What is handed to the ledger: a command with its event, chip movements and answer, and what comes back.

use crate::account::Account;
use crate::db::DbError;
use crate::ids::{CommandId, Moment, PersonId, RoundNo, Seq, Stream};
use crate::people::Keep;
use crate::posting::{PostedLeg, Postings};
use crate::protect::{Effect, Stopped};
use crate::record::Digest;

/// The right to write a table's events, as taken by one server. A later owner has a higher epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(pub i64);

/// One command, decided but not yet stored.
#[derive(Clone, Debug)]
pub struct Draft {
    pub person: PersonId,
    pub command: CommandId,
    pub body: Digest,
    pub stream: Stream,
    /// Counts only if the command before it in its chain was stored just now; set by `Ledger::submit_chain`.
    pub(crate) follows: bool,
    /// The epoch that proves that the writer still owns the table; required for a table's stream.
    pub fence: Option<Epoch>,
    pub round: RoundNo,
    pub kind: &'static str,
    pub event: Vec<u8>,
    pub answer: Vec<u8>,
    pub postings: Postings,
    pub effects: Vec<Effect>,
    /// A restart carries the stream's play out again from this record on, without reading older ones.
    pub checkpoint: bool,
    /// What else the record changes: people, sessions, settings.
    pub keep: Vec<Keep>,
    /// A stream whose owner is changed by this command.
    pub(crate) claim: Option<Claim>,
}

impl Draft {
    pub fn new(stream: Stream, person: PersonId, command: CommandId, kind: &'static str) -> Draft {
        Draft {
            person,
            command,
            body: Digest::default(),
            stream,
            follows: false,
            fence: None,
            round: RoundNo(0),
            kind,
            event: Vec::new(),
            answer: Vec::new(),
            postings: Postings::none(),
            effects: Vec::new(),
            checkpoint: false,
            keep: Vec::new(),
            claim: None,
        }
    }
}

/// A change of a table's owner, which raises its epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub stream: Stream,
    pub owner: String,
    pub from: ClaimFrom,
}

/// The previous owner in a change of ownership.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClaimFrom {
    /// Whichever node owns the table.
    Anybody,
    /// Nobody, or a node that is not alive.
    TheAbsent,
    /// The owner of this epoch, who gives the table back.
    Owner(Epoch),
}

/// Proof that a command is durable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub seq: Seq,
    pub at: Moment,
    pub answer: Vec<u8>,
    pub legs: Vec<PostedLeg>,
    /// Whether this command had been stored before; the answer is the first one.
    pub repeated: bool,
}

/// Why a command is not stored although the store works. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    #[error("command id reused with a different body")]
    OtherBody,
    #[error("another server took over this table")]
    Fenced,
    #[error("another node owns this table")]
    Held,
    #[error("insufficient chips in {0}")]
    Short(Account),
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error("this name is taken")]
    NameTaken,
    #[error("an earlier command in this sequence was not stored")]
    Behind,
    #[error("the postings do not balance")]
    Unbalanced,
    #[error("the clock jumped; a supervisor must confirm the time before play resumes")]
    Clock,
    #[error("the event, the answer or a setting is not text")]
    NotText,
}

/// Why a command got no receipt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error(transparent)]
    Denied(#[from] Denied),
    /// Not stored. The caller must discard its state and reload it once the database is back.
    #[error(transparent)]
    Store(#[from] DbError),
    /// The store failed before it confirmed the command, which may be stored or not. Repeating the same command
    /// settles it.
    #[error("outcome unknown: {0}")]
    Unknown(DbError),
}

impl Fault {
    /// Returns what a commit that failed means: a store that was lost during a commit may have done it.
    pub fn of_commit(error: DbError) -> Fault {
        match error {
            DbError::Lost(_) | DbError::Alone(_) => Fault::Unknown(error),
            DbError::Full(_) | DbError::Refused(_) => Fault::Store(error),
        }
    }

    /// Returns what went wrong with the store, if that is the reason.
    pub fn of_store(&self) -> Option<&DbError> {
        match self {
            Fault::Store(error) | Fault::Unknown(error) => Some(error),
            Fault::Denied(_) => None,
        }
    }
}

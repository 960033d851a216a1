//! What a caller submits to the ledger, and what the ledger returns.
//!
//! A caller submits a `Draft`: a command with its event, its chip movements and the answer to its sender. The
//! ledger returns a `Receipt`, or a `Fault` if the command is not stored.

use crate::account::Account;
use crate::db::DbError;
use crate::ids::{CommandId, Moment, PersonId, RoundNo, Seq, Stream};
use crate::people::RowChange;
use crate::posting::{PostedLeg, Postings};
use crate::protect::{Effect, Stopped};
use crate::record::Digest;
use rules::{Message, message};

/// The fencing token of a table's owner.
///
/// Each new owner gets a higher epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(pub i64);

/// One command, decided but not yet stored.
#[derive(Clone, Debug)]
pub struct Draft {
    pub person: PersonId,
    pub command: CommandId,
    pub body: Digest,
    pub stream: Stream,
    /// Whether the ledger stores the command only if it newly stores the previous command of the same chain.
    ///
    /// Set by `Ledger::submit_chain`.
    pub(crate) follows: bool,
    /// The epoch with which the sender owns the table; a command with an old epoch is refused.
    ///
    /// Required in a table's stream, and `None` in the house's own stream.
    pub fence: Option<Epoch>,
    pub round: RoundNo,
    pub kind: &'static str,
    pub event: Vec<u8>,
    pub answer: Vec<u8>,
    pub postings: Postings,
    pub effects: Vec<Effect>,
    /// Whether a restart can replay the stream from this record.
    ///
    /// A restart then reads no older records of the stream.
    pub checkpoint: bool,
    /// The record's changes to people, sessions and settings, besides its postings and effects.
    pub row_changes: Vec<RowChange>,
    /// The change of a table's owner that the command makes, or `None` if the command makes no such change.
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
            row_changes: Vec::new(),
            claim: None,
        }
    }
}

/// A change of a table's owner, which raises the table's epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub stream: Stream,
    pub owner: String,
    pub from: ClaimFrom,
}

/// The condition on the previous owner under which a table changes its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClaimFrom {
    /// The previous owner may be any node.
    Anybody,
    /// The table must have no owner, or its owner must be a node that is not alive.
    TheAbsent,
    /// The previous owner must own the table with this epoch, and gives the table back.
    Owner(Epoch),
}

/// Proof that a command is durable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub seq: Seq,
    pub at: Moment,
    pub answer: Vec<u8>,
    pub legs: Vec<PostedLeg>,
    /// Whether the command was already stored before it was submitted this time.
    ///
    /// `answer` is then the answer that was stored with the command.
    pub repeated: bool,
}

/// Why the ledger refused a command although the store works.
///
/// Nothing of the command is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denied {
    OtherBody,
    Fenced,
    Held,
    Short(Account),
    Stopped(Stopped),
    NameTaken,
    Behind,
    Unbalanced,
    Clock,
    NotText,
}

impl Denied {
    /// Describes the reason for a person, with times formatted by `time`.
    ///
    /// The message does not disclose the account number.
    pub fn message(&self, time: fn(Moment) -> String) -> Message {
        match self {
            Denied::OtherBody => message!("id-used", "command id reused with a different body"),
            Denied::Fenced => message!("taken-over", "another server took over this table"),
            Denied::Held => message!("held-elsewhere", "another node owns this table"),
            Denied::Short(_) => message!("not-enough-chips", "insufficient chips"),
            Denied::Stopped(stopped) => return stopped.message(time),
            Denied::NameTaken => message!("name-taken", "this name is taken"),
            Denied::Behind => message!("behind", "an earlier command in this sequence was not stored"),
            Denied::Unbalanced => message!("unbalanced", "the postings do not balance"),
            Denied::Clock => {
                message!("clock", "the clock jumped; a supervisor must confirm the time before play resumes")
            }
            Denied::NotText => message!("not-text", "an event, an answer or a setting is not valid text"),
        }
        .into()
    }
}

impl std::fmt::Display for Denied {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Denied::Short(account) => write!(f, "insufficient chips in {account}"),
            other => write!(f, "{}", other.message(|until| until.0.to_string())),
        }
    }
}

impl std::error::Error for Denied {}

impl From<Stopped> for Denied {
    fn from(stopped: Stopped) -> Denied {
        Denied::Stopped(stopped)
    }
}

/// Why a command got no receipt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The store failed, and the command is not stored.
    ///
    /// The caller must discard its state, and load the state again once the database works.
    #[error(transparent)]
    Store(#[from] DbError),
    /// The store failed, and the command may or may not be stored.
    ///
    /// If the caller submits the same command again, its receipt or fault settles which.
    #[error("it is unknown whether the command was stored: {0}")]
    Unknown(DbError),
}

impl Fault {
    /// Returns the fault for a failed commit.
    ///
    /// If the store was lost during the commit, the outcome is unknown.
    pub fn of_commit(error: DbError) -> Fault {
        match error {
            DbError::Lost(_) | DbError::Alone(_) => Fault::Unknown(error),
            DbError::Full(_) | DbError::Refused(_) => Fault::Store(error),
        }
    }

    /// Returns the store's error, or `None` if the store did not fail.
    pub fn of_store(&self) -> Option<&DbError> {
        match self {
            Fault::Store(error) | Fault::Unknown(error) => Some(error),
            Fault::Denied(_) => None,
        }
    }
}

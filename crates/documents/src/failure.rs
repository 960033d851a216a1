//! Defines the reasons why a request fails: it was understood but rejected, or it was not understood.

use rules::message::Message;
use serde::Serialize;
use utoipa::ToSchema;

/// The document that the program prints when a command fails.
#[derive(Clone, PartialEq, Eq, Serialize, ToSchema, Debug)]
pub struct ErrorDocument {
    /// The error message in one sentence: what is wrong and what to do.
    pub error: String,
}

/// The reason why a request failed, in one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A request that was understood but rejected, such as an illegal table or action.
    Refused(String),
    /// A request that was not understood, such as a bad file or key.
    NotUnderstood(String),
    /// A request that was understood but rejected, with a code for translating the reason.
    RefusedFor(Message),
    /// A request that was not understood, with a code for translating the reason.
    NotUnderstoodFor(Message),
}

impl Failure {
    pub fn message(&self) -> &str {
        match self {
            Failure::Refused(message) | Failure::NotUnderstood(message) => message,
            Failure::RefusedFor(message) | Failure::NotUnderstoodFor(message) => &message.text,
        }
    }

    /// Returns whether the request was understood but rejected.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Failure::Refused(_) | Failure::RefusedFor(_))
    }

    /// Returns the message with its code and values, or `None` if the failure has no code for translation.
    pub fn coded(&self) -> Option<&Message> {
        match self {
            Failure::RefusedFor(message) | Failure::NotUnderstoodFor(message) => Some(message),
            Failure::Refused(_) | Failure::NotUnderstood(_) => None,
        }
    }

    /// Puts `what`, such as the wrong flag or the number of a line, in front of the error message.
    pub fn about(self, what: &str) -> Failure {
        let after = |text: &str| format!("{what}: {text}");
        let within = |message: Message| Message { text: after(&message.text).into(), ..message };
        match self {
            Failure::Refused(message) => Failure::Refused(after(&message)),
            Failure::NotUnderstood(message) => Failure::NotUnderstood(after(&message)),
            Failure::RefusedFor(message) => Failure::RefusedFor(within(message)),
            Failure::NotUnderstoodFor(message) => Failure::NotUnderstoodFor(within(message)),
        }
    }
}

//! Why there is no answer: the request was refused, or not understood.

use rules::message::Message;
use serde::Serialize;
use utoipa::ToSchema;

/// The document that is printed when there is no answer.
#[derive(Clone, PartialEq, Eq, Serialize, ToSchema, Debug)]
pub struct ErrorDocument {
    /// What was wrong, and what to do, in one sentence.
    pub error: String,
}

/// An error in one clear sentence, and its kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Understood and refused: an illegal table, an illegal action.
    Refused(String),
    /// Not understood: a bad file, a bad key.
    NotUnderstood(String),
    /// Understood and refused, with the code by which a page translates the reason.
    RefusedFor(Message),
    /// Not understood, with the code by which a page translates the reason.
    NotUnderstoodFor(Message),
}

impl Failure {
    pub fn message(&self) -> &str {
        match self {
            Failure::Refused(message) | Failure::NotUnderstood(message) => message,
            Failure::RefusedFor(message) | Failure::NotUnderstoodFor(message) => &message.text,
        }
    }

    /// Returns whether the request was understood.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Failure::Refused(_) | Failure::RefusedFor(_))
    }

    /// Returns the error with its code and values, if it has a code.
    pub fn coded(&self) -> Option<&Message> {
        match self {
            Failure::RefusedFor(message) | Failure::NotUnderstoodFor(message) => Some(message),
            Failure::Refused(_) | Failure::NotUnderstood(_) => None,
        }
    }

    /// Returns the error with words before its message, such as the flag or the line that it is about.
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

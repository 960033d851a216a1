//! Why there is no answer: the request was refused, or not understood.

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
}

impl Failure {
    pub fn message(&self) -> &str {
        match self {
            Failure::Refused(message) | Failure::NotUnderstood(message) => message,
        }
    }
}

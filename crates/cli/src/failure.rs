//! Why a command did not do what was asked: the input was refused, or it was not understood.

use std::process::ExitCode;

/// One clear sentence, and which exit status it ends in.
#[derive(Debug)]
pub enum Failure {
    /// Understood and refused: an unlawful table, an illegal action.
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

    pub fn status(&self) -> ExitCode {
        match self {
            Failure::Refused(_) => ExitCode::from(1),
            Failure::NotUnderstood(_) => ExitCode::from(2),
        }
    }
}

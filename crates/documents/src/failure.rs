//! Why there is no answer: the question was refused, or it was not understood.

/// One clear sentence, and whose fault it is.
#[derive(Clone, PartialEq, Eq, Debug)]
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
}

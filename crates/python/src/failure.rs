//! Failures as Python exceptions: the same words, and the clause where the regulation is the reason.

use documents::Failure;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use rules::play::Refusal;

/// An exception of `cutcard.errors`, by name, made of these arguments.
pub fn exception<'py, A: pyo3::call::PyCallArgs<'py>>(
    py: Python<'py>,
    class: &'static PyOnceLock<Py<PyType>>,
    name: &str,
    arguments: A,
) -> PyErr {
    let made = class.import(py, "cutcard.errors", name).and_then(|class| class.call1(arguments));
    match made {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

static REFUSED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static NOT_UNDERSTOOD: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static UNLAWFUL: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// What was refused, by this clause where a clause is the reason.
pub fn refused(py: Python<'_>, message: &str, clause: Option<&str>, line: Option<usize>) -> PyErr {
    exception(py, &REFUSED, "Refused", (message, clause, line))
}

pub fn not_understood(py: Python<'_>, message: &str) -> PyErr {
    exception(py, &NOT_UNDERSTOOD, "NotUnderstood", (message,))
}

/// A table that is not lawful; `violations` is the list of them as JSON.
pub fn unlawful(py: Python<'_>, message: &str, violations: &str) -> PyErr {
    exception(py, &UNLAWFUL, "Unlawful", (message, violations))
}

/// The exception of a failure.
pub fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    match failure {
        Failure::Refused(message) => refused(py, message, None, None),
        Failure::NotUnderstood(message) => not_understood(py, message),
    }
}

/// The exception of a refusal by a clause.
pub fn refusal(py: Python<'_>, refusal: &Refusal) -> PyErr {
    refused(py, &refusal.to_string(), Some(refusal.by.citation()), None)
}

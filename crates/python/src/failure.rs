//! Converts failures to Python exceptions with the same message.
//!
//! If a clause of a regulation is the reason, the exception also has the citation of the clause.

use documents::Failure;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use rules::play::Refusal;

/// Creates an exception of the class `name` in `cutcard.errors`, called with `arguments`.
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

/// Creates the `Refused` exception for a request that a rule rejects.
///
/// `clause` is the citation of the clause and `line` the line of the round file, if there are any.
pub fn refused(py: Python<'_>, message: &str, clause: Option<&str>, line: Option<usize>) -> PyErr {
    exception(py, &REFUSED, "Refused", (message, clause, line))
}

pub fn not_understood(py: Python<'_>, message: &str) -> PyErr {
    exception(py, &NOT_UNDERSTOOD, "NotUnderstood", (message,))
}

/// Creates the `Unlawful` exception for an illegal table.
///
/// `violations` is the list of violations as JSON.
pub fn unlawful(py: Python<'_>, message: &str, violations: &str) -> PyErr {
    exception(py, &UNLAWFUL, "Unlawful", (message, violations))
}

/// Converts a failure to the Python exception that corresponds to it.
pub fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    let message = in_python(failure.message());
    if failure.is_refusal() { refused(py, &message, None, None) } else { not_understood(py, &message) }
}

/// Rewrites a message of the program for Python, with the names of keyword arguments in place of flags.
fn in_python(message: &str) -> String {
    let mut parts = message.split("--");
    let mut told = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(part.len());
        let (flag, rest) = part.split_at(end);
        match flag {
            "" => told.push_str("--"),
            // in Python, each override is a keyword argument of its own
            "set" => {}
            "side-count" => told.push_str("side_counts"),
            "side-ramp" => told.push_str("side_ramps"),
            flag => told.push_str(&flag.replace('-', "_")),
        }
        told.push_str(if flag == "set" { rest.trim_start() } else { rest });
    }
    told
}

/// Converts a [`Refusal`] to the `Refused` exception.
pub fn refusal(py: Python<'_>, refusal: &Refusal) -> PyErr {
    refused(py, &refusal.to_string(), Some(refusal.by.citation()), None)
}

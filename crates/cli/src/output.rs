//! Prints to standard output and standard error.
//!
//! If the reader closes the pipe, output ends quietly; nothing here panics.

use documents::failure::ErrorDocument;
use documents::subject::{Marked, Subject};
use documents::{Failure, Inputs, Stamped};
use serde::Serialize;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// Prints the result of a command to standard output, as text or JSON.
pub struct Output {
    json: bool,
}

impl Output {
    pub fn new(json: bool) -> Output {
        Output { json }
    }

    pub fn wants_json(&self) -> bool {
        self.json
    }

    /// Prints text, with a final line break if it has none.
    pub fn text(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        let written = out
            .write_all(text.as_bytes())
            .and_then(|()| if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") })
            .and_then(|()| out.flush());
        match written {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Failure::Refused(format!("cannot write output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Prints the single JSON document that `--json` asks for.
    pub fn document(&self, document: &Stamped<impl Serialize>) -> Result<(), Failure> {
        self.text(&document.to_text()?)
    }

    /// Prints a result about a table, and says so if the table is hypothetical.
    ///
    /// Prints the JSON document if `--json` is given, and otherwise the text that `for_people` makes of the
    /// document.
    pub fn answer<D: Serialize + Marked>(
        &self,
        table: &Subject,
        mut told: Stamped<D>,
        for_people: fn(&Subject, &D) -> String,
    ) -> Result<ExitCode, Failure> {
        table.mark(&mut told.document);
        match self.json {
            true => self.document(&told)?,
            false => self.text(&for_people(table, &told.document))?,
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Reports a request that was understood but rejected, and returns exit code 1.
    ///
    /// Prints the reason on standard error, and also prints the document if `--json` is given.
    pub fn refusal(&self, document: &Stamped<impl Serialize>, reason: &str) -> Result<ExitCode, Failure> {
        let _ = writeln!(io::stderr(), "cutcard: {reason}");
        if self.json {
            self.document(document)?;
        }
        Ok(ExitCode::from(1))
    }

    /// Reports a failure on standard error, and returns the exit code.
    ///
    /// With `--json`, also prints the failure as a document. The exit code is 1 if the request was rejected,
    /// and 2 if it was not understood.
    pub fn failure(&self, failure: &Failure) -> ExitCode {
        let _ = writeln!(io::stderr(), "cutcard: {}", failure.message());
        if self.json {
            // an error while reporting an error cannot be reported
            let document = ErrorDocument { error: failure.message().to_owned() };
            let _ = self.document(&Stamped::new(document, Inputs::nothing()));
        }
        ExitCode::from(if failure.is_refusal() { 1 } else { 2 })
    }
}

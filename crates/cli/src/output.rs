//! Standard output and standard error. A reader that goes away ends the output quietly; nothing here panics.

use documents::subject::Subject;
use documents::{Failure, Of, Stamped};
use serde::Serialize;
use serde_json::Value;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// Where answers go, and in which form they are wanted.
pub struct Output {
    json: bool,
}

/// What `--json` prints when there is no answer.
#[derive(Serialize)]
struct ErrorDocument<'a> {
    error: &'a str,
}

impl Output {
    pub fn new(json: bool) -> Output {
        Output { json }
    }

    pub fn wants_json(&self) -> bool {
        self.json
    }

    /// Text for people.
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

    /// The one JSON document of `--json`.
    pub fn document(&self, document: &Stamped<impl Serialize>) -> Result<(), Failure> {
        self.text(&document.to_text()?)
    }

    /// The answer to a question about a table, marked where it is hypothetical: the document, or what `for_people`
    /// makes of it.
    pub fn answer(
        &self,
        table: &Subject,
        mut told: Stamped<Value>,
        for_people: fn(&Subject, &Value) -> String,
    ) -> Result<ExitCode, Failure> {
        table.mark(&mut told.document);
        match self.json {
            true => self.document(&told)?,
            false => self.text(&for_people(table, &told.document))?,
        }
        Ok(ExitCode::SUCCESS)
    }

    /// A question that was understood and refused, with what there is to say beside the reason.
    pub fn refusal(&self, document: &Stamped<Value>, reason: &str) -> Result<ExitCode, Failure> {
        let _ = writeln!(io::stderr(), "cutcard: {reason}");
        if self.json {
            self.document(document)?;
        }
        Ok(ExitCode::from(1))
    }

    /// Says on standard error why there is no answer; with `--json` also as the document.
    pub fn failure(&self, failure: &Failure) -> ExitCode {
        let _ = writeln!(io::stderr(), "cutcard: {}", failure.message());
        if self.json {
            // a second failure has nowhere left to be told
            let _ = self.document(&Stamped::new(ErrorDocument { error: failure.message() }, Of::nothing()));
        }
        ExitCode::from(match failure {
            Failure::Refused(_) => 1,
            Failure::NotUnderstood(_) => 2,
        })
    }
}

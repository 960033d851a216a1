//! The argument `--shoes` of `cutcard edge`: computes the EV of the next round for a stream of shoe compositions.
//!
//! Reads one JSON object per line, and prints one document per line in the same order. Each document is
//! printed without waiting for the end of the input, so that another program can send one shoe after another.

use crate::output::Output;
use documents::Failure;
use documents::failure::ErrorDocument;
use documents::next_round::document;
use documents::shoe::stack_of_json;
use documents::subject::Subject;
use exact::dealers::Dealers;
use exact::game::Strategy;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};

/// The number of input lines to read ahead for each thread.
const AHEAD: usize = 4;

/// The index of an input line, and its text.
type Line = (usize, String);
/// The index of an input line, and the document or the failure that this line results in.
type Answer = (usize, Result<Value, Failure>);

pub fn run(path: &str, table: &Subject, strategy: &Strategy, output: &Output) -> Result<ExitCode, Failure> {
    let input: Box<dyn BufRead + Send> = match path {
        "-" => Box::new(BufReader::new(io::stdin())),
        path => Box::new(BufReader::new(
            File::open(path)
                .map_err(|error| Failure::NotUnderstood(format!("cannot read {path}: {error}")))?,
        )),
    };
    let dealers = Dealers::default();
    let answer = |line: &str| answer(table, strategy, &dealers, line);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (lines_in, lines) = sync_channel::<Line>(AHEAD * threads);
    let lines = Mutex::new(lines);
    let (answers_in, answers) = channel::<Answer>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut asked = input.lines().map_while(Result::ok).enumerate();
            // sending fails once the receiver is gone, and then no more answers are needed
            let _ = asked.try_for_each(|line| lines_in.send(line));
        });
        for _ in 0..threads {
            let (answers_in, lines, answer) = (answers_in.clone(), &lines, &answer);
            scope.spawn(move || work(lines, &answers_in, answer));
        }
        drop(answers_in);
        write(&answers, output)
    })
}

/// Computes the documents of input lines from a shared queue, until the queue closes.
fn work(
    lines: &Mutex<Receiver<Line>>,
    answers: &Sender<Answer>,
    answer: &impl Fn(&str) -> Result<Value, Failure>,
) {
    loop {
        let Some((number, line)) = lines.lock().ok().and_then(|lines| lines.recv().ok()) else { return };
        let told = answer(&line).map_err(|failure| failure.about(&format!("line {}", number + 1)));
        if answers.send((number, told)).is_err() {
            return;
        }
    }
}

/// Prints the documents in the order of their input lines, and returns the exit code.
///
/// If a line fails, prints its error instead and continues.
fn write(answers: &Receiver<Answer>, output: &Output) -> Result<ExitCode, Failure> {
    let mut waiting: BTreeMap<usize, Result<Value, Failure>> = BTreeMap::new();
    let (mut next, mut status) = (0, ExitCode::SUCCESS);
    for (number, told) in answers {
        waiting.insert(number, told);
        while let Some(told) = waiting.remove(&next) {
            next += 1;
            match told {
                Ok(document) => output.text(&document.to_string())?,
                Err(failure) => {
                    status = ExitCode::from(if failure.is_refusal() { 1 } else { 2 });
                    let error = ErrorDocument { error: failure.message().to_owned() };
                    output.text(&serde_json::to_value(error).unwrap_or_default().to_string())?;
                }
            }
        }
    }
    Ok(status)
}

/// Returns the document of the next round for one line of the input.
///
/// Returns an error if the line cannot be parsed or the composition cannot be solved.
fn answer(table: &Subject, strategy: &Strategy, dealers: &Dealers, line: &str) -> Result<Value, Failure> {
    let told = document(table, strategy, dealers, &stack_of_json(table, line)?)?;
    serde_json::to_value(told)
        .map_err(|error| Failure::Refused(format!("cannot convert the answer to JSON: {error}")))
}

//! The argument `--ray` of `cutcard simulate`: plays the run on a Ray cluster.
//!
//! The Python package hands the run to the cluster and returns the sums.

use documents::Failure;
use documents::simulate::Ready;
use serde_json::{Value, json};
use sim::Results;
use sim::identity::identity;
use sim::part::RunPart;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Plays a run on the Ray cluster at `address`.
///
/// Returns an error if the Python package cannot be used or the run fails.
pub fn play(address: &str, ready: &Ready) -> Result<Results, Failure> {
    let job = ready.job()?;
    let asked = json!({
        "address": address, "about": ready.about, "rounds": ready.options.rounds,
        "until_error": ready.options.until_error,
    });
    let answer: Value = serde_json::from_slice(&ask(&asked)?)
        .map_err(|error| refused(&format!("cannot read the answer from Ray: {error}")))?;
    if let Some(why) = answer["refused"].as_str() {
        return Err(Failure::Refused(why.to_string()));
    }
    let number = |key: &str| answer[key].as_f64().unwrap_or_default();
    let text = answer["part"].as_str().unwrap_or_default();
    let (part, _) = RunPart::from_text(text).map_err(|why| refused(&why))?;
    if part.identity != identity(&job) {
        return Err(refused("its version differs from the version of this program"));
    }
    Ok(Results {
        job,
        played: part.tally.rounds(),
        part,
        threads: number("threads") as usize,
        seconds: number("seconds"),
        cpu_seconds: number("cpu_seconds"),
        stopped: answer["stopped"].as_bool().unwrap_or_default(),
        devices: Vec::new(),
    })
}

fn refused(why: &str) -> Failure {
    Failure::Refused(format!("cannot use the Python package on the cluster: {why}"))
}

/// Returns the path of the Python interpreter that starts the run.
///
/// The interpreter is `CUTCARD_PYTHON` if it is set, else `python3` next to this program, else `python3` on the
/// path.
fn python() -> PathBuf {
    let named = std::env::var_os("CUTCARD_PYTHON").map(PathBuf::from);
    // a bare name is looked up on the path; a path is made absolute, since the child runs in another directory
    let named = named.map(|path| match path.components().count() {
        1 => path,
        _ => std::path::absolute(&path).unwrap_or(path),
    });
    let beside = || std::env::current_exe().ok().map(|program| program.with_file_name("python3"));
    named.or_else(|| beside().filter(|path| path.exists())).unwrap_or_else(|| "python3".into())
}

fn ask(asked: &Value) -> Result<Vec<u8>, Failure> {
    let python = python();
    let cannot = |error: std::io::Error| {
        Failure::Refused(format!(
            "cannot start {}: {error}; set CUTCARD_PYTHON to a Python interpreter",
            python.display()
        ))
    };
    // Ctrl-C also reaches the child, which then returns the sums so far; this process must stay alive to read them
    let _ = ctrlc::set_handler(|| ());
    let mut started = Command::new(&python)
        .args(["-P", "-c", "from cutcard.ray import main; main()"])
        // Ray's workers import packages from the driver's working directory; this one must not be searched
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(cannot)?;
    if let Some(mut input) = started.stdin.take() {
        // if the child has already exited, its standard error says why
        let _ = input.write_all(asked.to_string().as_bytes());
    }
    let output = started.wait_with_output().map_err(cannot)?;
    if !output.status.success() {
        return Err(refused(
            "the run failed; if Ray is missing, install it with `pip install 'cutcard[ray]'`",
        ));
    }
    Ok(output.stdout)
}

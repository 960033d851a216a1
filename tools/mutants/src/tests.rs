//! Runs the tests: which mutants each one reaches, and whether it fails under a mutant.

use crate::weave::Mutant;
use crate::{Failure, PACKAGES, jobs};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::iter::once;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// A test executable, with the directory of its package, in which its tests run.
#[derive(Clone)]
pub struct Executable {
    pub name: String,
    pub path: PathBuf,
    pub folder: PathBuf,
    /// Whether this is the executable of the literate cases, which are many and quick and so count as one test here.
    /// Other tests, including those about all cases, are selected by name.
    pub whole: bool,
}

/// One test, or all cases, with the mutants that it reaches.
struct Test {
    name: Option<String>,
    took: Duration,
    reaches: BTreeSet<usize>,
}

/// The executables; each is traced when it is first needed.
pub struct Tests {
    executables: Vec<(Executable, Mutex<Option<Arc<Vec<Test>>>>)>,
}

/// Memory limit in KiB, since a mutant may allocate without end; the tests themselves need a fraction of it.
const MEMORY: &str = "4000000";
/// How many times longer a test may take in wall-clock time than in CPU time.
const PATIENCE: u32 = 8;
/// A process that uses no CPU for this long is waiting for something that never comes.
const STANDSTILL: Duration = Duration::from_secs(25);
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Tests faster than this run together with others.
const QUICK: Duration = Duration::from_millis(300);
/// Tests to skip: data rows are mutated separately.
const SKIPPED: &str = "held by a case";
/// Name prefixes of tests about all literate cases, which take longer than the cases.
const ABOUT_CASES: [&str; 2] = ["every case ", "every table "];

enum Ended {
    Well,
    /// The test that failed, or a description if the process itself crashed.
    Badly(String),
    TooLate,
}

impl Tests {
    pub fn new(executables: Vec<Executable>) -> Tests {
        Tests {
            executables: executables.into_iter().map(|executable| (executable, Mutex::default())).collect(),
        }
    }

    /// Returns the test that fails under this mutant, if one does: runs all quick tests of an executable together, then
    /// the slow ones separately, the fastest first.
    pub fn catch(&self, mutant: &Mutant) -> Result<Caught, Failure> {
        let (mut slow, mut reached) = (Vec::new(), false);
        for (executable, traced) in self.of(mutant) {
            let tests = {
                let mut traced = traced.lock().expect("whole");
                if traced.is_none() {
                    *traced = Some(Arc::new(executable.trace()?));
                }
                traced.clone().unwrap_or_default()
            };
            let able = (0..tests.len()).filter(|&at| tests[at].reaches.contains(&mutant.number));
            let (quick, others): (Vec<usize>, Vec<usize>) =
                able.partition(|&at| tests[at].took < QUICK || tests[at].name.is_none());
            reached |= !quick.is_empty() || !others.is_empty();
            if let Some(test) =
                executable.catches(&quick.iter().map(|&at| &tests[at]).collect::<Vec<_>>(), mutant)?
            {
                return Ok(Caught::By(test));
            }
            slow.extend(others.into_iter().map(|at| (executable, Arc::clone(&tests), at)));
        }
        slow.sort_by_key(|(_, tests, at)| tests[*at].took);
        for (executable, tests, at) in slow {
            if let Some(test) = executable.catches(&[&tests[at]], mutant)? {
                return Ok(Caught::By(test));
            }
        }
        Ok(if reached { Caught::No } else { Caught::NotReached })
    }

    /// Returns the executables that can catch mutants of this package, in order.
    fn of(&self, mutant: &Mutant) -> impl Iterator<Item = &(Executable, Mutex<Option<Arc<Vec<Test>>>>)> {
        let package = mutant.shown.split('/').nth(1);
        let tests =
            PACKAGES.iter().find(|(name, _)| Some(*name) == package).map_or(&[][..], |(_, tests)| tests);
        let names = tests.iter().map(|(package, test)| format!("{package}:{test}"));
        names.filter_map(|name| self.executables.iter().find(|(executable, _)| executable.name == name))
    }
}

pub enum Caught {
    By(String),
    No,
    NotReached,
}

impl Executable {
    /// Runs every test once without a mutant, and notes which mutants it reaches.
    fn trace(&self) -> Result<Vec<Test>, Failure> {
        let kept = PathBuf::from(format!("target/mutants/traced-{}", self.name.replace(':', "-")));
        if let Some(tests) = fs::read_to_string(&kept).ok().and_then(|text| self.traced(&text)) {
            return Ok(tests);
        }
        let tests = self.trace_anew()?;
        let mut text = format!("{}\n", self.identity());
        for Test { name, took, reaches } in &tests {
            let numbers: Vec<String> = reaches.iter().map(usize::to_string).collect();
            let name = name.as_deref().unwrap_or_default();
            text.push_str(&format!("{name}\t{}\t{}\n", took.as_millis(), numbers.join(" ")));
        }
        fs::write(kept, text)?;
        Ok(tests)
    }

    /// Parses the trace of an earlier run of the same executable.
    fn traced(&self, text: &str) -> Option<Vec<Test>> {
        let mut lines = text.lines();
        let own = lines.next()? == self.identity();
        let tests = lines.map(|line| {
            let [name, took, reaches] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
            let name = Some(name.to_string()).filter(|name| !name.is_empty());
            let reaches = reaches.split(' ').flat_map(str::parse).collect();
            Some(Test { name, took: Duration::from_millis(took.parse().ok()?), reaches })
        });
        tests.collect::<Option<Vec<Test>>>().filter(|_| own)
    }

    /// Identifies an executable by its path, build time and settings.
    fn identity(&self) -> String {
        let built = fs::metadata(&self.path).and_then(|file| file.modified()).ok();
        let set = |name| env::var(name).unwrap_or_default();
        let without = (set("LEAVE_OUT"), set("CUTCARD_WITHOUT_POSTGRES"));
        format!("{} {built:?} {without:?}", self.path.display())
    }

    fn trace_anew(&self) -> Result<Vec<Test>, Failure> {
        let mut names: Vec<Option<String>> = self.list()?.into_iter().map(Some).collect();
        if self.whole {
            names.retain(|name| name.as_deref().is_some_and(about_cases));
            names.insert(0, None);
        }
        let mut tests = Vec::new();
        for name in names {
            let file = env::temp_dir().join(format!("mutants-{}", process::id()));
            fs::write(&file, "")?;
            let chosen: Vec<&str> = name.as_deref().into_iter().collect();
            let traced = [("MUTANT_TRACE", file.display().to_string())];
            let (begun, computed) = (Instant::now(), computed());
            let ended = self.run(&chosen, &traced, Duration::from_secs(300))?;
            let took = computed.zip(self::computed()).map_or(begun.elapsed(), |(before, now)| now - before);
            let reaches = fs::read_to_string(&file)?.lines().flat_map(str::parse).collect();
            fs::remove_file(&file)?;
            match ended {
                Ended::Well => tests.push(Test { name, took, reaches }),
                _ if name.is_none() => return Err("the cases fail without a mutant".into()),
                _ => println!("left out, it fails without a mutant: {} {}", self.name, chosen.concat()),
            }
        }
        let sum: Duration = tests.iter().map(|test| test.took).sum();
        println!("{}: traced {} tests in {} s", self.name, tests.len(), sum.as_secs());
        Ok(tests)
    }

    /// Returns the first of these tests that fails under the mutant.
    fn catches(&self, tests: &[&Test], mutant: &Mutant) -> Result<Option<String>, Failure> {
        if tests.is_empty() {
            return Ok(None);
        }
        let names: Vec<&str> = tests.iter().filter_map(|test| test.name.as_deref()).collect();
        let took: Duration = tests.iter().map(|test| test.took).sum();
        let number = [("MUTANT", mutant.number.to_string())];
        Ok(match self.run(&names, &number, took * 5 + Duration::from_secs(3))? {
            Ended::Well => None,
            Ended::Badly(test) => Some(format!("{} {test}", self.name)),
            Ended::TooLate => Some(format!("{}, which does not end", self.name)),
        })
    }

    fn list(&self) -> Result<Vec<String>, Failure> {
        let listed = Command::new(&self.path)
            .args(["--list", "--format", "terse"])
            .current_dir(&self.folder)
            .output()?;
        let names = String::from_utf8(listed.stdout)?;
        let tests = names.lines().filter_map(|line| line.strip_suffix(": test"));
        let tests = tests.filter(|name| !name.contains(SKIPPED) && !left_out(name));
        Ok(tests.map(str::to_string).collect())
    }

    /// Runs these tests, or all, until one fails, within limits on time and memory.
    fn run(&self, names: &[&str], with: &[(&str, String)], longest: Duration) -> Result<Ended, Failure> {
        let laws = env::var("LAWS_PART").unwrap_or("20".to_string());
        let mut command = Command::new("sh");
        let seconds = longest.as_secs();
        command
            .args(["-c", &format!("ulimit -v {MEMORY}; ulimit -t {seconds}; exec \"$0\" \"$@\"")])
            .arg(&self.path);
        match names {
            [] => command.args(once(SKIPPED).chain(ABOUT_CASES).flat_map(|name| ["--skip", name])),
            names => command.arg("--exact").args(names),
        };
        command.envs(with.iter().map(|(name, value)| (name, value))).env("LAWS_PART", laws);
        // several mutants at a time already keep the CPUs busy
        command
            .args(["--test-threads", if jobs() > 1 { "1" } else { "2" }])
            .env("RUST_BACKTRACE", "0")
            .current_dir(&self.folder);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (said, lines) = channel();
        let output = child.stdout.take().ok_or("no output")?;
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let _ = said.send(String::from_utf8_lossy(&line).trim().to_string());
                line.clear();
            }
        });
        // on a busy machine, a process may wait longer than it may compute
        let until = Instant::now() + longest * PATIENCE;
        let (mut computed, mut stirred) = (None, Instant::now());
        let ended = loop {
            match lines.recv_timeout(LOOK_EVERY.min(until.saturating_duration_since(Instant::now()))) {
                Ok(line) => {
                    if let Some(test) = failed(&line) {
                        break Ended::Badly(test.to_string());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    let now = spent(&format!("/proc/{}/stat", child.id()), 11);
                    if now != computed {
                        (computed, stirred) = (now, Instant::now());
                    }
                    // CPU time is unknown where the system does not report it
                    let stands_still = now.is_some() && stirred.elapsed() > STANDSTILL;
                    if stands_still || Instant::now() >= until {
                        break Ended::TooLate;
                    }
                }
                Err(RecvTimeoutError::Disconnected) if child.wait()?.success() => break Ended::Well,
                Err(RecvTimeoutError::Disconnected) => break Ended::Badly("breaks off".to_string()),
            }
        };
        let _ = child.kill();
        child.wait()?;
        Ok(ended)
    }
}

/// Applies `each` to all items, `jobs` at a time, in no particular order; stops at the first failure.
pub fn together<T: Sync, R: Send>(
    jobs: usize,
    of: &[T],
    each: impl Fn(&T) -> Result<Option<R>, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    let (next, done, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(None));
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(one) = of.get(next.fetch_add(1, Relaxed)) {
                    match each(one) {
                        Ok(result) => done.lock().expect("whole").extend(result),
                        Err(failure) => {
                            *failed.lock().expect("whole") = Some(failure.to_string());
                            next.store(of.len(), Relaxed);
                        }
                    }
                }
            });
        }
    });
    match failed.into_inner().expect("whole") {
        Some(failure) => Err(failure.into()),
        None => Ok(done.into_inner().expect("whole")),
    }
}

/// Returns the CPU time of this process's finished children, if the system reports it. CPU time does not depend on how
/// busy the machine is.
fn computed() -> Option<Duration> {
    spent("/proc/self/stat", 13)
}

/// Returns the sum of two numbers of a stat file: a process's own CPU time, or that of its finished children.
fn spent(path: &str, first: usize) -> Option<Duration> {
    let stat = fs::read_to_string(path).ok()?;
    // after the name in parentheses: the state, and then the numbers, in hundredths of a second
    let mut numbers = stat.rsplit_once(')')?.1.split_whitespace().skip(first);
    let mut next = || numbers.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (next()? + next()?)))
}

/// Returns whether `LEAVE_OUT` excludes tests with this name as too slow.
pub fn left_out(name: &str) -> bool {
    let parts = env::var("LEAVE_OUT").unwrap_or_default();
    parts.split(',').any(|part| !part.is_empty() && name.contains(part))
}

fn about_cases(name: &str) -> bool {
    ABOUT_CASES.iter().any(|begins| name.starts_with(begins))
}

/// Parses `test NAME ... FAILED`.
fn failed(line: &str) -> Option<&str> {
    let test = line.strip_prefix("test ")?.strip_suffix("FAILED")?;
    Some(test.trim().trim_end_matches("...").trim())
}

/// Returns the directory of a package in the woven tree, in which its tests run.
pub fn folder(tree: &Path, package: &str) -> PathBuf {
    tree.join("crates").join(package)
}

//! Runs one history of a house: a series of lives. A life ends by a clean shutdown or a crash.
//!
//! Each life starts from the files that the previous life left on its disk.

use crate::arrive;
use crate::dice::Dice;
use crate::disk::{self, Disk, DiskFault};
use crate::images;
use crate::invariants::Answers;
use crate::people::{Context, Person};
use crate::vfs;
use crate::world::SimWorld;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use ledger::Moment;
use server::{Opened, Options};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// The parameters of a history.
#[derive(Clone, Copy, Debug)]
pub struct HistoryConfig {
    pub seed: u64,
    pub lives: u32,
    /// The average number of disk operations between two crash images, each of which is checked.
    pub image_interval: u64,
    /// The number of lives from one full audit to the next; another audit follows the last life.
    pub audit_every: u32,
    /// The maximum length of a life, in simulated time.
    ///
    /// Shorter lives give more crashes for the same work.
    pub longest: Duration,
}

/// The statistics of a history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub closed: u64,
    pub killed: u64,
    pub power_cuts: u64,
    pub house_ms: i64,
    pub acknowledged: u64,
    pub refused: u64,
    pub repeated: u64,
    pub operations: u64,
    pub syncs: u64,
    pub crash_images: u64,
    pub jumps: u64,
    pub disk_faults: u64,
    pub records: i64,
    /// The hash of the journal's last record, which depends only on the parameters of the history.
    pub head: String,
}

impl Summary {
    pub fn add(&mut self, other: &Summary) {
        self.closed += other.closed;
        self.killed += other.killed;
        self.power_cuts += other.power_cuts;
        self.house_ms += other.house_ms;
        self.acknowledged += other.acknowledged;
        self.refused += other.refused;
        self.repeated += other.repeated;
        self.operations += other.operations;
        self.syncs += other.syncs;
        self.crash_images += other.crash_images;
        self.jumps += other.jumps;
        self.disk_faults += other.disk_faults;
        self.records += other.records;
        self.head.clone_from(&other.head);
    }
}

/// The presets of the tables. At the last table, a dealer deals real cards.
const TABLES: [&str; 5] =
    ["nj-blackjack", "nj-switch", "nj-double-attack", "nj-triple-attack", "nj-blackjack"];
/// The simulated time at which every history starts.
const BEGINNING: Moment = Moment(1_800_000_000_000);
const DAY_MS: u64 = 86_400_000;
/// The names of the database and of its write-ahead log, which are on the simulated disk.
///
/// All other files are copied unchanged from life to life.
const STORE: [&str; 2] = ["house.sqlite", "house.sqlite-wal"];
/// The name of the file with the journal's head, which a power cut may revert to an earlier version.
const HEAD_FILE: &str = "head";

/// How a life of the house ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Closed,
    Killed,
    PowerCut,
}

struct History {
    config: HistoryConfig,
    dice: Dice,
    directory: tempfile::TempDir,
    people: Vec<Person>,
    answers: RefCell<Answers>,
    at: Moment,
    clock_error_ms: i64,
    /// The latest contents of the file with the journal's head, newest last; a power cut may leave any of them.
    head_files: Vec<Vec<u8>>,
    summary: Summary,
}

/// Runs a whole history of a house.
///
/// If an invariant is broken, returns an error that names the invariant, the seed and the number of restarts.
pub fn history(config: HistoryConfig) -> Result<Summary, String> {
    vfs::register();
    let mut dice = Dice::new(config.seed);
    disk::install(Some(Disk::new(dice.fork())));
    let memory = Path::new("/dev/shm");
    let directory = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    };
    let mut history = History {
        config,
        dice,
        directory: directory.map_err(|error| error.to_string())?,
        people: Vec::new(),
        answers: RefCell::default(),
        at: BEGINNING,
        clock_error_ms: 0,
        head_files: Vec::new(),
        summary: Summary::default(),
    };
    let outcome = history.run();
    disk::install(None);
    ledger::world::enter(None);
    outcome.map(|()| history.summary)
}

impl History {
    fn run(&mut self) -> Result<(), String> {
        std::fs::write(self.directory.path().join("house.toml"), house_file()).map_err(|e| e.to_string())?;
        for life in 0..self.config.lives {
            let seed = self.config.seed;
            let outcome = self.live(life);
            ledger::world::enter(None);
            outcome.map_err(|wrong| format!("seed {seed}, after {life} restarts of the house: {wrong}"))?;
        }
        let answers = self.answers.borrow();
        let known = disk::with(|disk| (disk.operations, disk.syncs)).unwrap_or_default();
        (self.summary.operations, self.summary.syncs) = known;
        self.summary.acknowledged = answers.acknowledged.len() as u64;
        self.summary.refused = answers.refused.len() as u64;
        self.summary.repeated = answers.repeated;
        self.summary.house_ms = self.at.0 - BEGINNING.0;
        Ok(())
    }

    fn data(&self, life: u32) -> PathBuf {
        self.directory.path().join(format!("life-{life}"))
    }

    fn options(&self, life: u32) -> Options {
        Options {
            listen: "127.0.0.1:0".into(),
            data: self.data(life),
            house: Some(self.directory.path().join("house.toml")),
            ..Options::default()
        }
    }

    fn live(&mut self, life: u32) -> Result<(), String> {
        let options = self.options(life);
        let (end, left) = {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
            let runtime = runtime.map_err(|error| error.to_string())?;
            // Take what is left before anything is dropped: the power is off by then, so that dropping changes nothing.
            runtime.block_on(self.run_house(life, &options))?
        };
        match end {
            End::Closed => self.summary.closed += 1,
            End::Killed => self.summary.killed += 1,
            End::PowerCut => self.summary.power_cuts += 1,
        }
        self.check_crash_images()?;
        self.prepare_next_life(life, end, left)?;
        let last = life + 1 == self.config.lives;
        if last || (life + 1).is_multiple_of(self.config.audit_every) {
            let found = server::audit(&self.options(life + 1)).map_err(|error| format!("audit: {error}"))?;
            if let Some(bad) = found.first_bad {
                return Err(format!("the audit found a fault in record {}: {}", bad.seq, bad.what));
            }
            (self.summary.records, self.summary.head) = (found.records, found.head);
        }
        Ok(())
    }

    /// Runs one life of the house, from its opening to its end.
    ///
    /// Returns how the life ended, and the database files that it left.
    async fn run_house(
        &mut self,
        life: u32,
        options: &Options,
    ) -> Result<(End, BTreeMap<PathBuf, Vec<u8>>), String> {
        let world = Rc::new(SimWorld::new(self.dice.fork(), self.at));
        world.jump(self.clock_error_ms);
        ledger::world::enter(Some(Rc::clone(&world) as Rc<dyn ledger::world::World>));
        // The first life has no faults until everybody has arrived.
        let plan = Plan::draw(&mut self.dice, self.config.longest, life == 0);
        if let (Some(operations), true) = (plan.off_after, life > 0) {
            disk::with(|disk| disk.fail_after(operations));
        }
        disk::with(|disk| disk.image_interval = Some(self.config.image_interval));
        let opened = match server::open(options).await {
            Ok(opened) => opened,
            Err(error) => {
                if disk::with(|disk| disk.is_on()) == Some(true) {
                    return Err(format!("the house failed to open: {error}"));
                }
                return Ok((End::PowerCut, self.remaining_files(End::PowerCut, options)));
            }
        };
        let maintenance = opened.start_maintenance();
        if life == 0 {
            self.people = arrive::arrive(&opened, TABLES.len() as u32, &mut self.dice).await?;
        }
        self.answers.borrow_mut().check_answers(&opened, life as usize).or_else(if_powered)?;
        let end = self.run_people(&opened, &world, plan).await?;
        self.answers.borrow_mut().check_answers(&opened, life as usize).or_else(if_powered)?;
        self.save_head_file(options);
        maintenance.iter().for_each(tokio::task::JoinHandle::abort);
        if end == End::Closed {
            opened.app.closing.send_replace(true);
            opened.ledger().close();
        }
        let left = self.remaining_files(end, options);
        disk::with(Disk::switch_off);
        (self.at, self.clock_error_ms) = (world.true_time(), world.clock_error_ms());
        Ok((end, left))
    }

    /// Runs the people and the planned faults while the house is open, and returns how the house ends.
    async fn run_people(&mut self, opened: &Opened, world: &Rc<SimWorld>, plan: Plan) -> Result<End, String> {
        let power_off = disk::with(|disk| Rc::clone(&disk.power_off)).ok_or("no disk")?;
        let context = Context { opened, world, answers: &self.answers };
        let mut people: FuturesUnordered<_> =
            self.people.iter_mut().map(|person| person.live(&context)).collect();
        let disk_faults = async {
            if let Some((after, ms)) = plan.jump {
                tokio::time::sleep(after).await;
                world.jump(ms);
            }
            if let Some((after, fault, lasting)) = plan.fault {
                tokio::time::sleep(after).await;
                disk::with(|disk| disk.fault = fault);
                tokio::time::sleep(lasting).await;
                disk::with(|disk| disk.fault = DiskFault::None);
            }
            std::future::pending::<()>().await;
        };
        self.summary.jumps += u64::from(plan.jump.is_some());
        self.summary.disk_faults += u64::from(plan.fault.is_some());
        tokio::select! {
            biased;
            () = power_off.notified() => Ok(End::PowerCut),
            () = tokio::time::sleep(plan.length) => Ok(plan.end),
            Some(wrong) = people.next() => Err(wrong),
            () = disk_faults => Ok(plan.end),
        }
    }

    /// Remembers the content of the file with the journal's head, and keeps only the last three contents.
    ///
    /// A power cut may leave any of the three.
    fn save_head_file(&mut self, options: &Options) {
        self.head_files.extend(std::fs::read(options.data.join(HEAD_FILE)));
        let most = self.head_files.len().saturating_sub(3);
        self.head_files.drain(..most);
    }

    fn remaining_files(&mut self, end: End, options: &Options) -> BTreeMap<PathBuf, Vec<u8>> {
        if end == End::PowerCut {
            return disk::with(|disk| disk.image(&mut self.dice)).unwrap_or_default();
        }
        let paths = STORE.iter().map(|name| options.data.join(name));
        paths.filter_map(|path| std::fs::read(&path).ok().map(|bytes| (path, bytes))).collect()
    }

    fn check_crash_images(&mut self) -> Result<(), String> {
        for image in disk::with(|disk| std::mem::take(&mut disk.images)).unwrap_or_default() {
            images::check_image(&image, self.directory.path())?;
            self.summary.crash_images += 1;
        }
        Ok(())
    }

    /// Creates the directory of the next life from the files that this life left.
    fn prepare_next_life(
        &mut self,
        life: u32,
        end: End,
        left: BTreeMap<PathBuf, Vec<u8>>,
    ) -> Result<(), String> {
        let (before, after) = (self.data(life), self.data(life + 1));
        let io_error = |error: std::io::Error| error.to_string();
        copy_other_files(&before, &after).map_err(io_error)?;
        if end == End::PowerCut
            && let Some(head) = self.dice.pick(&self.head_files)
        {
            std::fs::write(after.join(HEAD_FILE), head).map_err(io_error)?;
        }
        let mut files = BTreeMap::new();
        for (path, bytes) in left {
            let Some(name) = path.file_name() else { continue };
            std::fs::write(after.join(name), &bytes).map_err(io_error)?;
            files.insert(after.join(name), bytes);
        }
        disk::with(|disk| disk.renew(files));
        std::fs::remove_dir_all(before).map_err(io_error)?;
        // The house restarts at once or after a while; its clock may have been corrected meanwhile.
        let closed = match self.dice.below(20) {
            0 => self.dice.below(3 * DAY_MS),
            1..4 => self.dice.below(3_600_000),
            _ => self.dice.below(20_000),
        };
        self.at = self.at.plus_ms(closed as i64);
        if self.dice.one_in(2) {
            self.clock_error_ms = 0;
        }
        Ok(())
    }
}

/// Returns the error of a failed check, unless the power is off: the house could not answer then.
fn if_powered(wrong: String) -> Result<(), String> {
    match disk::with(|disk| disk.is_on()) {
        Some(false) => Ok(()),
        _ => Err(wrong),
    }
}

/// Copies a directory, except for the database files (`house.sqlite*`).
fn copy_other_files(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let (entry, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let store = name.to_string_lossy().starts_with("house.sqlite");
        if entry.is_dir() {
            copy_other_files(&entry, &to.join(name))?;
        } else if !store {
            std::fs::copy(&entry, to.join(name))?;
        }
    }
    Ok(())
}

fn house_file() -> String {
    let mut tables: String = TABLES.iter().map(|rules| format!("[[table]]\nrules = \"{rules}\"\n")).collect();
    tables.push_str("name = \"Dora\"\ndealing = \"dealer\"\n");
    format!(
        "guest_chips = \"5000.00\"\n[timings]\nbetting_ms = 4000\ndecision_ms = 6000\npause_ms = 500\n\
         [rates]\nrequests_per_second = 100000\n\
         requests_at_once = 100000\nentries_per_minute = 100000\n{tables}"
    )
}

/// The planned length, end and faults of one life of the house.
struct Plan {
    length: Duration,
    end: End,
    /// The number of disk operations after which the power fails, or `None` if no such failure is planned.
    off_after: Option<u64>,
    jump: Option<(Duration, i64)>,
    fault: Option<(Duration, DiskFault, Duration)>,
}

impl Plan {
    fn draw(dice: &mut Dice, longest: Duration, quiet: bool) -> Plan {
        let drawn = Duration::from_millis(match dice.below(6) {
            0 => dice.below(1_000),
            1..5 => 2_000 + dice.below(40_000),
            _ => dice.below(300_000),
        });
        let length = drawn.min(longest.mul_f64((1 + dice.below(100)) as f64 / 100.0));
        let (end, off_after) = match dice.below(10) {
            0 => (End::Closed, None),
            1..5 => (End::Killed, None),
            5..7 => (End::PowerCut, None),
            _ => (End::PowerCut, Some(dice.below(600))),
        };
        let some_time = |dice: &mut Dice| Duration::from_millis(dice.below(length.as_millis() as u64 + 1));
        let jump = (!quiet && dice.one_in(20)).then(|| {
            let ms = 3_000 + dice.below(60 * DAY_MS) as i64;
            (some_time(dice), if dice.one_in(2) { ms } else { -ms })
        });
        let fault = (!quiet && dice.one_in(8)).then(|| {
            let fault = if dice.one_in(2) { DiskFault::Full } else { DiskFault::Broken(2 + dice.below(20)) };
            (some_time(dice), fault, some_time(dice))
        });
        Plan { length, end, off_after, jump, fault }
    }
}

//! Measures durable commands per second with group commit, compared with a bare append with the same batching on the
//! same disk.
//! `cargo bench -p ledger` measures SQLite; `CUTCARD_BENCH_DATABASE=postgres://…` measures that database instead. Numbers
//! after `--` say how many commands wait at a time.

use ledger::{
    Account, Cents, Chips, CommandId, Digest, Draft, Epoch, Holder, Ledger, Moment, PersonId, Postings,
    RoundNo, StoreAddress, Stream, TableId,
};
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// The two take turns, so that whatever else the machine does falls on both.
const SLICES: usize = 4;
const SECONDS: u64 = 1;
const EVENT_BYTES: usize = 160;
const ANSWER_BYTES: usize = 120;

fn main() {
    let directory = tempfile::Builder::new().prefix("bench").tempdir_in(bench_directory()).expect("temp dir");
    let asked: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    for waiting in if asked.is_empty() { vec![1, 40, 200, 1000] } else { asked } {
        let (mut bare, mut durable) = (Figures::default(), Figures::default());
        for slice in 0..SLICES {
            bare.add(bare_append(directory.path(), waiting));
            durable.add(ledger_commits(directory.path(), (waiting, slice)));
        }
        println!(
            "{waiting:5} waiting: ledger {:8.0}/s p99 {:6.2} ms {:5.1} us   bare append {:8.0}/s p99 {:6.2} ms {:5.1} us   \
             ratio {:.2}",
            durable.rate(),
            durable.p99(),
            durable.processor_each(),
            bare.rate(),
            bare.p99(),
            bare.processor_each(),
            durable.rate() / bare.rate()
        );
    }
}

/// On the disk that the build uses; a directory in memory would measure nothing.
fn bench_directory() -> std::path::PathBuf {
    std::env::var_os("CUTCARD_BENCH_DIR").map_or_else(std::env::temp_dir, Into::into)
}

#[derive(Default)]
struct Figures {
    waits: Vec<Duration>,
    seconds: f64,
    /// Seconds of processor time, of all threads.
    processor: f64,
}

impl Figures {
    fn add(&mut self, slice: Figures) {
        self.waits.extend(slice.waits);
        self.seconds += slice.seconds;
        self.processor += slice.processor;
    }

    /// CPU microseconds per command, clients included; other load on the machine does not affect it.
    fn processor_each(&self) -> f64 {
        self.processor * 1e6 / self.waits.len().max(1) as f64
    }

    fn rate(&self) -> f64 {
        self.waits.len() as f64 / self.seconds
    }

    fn p99(&mut self) -> f64 {
        self.waits.sort();
        let p99 = self.waits.get(self.waits.len() * 99 / 100).copied().unwrap_or_default();
        p99.as_secs_f64() * 1000.0
    }
}

/// Keeps `waiting` commands in flight: each acknowledged one is followed by the next of its table.
fn closed_loop(waiting: usize, send: impl Fn(usize, usize, Sender<(usize, Instant)>)) -> Figures {
    let (done, finished) = channel();
    let (begun, before) = (Instant::now(), processor());
    for table in 0..waiting {
        send(table, 0, done.clone());
    }
    let mut waits = Vec::new();
    let mut turn = vec![0; waiting];
    while begun.elapsed() < Duration::from_secs(SECONDS) {
        let Ok((table, sent)) = finished.recv() else { break };
        waits.push(sent.elapsed());
        turn[table] += 1;
        send(table, turn[table], done.clone());
    }
    Figures { waits, seconds: begun.elapsed().as_secs_f64(), processor: processor() - before }
}

/// Seconds of processor time that this process has used.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let ticks = after_name.split(' ').skip(11).take(2).filter_map(|word| word.parse::<u64>().ok());
    ticks.sum::<u64>() as f64 / 100.0
}

fn ledger_commits(directory: &Path, (waiting, slice): (usize, usize)) -> Figures {
    let data = directory.join(format!("ledger-{waiting}-{slice}"));
    let place = match std::env::var("CUTCARD_BENCH_DATABASE") {
        Ok(url) => StoreAddress::Postgres(url),
        Err(_) => StoreAddress::in_directory(&data),
    };
    let ledger = Arc::new(Ledger::open(&data, place, 0).expect("opens"));
    let epochs: Vec<Epoch> = (0..waiting)
        .map(|n| ledger.take_over(Stream::Table(TableId(n as u32 + 1)), "bench").expect("taken"))
        .collect();
    let run = format!("{}-{waiting}-{slice}", std::process::id());
    for n in 0..waiting {
        let id = CommandId::new(&format!("{run}-b{n}")).expect("lawful");
        let mut draft = Draft::new(Stream::House, person(n), id, "buy-in");
        draft.postings = Postings::none().transfer(
            Account::new(Chips::Cash, Holder::Outside),
            Account::player(Chips::Cash, person(n)),
            Cents(1_000_000_000),
        );
        ledger.submit(draft, |outcome| assert!(outcome.is_ok()));
    }
    closed_loop(waiting, |table, turn, done| {
        let mut draft = wager(&run, table, turn);
        draft.fence = Some(epochs[table]);
        let sent = Instant::now();
        ledger.submit(draft, move |outcome| {
            assert!(outcome.is_ok());
            let _ = done.send((table, sent));
        });
    })
}

/// The client's command, the same for the ledger and the bare append.
fn wager(run: &str, table: usize, turn: usize) -> Draft {
    let stream = TableId(table as u32 + 1);
    // Ids grow with time, as those of the page and UUIDs of version 7 do.
    let id = CommandId::new(&format!("{:012x}-{run}-{table}-{turn}", Moment::now().0)).expect("lawful");
    let mut draft = Draft::new(Stream::Table(stream), person(table), id, "round");
    draft.round = RoundNo(turn as i64 / 4 + 1);
    draft.event = vec![1; EVENT_BYTES];
    draft.answer = vec![2; ANSWER_BYTES];
    draft.body = Digest::of(&draft.event);
    let player = Account::player(Chips::Cash, person(table));
    let layout = Account::new(Chips::Cash, Holder::Layout(stream));
    draft.postings = Postings::none().transfer(player, layout, Cents(1));
    draft
}

fn person(n: usize) -> PersonId {
    PersonId(n as i64 + 1)
}

/// Measures the disk: appends the bytes of the same commands to a file and syncs once per batch.
fn bare_append(directory: &Path, waiting: usize) -> Figures {
    let mut file = File::create(directory.join(format!("bare-{waiting}"))).expect("created");
    let (queue, work) = channel::<(usize, Instant, Draft, Sender<(usize, Instant)>)>();
    let writer = std::thread::spawn(move || {
        while let Ok(first) = work.recv() {
            let mut batch = vec![first];
            batch.extend(work.try_iter().take(511));
            let mut bytes = Vec::new();
            batch.iter().for_each(|(_, _, draft, _)| put(draft, &mut bytes));
            file.write_all(&bytes).expect("written");
            file.sync_data().expect("synced");
            for (table, sent, _, done) in batch {
                let _ = done.send((table, sent));
            }
        }
    });
    let run = format!("{}-{waiting}-0", std::process::id());
    let figures = closed_loop(waiting, |table, turn, done| {
        let draft = wager(&run, table, turn);
        queue.send((table, Instant::now(), draft, done)).expect("queued");
    });
    drop(queue);
    writer.join().expect("ended");
    figures
}

/// Writes a record of the same size as the ledger stores, without judging or chaining it.
fn put(draft: &Draft, to: &mut Vec<u8>) {
    let int = |value: i64, to: &mut Vec<u8>| to.extend_from_slice(&value.to_be_bytes());
    for field in [0, 0, 0, 0, draft.stream.number(), draft.round.0, draft.person.0] {
        int(field, to);
    }
    for text in [draft.kind.as_bytes(), draft.command.as_str().as_bytes(), &draft.event, &draft.answer, &[]] {
        int(text.len() as i64, to);
        to.extend_from_slice(text);
    }
    int(0, to);
    for leg in draft.postings.legs() {
        int(leg.account.number(), to);
        int(leg.amount.0, to);
        int(0, to);
    }
    to.extend_from_slice(&draft.body.0);
    to.extend_from_slice(&draft.body.0);
}

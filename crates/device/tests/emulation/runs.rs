//! Checks that whole runs on several emulated devices give the same results as the CPU.

use crate::compiled::{Emulation, SHAPE, options, program};
use program::infinite_deck::infinite_deck_chart;
use rules::preset::preset;
use sim::chunk::Job;
use sim::device::Device;
use sim::part::RunPart;
use sim::tally::Tally;
use sim::{Hooks, Options, simulate};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of chunks that an emulated device played.
#[derive(Default)]
struct Played {
    merged: AtomicU64,
    separate: AtomicU64,
}

/// An emulated device, which may be defective.
struct Emulated {
    kernel: Emulation,
    played: Arc<Played>,
    defect: Option<Defect>,
}

#[derive(Clone, Copy)]
enum Defect {
    /// The sums are wrong.
    Wrong,
    /// The device stops at this chunk.
    StopsAt(u64),
}

impl Emulated {
    fn chunk(&self, job: &Job, chunk: u64) -> Result<Tally, String> {
        let mut tally = self.kernel.chunk(job, chunk);
        match self.defect {
            Some(Defect::Wrong) => tally.hands += 1,
            Some(Defect::StopsAt(last)) if chunk >= last => return Err("the device is gone".into()),
            _ => {}
        }
        Ok(tally)
    }
}

impl Device for Emulated {
    fn name(&self) -> &str {
        "emulation"
    }

    fn play_merged(&self, job: &Job, chunks: Range<u64>) -> Result<Tally, String> {
        self.played.merged.fetch_add(chunks.end - chunks.start, Ordering::Relaxed);
        let mut sum = job.empty();
        for chunk in chunks {
            sum.merge(&self.chunk(job, chunk)?);
        }
        Ok(sum)
    }

    fn play_separately(&self, job: &Job, chunks: Range<u64>) -> Result<Vec<Tally>, String> {
        self.played.separate.fetch_add(chunks.end - chunks.start, Ordering::Relaxed);
        chunks.map(|chunk| self.chunk(job, chunk)).collect()
    }
}

/// Runs nj-six-to-five on these devices, or on the CPU if there are none.
fn run(options: &Options, devices: &[(Arc<Played>, Option<Defect>)]) -> Result<(RunPart, usize), String> {
    let choices = preset("nj-six-to-five").unwrap();
    let mut make = |job: &Job| {
        let emulated = devices.iter().map(|(played, defect)| {
            let kernel = Emulation::new(job, SHAPE);
            Box::new(Emulated { kernel, played: played.clone(), defect: *defect }) as Box<dyn Device>
        });
        Ok(emulated.collect::<Vec<_>>())
    };
    let hooks = Hooks { devices: Some(&mut make), ..Hooks::default() };
    let results = simulate(program(&choices, &infinite_deck_chart(&choices), &[]), options, hooks)?;
    Ok((results.part, results.devices.len()))
}

fn devices(number: usize) -> Vec<(Arc<Played>, Option<Defect>)> {
    (0..number).map(|_| (Arc::default(), None)).collect()
}

/// Two devices each play a part of the chunks; the sums, and the chunks that they cover, equal those of the CPU.
#[test]
fn two_devices_share_a_run() {
    let options = Options { rounds: 42_000_000, ..options(Some("hi-lo"), false) };
    let (wanted, none) = run(&options, &[]).unwrap();
    let two = devices(2);
    let (came, used) = run(&options, &two).unwrap();
    assert_eq!((none, used), (0, 2));
    assert!(wanted == came, "{}\n{}", wanted.tally.to_json(), came.tally.to_json());
    for (played, _) in &two {
        assert!(played.merged.load(Ordering::Relaxed) >= 64, "a device stood by");
    }
}

/// A run with a target error ends after the same chunk on a device and on the CPU.
#[test]
fn a_run_ends_at_the_same_error() {
    let plain = Options { rounds: 1 << 40, until_error: Some(0.0004), ..options(None, false) };
    let (wanted, _) = run(&plain, &[]).unwrap();
    let used = devices(2);
    let (came, _) = run(&plain, &used).unwrap();
    assert!(wanted == came);
    assert!(used[0].0.separate.load(Ordering::Relaxed) > 1, "its end was not looked at closely");
    assert!(wanted.tally.rounds() > 5_000_000, "{}", wanted.tally.rounds());
}

#[test]
fn a_device_with_a_defect_is_refused() {
    let options = Options { rounds: 45_000_000, ..options(None, false) };
    let mut two = devices(2);
    two[1].1 = Some(Defect::Wrong);
    let refused = run(&options, &two).expect_err("a reason");
    assert_eq!(refused, "emulation and the CPU disagree on chunk 0; use --device cpu");
    two.iter_mut().for_each(|device| device.1 = Some(Defect::StopsAt(2)));
    assert_eq!(run(&options, &two).expect_err("a reason"), "the device is gone");
}

/// A device that plays single chunks correctly, and fails with a message when asked for many.
struct Asked;

impl Device for Asked {
    fn name(&self) -> &str {
        "asked"
    }

    fn play_merged(&self, _: &Job, _: Range<u64>) -> Result<Tally, String> {
        Err("a device was asked".into())
    }

    fn play_separately(&self, job: &Job, chunks: Range<u64>) -> Result<Vec<Tally>, String> {
        Ok(chunks.map(|chunk| job.chunk(chunk)).collect())
    }
}

/// A long simulation without a device setting uses the devices that are offered, and a short one does not.
#[test]
fn long_runs_take_what_is_offered() {
    sim::device::register(|_| vec![Box::new(Asked)]);
    let choices = preset("nj-six-to-five").unwrap();
    let play = |options: &Options| {
        simulate(program(&choices, &infinite_deck_chart(&choices), &[]), options, Hooks::default())
            .map(|results| results.devices.len())
    };
    let long = Options { rounds: 1_000_000_000, ..options(None, false) };
    assert_eq!(play(&long), Err("a device was asked".to_string()));
    assert_eq!(play(&Options { chunks: Some(7..4_007), ..long.clone() }), Err("a device was asked".into()));
    assert_eq!(play(&Options { rounds: 1_000_000, ..long.clone() }), Ok(0));
    assert_eq!(play(&Options { chunks: Some(7..9), ..long }), Ok(0));
}

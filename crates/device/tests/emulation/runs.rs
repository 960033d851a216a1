//! Whole runs on several devices, each of them an emulation, come to what the processors come to.

use crate::compiled::{Emulation, SHAPE, options, program};
use program::reckon::reckon;
use rules::preset::preset;
use sim::chunk::Job;
use sim::device::Device;
use sim::part::Part;
use sim::tally::Tally;
use sim::{Hooks, Options, simulate};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What an emulated device was asked to do.
#[derive(Default)]
struct Played {
    together: AtomicU64,
    apart: AtomicU64,
}

/// An emulation as a device, which may have a defect from some chunk on.
struct Emulated {
    kernel: Emulation,
    played: Arc<Played>,
    defect: Option<Defect>,
}

#[derive(Clone, Copy)]
enum Defect {
    /// Its sums are wrong.
    Wrong,
    /// It stops at this chunk.
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

    fn together(&self, job: &Job, chunks: Range<u64>) -> Result<Tally, String> {
        self.played.together.fetch_add(chunks.end - chunks.start, Ordering::Relaxed);
        let mut sum = job.empty();
        for chunk in chunks {
            sum.merge(&self.chunk(job, chunk)?);
        }
        Ok(sum)
    }

    fn apart(&self, job: &Job, chunks: Range<u64>) -> Result<Vec<Tally>, String> {
        self.played.apart.fetch_add(chunks.end - chunks.start, Ordering::Relaxed);
        chunks.map(|chunk| self.chunk(job, chunk)).collect()
    }
}

/// A run of nj-six-to-five with a count on as many devices, or on the processors if there are none.
fn run(options: &Options, devices: &[(Arc<Played>, Option<Defect>)]) -> Result<(Part, usize), String> {
    let choices = preset("nj-six-to-five").unwrap();
    let mut make = |job: &Job| {
        let emulated = devices.iter().map(|(played, defect)| {
            let kernel = Emulation::new(job, SHAPE);
            Box::new(Emulated { kernel, played: played.clone(), defect: *defect }) as Box<dyn Device>
        });
        Ok(emulated.collect::<Vec<_>>())
    };
    let hooks = Hooks { devices: Some(&mut make), ..Hooks::default() };
    let results = simulate(program(&choices, &reckon(&choices), &[]), options, hooks)?;
    Ok((results.part, results.devices.len()))
}

fn devices(number: usize) -> Vec<(Arc<Played>, Option<Defect>)> {
    (0..number).map(|_| (Arc::default(), None)).collect()
}

/// Each of two devices plays its part of the chunks; the sums, and the chunks they are of, are those of the processors.
#[test]
fn two_devices_share_a_run() {
    let options = Options { rounds: 42_000_000, ..options(Some("hi-lo"), false) };
    let (wanted, none) = run(&options, &[]).unwrap();
    let two = devices(2);
    let (came, used) = run(&options, &two).unwrap();
    assert_eq!((none, used), (0, 2));
    assert!(wanted == came, "{}\n{}", wanted.tally.to_json(), came.tally.to_json());
    for (played, _) in &two {
        assert!(played.together.load(Ordering::Relaxed) >= 64, "a device stood by");
    }
}

/// A run until an error is small enough ends behind the same chunk, whoever plays it.
#[test]
fn a_run_ends_at_the_same_error() {
    let plain = Options { rounds: 1 << 40, until_error: Some(0.0004), ..options(None, false) };
    let (wanted, _) = run(&plain, &[]).unwrap();
    let used = devices(2);
    let (came, _) = run(&plain, &used).unwrap();
    assert!(wanted == came);
    assert!(used[0].0.apart.load(Ordering::Relaxed) > 1, "its end was not looked at closely");
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

/// Plays single chunks as it should, and says so when it is asked for many.
struct Asked;

impl Device for Asked {
    fn name(&self) -> &str {
        "asked"
    }

    fn together(&self, _: &Job, _: Range<u64>) -> Result<Tally, String> {
        Err("a device was asked".into())
    }

    fn apart(&self, job: &Job, chunks: Range<u64>) -> Result<Vec<Tally>, String> {
        Ok(chunks.map(|chunk| job.chunk(chunk)).collect())
    }
}

/// Whoever runs a long simulation and says nothing of devices gets those that are offered, and short runs none.
#[test]
fn long_runs_take_what_is_offered() {
    sim::device::offer(|_| vec![Box::new(Asked)]);
    let choices = preset("nj-six-to-five").unwrap();
    let play = |options: &Options| {
        simulate(program(&choices, &reckon(&choices), &[]), options, Hooks::default())
            .map(|results| results.devices.len())
    };
    let long = Options { rounds: 1_000_000_000, ..options(None, false) };
    assert_eq!(play(&long), Err("a device was asked".to_string()));
    assert_eq!(play(&Options { chunks: Some(7..4_007), ..long.clone() }), Err("a device was asked".into()));
    assert_eq!(play(&Options { rounds: 1_000_000, ..long.clone() }), Ok(0));
    assert_eq!(play(&Options { chunks: Some(7..9), ..long }), Ok(0));
}

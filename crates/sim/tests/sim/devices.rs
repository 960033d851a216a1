//! A run on devices equals the run on the CPU, and ends after the same chunk, however many chunks a device plays at a
//! time.

use crate::engines::program;
use rules::preset::preset;
use sim::chunk::Job;
use sim::device::Device;
use sim::tally::Tally;
use sim::{Hooks, Options, Results, simulate};
use std::ops::Range;

/// A fake device that uses the CPU's engines; a wrong one loses a card now and then.
struct Pretended {
    wrong: bool,
}

impl Device for Pretended {
    fn name(&self) -> &str {
        "a pretended device"
    }

    fn play_merged(&self, job: &Job, chunks: Range<u64>) -> Result<Tally, String> {
        let mut sum = job.empty();
        chunks.for_each(|chunk| sum.merge(&job.chunk(chunk)));
        sum.cards -= u64::from(self.wrong);
        Ok(sum)
    }

    fn play_separately(&self, job: &Job, chunks: Range<u64>) -> Result<Vec<Tally>, String> {
        chunks.map(|chunk| self.play_merged(job, chunk..chunk + 1)).collect()
    }
}

fn run(options: &Options, devices: usize, wrong: bool) -> Result<Results, String> {
    let choices = preset("nj-six-to-five").unwrap();
    let mut make = |_: &Job| {
        Ok((0..devices).map(|_| Box::new(Pretended { wrong }) as Box<dyn Device>).collect::<Vec<_>>())
    };
    let hooks = Hooks { devices: Some(&mut make), ..Hooks::default() };
    simulate(program(&choices, &[]), options, hooks)
}

#[test]
fn a_device_ends_where_the_processor_ends() {
    // few rounds, more chunks than are summed separately at a time, a target error, and a range of chunks
    let options = Options { rounds: 36_000_000, threads: 2, ..Options::default() };
    for options in [
        Options { rounds: 700_001, ..options.clone() },
        options.clone(),
        Options { rounds: u64::MAX, until_error: Some(0.000_6), ..options.clone() },
        Options { chunks: Some(5..9), ..options.clone() },
    ] {
        let wanted = run(&options, 0, false).unwrap();
        assert!(wanted.devices.is_empty());
        for devices in [1, 2] {
            let came = run(&options, devices, false).unwrap();
            assert_eq!(came.devices.len(), devices);
            assert!(came.part == wanted.part, "{options:?}");
        }
    }
}

#[test]
fn a_device_that_plays_otherwise_is_refused() {
    let error = run(&Options { rounds: 700_001, ..Options::default() }, 1, true).err().unwrap();
    assert!(error.starts_with("a pretended device and the CPU disagree on chunk 0"), "{error}");
}

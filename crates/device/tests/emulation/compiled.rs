//! Emulates a device by compiling the kernel as C.

use device::layout::{Layout, MOST_THREADS, Shape, Table};
use device::{KERNEL, sums};
use libloading::{Library, Symbol};
use program::{Chart, CompileOptions, Program, compile};
use rules::{Choices, SideBet};
use sim::Options;
use sim::chunk::Job;
use sim::count::{Ramp, System};
use sim::tally::Tally;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

pub const SHAPE: Shape = Shape { threads: MOST_THREADS, shared: 227 * 1024 };

type Emulate<E> = unsafe extern "C" fn(
    *const E,
    *const u32,
    *const u8,
    *const u16,
    *const u32,
    *mut u64,
    u64,
    u64,
    *mut u8,
);

/// The kernel for a job, compiled by this machine's C compiler.
pub struct Emulation {
    pub layout: Layout,
    library: Library,
}

impl Emulation {
    pub fn new(job: &Job, shape: Shape) -> Emulation {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let layout = Layout::new(job, shape).expect("a job for devices");
        let name = format!("cutcard-kernel-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let (source, made): (PathBuf, PathBuf) =
            (std::env::temp_dir().join(format!("{name}.c")), std::env::temp_dir().join(format!("{name}.so")));
        std::fs::write(&source, format!("{}{KERNEL}", layout.constants)).expect("a file");
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
        let done = Command::new(compiler)
            .args([
                "-O1",
                "-std=gnu11",
                "-shared",
                "-fPIC",
                "-fno-strict-aliasing",
                "-Wall",
                "-Wextra",
                "-Werror",
            ])
            .args(["-Wno-type-limits", "-Wno-unused-function", "-Wno-unused-parameter", "-o"])
            .args([&made, &source])
            .status()
            .expect("a C compiler");
        assert!(done.success());
        let library = unsafe { Library::new(&made) }.expect("what was just made");
        std::fs::remove_file(&source).expect("the source");
        std::fs::remove_file(&made).expect("the library");
        Emulation { layout, library }
    }

    pub fn chunk(&self, job: &Job, chunk: u64) -> Tally {
        let layout = &self.layout;
        let mut counted = vec![0; layout.words];
        let mut lists = vec![0; layout.list_bytes + 1];
        let (rest, buckets, lines, left) = (&layout.rest, &layout.buckets, &layout.lines, &layout.left);
        macro_rules! call {
            ($entry:ty, $table:expr) => {{
                let emulate: Symbol<Emulate<$entry>> =
                    unsafe { self.library.get(b"emulate") }.expect("the function");
                unsafe {
                    emulate(
                        $table.as_ptr(),
                        rest.as_ptr(),
                        buckets.as_ptr(),
                        lines.as_ptr(),
                        left.as_ptr(),
                        counted.as_mut_ptr(),
                        job.seed,
                        chunk,
                        lists.as_mut_ptr(),
                    )
                }
            }};
        }
        match &layout.table {
            Table::Narrow(table) => call!(u16, table),
            Table::Wide(table) => call!(u32, table),
        }
        sums::tally(job, layout, 1, &counted)
    }
}

pub fn program(choices: &Choices, chart: &Chart, bets: &[SideBet]) -> Program {
    compile(choices, chart, &CompileOptions { bets: bets.to_vec(), stake: None }).expect("a program")
}

/// Returns a job with chunks short enough to compare many of them.
pub fn job(program: Program, options: &Options) -> Job {
    let mut job = sim::run::job(program, options).expect("a job");
    job.shoes = job.shoes.div_ceil(16);
    job
}

pub fn options(count: Option<&str>, fresh: bool) -> Options {
    Options {
        seed: 11,
        fresh,
        system: count.map(|name| System::parse(name).expect("a count")),
        ramp: Ramp::parse("1:1,2:4,4:12").expect("a ramp"),
        ..Options::default()
    }
}

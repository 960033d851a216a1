//! Runs jobs on GPUs through the CUDA driver, which is loaded on first use.

use crate::layout::{Layout, MOST_THREADS, Shape, Table};
use crate::{KERNEL, sums};
use cudarc::driver::sys::{CUdevice_attribute as Attribute, CUfunction_attribute as Limit};
use cudarc::driver::{CudaContext, CudaFunction, CudaSlice, CudaStream, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};
use sim::chunk::Job;
use sim::device::Device;
use sim::tally::Tally;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// The lowest compute capability, as major and minor number, that the kernel supports.
///
/// This is the capability of Volta, the first architecture whose threads vote as the kernel expects.
const LEAST_CAPABILITY: (i32, i32) = (7, 0);
/// The maximum total size in bytes of the counters when several groups of chunks are counted separately.
const MOST_APART: usize = 1 << 26;

/// A CUDA device of this machine, with its properties.
#[derive(Clone, PartialEq, Debug)]
pub struct DeviceInfo {
    /// The device's number, counted from zero.
    pub number: usize,
    /// The device's name, as the driver reports it.
    pub name: String,
    /// The device's compute capability, as major and minor number.
    pub capability: (i32, i32),
    /// The size of the device's memory, in bytes.
    pub memory: usize,
    /// The number of the device's multiprocessors.
    pub multiprocessors: usize,
}

/// Returns the CUDA devices of this machine, or an error with the reason if no device can be used.
pub fn devices() -> Result<Vec<DeviceInfo>, String> {
    // checking whether a library is present loads it, but calls nothing in it
    let (driver, compiler) =
        unsafe { (cudarc::driver::sys::is_culib_present(), cudarc::nvrtc::sys::is_culib_present()) };
    if !driver {
        return Err("this machine has no CUDA driver".into());
    }
    if !compiler {
        return Err(
            "this machine has a CUDA driver but not NVRTC, the compiler that comes with CUDA; install it or \
            set LD_LIBRARY_PATH to its folder"
                .into(),
        );
    }
    let count =
        CudaContext::device_count().map_err(|error| failure("cannot count the CUDA devices", error))?;
    let mut found = Vec::new();
    for number in 0..count as usize {
        let context = CudaContext::new(number).map_err(|error| failure("cannot use a CUDA device", error))?;
        let name = context.name().map_err(|error| failure("cannot read a CUDA device's name", error))?;
        let trouble = |error| failure(&name, error);
        let capability = context.compute_capability().map_err(trouble)?;
        let memory = context.total_mem().map_err(trouble)?;
        let attribute = Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        let multiprocessors = context.attribute(attribute).map_err(trouble)? as usize;
        found.push(DeviceInfo { number, name: name.clone(), capability, memory, multiprocessors });
    }
    if found.is_empty() {
        return Err("this machine has no CUDA device".into());
    }
    Ok(found)
}

fn failure(what: &str, error: impl std::fmt::Debug) -> String {
    format!("{what}: {error:?}")
}

/// Prepares devices for a job.
///
/// The outer error says that a device failed. The inner error says why the job must run on the CPU.
pub fn ready(job: &Job, found: &[DeviceInfo]) -> Result<Result<Vec<Box<dyn Device>>, String>, String> {
    let mut ready: Vec<Box<dyn Device>> = Vec::new();
    for device in found {
        if device.capability < LEAST_CAPABILITY {
            let (major, minor) = device.capability;
            return Ok(Err(format!(
                "{} has compute capability {major}.{minor}; at least 7.0 is needed",
                device.name
            )));
        }
        match Cuda::new(job, device)? {
            Ok(cuda) => ready.push(Box::new(cuda)),
            Err(reason) => return Ok(Err(reason)),
        }
    }
    Ok(Ok(ready))
}

/// Prepares the CUDA devices of this machine for a job.
///
/// Returns an empty list if there is no device, if a device fails, or if the job must run on the CPU.
pub fn if_any(job: &Job) -> Vec<Box<dyn Device>> {
    let found = devices().unwrap_or_default();
    ready(job, &found).ok().and_then(Result::ok).unwrap_or_default()
}

/// Returns the number of CUDA devices on this machine, without initializing them.
pub fn count() -> usize {
    // as in `devices`
    let present =
        unsafe { cudarc::driver::sys::is_culib_present() && cudarc::nvrtc::sys::is_culib_present() };
    let count = if present { CudaContext::device_count().ok() } else { None };
    count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
}

/// A device whose memory holds the lookup tables of a job.
struct Cuda {
    name: String,
    layout: Layout,
    stream: Arc<CudaStream>,
    kernel: CudaFunction,
    table: CudaSlice<u8>,
    rest: CudaSlice<u32>,
    buckets: CudaSlice<u8>,
    lines: CudaSlice<u16>,
    left: CudaSlice<u32>,
    /// The number of blocks that the device runs at the same time.
    blocks: usize,
    /// The kernel's counters in device memory, kept between calls.
    counted: Mutex<CudaSlice<u64>>,
}

impl Cuda {
    fn new(job: &Job, found: &DeviceInfo) -> Result<Result<Cuda, String>, String> {
        let trouble = |error| failure(&found.name, error);
        let context = CudaContext::new(found.number).map_err(trouble)?;
        let attribute = Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
        let most = context.attribute(attribute).map_err(trouble)? as usize;
        let layout = match Layout::new(job, Shape { threads: MOST_THREADS, shared: most }) {
            Ok(layout) => layout,
            Err(reason) => return Ok(Err(reason)),
        };
        let (major, minor) = found.capability;
        let options = CompileOptions {
            options: vec![format!("--gpu-architecture=sm_{major}{minor}"), "--std=c++17".into()],
            ..CompileOptions::default()
        };
        let source = format!("{}{KERNEL}", layout.constants);
        let compiled = compile_ptx_with_opts(source, options)
            .map_err(|error| failure("cannot compile the kernel for this device", error))?;
        let module = context.load_module(compiled).map_err(trouble)?;
        let kernel = module.load_function("play").map_err(trouble)?;
        let limit = Limit::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        kernel.set_attribute(limit, layout.shared as i32).map_err(trouble)?;
        let at_once = kernel
            .occupancy_max_active_blocks_per_multiprocessor(layout.threads as u32, layout.shared, None)
            .map_err(trouble)?;
        let stream = context.default_stream();
        let table: Vec<u8> = match &layout.table {
            Table::Narrow(entries) => entries.iter().flat_map(|entry| entry.to_le_bytes()).collect(),
            Table::Wide(entries) => entries.iter().flat_map(|entry| entry.to_le_bytes()).collect(),
        };
        let words = layout.words * (MOST_APART / 8 / layout.words).clamp(1, 512);
        Ok(Ok(Cuda {
            name: found.name.clone(),
            kernel,
            table: stream.clone_htod(&table).map_err(trouble)?,
            rest: stream.clone_htod(&layout.rest).map_err(trouble)?,
            buckets: stream.clone_htod(&layout.buckets).map_err(trouble)?,
            lines: stream.clone_htod(&layout.lines).map_err(trouble)?,
            left: stream.clone_htod(&layout.left).map_err(trouble)?,
            blocks: (at_once.max(1) as usize) * found.multiprocessors,
            counted: Mutex::new(stream.alloc_zeros(words).map_err(trouble)?),
            stream,
            layout,
        }))
    }

    /// Plays `groups` groups of `chunks` chunks each, from the chunk `first` on, and returns each group's sums
    /// separately.
    fn groups(&self, job: &Job, first: u64, groups: usize, chunks: u64) -> Result<Vec<Tally>, String> {
        let trouble = |error| failure(&self.name, error);
        let mut counted =
            self.counted.lock().map_err(|_| "a device stopped before its work was done".to_string())?;
        self.stream.context().bind_to_thread().map_err(trouble)?;
        self.stream.memset_zeros(&mut *counted).map_err(trouble)?;
        // launch no more blocks than have shoes to play
        let shoes = (chunks * job.shoes / self.layout.in_order) as usize;
        let blocks = (self.blocks / groups).clamp(1, shoes.div_ceil(self.layout.threads / 16));
        let (chunks_a_group, blocks_a_group) = (chunks as u32, blocks as u32);
        let config = LaunchConfig {
            grid_dim: ((groups * blocks) as u32, 1, 1),
            block_dim: (self.layout.threads as u32, 1, 1),
            shared_mem_bytes: self.layout.shared as u32,
        };
        let mut launch = self.stream.launch_builder(&self.kernel);
        launch.arg(&self.table).arg(&self.rest).arg(&self.buckets).arg(&self.lines).arg(&self.left);
        launch.arg(&mut *counted).arg(&job.seed).arg(&first).arg(&chunks_a_group).arg(&blocks_a_group);
        // the arguments match those of `play` in kernel.cu, and the tables match its constants
        unsafe { launch.launch(config) }.map_err(trouble)?;
        let counted =
            self.stream.clone_dtoh(&counted.slice(..groups * self.layout.words)).map_err(trouble)?;
        let groups = counted.chunks_exact(self.layout.words);
        Ok(groups.map(|counted| sums::tally(job, &self.layout, chunks, counted)).collect())
    }
}

impl Device for Cuda {
    fn name(&self) -> &str {
        &self.name
    }

    fn play_merged(&self, job: &Job, chunks: Range<u64>) -> Result<Tally, String> {
        let mut tallies = self.groups(job, chunks.start, 1, chunks.end - chunks.start)?;
        tallies.pop().ok_or_else(|| format!("{}: the device counted no rounds", self.name))
    }

    fn play_separately(&self, job: &Job, chunks: Range<u64>) -> Result<Vec<Tally>, String> {
        let most = (MOST_APART / 8 / self.layout.words).clamp(1, 512) as u64;
        let mut tallies = Vec::new();
        let mut first = chunks.start;
        while first < chunks.end {
            let groups = most.min(chunks.end - first);
            tallies.extend(self.groups(job, first, groups as usize, 1)?);
            first += groups;
        }
        Ok(tallies)
    }
}

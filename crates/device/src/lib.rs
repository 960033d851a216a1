//! Runs a simulation on a GPU with the same results as on the CPU: the same seed, the same chunks, the same sums.
//!
//! [`layout`] lays out the lookup tables of a job as flat arrays, one kernel steps shoes through them
//! (`kernel.cu`, which contains no rules), and [`sums`] turns the kernel's counters into the sums of a run.
//! [`cuda`] finds devices and runs the kernel on them. All of CUDA is loaded at run time, so the program is built
//! and tested without it.

pub mod cuda;
pub mod layout;
pub mod lines;
pub mod streaks;
pub mod sums;

pub use cuda::{DeviceInfo, count, devices, if_any, ready};
pub use layout::{Layout, Shape};

/// The kernel's source, to be compiled after [`Layout::constants`].
///
/// The source compiles as CUDA for a device, and as C for tests without a device.
pub const KERNEL: &str = include_str!("kernel.cu");

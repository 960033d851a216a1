//! A graphics processor plays the run of the processor: the same seed, the same chunks, the same sums.
//!
//! The tables of a job are laid out flat ([`layout`]), one kernel steps shoes through them (`kernel.cu`, which knows no
//! rule), and what it counts becomes the sums of a run ([`sums`]). [`cuda`] finds devices and runs the kernel there; all of
//! CUDA is loaded at run time, so the program is built and tested without it.

pub mod cuda;
pub mod layout;
pub mod lines;
pub mod streaks;
pub mod sums;

pub use cuda::{Found, count, devices, if_any, ready};
pub use layout::{Layout, Shape};

/// The kernel, to be compiled behind [`Layout::constants`]: as CUDA on a device, as C to try it without one.
pub const KERNEL: &str = include_str!("kernel.cu");

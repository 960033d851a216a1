//! Tests the kernel without a device.

mod chunks;
mod compiled;
mod runs;

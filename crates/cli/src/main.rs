//! Starts the `cutcard` program; `lib.rs` has its commands.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    cli::run()
}

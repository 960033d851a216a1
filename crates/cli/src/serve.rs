//! `cutcard serve`: the live tables, with the page, the interface and the ledger.

use crate::house::{HouseArgs, cannot};
use crate::output::Output;
use documents::Failure;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

pub const LISTEN: &str = "127.0.0.1:8080";

#[derive(clap::Args)]
pub struct Args {
    /// The address to listen on.
    #[arg(long, default_value = LISTEN)]
    listen: String,
    #[command(flatten)]
    place: HouseArgs,
    /// A house file (TOML): tables, timings, limits. One table of every preset when left out.
    #[arg(long, value_name = "FILE")]
    house: Option<PathBuf>,
    /// Send the session's cookie over TLS only.
    #[arg(long)]
    secure_cookies: bool,
}

impl Default for Args {
    fn default() -> Args {
        Args { listen: LISTEN.to_string(), place: HouseArgs::default(), house: None, secure_cookies: false }
    }
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let mut options = args.place.options();
    options.listen = args.listen;
    options.house = args.house;
    options.secure_cookies = args.secure_cookies;
    options.lab_worker = crate::lab_worker::command();
    server::log_to_stderr();
    let runtime =
        server::runtime(None).map_err(|error| Failure::Refused(format!("the house cannot open: {error}")))?;
    let ready = |address: SocketAddr, first: Option<&(String, String)>| {
        let mut text = format!("The house is open at http://{address}\n");
        if let Some((name, password)) = first {
            text.push_str(&format!(
                "First start: sign in as `{name}` with the one-time password `{password}` and choose your own.\n"
            ));
        }
        // whoever started the house may have gone; it is open all the same
        let _ = output.text(&text);
    };
    runtime.block_on(server::serve(options, server::asked_to_stop(), ready)).map_err(cannot)?;
    Ok(ExitCode::SUCCESS)
}

//! `cutcard serve`: runs the server with the live tables, the web page, the API and the ledger.

use crate::house::{HouseArgs, open_error};
use crate::output::Output;
use documents::Failure;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

pub const LISTEN: &str = "127.0.0.1:8080";

#[derive(clap::Args)]
pub struct Args {
    /// Address to listen on.
    #[arg(long, default_value = LISTEN)]
    listen: String,
    #[command(flatten)]
    place: HouseArgs,
    /// House file (TOML) with tables, timings and limits. Default: one table of every preset.
    #[arg(long, value_name = "FILE")]
    house: Option<PathBuf>,
    /// Unique name of this node when several share one PostgreSQL (a-z, 0-9, `-` and `.`).
    #[arg(long, value_name = "NAME", requires = "database")]
    node: Option<String>,
    /// Address to listen on for other nodes (TLS, authenticated with the house's keys).
    #[arg(long, value_name = "ADDR", requires = "node")]
    peers_listen: Option<String>,
    /// Address to advertise to other nodes, if it differs from --peers-listen.
    #[arg(long, value_name = "HOST:PORT", requires = "peers_listen")]
    peers_address: Option<String>,
    /// Directory with the keys `seal.key` and `shoe.key`. Default: the data directory.
    #[arg(long, value_name = "DIR")]
    keys: Option<PathBuf>,
    /// Shell command that runs a remote signer, such as `ssh keys.example cutcard keeper /srv/keys`.
    #[arg(long, value_name = "COMMAND", conflicts_with = "keys")]
    key_command: Option<String>,
    /// Mark session cookies Secure, so browsers send them over TLS only.
    #[arg(long)]
    secure_cookies: bool,
    /// Store signed copies of the journal's head outside the database: a directory, `postgres://…` or `http://…`. May
    /// be repeated. The server refuses to start if its journal is behind an anchor.
    #[arg(long, value_name = "PLACE")]
    anchor: Vec<String>,
    /// Directory to archive journal segments to.
    #[arg(long, value_name = "DIR")]
    archive: Option<PathBuf>,
    /// Shell command to run for each archived segment (%p path, %f file name). Retried until it succeeds.
    #[arg(long, value_name = "COMMAND", requires = "archive")]
    archive_command: Option<String>,
    /// Archive every record before answering, so that the archive is always complete.
    #[arg(long, requires = "archive")]
    archive_at_once: bool,
    /// Start although records are missing from the journal. Requires --supervisor, and is recorded. Reads the password
    /// from CUTCARD_PASSWORD or from a line of standard input.
    #[arg(long, value_name = "REASON", requires = "supervisor")]
    accept_loss: Option<String>,
    /// Name of the supervisor who accepts the loss.
    #[arg(long, value_name = "NAME", requires = "accept_loss")]
    supervisor: Option<String>,
}

impl Default for Args {
    fn default() -> Args {
        Args {
            listen: LISTEN.to_string(),
            place: HouseArgs::default(),
            house: None,
            node: None,
            peers_listen: None,
            peers_address: None,
            keys: None,
            key_command: None,
            secure_cookies: false,
            anchor: Vec::new(),
            archive: None,
            archive_command: None,
            archive_at_once: false,
            accept_loss: None,
            supervisor: None,
        }
    }
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let mut options = args.place.options();
    options.listen = args.listen;
    options.house = args.house;
    options.node = args.node;
    options.peers_listen = args.peers_listen;
    options.peers_address = args.peers_address;
    options.keys = args.keys;
    options.key_command = args.key_command;
    options.secure_cookies = args.secure_cookies;
    options.anchors = args.anchor;
    options.archive = args.archive;
    options.archive_command = args.archive_command;
    options.archive_at_once = args.archive_at_once;
    if let (Some(reason), Some(supervisor)) = (args.accept_loss, args.supervisor) {
        options.accept_loss = Some(server::Acceptance { supervisor, password: password()?, reason });
    }
    options.lab_worker = crate::lab_worker::command();
    options.lab_device = device::count() > 0;
    options.edges_at_start = true;
    options.program_sha256 = Some(crate::filing::program_sha256()?);
    server::log_to_stderr();
    let ready = |address: SocketAddr, first: Option<&(String, String)>| {
        let mut text = format!("The house is open at http://{address}\n");
        if let Some((name, password)) = first {
            text.push_str(&format!(
                "First start: sign in as `{name}` with the one-time password `{password}` and choose your own.\n"
            ));
        }
        // the server stays up even if standard output is closed
        let _ = output.text(&text);
    };
    server::run(options, None, ready).map_err(open_error)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the supervisor's password from `CUTCARD_PASSWORD` or from standard input.
///
/// The password is never an argument, because other users of the machine can read the arguments of a process.
fn password() -> Result<String, Failure> {
    if let Ok(password) = std::env::var("CUTCARD_PASSWORD") {
        return Ok(password);
    }
    eprintln!("The supervisor's password:");
    let mut line = String::new();
    match std::io::stdin().read_line(&mut line) {
        Ok(_) => Ok(line.trim_end_matches(['\r', '\n']).to_owned()),
        Err(error) => Err(Failure::Refused(format!("cannot read the password: {error}"))),
    }
}

//! Opens the house (ledger, first supervisor, router, background jobs), serves it, and closes it cleanly.

use crate::anchors::Acceptance;
use crate::api;
use crate::app::{App, House, capital};
use crate::budget::{ANSWERS, REQUESTS, within_budget};
use crate::error::ApiError;
use crate::fair::VaultError;
use crate::guard::{Gate, LARGEST_BODY, guard, harden, in_time};
use crate::hosts::Hosts;
use crate::house_file::{HouseFile, HouseFileError};
use crate::lab::{Lab, throttle};
use crate::pool::Pool;
use crate::proxies::Proxies;
use crate::rate::Limiter;
use crate::registry::Access;
use crate::share::{Clients, Shares};
use crate::tables::Tables;
use crate::{anchors, join, keys, listen, maintenance, self_check, web};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::IntoResponse as _;
use axum::routing::get;
use ledger::people::RowChange;
use ledger::{Ledger, StoreAddress};
use rules::message;
use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::AtomicI64;
use std::sync::{Arc, OnceLock};
use std::task::Poll;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::Instant;
use tower_http::catch_panic::CatchPanicLayer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The number of queries that run at the same time off the async threads: one per database connection.
const DESKS: usize = 8;
const MOST_AT_DESKS: usize = 4096;
/// Maximum number of connections to the endpoint for metrics.
const SCRAPERS: usize = 16;
const SCRAPERS_OF_ONE_ADDRESS: usize = 4;
/// The time within which a node that is told to stop must release its tables.
///
/// Counted from the same moment, the node's clients have their answers within `ANSWERED_WITHIN`, and the node has
/// stopped within `STOPPED_WITHIN`, even if its database does not answer.
const RELEASED_WITHIN: Duration = Duration::from_millis(2_500);
const ANSWERED_WITHIN: Duration = Duration::from_millis(3_250);
const STOPPED_WITHIN: Duration = Duration::from_secs(4);

/// The options of `cutcard serve`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub listen: String,
    pub data: PathBuf,
    /// The address of a PostgreSQL database, `postgres://…`. Default: the SQLite file in the data directory.
    pub database: Option<String>,
    /// This node's name, or `None` if no other node shares the database.
    pub node: Option<String>,
    /// The address on which this node listens for the other nodes, or `None` if it does not listen for any.
    pub peers_listen: Option<String>,
    pub peers_address: Option<String>,
    /// The directory of the house's keys, or `None` for `keys` in the data directory.
    pub keys: Option<PathBuf>,
    /// The shell command that runs a remote signer, which holds the keys; `None` if the keys are in a directory.
    pub key_command: Option<String>,
    /// The path of the house file, or `None` for the standard house.
    pub house: Option<PathBuf>,
    /// Whether session cookies are marked Secure, so that browsers send them over TLS only.
    pub secure_cookies: bool,
    /// The worker program of the lab, with its arguments, which runs as a separate process. Default: this program.
    pub lab_worker: Option<Vec<OsString>>,
    /// Whether the lab's worker program has a GPU for long simulations.
    pub lab_device: bool,
    /// Whether the lab computes the house edge of every table when the house opens, so that the lobby shows it.
    pub edges_at_start: bool,
    /// The SHA-256 of the program that runs the house, in hexadecimal.
    ///
    /// The journal records the digest whenever it changes.
    pub program_sha256: Option<String>,
    /// The anchors, in the form of the option `--anchor`; each stores the journal's head outside the database.
    pub anchors: Vec<String>,
    /// The directory of the archive, a copy of the journal in segment files, or `None` for no archive.
    ///
    /// `archive_command` copies each segment file off the machine.
    pub archive: Option<PathBuf>,
    pub archive_command: Option<String>,
    /// Whether a command is acknowledged only once its journal record is in the archive.
    pub archive_at_once: bool,
    /// The supervisor's decision to continue although records are lost, or `None` if there is no such decision.
    pub accept_loss: Option<Acceptance>,
    /// An offset added to the machine's clock, in milliseconds, for tests.
    #[doc(hidden)]
    pub clock_shift_ms: Arc<AtomicI64>,
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(transparent)]
    House(#[from] HouseFileError),
    #[error(transparent)]
    Ledger(#[from] ledger::OpenError),
    #[error(transparent)]
    Vault(#[from] VaultError),
    #[error("cannot listen on {0}: {1}")]
    Listen(String, std::io::Error),
    #[error("cannot start the server: {0}")]
    Opening(String),
}

/// An open house that serves nobody yet.
pub struct Opened {
    pub app: App,
    pub router: Router,
    pub access: Arc<Access>,
    /// The name and the one-time password of the first supervisor, at the first start; `None` later.
    pub first_supervisor: Option<(String, String)>,
}

impl Opened {
    /// Starts the periodic background jobs, and returns their tasks, which run until they are aborted.
    pub fn start_maintenance(&self) -> [tokio::task::JoinHandle<()>; 4] {
        let app = Arc::clone(&self.app);
        [
            tokio::spawn(maintenance::every_minute(Arc::clone(&self.app))),
            tokio::spawn(maintenance::watch_clock(Arc::clone(&self.app))),
            tokio::spawn(self_check::run(Arc::clone(&self.app))),
            tokio::spawn(throttle(Arc::clone(&self.app.lab.workers), move || app.metrics.slow_actions())),
        ]
    }

    /// Returns the ledger, for tests that audit it.
    #[doc(hidden)]
    pub fn ledger(&self) -> &Ledger {
        &self.app.ledger
    }
}

/// Opens the ledger and the tables of a house, and joins the house's other nodes if there are any.
pub async fn open(options: &Options) -> Result<Opened, ServeError> {
    let file = match &options.house {
        Some(path) => HouseFile::read(path)?,
        None => HouseFile::standard()?,
    };
    let place = place(options);
    let shared = matches!(place, StoreAddress::Postgres(_));
    if place.holds_password() {
        tracing::warn!(
            "--database contains the password, which the process list shows to every user of this machine; put the \
             password in PGPASSWORD or in the file that PGPASSFILE names"
        );
    }
    let data = options.data.clone();
    keys::link(options)?;
    let signer = keys::signer(options);
    let how = ledger::Opening {
        day_starts_ms: file.day_starts_ms,
        durability: file.durability,
        shared,
        anchors: anchors::named(options)?,
        archive: options.archive.clone().map(|directory| ledger::archive::Archive {
            directory,
            command: options.archive_command.clone(),
            at_once: options.archive_at_once,
        }),
        accept_loss: options.accept_loss.is_some(),
        signer: signer.clone(),
        shift_ms: Arc::clone(&options.clock_shift_ms),
    };
    let ledger = blocking(move || Ledger::open_with(&data, place, how)).await??;
    let asked = (options.clone(), signer.clone());
    let vault = blocking(move || keys::vault(&asked.0, asked.1.as_deref(), true)).await??;
    let vault = vault.signing(ledger.sealer());
    let of_connections = || Shares::new(file.rates.connections, file.rates.of_one_address());
    let house = House {
        hosts: Hosts::new(&file.hosts, &options.listen),
        connections: of_connections(),
        views: of_connections(),
        bodies: Shares::of(REQUESTS),
        answers: Shares::of(ANSWERS),
        limiter: Limiter::new(&file.rates),
        attempts: Default::default(),
        daily: Default::default(),
        taken_codes: Default::default(),
        desk: Pool::new(DESKS, MOST_AT_DESKS),
        vault,
        ledger: Arc::new(ledger),
        file,
        sessions: Default::default(),
        metrics: Default::default(),
        self_check: Default::default(),
        alarms: Default::default(),
        started: Instant::now(),
        secure_cookies: options.secure_cookies,
        tables: Default::default(),
        stores: Default::default(),
        sockets: Default::default(),
        lab: Arc::new(Lab::new(options.lab_worker.clone(), options.lab_device)),
        calls: Default::default(),
        training: Default::default(),
        rehearsals: Default::default(),
        complete: Default::default(),
        nodes: Default::default(),
        replaced: tokio::sync::watch::Sender::new(false),
        closing: tokio::sync::watch::Sender::new(false),
    };
    anchors::accept(&house, options).await?;
    let opening = |error: ApiError| ServeError::Opening(error.detail.message);
    if !fitting_keys(&house).await.map_err(opening)? {
        let keys = match &options.key_command {
            Some(command) => format!("of the remote signer `{command}`"),
            None => format!("in {}", options.data.join("keys").display()),
        };
        return Err(ServeError::Opening(format!(
            "the keys in {keys} belong to another house; use this house's keys"
        )));
    }
    house.ledger.remember_key().map_err(|error| ServeError::Opening(format!("keys: {error}")))?;
    if let Some(capital) = capital(&house.file) {
        house.commit(capital).await.map_err(|fault| ServeError::Opening(fault.to_string()))?;
    }
    let first_supervisor = api::first_supervisor(&house).await.map_err(opening)?;
    let app = Arc::new(house);
    self_check::restore_mismatch(&app).await.map_err(opening)?;
    let peers = match shared {
        true => Some(join::among_nodes(&app, options, signer.as_deref()).await?),
        false => None,
    };
    let tables = Tables::open(&app).await.map_err(|stuck| ServeError::Opening(stuck.to_string()))?;
    crate::notices::compare(&app).await.map_err(opening)?;
    maintenance::tell_how_long_closed(&app).await.map_err(opening)?;
    if app.tables.set(tables).is_err() {
        return Err(ServeError::Opening("the tables are already open".into()));
    }
    if let Some(peers) = peers {
        peers.serve(&app).await;
    }
    let (router, access) = router(&app);
    Ok(Opened { app, router, access, first_supervisor })
}

/// Returns whether the house's keys are those that the house was created with.
///
/// The node checks this before it takes ownership of anything.
async fn fitting_keys(house: &House) -> Result<bool, ApiError> {
    const SETTING: &str = "vault";
    let ledger = Arc::clone(&house.ledger);
    if !house.desk.run(move || ledger.key_fits()).await?? {
        return Ok(false);
    }
    match house.read(|db| ledger::people::setting(db, SETTING)).await? {
        Some(mark) => Ok(house.vault.key_matches(&mark)),
        None => {
            let value = house.vault.mark().map_err(|_| ApiError::stopped())?;
            house.store_rows(vec![RowChange::Setting { name: SETTING.into(), value }]).await?;
            Ok(true)
        }
    }
}

/// Returns where the house stores its data, according to the options.
pub fn place(options: &Options) -> StoreAddress {
    match &options.database {
        Some(url) => StoreAddress::Postgres(url.clone()),
        None => StoreAddress::in_directory(&options.data),
    }
}

pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ServeError> {
    ledger::world::run_blocking(work).await.map_err(|e| ServeError::Opening(e.to_string()))
}

fn router(app: &App) -> (Router, Arc<Access>) {
    let (routes, _, access) = api::routes();
    let access = Arc::new(access.clone());
    let gate = Gate { app: Arc::clone(app), access: Arc::clone(&access) };
    let router = routes
        .clone()
        .fallback(web::file)
        .layer(from_fn_with_state(Arc::clone(app), within_budget))
        .layer(from_fn_with_state(gate, guard))
        .layer(from_fn(web::unchanged))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(from_fn(in_time))
        .layer(CatchPanicLayer::custom(|_| {
            tracing::error!("a request panicked");
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message!("internal", "internal error"))
                .into_response()
        }))
        .layer(from_fn_with_state(app.secure_cookies, harden))
        .with_state(Arc::clone(app));
    (router, access)
}

/// Opens the house and serves it until `stop` completes.
///
/// Calls `ready` with the listening address and, at the first start, the name and one-time password of the first
/// supervisor.
pub async fn serve(
    options: Options,
    stop: impl Future<Output = ()>,
    ready: impl FnOnce(SocketAddr, Option<&(String, String)>),
) -> Result<(), ServeError> {
    let cannot = |error| ServeError::Listen(options.listen.clone(), error);
    let listener = TcpListener::bind(&options.listen).await.map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    let opened = open(&options).await?;
    let unreadable = |error: ApiError| ServeError::Opening(error.detail.message);
    if let Some(sha256) = options.program_sha256 {
        crate::program::record(&opened.app, sha256).await.map_err(unreadable)?;
    }
    let figures = match &opened.app.file.metrics_listen {
        Some(listen) => Some(figures(listen, &opened.app).await?),
        None => None,
    };
    // Polls `stop` before announcing the address: the caller may stop the house as soon as it knows it.
    let mut stop = std::pin::pin!(stop);
    let stopped = std::future::poll_fn(|context| Poll::Ready(stop.as_mut().poll(context).is_ready())).await;
    ready(address, opened.first_supervisor.as_ref());
    let maintenance = opened.start_maintenance();
    if options.edges_at_start {
        tokio::spawn(know_the_edges(Arc::clone(&opened.app)));
    }
    let mut replaced = opened.app.replaced.subscribe();
    let told = OnceLock::new();
    let stop = async {
        if !stopped {
            tokio::select! {
                () = stop => {}
                _ = replaced.wait_for(|replaced| *replaced) => {}
            }
        }
        let told = *told.get_or_init(Instant::now);
        // Ends the lab's workers without waiting: one may be suspended, or have hours to go.
        opened.app.lab.workers.end_all();
        // Players continue at other nodes; until then, this node still forwards their requests.
        if let Some(nodes) = opened.app.nodes.get() {
            nodes.leave(told + RELEASED_WITHIN).await;
        }
        // Sockets close at once; a pending command is either stored or found missing on retry.
        opened.app.closing.send_replace(true);
        told + ANSWERED_WITHIN
    };
    let places = (opened.app.connections.clone(), opened.app.file.proxies.clone());
    listen::serve(listener, opened.router, places, stop).await;
    maintenance.iter().for_each(tokio::task::JoinHandle::abort);
    figures.inspect(|figures| figures.abort());
    let app = opened.app;
    let closed = Arc::clone(&app);
    let closing = blocking(move || {
        if let Some(nodes) = closed.nodes.get() {
            nodes.end();
        }
        closed.ledger.close();
    });
    match told.get().filter(|_| app.among_nodes()) {
        None => closing.await?,
        Some(told) => match tokio::time::timeout_at(*told + STOPPED_WITHIN, closing).await {
            Ok(closed) => closed?,
            Err(_) => tracing::warn!("stopped without closing the database, which does not respond"),
        },
    }
    match *app.replaced.borrow() {
        true => Err(ServeError::Opening("another process took over this node's name".into())),
        false => Ok(()),
    }
}

/// Computes the house edge of every table, so that the lobby shows it from the first visit on.
async fn know_the_edges(app: App) {
    for setup in &app.file.tables {
        let task = crate::lab::Task::Edge { table: crate::lab::Task::table(&setup.rules) };
        if let Err(error) = app.lab.answer(Clients::none(), task).await {
            tracing::warn!(
                error = error.detail.message,
                table = setup.number,
                "cannot compute the house edge of a table"
            );
        }
    }
}

/// Opens the house and serves it in its own runtime, until the process is told to stop.
pub fn run(
    options: Options,
    threads: Option<usize>,
    ready: impl FnOnce(SocketAddr, Option<&(String, String)>),
) -> Result<(), ServeError> {
    let runtime = runtime(threads).map_err(|error| ServeError::Opening(error.to_string()))?;
    let served = runtime.block_on(serve(options, asked_to_stop(), ready));
    // A thread that still waits for the database ends with the process.
    runtime.shutdown_background();
    served
}

/// Serves the Prometheus metrics on the address `listen`, and returns the task that serves them.
async fn figures(listen: &str, app: &App) -> Result<tokio::task::JoinHandle<()>, ServeError> {
    let cannot = |error| ServeError::Listen(listen.to_owned(), error);
    let listener = TcpListener::bind(listen).await.map_err(cannot)?;
    let hosts = Arc::new(Hosts::new(&app.file.hosts, listen));
    let guarded = move |request: Request, next: Next| {
        let hosts = Arc::clone(&hosts);
        async move {
            match crate::guard::own_host(&hosts, &request) {
                Ok(()) => next.run(request).await,
                Err(error) => error.into_response(),
            }
        }
    };
    let router = Router::new().route("/metrics", get(api::metrics)).with_state(Arc::clone(app));
    let router = router.layer(from_fn(guarded));
    let places = (Shares::new(SCRAPERS, SCRAPERS_OF_ONE_ADDRESS), Proxies::default());
    Ok(tokio::spawn(listen::serve(listener, router, places, std::future::pending())))
}

/// Waits until the process is told to stop, by Ctrl-C or SIGTERM.
pub async fn asked_to_stop() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}

/// Sends log messages to standard error: readable lines on a terminal, and otherwise JSON lines.
///
/// `CUTCARD_LOG=json` or `CUTCARD_LOG=text` sets the format; `RUST_LOG` selects the messages.
pub fn log_to_stderr() {
    let asked = std::env::var("RUST_LOG").ok().and_then(|levels| levels.parse::<Targets>().ok());
    let levels = asked.unwrap_or_else(|| Targets::new().with_default(tracing::Level::INFO));
    let terminal = std::io::stderr().is_terminal();
    let json = match std::env::var("CUTCARD_LOG").as_deref() {
        Ok("json") => true,
        Ok("text") => false,
        _ => !terminal,
    };
    let for_machines = json.then(|| tracing_subscriber::fmt::layer().json().with_writer(std::io::stderr));
    let for_people = (!json).then(|| {
        let lines =
            tracing_subscriber::fmt::layer().compact().with_target(false).with_writer(std::io::stderr);
        if terminal { lines } else { lines.with_ansi(false) }
    });
    // If logging is already set up, it stays as it is.
    let _ = tracing_subscriber::registry().with(for_machines).with(for_people).with(levels).try_init();
}

/// Logs the progress of long operations on the journal to standard error, if that is a terminal.
pub fn tell_progress() {
    if !std::io::stderr().is_terminal() {
        return;
    }
    let plain = tracing_subscriber::fmt().compact().without_time().with_level(false).with_target(false);
    let _ = plain.with_writer(std::io::stderr).try_init();
}

/// Returns an async runtime for a house, with `threads` threads, or one per processor if `threads` is `None`.
///
/// The runtime polls the ledger's replies before other tasks, because a table and its players wait for the
/// replies.
pub fn runtime(threads: Option<usize>) -> std::io::Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    if let Some(threads) = threads {
        builder.worker_threads(threads);
    }
    builder.global_queue_interval(1).enable_all().build()
}

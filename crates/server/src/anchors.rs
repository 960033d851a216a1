//! Opens the anchors named by `--anchor`, which keep the journal's head outside the database.
//!
//! An anchor is a database, a directory or an HTTP address. If the journal has fewer records than an anchor shows,
//! this module also records a supervisor's decision to continue without the lost records.

use crate::app::{House, significant};
use crate::error::ApiResult;
use crate::password;
use crate::role::Role;
use crate::serve::{Options, ServeError};
use ledger::anchor::{Anchor, InDatabase, InDirectory};
use ledger::{PersonId, StoreAddress};
use serde::Serialize;
use std::io::{Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::sync::Arc;
use std::time::Duration;

/// A supervisor's decision to open the house although records of the journal are lost.
#[derive(Clone)]
pub struct Acceptance {
    pub supervisor: String,
    pub password: String,
    pub reason: String,
}

/// Formats the decision without its password.
impl std::fmt::Debug for Acceptance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Acceptance({}: {})", self.supervisor, self.reason)
    }
}

/// Opens the anchors that `--anchor` names.
///
/// Each anchor is a database URL, an HTTP address or a directory.
pub fn named(options: &Options) -> Result<Vec<Box<dyn Anchor>>, ServeError> {
    let anchor = |text: &String| -> Result<Box<dyn Anchor>, ServeError> {
        Ok(match text.split_once("://") {
            Some(("postgres" | "postgresql", _)) => {
                let same = options.database.as_ref() == Some(text);
                if same {
                    let what = "an anchor must be in a different database from the house's own";
                    return Err(ServeError::Opening(what.into()));
                }
                Box::new(InDatabase::at(StoreAddress::Postgres(text.clone())))
            }
            Some(("http", rest)) => Box::new(OverHttp::at(rest)),
            Some((other, _)) => {
                let what = format!("an anchor must be a directory, postgres://… or http://…, not {other}://");
                return Err(ServeError::Opening(what));
            }
            None => Box::new(InDirectory(text.into())),
        })
    };
    options.anchors.iter().map(anchor).collect()
}

/// An anchor on an HTTP server: PUT stores the journal's head, and GET returns it.
struct OverHttp {
    authority: String,
    path: String,
}

const PATIENCE: Duration = Duration::from_secs(5);
const LONGEST_ANSWER: u64 = 8 << 10;

impl OverHttp {
    fn at(rest: &str) -> OverHttp {
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let path = if path.is_empty() { "/" } else { path };
        OverHttp { authority: authority.to_owned(), path: path.to_owned() }
    }

    /// Sends a request, and returns the status and body of the response.
    fn ask(&self, method: &str, body: &str) -> std::io::Result<(u16, String)> {
        let host = match self.authority.rsplit_once(':') {
            Some((_, port)) if port.parse::<u16>().is_ok() => self.authority.clone(),
            _ => format!("{}:80", self.authority),
        };
        let unknown = || std::io::Error::other(format!("cannot resolve {host}"));
        let address = host.to_socket_addrs()?.next().ok_or_else(unknown)?;
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let (path, authority, length) = (&self.path, &self.authority, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.0\r\nhost: {authority}\r\ncontent-type: text/plain\r\ncontent-length: {length}\r\n\r\n{body}"
        )?;
        let mut answer = Vec::new();
        stream.take(LONGEST_ANSWER).read_to_end(&mut answer)?;
        let answer = String::from_utf8_lossy(&answer);
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        status
            .map(|status| (status, body.to_owned()))
            .ok_or_else(|| std::io::Error::other("no HTTP response"))
    }
}

impl Anchor for OverHttp {
    fn name(&self) -> String {
        format!("the anchor at http://{}{}", self.authority, self.path)
    }

    fn last(&mut self) -> Result<Option<String>, String> {
        match self.ask("GET", "") {
            Ok((200, body)) => Ok(Some(body)),
            Ok((404 | 410, _)) => Ok(None),
            Ok((status, _)) => Err(format!("the response has status {status}")),
            Err(error) => Err(error.to_string()),
        }
    }

    fn put(&mut self, line: &str) -> Result<(), String> {
        match self.ask("PUT", line) {
            Ok((200..=299, _)) => Ok(()),
            Ok((status, _)) => Err(format!("the response has status {status}")),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// A supervisor's acceptance of lost records, as stored in the journal.
#[derive(Serialize)]
struct LossAccepted<'a> {
    lost: &'a [String],
    reason: &'a str,
    supervisor: &'a str,
    signed_in: bool,
}

/// Records a supervisor's decision to continue without the lost records, if the options contain one.
///
/// The house records nothing else before this decision. Returns an error if no records are lost, or if the
/// supervisor's name or password is wrong.
pub async fn accept(house: &House, options: &Options) -> Result<(), ServeError> {
    let losses: Vec<String> = house.ledger.losses().iter().map(ToString::to_string).collect();
    let Some(acceptance) = &options.accept_loss else {
        return Ok(());
    };
    if losses.is_empty() {
        return Err(ServeError::Opening("no records are missing; remove --accept-loss".into()));
    }
    let opening = |error: &dyn std::fmt::Display| ServeError::Opening(error.to_string());
    let supervisor = supervisor(house, acceptance).await.map_err(|e| opening(&e.detail.message))?;
    let Some(supervisor) = supervisor else {
        return Err(ServeError::Opening(
            "--accept-loss needs a supervisor; the name or password is wrong".into(),
        ));
    };
    let details = LossAccepted {
        lost: &losses,
        reason: &acceptance.reason,
        supervisor: &acceptance.supervisor,
        signed_in: supervisor != PersonId::HOUSE,
    };
    let draft = significant(supervisor, "loss-accepted", details).map_err(|e| opening(&e.detail.message))?;
    let ledger = Arc::clone(&house.ledger);
    let done = ledger::world::run_blocking(move || ledger.accept_loss(draft)).await;
    done.map_err(|e| opening(&e))?.map_err(|e| opening(&e))?;
    Ok(())
}

/// Returns the number of the supervisor who accepts the loss, or `None` if the name or the password is wrong.
///
/// If the house has no supervisor left, every name is accepted, and the number of the house is returned.
async fn supervisor(house: &House, acceptance: &Acceptance) -> ApiResult<Option<PersonId>> {
    let name = acceptance.supervisor.clone();
    let role = Role::Supervisor.name();
    let (person, others) = house
        .read(move |db| Ok((ledger::people::by_name(db, &name)?, ledger::people::count_with_role(db, role)?)))
        .await?;
    if others == 0 {
        return Ok(Some(PersonId::HOUSE));
    }
    let Some(person) = person.filter(|person| person.role == role && !person.disabled) else {
        return Ok(None);
    };
    let fits = password::verify(acceptance.password.clone(), Some(person.secret)).await?;
    Ok(fits.then_some(person.id))
}

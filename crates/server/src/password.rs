//! Hashes passwords with argon2id (PHC format) off the async threads.
//!
//! Each hash needs 19 MiB, so the buffers are pooled; a few callers queue, and the rest are asked to retry.

use crate::error::ApiError;
use crate::share::{Clients, Full, Shares};
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Block, Params, Version};
use rules::message;
use std::sync::{Mutex, OnceLock};
use tokio::sync::Semaphore;

/// The number of passwords that are hashed at the same time, which is also the number of buffers.
const BUFFERS: usize = 2;
/// The maximum number of callers waiting for a buffer: a few seconds' work.
///
/// One address or person may hold a sixteenth of the places in the queue.
const MOST_WAITING: usize = 254;

static AT_ONCE: Semaphore = Semaphore::const_new(BUFFERS);
/// The idle buffers for hashing, and whether any buffer was used since the last call of [`tidy`].
static IDLE: Mutex<(Vec<Vec<Block>>, bool)> = Mutex::new((Vec::new(), false));

/// The prefix of a stored hash whose password must be changed at the first sign-in.
const ONCE: &str = "once:";

/// The error that the queue for hashing is full, for everyone or only for the caller's address or person.
///
/// No password was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy(Full);

impl From<Busy> for ApiError {
    fn from(Busy(full): Busy) -> ApiError {
        match full {
            Full::Own => full.into(),
            Full::All => {
                ApiError::busy(message!("sign-ins-busy", "too many sign-ins at once; try again in a moment"))
            }
        }
    }
}

/// Returns the places in the queue for hashing, including those of callers that have a buffer.
fn places() -> &'static Shares {
    static PLACES: OnceLock<Shares> = OnceLock::new();
    PLACES.get_or_init(|| Shares::of(BUFFERS + MOST_WAITING))
}

async fn with_buffer<T: Send + 'static>(
    work: impl FnOnce(&mut [Block]) -> T + Send + 'static,
) -> Result<T, Busy> {
    let place = places().take(Clients::asking(), 1).map_err(Busy)?;
    let turn = AT_ONCE.acquire().await.map_err(|_| Busy(Full::All))?;
    let worked = ledger::world::run_blocking(move || {
        // Both are released when the work is done, even if the caller has disconnected.
        let _held = (place, turn);
        let idle = IDLE.lock().ok().and_then(|mut idle| idle.0.pop());
        let mut buffer = idle.unwrap_or_else(|| vec![Block::default(); Params::default().block_count()]);
        let done = work(&mut buffer);
        if let Ok(mut idle) = IDLE.lock() {
            idle.0.push(buffer);
            idle.1 = true;
        }
        done
    });
    worked.await.map_err(|_| Busy(Full::All))
}

/// Frees the buffers if none was used since the last call.
pub fn tidy() {
    if let Ok(mut idle) = IDLE.lock()
        && !std::mem::take(&mut idle.1)
    {
        idle.0 = Vec::new();
    }
}

/// Returns the parameters of argon2, or `None` if they are invalid.
///
/// Simulation tests use the cheapest parameters, because nobody guesses passwords there.
fn params() -> Option<Params> {
    match ledger::world::is_real() {
        true => Some(Params::default()),
        false => Params::new(Params::MIN_M_COST, Params::MIN_T_COST, Params::MIN_P_COST, None).ok(),
    }
}

fn hashed(password: &[u8], buffer: &mut [Block]) -> Option<String> {
    let mut salt = [0u8; 16];
    ledger::world::fill_random(&mut salt).ok()?;
    let params = params()?;
    let mut out = [0u8; Params::DEFAULT_OUTPUT_LEN];
    let argon = Argon2::new(Algorithm::default(), Version::default(), params.clone());
    argon.hash_password_into_with_memory(password, &salt, &mut out, buffer).ok()?;
    let phc = PasswordHash {
        algorithm: ARGON2ID_IDENT,
        version: Some(Version::default().into()),
        params: ParamsString::try_from(&params).ok()?,
        salt: Salt::new(&salt).ok(),
        hash: Output::new(&out).ok(),
    };
    Some(phc.to_string())
}

fn fits(password: &[u8], stored: &str, buffer: &mut [Block]) -> Option<bool> {
    let stored = PasswordHash::new(stored).ok()?;
    let version = stored.version.map_or(Ok(Version::default()), Version::try_from).ok()?;
    let argon = Argon2::new(
        Algorithm::try_from(stored.algorithm.as_str()).ok()?,
        version,
        Params::try_from(&stored).ok()?,
    );
    let (salt, hash) = (stored.salt?, stored.hash?);
    let mut out = vec![0u8; hash.len()];
    argon.hash_password_into_with_memory(password, salt.as_ref(), &mut out, buffer).ok()?;
    // Compares in constant time.
    Some(Output::new(&out).ok()? == hash)
}

pub async fn hash(password: String) -> Result<String, ApiError> {
    let made = with_buffer(move |buffer| hashed(password.as_bytes(), buffer)).await?;
    made.ok_or_else(ApiError::stopped)
}

/// Hashes a one-time password, and marks the hash so that the password must be changed at the first sign-in.
///
/// Returns an error if the queue for hashing is full.
pub async fn hash_once(password: String) -> Result<String, ApiError> {
    hash(password).await.map(|hash| format!("{ONCE}{hash}"))
}

pub fn is_one_time(secret: &str) -> bool {
    secret.starts_with(ONCE)
}

/// Returns whether a password matches a stored hash.
///
/// `secret` is the hash, or `None` for an unknown person, whose check takes as long as that of a known one.
/// Returns an error if the queue for hashing is full.
pub async fn verify(password: String, secret: Option<String>) -> Result<bool, Busy> {
    with_buffer(move |buffer| {
        let known = secret.as_deref().map(|s| s.strip_prefix(ONCE).unwrap_or(s)).filter(|s| !s.is_empty());
        let stored = known.unwrap_or_else(|| nobody(buffer));
        let fits = fits(password.as_bytes(), stored, buffer).unwrap_or(false);
        fits && known.is_some()
    })
    .await
}

/// Returns the hash of a random password, against which the password of an unknown person is checked.
fn nobody(buffer: &mut [Block]) -> &'static str {
    static NOBODY: OnceLock<String> = OnceLock::new();
    NOBODY.get_or_init(|| {
        let mut bytes = [0u8; 32];
        let random = ledger::world::fill_random(&mut bytes).map(|()| bytes).unwrap_or([0; 32]);
        hashed(&random, buffer).unwrap_or_default()
    })
}

/// Returns a random password of characters that are hard to confuse: 5 bits each, 100 bits in all.
pub fn random_password() -> Result<String, getrandom::Error> {
    const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz23456789_";
    let mut bytes = [0u8; 20];
    ledger::world::fill_random(&mut bytes)?;
    Ok(bytes.iter().map(|b| char::from(LETTERS[usize::from(b % 32)])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_fits_its_own_hash_only() {
        let secret = hash("correct horse".into()).await.expect("hashed");
        assert!(secret.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{secret}");
        let verify = async |password: &str, secret: Option<&str>| {
            verify(password.into(), secret.map(str::to_owned)).await.expect("room")
        };
        assert!(verify("correct horse", Some(&secret)).await);
        assert!(!verify("correct hors", Some(&secret)).await);
        assert!(!verify("x", None).await);
        assert!(!verify("", Some("")).await, "guests have no password");
        let once = hash_once("first".into()).await.expect("hashed");
        assert!(is_one_time(&once) && verify("first", Some(&once)).await);
        assert_ne!(random_password().expect("entropy"), random_password().expect("entropy"));
    }
}

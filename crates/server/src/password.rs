//! Passwords: argon2id, in PHC form, checked off the async threads and few at a time, because each costs 19 MiB.

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use std::sync::OnceLock;
use tokio::sync::Semaphore;

static AT_ONCE: Semaphore = Semaphore::const_new(2);

/// Marks the hash of a password that must be changed at the first sign-in.
const ONCE: &str = "once:";

async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let _turn = AT_ONCE.acquire().await.ok()?;
    tokio::task::spawn_blocking(work).await.ok()
}

pub async fn hash(password: String) -> Option<String> {
    off_thread(move || Argon2::default().hash_password(password.as_bytes()).ok().map(|h| h.to_string()))
        .await?
}

/// The hash of a one-time password.
pub async fn hash_once(password: String) -> Option<String> {
    hash(password).await.map(|hash| format!("{ONCE}{hash}"))
}

pub fn is_one_time(secret: &str) -> bool {
    secret.starts_with(ONCE)
}

/// Compares a password with a stored hash. Someone unknown costs the same time as someone known.
pub async fn verify(password: String, secret: Option<String>) -> bool {
    let checked = off_thread(move || {
        let known = secret.as_deref().map(|s| s.strip_prefix(ONCE).unwrap_or(s)).filter(|s| !s.is_empty());
        let stored = known.unwrap_or_else(|| nobody());
        let parsed = argon2::password_hash::phc::PasswordHash::new(stored);
        let fits =
            parsed.is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok());
        fits && known.is_some()
    });
    checked.await.unwrap_or(false)
}

/// A hash of a password that nobody has.
fn nobody() -> &'static str {
    static NOBODY: OnceLock<String> = OnceLock::new();
    NOBODY.get_or_init(|| {
        let mut bytes = [0u8; 32];
        let random = getrandom::fill(&mut bytes).map(|()| bytes).unwrap_or([0; 32]);
        Argon2::default().hash_password(&random).map(|h| h.to_string()).unwrap_or_default()
    })
}

/// Letters and digits that are hard to mistake for each other: 5 bits each, 100 bits in all.
pub fn random_password() -> Result<String, getrandom::Error> {
    const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz23456789_";
    let mut bytes = [0u8; 20];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|b| char::from(LETTERS[usize::from(b % 32)])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_fits_its_own_hash_only() {
        let secret = hash("correct horse".into()).await.expect("hashed");
        assert!(secret.starts_with("$argon2id$"));
        assert!(verify("correct horse".into(), Some(secret.clone())).await);
        assert!(!verify("correct hors".into(), Some(secret)).await);
        assert!(!verify("x".into(), None).await);
        assert!(!verify(String::new(), Some(String::new())).await, "guests have no password");
        let once = hash_once("first".into()).await.expect("hashed");
        assert!(is_one_time(&once) && verify("first".into(), Some(once)).await);
        assert_ne!(random_password().expect("entropy"), random_password().expect("entropy"));
    }
}

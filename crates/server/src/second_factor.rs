//! The second factor of staff: six-digit codes from an authenticator app (TOTP, RFC 6238).
//!
//! The app shows a new code every half-minute, and each code is accepted once. The house stores the secret
//! encrypted, like the undealt cards.

use crate::app::House;
use crate::error::{ApiError, ApiResult};
use ledger::PersonId;
use ledger::db::Db;
use ledger::people::{self, RowChange};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Mutex;
use totp_rs::{Builder, Secret, Totp};

/// The length of a second factor's secret in bytes: 160 bits, as RFC 4226 recommends.
const SECRET_BYTES: usize = 20;

/// The second factor of one person, with its secret; the database stores it encrypted.
#[derive(Clone, Serialize, Deserialize)]
pub struct SecondFactor {
    secret: String,
    /// Whether the person has entered a code, after which every sign-in requires a code.
    pub confirmed: bool,
    /// The time step of the last accepted code, counted in half-minutes since 1970; 0 before the first.
    step: u64,
}

/// The time step of the last code that each person has used since the house was opened.
///
/// If two requests bring the same code at the same time, only one of them is accepted.
#[derive(Default)]
pub struct UsedCodes(Mutex<HashMap<PersonId, u64>>);

impl SecondFactor {
    pub fn fresh() -> ApiResult<SecondFactor> {
        let mut bytes = [0u8; SECRET_BYTES];
        ledger::world::fill_random(&mut bytes).map_err(|_| ApiError::stopped())?;
        Ok(SecondFactor { secret: Secret::from(bytes).to_base32(), confirmed: false, step: 0 })
    }

    /// Returns the secret in base 32, the form in which a person types it into an authenticator app.
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// Returns the `otpauth:` link for the QR code from which an authenticator app reads the secret.
    pub fn url(&self, house: &str, name: &str) -> String {
        let plain = |text: &str| -> String {
            let kept = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
            text.bytes()
                .map(|b| if kept(b) { char::from(b).to_string() } else { format!("%{b:02X}") })
                .collect()
        };
        let (house, name) = (plain(house), plain(name));
        format!("otpauth://totp/{house}:{name}?secret={}&issuer={house}", self.secret)
    }

    fn codes(&self) -> ApiResult<Totp> {
        let secret = Secret::try_from_base32(&self.secret).map_err(|_| ApiError::stopped())?;
        Builder::new().with_secret(secret).build().map_err(|_| ApiError::stopped())
    }

    /// Returns the second factor with the time step of `code` marked as used, or `None` if the code is wrong.
    ///
    /// The code must belong to the current, previous or next time step, and to a later step than the last accepted
    /// code.
    fn taking(&self, code: &str, now_s: u64) -> ApiResult<Option<SecondFactor>> {
        let plain: String = code.chars().filter(|c| !c.is_whitespace()).collect();
        if plain.len() != 6 || !plain.bytes().all(|b| b.is_ascii_digit()) {
            return Ok(None);
        }
        let step = self.codes()?.check(&plain, now_s).filter(|step| *step > self.step);
        Ok(step.map(|step| SecondFactor { step, confirmed: true, ..self.clone() }))
    }
}

fn name(person: PersonId) -> String {
    format!("second-factor/{}", person.0)
}

/// Returns whether the person has a confirmed second factor.
///
/// The function needs no key, because it does not decrypt the second factor.
pub fn is_set(db: &mut dyn Db, person: PersonId) -> ledger::DbResult<bool> {
    let stored = people::setting(db, &name(person))?;
    Ok(stored.is_some_and(|stored| stored.starts_with(CONFIRMED)))
}

/// The prefix of a stored second factor that the person has confirmed with a code.
const CONFIRMED: &[u8] = b"set:";

/// Returns the setting that removes a person's second factor.
pub fn none(person: PersonId) -> RowChange {
    RowChange::Setting { name: name(person), value: Vec::new() }
}

impl House {
    pub async fn second_factor(&self, person: PersonId) -> ApiResult<Option<SecondFactor>> {
        let stored = self.read(move |db| people::setting(db, &name(person))).await?.unwrap_or_default();
        let hex = stored.strip_prefix(CONFIRMED).unwrap_or(&stored);
        if hex.is_empty() {
            return Ok(None);
        }
        let locked = std::str::from_utf8(hex).ok().and_then(ledger::keys::from_hex);
        let plain = locked.and_then(|locked| self.vault.unseal(&name(person), &locked).ok());
        let factor = plain.and_then(|plain| serde_json::from_slice(&plain).ok());
        factor.map(Some).ok_or_else(ApiError::stopped)
    }

    /// Returns the setting that stores a person's second factor in encrypted form.
    pub fn keep_factor(&self, person: PersonId, factor: &SecondFactor) -> ApiResult<RowChange> {
        let plain = serde_json::to_vec(factor).map_err(|_| ApiError::stopped())?;
        let locked = self.vault.seal(&name(person), &plain).map_err(|_| ApiError::stopped())?;
        let mark = if factor.confirmed { CONFIRMED } else { b"" };
        let value = [mark, ledger::keys::hex(&locked).as_bytes()].concat();
        Ok(RowChange::Setting { name: name(person), value })
    }

    /// Accepts a code from the person's authenticator app, and returns the setting to store.
    ///
    /// Returns `None` if the code is wrong or was used before.
    pub fn take_code(
        &self,
        person: PersonId,
        factor: &SecondFactor,
        code: &str,
    ) -> ApiResult<Option<RowChange>> {
        let now_s = u64::try_from(self.ledger.now().0 / 1000).unwrap_or(0);
        let Some(taking) = factor.taking(code, now_s)? else {
            return Ok(None);
        };
        let mut taken = self.taken_codes.0.lock().map_err(|_| ApiError::stopped())?;
        let last = taken.entry(person).or_insert(0);
        if *last >= taking.step {
            return Ok(None);
        }
        *last = taking.step;
        self.keep_factor(person, &taking).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238, appendix B: the secret of its SHA-1 examples, and the last six of their eight digits.
    #[test]
    fn the_codes_are_those_of_the_standard() {
        let secret = Secret::from(*b"12345678901234567890").to_base32();
        let factor = SecondFactor { secret, confirmed: false, step: 0 };
        for (now, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            let taken = factor.taking(code, now).expect("codes").expect("fits");
            assert!(taken.confirmed);
            assert!(taken.taking(code, now).expect("codes").is_none(), "once");
            assert!(factor.taking(code, now + 90).expect("codes").is_none(), "an expired code is refused");
            let spaced = format!(" {} {}", &code[..3], &code[3..]);
            assert!(
                factor.taking(&spaced, now + 29).expect("codes").is_some(),
                "a code with a space is accepted a little late"
            );
        }
        for nonsense in ["", "28708", "2870822", "28708x", "²87082"] {
            assert!(factor.taking(nonsense, 59).expect("codes").is_none(), "{nonsense}");
        }
    }

    #[test]
    fn the_link_holds_no_character_that_means_something() {
        let factor = SecondFactor { secret: "ABC".into(), confirmed: false, step: 0 };
        let url = factor.url("Pier 7 & Sons", "ann");
        assert_eq!(url, "otpauth://totp/Pier%207%20%26%20Sons:ann?secret=ABC&issuer=Pier%207%20%26%20Sons");
    }
}

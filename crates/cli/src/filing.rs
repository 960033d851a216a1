//! Writes the filing block of a report: document number, author, date, and the SHA-256 of the table file and the
//! program.

use documents::Failure;
use documents::report_document::Filing;
use rules::{Choices, file};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::time::{SystemTime, UNIX_EPOCH};

/// The filing data that the user supplies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilingData {
    /// The document number, or `None` if the user gives none.
    pub document: Option<String>,
    /// The author's name, or `None` if the user gives none.
    pub author: Option<String>,
    /// The date, such as `2026-01-31`, or `None` for today.
    pub date: Option<String>,
}

impl FilingData {
    /// Writes the filing data into the filing block of a report.
    ///
    /// The block also states the SHA-256 of the table file and of the program file. Returns an error if the
    /// date is invalid or the program file cannot be read.
    pub fn file(&self, choices: &Choices, filing: &mut Filing) -> Result<(), Failure> {
        let date = match &self.date {
            Some(date) => checked_date(date)?,
            None => today(),
        };
        filing.document.clone_from(&self.document);
        filing.author.clone_from(&self.author);
        filing.date = Some(date);
        filing.table_sha256 = Some(table_sha256(choices));
        filing.program_sha256 = Some(program_sha256()?);
        Ok(())
    }
}

/// Returns the SHA-256 of a table's file with every key written out.
///
/// `cutcard tables NAME` prints the file of a preset in the same form.
pub fn table_sha256(choices: &Choices) -> String {
    hex(Sha256::digest(file::show(choices).as_bytes()).into())
}

/// Returns the SHA-256 of the program file.
///
/// On Linux, reads the file being executed, even if another file has replaced it at its path since. Returns
/// an error if the file cannot be read.
pub fn program_sha256() -> Result<String, Failure> {
    let running = File::open("/proc/self/exe").or_else(|_| std::env::current_exe().and_then(File::open));
    let digest = running.and_then(digest_of);
    digest.map_err(|error| {
        Failure::Refused(format!("cannot read the program's file to compute its SHA-256: {error}"))
    })
}

fn digest_of(mut file: impl Read) -> io::Result<String> {
    let (mut sha, mut part) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part)? {
            0 => return Ok(hex(sha.finalize().into())),
            read => sha.update(&part[..read]),
        }
    }
}

fn hex(digest: [u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a date such as `2026-01-31` unchanged if it is valid, and an error otherwise.
fn checked_date(text: &str) -> Result<String, Failure> {
    let wrong = || Failure::NotUnderstood(format!("--date {text}: expected a date such as 2026-01-31"));
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return Err(wrong()) };
    let number = |text: &str, digits: usize| -> Option<i64> {
        let whole = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        whole.then(|| text.parse().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return Err(wrong());
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    if (1..=days).contains(&day) { Ok(text.to_string()) } else { Err(wrong()) }
}

/// Returns today's date in UTC.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date_of((seconds / 86_400) as i64)
}

/// Returns the date that lies `days` days after 1 January 1970, such as `2026-01-31`.
///
/// Years are counted from March, so that the leap day comes last.
fn date_of(days: i64) -> String {
    let since = days + 719_468;
    let (era, of_era) = (since.div_euclid(146_097), since.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year + 400 * era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        // the epoch, the leap days of 2000 and 2024, and the last days of those years
        let told = [0, 11_016, 11_017, 11_322, 19_782, 20_088].map(date_of);
        assert_eq!(
            told,
            ["1970-01-01", "2000-02-29", "2000-03-01", "2000-12-31", "2024-02-29", "2024-12-31"]
        );
        assert!(checked_date(&today()).is_ok());
    }

    #[test]
    fn only_dates_are_dates() {
        for date in ["2026-01-31", "2024-02-29", "2000-02-29"] {
            assert_eq!(checked_date(date).as_deref().ok(), Some(date));
        }
        for date in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "26-01-01",
            "today",
            "2026-1-1",
            "",
        ] {
            assert!(checked_date(date).is_err(), "{date}");
        }
    }

    /// Checks the digest of `abc` against FIPS 180-2, appendix B.1.
    #[test]
    fn digests_are_those_of_the_standard() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest_of(&b"abc"[..]).unwrap(), abc);
        let table = rules::preset::preset("nj-blackjack").unwrap();
        assert_eq!(table_sha256(&table), digest_of(file::show(&table).as_bytes()).unwrap());
        let other = Choices { decks: 6, ..table.clone() };
        assert_ne!(table_sha256(&table), table_sha256(&other));
    }
}

//! The house file (TOML): the tables of the house, and its timings, rates and limits.
//!
//! Every key has a default.

mod alike;

use crate::daily::DailyLimits;
use crate::hosts::Hosts;
use crate::proxies::Proxies;
use crate::second_person::{AccountChanges, SecondPerson};
use crate::share::PARTS;
use ledger::{Cents, Durability};
use rules::preset::{PRESETS, preset};
use rules::{Choices, Rules};
use serde::Deserialize;
use std::path::Path;

/// The reason why a house cannot open with its house file, as a sentence.
#[derive(Debug, thiserror::Error)]
#[error("the house file: {0}")]
pub struct HouseFileError(String);

/// The lowest number of a solo table, and the multiplier from which solo table numbers are made.
///
/// A solo table's number is `SOLO_FROM` times the player's place among solo players, plus the number of the table
/// that the solo table copies.
pub const SOLO_FROM: u32 = 1000;

/// A table as the house file configures it.
#[derive(Clone, Debug)]
pub struct TableSetup {
    /// The table number, from 1 in the order of the file.
    pub number: u32,
    pub name: String,
    /// The rules as the house file names them: a preset, or the path of a table file.
    pub source: String,
    pub rules: Rules,
    pub dealing: Dealing,
}

impl TableSetup {
    /// Returns the solo table that copies this table for one player, or `None` if its number overflows.
    ///
    /// `place` is the player's place among solo players. The solo table has the rules of this table, but is
    /// private, dealt by the platform, and without time limits.
    pub fn solo(&self, place: u32) -> Option<TableSetup> {
        let number = place.checked_mul(SOLO_FROM)?.checked_add(self.number)?;
        Some(TableSetup { number, dealing: Dealing::Automatic, ..self.clone() })
    }
}

/// Returns the player's place among solo players and the number of the copied table.
///
/// Returns `None` if `number` is not the number of a solo table.
pub fn solo_of(number: u32) -> Option<(u32, u32)> {
    (number >= SOLO_FROM).then_some((number / SOLO_FROM, number % SOLO_FROM))
}

/// Who deals a table: the platform or a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dealing {
    /// The platform deals from a virtual shoe.
    Automatic,
    /// A person with the dealer's role deals from a physical shoe.
    Dealer,
}

/// Time limits of a table, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Timings {
    /// How long betting stays open after the round's first bet.
    pub betting_ms: u64,
    /// How long a player has for one decision, before the published rule for absent players decides.
    pub decision_ms: u64,
    /// The minimum time from a round's settlement to the first card of the next round.
    pub pause_ms: u64,
    /// The extra time per round for a disconnected player, or zero for none.
    ///
    /// The extra time applies if the player disconnects during a decision. A player who reconnects has the time to
    /// decide that was left.
    pub grace_ms: u64,
}

impl Default for Timings {
    fn default() -> Timings {
        Timings { betting_ms: 12_000, decision_ms: 20_000, pause_ms: 1_500, grace_ms: 15_000 }
    }
}

/// The limits on requests, connections and solo tables.
///
/// The limits on requests hold for a person, or for an address without a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rates {
    pub requests_per_second: u32,
    pub requests_at_once: u32,
    /// Maximum number of sign-ins, sign-ups and new guests from one address per minute.
    pub entries_per_minute: u32,
    pub sockets_per_person: u32,
    /// Maximum number of open connections, including live views.
    pub connections: usize,
    /// Maximum number of connections from one address. Default: 1/16 of `connections`.
    ///
    /// A trusted proxy, which serves many addresses, is exempt.
    pub connections_per_address: Option<usize>,
    /// Maximum number of solo tables in memory; one address or person may have a sixteenth of them.
    pub solo_tables: usize,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates {
            requests_per_second: 50,
            requests_at_once: 200,
            entries_per_minute: 120,
            sockets_per_person: 16,
            connections: 5_000,
            connections_per_address: None,
            solo_tables: 20_000,
        }
    }
}

impl Rates {
    /// Returns the maximum number of connections from one address.
    pub fn of_one_address(&self) -> usize {
        self.connections_per_address.unwrap_or_else(|| self.connections.div_ceil(PARTS))
    }
}

/// Time limits of sessions, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SessionLimits {
    /// The time without a request after which a session ends, in seconds (G 2.5.3).
    pub idle_s: u32,
    /// The maximum duration of a session, in seconds, even with requests.
    pub longest_s: u32,
    /// Whether signing in ends a patron's other sessions; a staff member's other sessions always end.
    pub one_per_patron: bool,
    /// The number of days after which guests who stay away are removed, or `None` to keep guests for good.
    pub forget_guests_days: Option<u32>,
}

/// The longest idle time that G 2.5.3 allows, in seconds.
const LONGEST_IDLE_S: u32 = 30 * 60;

impl Default for SessionLimits {
    fn default() -> SessionLimits {
        SessionLimits {
            idle_s: LONGEST_IDLE_S,
            longest_s: 12 * 3600,
            one_per_patron: false,
            forget_guests_days: None,
        }
    }
}

impl SessionLimits {
    pub fn idle_ms(&self) -> i64 {
        i64::from(self.idle_s) * 1000
    }

    pub fn longest_ms(&self) -> i64 {
        i64::from(self.longest_s) * 1000
    }
}

/// Settings of the self-check, which compares the database with the journal while the house is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelfCheckSettings {
    /// The pause between two passes, in seconds; zero turns the self-check off.
    pub rest_s: u32,
}

impl Default for SelfCheckSettings {
    fn default() -> SelfCheckSettings {
        SelfCheckSettings { rest_s: 60 }
    }
}

#[derive(Clone, Debug)]
pub struct HouseFile {
    pub name: String,
    /// The operator of the house, which everybody is shown.
    pub operator: String,
    pub licence: String,
    /// The path of the house behind a proxy, such as `/blackjack`, or empty for the root.
    pub path_prefix: String,
    /// The start of the gaming day, in milliseconds after midnight UTC.
    pub day_starts_ms: i64,
    /// The amount of play chips that a guest starts with.
    pub guest_chips: Cents,
    /// The house's starting amount of chips, of each kind.
    pub bank: Cents,
    /// The smallest bet, win, buy-in or cash-out that is a significant event.
    pub large: Cents,
    pub timings: Timings,
    pub rates: Rates,
    pub daily: DailyLimits,
    pub sessions: SessionLimits,
    pub self_check: SelfCheckSettings,
    /// The proxies whose forwarding headers are trusted.
    pub proxies: Proxies,
    /// Additional host names of the house.
    ///
    /// Loopback and the listening address are always included.
    pub hosts: Vec<String>,
    /// The address for Prometheus metrics, or `None` for no metrics.
    ///
    /// The address serves only the metrics.
    pub metrics_listen: Option<String>,
    /// How far a record must be stored before its command is acknowledged.
    pub durability: Durability,
    /// Whether staff must sign in with a second factor.
    pub second_factor_required: bool,
    pub second_person: SecondPerson,
    pub tables: Vec<TableSetup>,
}

/// Which staff need a second factor to sign in.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WhoNeedsFactor {
    /// Only staff who have set up a second factor need it.
    Offered,
    Required,
}

/// The requests that need a second person, as the house file writes them.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WrittenSecondPerson {
    cage_above: Option<String>,
    accounts: AccountChanges,
    within_s: u32,
}

impl Default for WrittenSecondPerson {
    fn default() -> WrittenSecondPerson {
        WrittenSecondPerson { cage_above: None, accounts: AccountChanges::Alone, within_s: 3_600 }
    }
}

/// The house file as TOML states it, before validation.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    name: String,
    operator: String,
    licence: String,
    path_prefix: String,
    gaming_day_starts: String,
    guest_chips: String,
    bank: String,
    large: String,
    timings: Timings,
    rates: Rates,
    daily: DailyLimits,
    sessions: SessionLimits,
    self_check: SelfCheckSettings,
    trusted_proxies: Vec<String>,
    hosts: Vec<String>,
    metrics_listen: Option<String>,
    second_factor: WhoNeedsFactor,
    second_person: WrittenSecondPerson,
    durability: Durability,
    table: Vec<WrittenTable>,
}

impl Default for Written {
    fn default() -> Written {
        Written {
            name: "Cutcard".into(),
            operator: String::new(),
            licence: String::new(),
            path_prefix: String::new(),
            gaming_day_starts: "06:00".into(),
            guest_chips: "1000.00".into(),
            bank: "1000000000.00".into(),
            large: "10000.00".into(),
            timings: Timings::default(),
            rates: Rates::default(),
            daily: DailyLimits::default(),
            sessions: SessionLimits::default(),
            self_check: SelfCheckSettings::default(),
            trusted_proxies: Vec::new(),
            hosts: Vec::new(),
            metrics_listen: None,
            second_factor: WhoNeedsFactor::Offered,
            second_person: WrittenSecondPerson::default(),
            durability: Durability::Local,
            table: default_tables(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTable {
    /// A preset's name, or a table file's path relative to the house file.
    rules: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    set: Vec<String>,
    #[serde(default = "automatic")]
    dealing: Dealing,
}

fn automatic() -> Dealing {
    Dealing::Automatic
}

/// Returns the tables of a house without a house file: an automatic table per preset, and one with a human dealer.
fn default_tables() -> Vec<WrittenTable> {
    let table =
        |rules: &str, dealing| WrittenTable { rules: rules.into(), name: None, set: Vec::new(), dealing };
    let mut tables: Vec<_> = PRESETS.iter().map(|(name, _)| table(name, Dealing::Automatic)).collect();
    tables.push(WrittenTable {
        name: Some("Dealer's table".into()),
        ..table("nj-blackjack-reader", Dealing::Dealer)
    });
    tables
}

impl Written {
    /// Returns an error if a setting is zero that would thereby switch off a limit.
    fn refuse_zeros(&self) -> Result<(), HouseFileError> {
        let (rates, timings, sessions) = (&self.rates, &self.timings, &self.sessions);
        for (key, value) in [
            ("rates.requests_per_second", u64::from(rates.requests_per_second)),
            ("rates.requests_at_once", u64::from(rates.requests_at_once)),
            ("rates.entries_per_minute", u64::from(rates.entries_per_minute)),
            ("rates.sockets_per_person", u64::from(rates.sockets_per_person)),
            ("rates.connections", rates.connections as u64),
            ("rates.connections_per_address", rates.of_one_address() as u64),
            ("rates.solo_tables", rates.solo_tables as u64),
            ("timings.betting_ms", timings.betting_ms),
            ("timings.decision_ms", timings.decision_ms),
            ("sessions.idle_s", u64::from(sessions.idle_s)),
            ("sessions.longest_s", u64::from(sessions.longest_s)),
            ("sessions.forget_guests_days", u64::from(sessions.forget_guests_days.unwrap_or(1))),
            ("daily.entry", u64::from(self.daily.entry)),
            ("daily.session", u64::from(self.daily.session)),
            ("daily.presence", u64::from(self.daily.presence)),
            ("daily.account", u64::from(self.daily.account)),
            ("daily.protection", u64::from(self.daily.protection)),
            ("daily.table", u64::from(self.daily.table)),
            ("daily.table_of_address", u64::from(self.daily.table_of_address)),
            ("daily.practice", u64::from(self.daily.practice)),
            ("second_person.within_s", u64::from(self.second_person.within_s)),
        ] {
            if value == 0 {
                return Err(wrong(format!("{key} must not be 0; remove it to use the default")));
            }
        }
        Ok(())
    }
}

impl HouseFile {
    /// Returns the standard house file, which a house without a house file uses.
    pub fn standard() -> Result<HouseFile, HouseFileError> {
        HouseFile::check(Written::default(), Path::new(""))
    }

    pub fn read(path: &Path) -> Result<HouseFile, HouseFileError> {
        let there = |what: &dyn std::fmt::Display| wrong(format!("{}: {what}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|e| there(&e))?;
        HouseFile::parse(&text, path.parent().unwrap_or(Path::new(""))).map_err(|e| there(&e.0))
    }

    /// Parses a house file; the paths of its table files are relative to the directory `beside`.
    pub fn parse(text: &str, beside: &Path) -> Result<HouseFile, HouseFileError> {
        let written: Written =
            toml::from_str(text).map_err(|e| wrong(e.to_string().trim().replace('\n', " ")))?;
        HouseFile::check(written, beside)
    }

    fn check(mut written: Written, beside: &Path) -> Result<HouseFile, HouseFileError> {
        let money = |key: &str, text: &str| text.parse::<Cents>().map_err(|e| wrong(format!("{key}: {e}")));
        if written.table.is_empty() {
            return Err(wrong("the house file needs at least one [[table]]"));
        }
        if written.table.len() >= SOLO_FROM as usize {
            return Err(wrong(format!("a house must have fewer than {SOLO_FROM} [[table]] sections")));
        }
        let mut tables = Vec::new();
        for (n, table) in (1..).zip(std::mem::take(&mut written.table)) {
            tables.push(table.check(n, beside)?);
        }
        alike::compare(&tables).map_err(wrong)?;
        written.refuse_zeros()?;
        if written.sessions.idle_s > LONGEST_IDLE_S {
            return Err(wrong("sessions.idle_s must be at most 1800"));
        }
        Ok(HouseFile {
            name: written.name,
            operator: written.operator,
            licence: written.licence,
            path_prefix: prefix(&written.path_prefix)?,
            day_starts_ms: clock(&written.gaming_day_starts)?,
            guest_chips: money("guest_chips", &written.guest_chips)?,
            bank: money("bank", &written.bank)?,
            large: money("large", &written.large)?,
            timings: written.timings,
            rates: written.rates,
            daily: written.daily,
            sessions: written.sessions,
            self_check: written.self_check,
            proxies: Proxies::parse(&written.trusted_proxies).map_err(wrong)?,
            hosts: Hosts::parse(&written.hosts).map_err(wrong)?,
            metrics_listen: written.metrics_listen,
            durability: written.durability,
            second_factor_required: written.second_factor == WhoNeedsFactor::Required,
            second_person: SecondPerson {
                cage_above: match &written.second_person.cage_above {
                    Some(text) => Some(money("second_person.cage_above", text)?),
                    None => None,
                },
                accounts: written.second_person.accounts,
                within_ms: i64::from(written.second_person.within_s) * 1000,
            },
            tables,
        })
    }
}

impl WrittenTable {
    fn check(self, number: u32, beside: &Path) -> Result<TableSetup, HouseFileError> {
        let wrong = |what: String| wrong(format!("table {number}: {what}"));
        let mut choices = self.choices(beside).map_err(wrong)?;
        for assignment in &self.set {
            rules::file::set(&mut choices, assignment).map_err(|e| wrong(e.to_string()))?;
        }
        let name = self.name.unwrap_or_else(|| choices.name.clone());
        choices.name.clone_from(&name);
        let rules = Rules::new(choices).map_err(|report| {
            let first = report.violations.first();
            wrong(first.map_or_else(|| "not legal".into(), |f| format!("{} ({})", f.message, f.clause)))
        })?;
        Ok(TableSetup { number, name, source: self.rules, rules, dealing: self.dealing })
    }

    fn choices(&self, beside: &Path) -> Result<Choices, String> {
        if let Some(choices) = preset(&self.rules) {
            return Ok(choices);
        }
        let path = beside.join(&self.rules);
        let text = std::fs::read_to_string(&path).map_err(|e| {
            let presets: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
            let (rules, presets) = (&self.rules, presets.join(", "));
            format!("`{rules}` is neither a readable file ({e}) nor a preset; the presets are {presets}")
        })?;
        rules::file::parse(&text).map_err(|e| format!("{}: {e}", self.rules))
    }
}

fn wrong(what: impl Into<String>) -> HouseFileError {
    HouseFileError(what.into())
}

/// Returns a path prefix with a leading slash and no trailing slash, or an error if the prefix is invalid.
fn prefix(text: &str) -> Result<String, HouseFileError> {
    let path = text.trim_matches('/');
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./~".contains(c);
    match path.chars().all(plain) && !path.contains("//") {
        true if path.is_empty() => Ok(String::new()),
        true => Ok(format!("/{path}")),
        false => Err(wrong(format!("path_prefix: invalid path `{text}`; expected one like /blackjack"))),
    }
}

fn clock(text: &str) -> Result<i64, HouseFileError> {
    let parsed =
        text.split_once(':').and_then(|(h, m)| Some((h.parse::<i64>().ok()?, m.parse::<i64>().ok()?)));
    match parsed {
        Some((hours @ 0..24, minutes @ 0..60)) => Ok((hours * 60 + minutes) * 60_000),
        _ => Err(wrong(format!("gaming_day_starts: invalid time `{text}`; expected HH:MM, such as 06:00"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_house_has_every_preset() {
        let house = HouseFile::standard().expect("lawful");
        for (name, _) in PRESETS {
            let found = house.tables.iter().filter(|t| t.source == name && t.dealing == Dealing::Automatic);
            assert_eq!(found.count(), 1, "{name}");
        }
        assert!(house.tables.iter().any(|t| t.dealing == Dealing::Dealer));
        assert_eq!(house.tables.iter().map(|t| t.number).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
    }

    #[test]
    fn a_prefix_is_a_plain_path() {
        let of = |text: &str| prefix(text).map_err(|e| e.to_string());
        assert_eq!(of(""), Ok(String::new()));
        assert_eq!(of("/"), Ok(String::new()));
        assert_eq!(of("games/blackjack/"), Ok("/games/blackjack".into()));
        assert!(of("/a\"b").is_err() && of("/a b").is_err() && of("/a//b").is_err());
    }

    #[test]
    fn a_file_is_read_and_its_mistakes_are_named() {
        let house = HouseFile::parse(
            "name = \"Pier 7\"\nguest_chips = \"50\"\n[timings]\nbetting_ms = 5\n[[table]]\nrules = \"nj-switch\"\n\
             name = \"Blue\"\nset = [\"minimum=25\"]\ndealing = \"dealer\"",
            Path::new(""),
        )
        .expect("lawful");
        assert_eq!(
            (house.name.as_str(), house.guest_chips, house.timings.betting_ms),
            ("Pier 7", Cents(5000), 5)
        );
        assert_eq!(house.timings.decision_ms, Timings::default().decision_ms);
        let table = &house.tables[0];
        assert_eq!(
            (table.name.as_str(), table.rules.minimum, table.dealing),
            ("Blue", Cents(2500), Dealing::Dealer)
        );
        for (text, named) in [
            ("[[table]]\nrules = \"no-such\"", "no-such"),
            ("[[table]]\nrules = \"nj-switch\"\nset = [\"decks=99\"]", "table 1"),
            ("colour = 1", "colour"),
            ("bank = \"much\"\n[[table]]\nrules = \"nj-switch\"", "bank"),
            ("gaming_day_starts = \"25:00\"\n[[table]]\nrules = \"nj-switch\"", "25:00"),
            ("table = []", "at least one"),
            ("[[table]", "TOML"),
            ("[rates]\nrequests_per_second = 0", "rates.requests_per_second"),
            ("[rates]\nconnections = 0", "rates.connections"),
            ("[timings]\nbetting_ms = 0", "timings.betting_ms"),
            ("[timings]\ndecision_ms = 0", "timings.decision_ms"),
            ("durability = \"paper\"", "replicated"),
            ("[sessions]\nidle_s = 0", "sessions.idle_s"),
            ("[sessions]\nidle_s = 1801", "1800"),
            ("[sessions]\nforget_guests_days = 0", "sessions.forget_guests_days"),
            ("trusted_proxies = [\"proxy\"]", "proxy"),
            ("[second_person]\ncage_above = \"much\"", "second_person.cage_above"),
            ("[second_person]\nwithin_s = 0", "second_person.within_s"),
            ("[second_person]\naccounts = \"never\"", "approved"),
            ("hosts = [\"https://casino.example\"]", "without scheme or port"),
        ] {
            let error = HouseFile::parse(text, Path::new("")).expect_err(text).to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}

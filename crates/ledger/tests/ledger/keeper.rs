//! A house whose keys a remote signer holds: the signer signs, and the house knows it by its public key.

use crate::house::{House, TABLE, on_both};
use ledger::signer::Signer;
use ledger::{Ledger, OpenError, Opening, StoreAddress, Stream};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// The environment variable with the key directory, set for the signer process.
const KEYS: &str = "CUTCARD_TEST_KEYS";

/// Not a test by itself: the signer command of the other tests. The output of the test harness is not part of its
/// answers.
#[test]
fn keeps_keys() {
    let Some(directory) = std::env::var_os(KEYS) else { return };
    println!();
    ledger::signer::answer_requests(Path::new(&directory), std::io::stdin().lock(), std::io::stdout().lock())
        .expect("keeps");
}

fn keeper(keys: &Path) -> Signer {
    let program = std::env::current_exe().expect("this program");
    let command = format!(
        "{KEYS}='{}' '{}' --exact keeper::keeps_keys --nocapture --test-threads 1 | grep --line-buffered '^ok \
            \\|^error '",
        keys.display(),
        program.display()
    );
    Signer::new(&command)
}

fn directory() -> TempDir {
    tempfile::tempdir().expect("temp dir")
}

fn opened(data: &Path, place: &StoreAddress, keys: &Path) -> Result<Ledger, OpenError> {
    let opening = Opening { signer: Some(Arc::new(keeper(keys))), ..Opening::default() };
    Ledger::open_with(data, place.clone(), opening)
}

fn refused(data: &Path, place: &StoreAddress, keys: &Path) -> String {
    match opened(data, place, keys) {
        Ok(_) => panic!("the house opens"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_keeper_seals_and_the_house_remembers_it() {
    on_both(|house| {
        let House { ledger, place, directory: _own, .. } = house;
        drop(ledger);
        let (data, keys) = (directory(), directory());
        let ledger = opened(data.path(), &place, keys.path()).expect("opens");
        ledger.take_over(Stream::Table(TABLE), "test").expect("taken over");
        let seal = ledger.seal_today().expect("sealed").expect("the first today");
        assert!(seal.verify(&ledger::seal::PublicKey::from_bytes(&ledger.public_key()).expect("a key")));
        assert_eq!(ledger.key_fits(), Ok(true));
        assert!(!data.path().join("keys/seal.public").exists(), "not before it is told to");
        ledger.remember_key().expect("remembered");
        let known = std::fs::read_to_string(data.path().join("keys/seal.public")).expect("remembered");
        let hex: String = ledger.public_key().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(known.trim(), hex);
        ledger.remember_key().expect("it is known already");
        drop(ledger);
        drop(opened(data.path(), &place, keys.path()).expect("the same key opens it again"));

        let other = directory();
        let why = refused(data.path(), &place, other.path());
        assert!(why.contains("the remote signer has the seal key") && why.contains(&hex), "{why}");
        // A house must not have two seal keys.
        std::fs::copy(keys.path().join("seal.key"), data.path().join("keys/seal.key")).expect("copied");
        let why = refused(data.path(), &place, keys.path());
        assert!(why.contains("contains a seal key"), "{why}");
    });
}

#[test]
fn a_key_that_did_not_seal_the_store_does_not_fit_it() {
    let house = House::at(StoreAddress::in_directory).with_some_play();
    assert_eq!(house.ledger.key_fits(), Ok(true), "nothing is sealed");
    house.ledger.seal_today().expect("sealed");
    assert_eq!(house.ledger.key_fits(), Ok(true));
    house.ledger.remember_key().expect("a key of one's own is not remembered elsewhere");
    assert!(!house.directory.path().join("keys/seal.public").exists());
    let House { ledger, place, .. } = house;
    drop(ledger);
    let data = directory();
    let other = Ledger::open(data.path(), place, 0).expect("opens");
    assert_eq!(other.key_fits(), Ok(false));
}

/// Used keys belong to a journal; unused keys may start one.
#[test]
fn used_keys_of_a_keeper_do_not_begin_anew() {
    let (data, keys) = (directory(), directory());
    let place = StoreAddress::in_directory(data.path());
    drop(opened(data.path(), &place, keys.path()).expect("opens"));
    let ledger = opened(data.path(), &place, keys.path()).expect("a first start that came to nothing");
    ledger.take_over(Stream::Table(TABLE), "test").expect("taken over");
    ledger.remember_key().expect("remembered");
    drop(ledger);
    for name in ["house.sqlite", "head"] {
        std::fs::remove_file(data.path().join(name)).expect("removed");
    }
    let why = refused(data.path(), &place, keys.path());
    assert!(why.contains("they were used before, but the journal is empty"), "{why}");
}

#[test]
fn a_signature_of_another_key_is_no_seal() {
    let (data, keys, other) = (directory(), directory(), directory());
    let place = StoreAddress::in_directory(data.path());
    let ledger = opened(data.path(), &place, keys.path()).expect("opens");
    ledger.take_over(Stream::Table(TABLE), "test").expect("taken over");
    // Somebody changes the key behind the signer's back.
    keeper(other.path()).key("public seal").expect("another key");
    std::fs::copy(other.path().join("seal.key"), keys.path().join("seal.key")).expect("copied");
    let refused = ledger.seal_today().expect_err("no seal").to_string();
    assert!(refused.contains("the remote signer signed with a different key"), "{refused}");
    assert!(!data.path().join("seals.log").exists());
    ledger.take_over(Stream::Table(TABLE), "again").expect("play goes on");
}

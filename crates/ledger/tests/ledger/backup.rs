//! The drill: back up while the house plays, restore elsewhere, go on playing.

use crate::house::{House, on_both, patron};
use crate::{cluster, house::cash};
use ledger::backup::{BackupError, restore};
use ledger::{Holder, Place};

fn places() -> Vec<Place> {
    let mut places = vec![Place::Sqlite("unset".into())];
    places.extend(cluster::shared().map(|c| Place::Postgres(c.database())));
    places
}

#[test]
fn a_backup_restores_on_either_store_and_play_goes_on() {
    on_both(|house| {
        let house = house.with_some_play();
        house.ledger.seal_today().expect("sealed");
        let into = house.directory.path().join("backup");
        let written = house.ledger.backup(&into).expect("backed up");
        house.wager("later", 2, 1).expect("the house plays on");
        for place in places() {
            let directory = tempfile::tempdir().expect("temp dir");
            let place = match place {
                Place::Sqlite(_) => Place::in_directory(directory.path()),
                postgres => postgres,
            };
            let read = restore(&into, directory.path(), &place).expect("restored");
            assert_eq!(read, written);
            assert!(matches!(restore(&into, directory.path(), &place), Err(BackupError::NotEmpty)));
            let restored = House::open(directory, place);
            assert_eq!(restored.balance(patron(2)), house.balance(patron(2)) + 1);
            assert_eq!(restored.ledger.public_key(), house.ledger.public_key(), "the keys came along");
            assert!(restored.wager("w1-0", 1, 500).expect("known").repeated);
            restored.wager("new", 2, 1).expect("play goes on");
            assert_eq!(restored.balance(cash(Holder::Outside)), -30_000);
        }
    });
}

#[test]
fn a_damaged_backup_is_refused() {
    let house = House::at(Place::in_directory).with_some_play();
    let into = house.directory.path().join("backup");
    house.ledger.backup(&into).expect("backed up");
    let file = into.join("house.backup");
    let whole = std::fs::read(&file).expect("there");
    for (n, cut) in [(0, 10), (whole.len() / 2, 0), (whole.len() - 40, 0), (17, 0)] {
        let mut bytes = whole[..whole.len() - cut].to_vec();
        if cut == 0 {
            bytes[n] ^= 1;
        }
        std::fs::write(&file, bytes).expect("written");
        let directory = tempfile::tempdir().expect("temp dir");
        let place = Place::in_directory(directory.path());
        assert!(matches!(restore(&into, directory.path(), &place), Err(BackupError::Damaged(_))));
    }
}

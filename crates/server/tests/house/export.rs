//! Exports the tables of a house as files for other tools.

use crate::client::House;
use server::Form;

#[tokio::test(flavor = "multi_thread")]
async fn every_table_is_a_file_and_no_secret_is_in_one() {
    let mut house = House::open().await;
    house.guest().await;
    house.player("ann").await;
    house.close().await;
    let into = |name: &str| house.options.data.join(name);
    let tables = server::export(&house.options, Form::Csv, &into("csv")).expect("exported");
    assert_eq!(tables.len(), 14, "{tables:?}");
    let csv = |name: &str| std::fs::read_to_string(into("csv").join(format!("{name}.csv"))).expect("there");
    let accounts = csv("accounts");
    assert!(accounts.starts_with("account,name,chips,holder,owner,may_owe,balance\n"), "{accounts}");
    assert!(accounts.contains(",cash:bank,cash,bank,0,0,100000000000\n"), "{accounts}");
    let sum: i64 =
        accounts.lines().skip(1).filter_map(|line| line.rsplit(',').next()?.parse::<i64>().ok()).sum();
    assert_eq!(sum, 0, "chips are neither made nor lost");
    let rows = tables.iter().find(|(name, _)| *name == "accounts").map_or(0, |(_, rows)| *rows);
    assert_eq!(accounts.lines().count() as u64, rows + 1);
    let journal = csv("journal");
    assert!(journal.contains("\"[[\"\"cash:outside\"\","), "quotes are doubled");
    assert!(!csv("people").contains("argon2") && !into("csv").join("sessions.csv").exists());
    for entry in std::fs::read_dir(into("csv")).expect("there") {
        use std::os::unix::fs::PermissionsExt as _;
        let path = entry.expect("read").path();
        let text = std::fs::read_to_string(&path).expect("text");
        assert!(!text.contains("argon2"), "a hash of a password is in {}", path.display());
        assert_eq!(std::fs::metadata(&path).expect("known").permissions().mode() & 0o777, 0o600);
        let directory = std::fs::metadata(into("csv")).expect("known").permissions().mode();
        assert_eq!(directory & 0o777, 0o700);
    }
    assert!(journal.contains("\"\"name\"\":\"\"ann\"\""), "what else a record changed is told: {journal}");
    let same = server::export(&house.options, Form::Parquet, &into("parquet")).expect("exported");
    assert_eq!(same, tables);
    for (name, _) in same {
        let bytes = std::fs::read(into("parquet").join(format!("{name}.parquet"))).expect("there");
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{name}");
    }
    let twice = server::export(&house.options, Form::Csv, &into("csv"));
    assert!(twice.is_err_and(|e| e.to_string().contains("exists")), "nothing is written over");
}

//! Tests the doctor on a house on PostgreSQL, healthy and broken, each on a cluster of its own: the shared one does not
//! sync.

use crate::client::House;
use crate::cluster::Cluster;
use ledger::StoreAddress;
use server::Options;

const FILE: &str = "[[table]]\nrules = \"nj-blackjack\"\n";

/// Returns the failed checks, each with its message.
fn wrong(options: &Options) -> Vec<(&'static str, String)> {
    let found = tokio::task::block_in_place(|| server::doctor(options));
    found.checks.into_iter().filter(|found| !found.ok).map(|found| (found.check, found.message)).collect()
}

fn is_well(options: &Options) {
    let found = wrong(options);
    assert!(found.is_empty(), "{found:?}");
}

/// Asserts that this check alone fails, and that its message contains this text.
fn fails(options: &Options, check: &str, text: &str) {
    let found = wrong(options);
    assert!(
        found.len() == 1 && found[0].0 == check && found[0].1.contains(text),
        "{check}, {text}: {found:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_on_postgres_says_what_is_wrong_with_it() {
    let Some(cluster) = Cluster::start() else { return };
    let database = cluster.database();
    let mut house = House::node("a", FILE, (database.clone(), None)).await;
    is_well(&house.options);

    // The nodes run with another house file than the one here; or it is no house file at all.
    let mut options = house.options.clone();
    let file = house.options.data.join("other.toml");
    options.house = Some(file.clone());
    std::fs::write(&file, format!("durability = \"replicated\"\n{FILE}")).expect("written");
    let found = wrong(&options);
    assert!(found.iter().any(|(check, why)| *check == "peers" && why.contains("house file")), "{found:?}");
    std::fs::write(&file, "tables = 3\n").expect("written");
    let found = wrong(&options);
    assert!(
        found.iter().any(|(check, why)| *check == "house file" && why.contains("other.toml")),
        "{found:?}"
    );

    // The house file asks for a standby, and the database has none.
    house.close().await;
    std::fs::write(&file, format!("durability = \"replicated\"\n{FILE}")).expect("written");
    fails(&options, "durability", "synchronous_standby_names");
    options.house = house.options.house.clone();
    is_well(&options);

    // A role without rights is told which ones it lacks, until it has them.
    let (name, role) =
        (database.rsplit('=').next().expect("a name"), format!("plain_{}", std::process::id()));
    let owner = |sql: &str| {
        let grant = || StoreAddress::Postgres(database.clone()).writer()?.define(sql);
        tokio::task::block_in_place(grant).expect("done");
    };
    owner(&format!("CREATE ROLE {role} LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}"));
    owner(&format!(
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC; REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC"
    ));
    options.database = Some(database.replace("user=house", &format!("user={role}")));
    let mut granted = Vec::new();
    while let Some((_, why)) = wrong(&options).into_iter().find(|(check, _)| *check == "grants") {
        let (_, grant) = why.split_once("lacks a right: ").expect("a statement");
        assert!(granted.len() < 3, "{why} does not help");
        owner(grant);
        granted.push(grant.split(" TO ").next().unwrap_or_default().to_owned());
    }
    let temporary = format!("GRANT TEMPORARY ON DATABASE {name}");
    assert_eq!(granted, [temporary.as_str(), "GRANT CREATE ON SCHEMA public", "GRANT pg_read_all_stats"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_cannot_be_reached_is_named() {
    let Some(cluster) = Cluster::start() else { return };
    let nowhere = format!("127.0.0.1:{}", crate::takeover::free_port());
    let listens = ("127.0.0.1:0".into(), Some(nowhere.clone()));
    let house = House::node_at("a", FILE, (cluster.database(), None), listens).await;
    fails(&house.options, "peers", &format!("node a is alive but cannot be reached at {nowhere}"));
}

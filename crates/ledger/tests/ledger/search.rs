//! Searches the journal by the person a record concerns, on both stores: commands given, chips moved, events that name
//! the person; in pages, in both directions.

use crate::house::{House, TABLE, cash, command, on_both, patron};
use ledger::search::{PageStart, PersonFilter, RecordFilter, search};
use ledger::{Cents, Draft, GamingDay, Holder, PersonId, Postings, Record, Seq, Stream};

const CASHIER: i64 = 70;

/// Adds a cashier who sells chips to patron 7, who plays with others; a debt, and events that name people.
fn with_a_cage(house: House) -> House {
    let house = house.with_some_play();
    let commit = |draft: Draft| house.ledger.commit(draft).expect("stored");
    let mut sold = Draft::new(Stream::House, PersonId(CASHIER), command("sold"), "buy-in");
    sold.postings =
        Postings::none().transfer(cash(Holder::Cashier(PersonId(CASHIER))), patron(7), Cents(5000));
    commit(sold);
    house.wager("w7", 7, 700).expect("wagered");
    // One record returns the chips of two patrons.
    let mut void = house.wager_draft("void", 0, 0);
    void.postings = Postings::none()
        .transfer(cash(Holder::Layout(TABLE)), patron(7), Cents(300))
        .transfer(cash(Holder::Layout(TABLE)), patron(3), Cents(5))
        .transfer(cash(Holder::Layout(TABLE)), patron(7), Cents(395));
    commit(void);
    for (id, event) in [
        ("e1", r#"{"what":"account-changed","details":{"person":7,"reason":"asked for"}}"#),
        ("e2", r#"{"what":"large-transaction","details":{"amount":"50.00","patron":7}}"#),
        ("e3", r#"{"what":"large-wager","details":{"account":"cash:player:7"}}"#),
        ("e4", r#"{"what":"account-changed","details":{"person":71}}"#),
        ("e5", r#"{"what":"account-changed","details":{"person":8,"reason":"said \"person\":7, twice"}}"#),
    ] {
        let mut draft = Draft::new(Stream::House, PersonId(60), command(id), "significant");
        draft.event = event.as_bytes().to_vec();
        commit(draft);
    }
    house
}

fn found(house: &House, sought: &RecordFilter, from: PageStart, most: i64) -> Vec<Record> {
    let mut db = house.place.reader().expect("connects");
    search(&mut *db, sought, from, most).expect("answered")
}

fn about(person: i64) -> RecordFilter {
    RecordFilter { who: Some(PersonFilter::Concerned(PersonId(person))), ..RecordFilter::default() }
}

fn commands(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| record.command.as_str()).collect()
}

#[test]
fn a_search_for_somebody_finds_every_record_that_concerns_them() {
    on_both(|house| {
        let house = with_a_cage(house);
        let all = |sought: &RecordFilter| found(&house, sought, PageStart::After(Seq(0)), 100);
        assert_eq!(commands(&all(&about(7))), ["sold", "w7", "void", "e1", "e2", "e3"]);
        assert_eq!(commands(&all(&about(CASHIER))), ["sold"]);
        assert_eq!(commands(&all(&about(3))), ["b3", "w3-0", "w3-1", "w3-2", "g2", "void"]);
        assert!(all(&about(99)).is_empty());
        let gave = RecordFilter { who: Some(PersonFilter::Gave(PersonId(7))), ..RecordFilter::default() };
        assert_eq!(commands(&all(&gave)), ["w7"]);
        // Other filters narrow the search.
        let here = RecordFilter { stream: Some(Stream::Table(TABLE)), ..about(7) };
        assert_eq!(commands(&all(&here)), ["w7", "void"]);
        assert_eq!(commands(&all(&RecordFilter { kind: Some("buy-in".into()), ..about(7) })), ["sold"]);
        assert_eq!(
            commands(&all(&RecordFilter { kind: Some("significant".into()), ..about(7) })),
            ["e1", "e2", "e3"]
        );
        assert!(all(&RecordFilter { day: Some(GamingDay(1)), ..about(7) }).is_empty());
    });
}

#[test]
fn pages_join_without_gap_or_overlap_either_way() {
    on_both(|house| {
        let house = with_a_cage(house);
        for sought in [about(7), about(3), RecordFilter::default()] {
            let forward = found(&house, &sought, PageStart::After(Seq(0)), 1000);
            let mut back = found(&house, &sought, PageStart::Before(Seq(i64::MAX)), 1000);
            back.reverse();
            assert_eq!(commands(&forward), commands(&back));
            let (mut pages, mut begin) = (Vec::new(), Seq(i64::MAX));
            loop {
                let page = found(&house, &sought, PageStart::Before(begin), 2);
                let Some(last) = page.last() else { break };
                begin = last.seq;
                pages.extend(page);
            }
            pages.reverse();
            assert_eq!(commands(&forward), commands(&pages));
            let (mut pages, mut begin) = (Vec::new(), Seq(0));
            loop {
                let page = found(&house, &sought, PageStart::After(begin), 2);
                let Some(last) = page.last() else { break };
                begin = last.seq;
                pages.extend(page);
            }
            assert_eq!(commands(&forward), commands(&pages));
        }
    });
}

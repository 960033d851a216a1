//! People, their sessions and the house's settings: changed by records and read by queries.

use crate::house::{House, command, on_both};
use ledger::people::{self, Person, RowChange, Session};
use ledger::{
    Account, Cents, Chips, Denied, Digest, Draft, Fault, Holder, Moment, PersonId, Postings, Stream,
};
use std::sync::mpsc::channel;

fn person(id: i64, name: &str) -> Person {
    Person {
        id: PersonId(id),
        name: name.into(),
        role: "player".into(),
        secret: "hash".into(),
        guest: false,
        disabled: false,
        created: Moment(5),
        failures: 0,
        locked_until: Moment(0),
    }
}

fn session(name: &str, person: i64) -> Session {
    let (created, seen, ends) = (Moment(10), Moment(20), Moment(1000));
    Session { token: Digest::of(name.as_bytes()), person: PersonId(person), created, seen, ends }
}

fn draft(id: &str, row_changes: Vec<RowChange>) -> Draft {
    let mut draft = Draft::new(Stream::House, PersonId(0), command(id), "people");
    draft.row_changes = row_changes;
    draft
}

struct Register<'a> {
    house: &'a House,
    next: std::cell::Cell<u32>,
}

impl Register<'_> {
    fn store(&self, row_change: RowChange) {
        self.next.set(self.next.get() + 1);
        let id = format!("k{}", self.next.get());
        self.house.ledger.commit(draft(&id, vec![row_change])).expect("stored");
    }

    fn person(&self, id: i64) -> Option<Person> {
        self.house.ledger.read(|db| people::by_id(db, PersonId(id))).expect("readable")
    }

    fn session(&self, name: &str) -> Option<Session> {
        self.house.ledger.read(|db| people::session(db, Digest::of(name.as_bytes()))).expect("readable")
    }
}

fn on_registers(test: impl Fn(Register<'_>)) {
    on_both(|house| test(Register { house: &house, next: std::cell::Cell::new(0) }));
}

#[test]
fn people_are_found_as_they_were_written_down() {
    on_registers(|register| {
        let ann = Person { guest: true, failures: 2, locked_until: Moment(9), ..person(8, "Ann") };
        let bob = Person { disabled: true, role: "dealer".into(), ..person(9, "bob") };
        for one in [&ann, &bob] {
            register.store(RowChange::NewPerson(one.clone()));
        }
        register.store(RowChange::NewPerson(Person { role: "dealer".into(), ..person(10, "Cleo") }));
        assert_eq!(
            (register.person(8), register.person(9), register.person(7)),
            (Some(ann), Some(bob), None)
        );
        let ledger = &register.house.ledger;
        let by_name = |name: &str| ledger.read(|db| people::by_name(db, name)).expect("readable");
        assert_eq!(by_name("BOB").map(|bob| bob.id), Some(PersonId(9)));
        assert_eq!(by_name("nobody"), None);
        let names = |after: &str, most| -> Vec<String> {
            let list = ledger.read(|db| people::list(db, after, most)).expect("readable");
            list.into_iter().map(|person| person.name).collect()
        };
        assert_eq!(names("", 10), ["Ann", "bob", "Cleo"]);
        assert_eq!((names("ANN", 1), names("cleo", 10)), (vec!["bob".to_owned()], vec![]));
        let dealers = ledger.read(|db| people::count_with_role(db, "dealer"));
        assert_eq!(dealers, Ok(1), "one of two is disabled");
    });
}

#[test]
fn a_guest_becomes_a_member_under_a_name_that_is_free() {
    on_registers(|register| {
        register.store(RowChange::NewPerson(Person { guest: true, ..person(8, "guest-8") }));
        register.store(RowChange::NewPerson(person(9, "Bob")));
        let join =
            |name: &str| RowChange::Join { person: PersonId(8), name: name.into(), secret: "own".into() };
        let ledger = &register.house.ledger;
        assert_eq!(ledger.commit(draft("j", vec![join("BOB")])), Err(Fault::Denied(Denied::NameTaken)));
        register.store(join("Ann"));
        let ann = register.person(8).expect("there");
        assert_eq!((&*ann.name, &*ann.secret, ann.guest), ("Ann", "own", false));
        // A name taken in the same batch counts as taken.
        let (tell, told) = channel();
        let chain = vec![
            draft("c1", vec![RowChange::NewPerson(person(20, "Dan"))]),
            draft("c2", vec![RowChange::NewPerson(person(21, "dan"))]),
        ];
        ledger.submit_chain(chain, move |outcomes| tell.send(outcomes).expect("listening"));
        let outcomes = told.recv().expect("answered");
        assert!(outcomes[0].is_ok() && outcomes[1] == Err(Fault::Denied(Denied::NameTaken)), "{outcomes:?}");
    });
}

#[test]
fn an_account_that_is_locked_or_disabled_is_not_entered() {
    on_registers(|register| {
        let (ann, now, later) = (PersonId(8), Moment(100), Moment(500));
        register.store(RowChange::NewPerson(person(8, "Ann")));
        let failed = || RowChange::WrongPassword { person: ann, most: 3, now, locked_until: later };
        register.store(failed());
        register.store(failed());
        assert_eq!(register.person(8).map(|ann| (ann.failures, ann.locked_until)), Some((2, Moment(0))));
        register.store(RowChange::CorrectPassword { person: ann, now });
        assert_eq!(register.person(8).map(|ann| ann.failures), Some(0), "the right one forgets them");
        (0..3).for_each(|_| register.store(failed()));
        assert_eq!(register.person(8).map(|ann| (ann.failures, ann.locked_until)), Some((0, later)));
        register.store(RowChange::NewSessionIfOpen(session("early", 8), Moment(499)));
        assert_eq!(register.session("early"), None);
        register.store(RowChange::SecretIfOpen { person: ann, secret: "new".into(), now: Moment(499) });
        assert_eq!(register.person(8).map(|ann| ann.secret), Some("hash".into()));
        register.store(RowChange::SecretIfOpen { person: ann, secret: "new".into(), now: later });
        assert_eq!(register.person(8).map(|ann| ann.secret), Some("new".into()));
        register.store(RowChange::NewSessionIfOpen(session("in time", 8), later));
        assert_eq!(register.session("in time"), Some(session("in time", 8)));
        register.store(RowChange::Disabled { person: ann, disabled: true });
        register.store(RowChange::NewSessionIfOpen(session("disabled", 8), later));
        assert_eq!(register.session("disabled"), None);
        register.store(RowChange::Disabled { person: ann, disabled: false });
        register.store(RowChange::Failures { person: ann, failures: 1, locked_until: Moment(7) });
        register.store(RowChange::Role { person: ann, role: "dealer".into() });
        register.store(RowChange::Secret { person: ann, secret: "other".into() });
        let found = register.person(8).expect("there");
        assert_eq!((found.disabled, found.failures, found.locked_until), (false, 1, Moment(7)));
        assert_eq!((&*found.role, &*found.secret), ("dealer", "other"));
    });
}

#[test]
fn sessions_end_as_they_are_ended() {
    on_registers(|register| {
        register.store(RowChange::NewPerson(person(8, "Ann")));
        register.store(RowChange::NewPerson(person(9, "Bob")));
        let there = |names: &[&str]| -> Vec<String> {
            let kept = names.iter().filter(|name| register.session(name).is_some());
            kept.map(|name| name.to_string()).collect()
        };
        let begin =
            |names: &[&str]| names.iter().for_each(|n| register.store(RowChange::NewSession(session(n, 8))));
        let token = |name: &str| Digest::of(name.as_bytes());
        begin(&["a", "b", "c"]);
        register.store(RowChange::NewSession(session("other", 9)));
        register.store(RowChange::Seen { token: token("a"), seen: Moment(30), ends: Moment(2000) });
        let seen = register.session("a").expect("there");
        assert_eq!((seen.created, seen.seen, seen.ends), (Moment(10), Moment(30), Moment(2000)));
        register.store(RowChange::EndSession(token("b")));
        assert_eq!(there(&["a", "b", "c", "other"]), ["a", "c", "other"]);
        register.store(RowChange::EndSessionsBut { person: PersonId(8), token: token("other") });
        assert_eq!(there(&["a", "c"]), ["a", "c"], "a session of somebody else ends none");
        register.store(RowChange::EndSessionsButIf {
            person: PersonId(8),
            token: token("a"),
            secret: "x".into(),
        });
        assert_eq!(there(&["a", "c"]), ["a", "c"], "another password ends none");
        register.store(RowChange::EndSessionsButIf {
            person: PersonId(8),
            token: token("a"),
            secret: "hash".into(),
        });
        assert_eq!(there(&["a", "c", "other"]), ["a", "other"]);
        begin(&["d"]);
        register.store(RowChange::EndSessionsBut { person: PersonId(8), token: token("d") });
        assert_eq!(there(&["a", "d", "other"]), ["d", "other"]);
        register.store(RowChange::EndSessionsBefore(Moment(999)));
        assert_eq!(there(&["d", "other"]), ["d", "other"], "their time has not come");
        register.store(RowChange::EndSessionsOf(PersonId(8)));
        assert_eq!(there(&["d", "other"]), ["other"]);
        register.store(RowChange::EndSessionsBefore(Moment(1000)));
        assert_eq!(register.session("other"), None);
    });
}

#[test]
fn settings_are_found_by_name_or_by_how_their_names_begin() {
    on_registers(|register| {
        let ledger = &register.house.ledger;
        for (name, value) in [("call/2", "b"), ("call/1", "a"), ("calm", "c"), ("call", "d"), ("call/1", "e")]
        {
            let (tell, told) = channel();
            let row_change = RowChange::Setting { name: name.into(), value: value.into() };
            ledger.store_rows(vec![row_change], move |stored| tell.send(stored).expect("listening"));
            assert_eq!(told.recv(), Ok(Ok(())));
        }
        let one = |name: &str| ledger.read(|db| people::setting(db, name)).expect("readable");
        assert_eq!(
            (one("call/1"), one("call"), one("nothing")),
            (Some(b"e".to_vec()), Some(b"d".to_vec()), None)
        );
        let all = ledger.read(|db| people::settings(db, "call/")).expect("readable");
        assert_eq!(all, [("1".to_owned(), b"e".to_vec()), ("2".to_owned(), b"b".to_vec())]);
        let (tell, told) = channel();
        let row_change = RowChange::Setting { name: "bytes".into(), value: vec![0xff] };
        ledger.store_rows(vec![row_change], move |stored| tell.send(stored).expect("listening"));
        assert!(told.recv().expect("answered").is_err_and(|why| why.to_string().contains("not valid text")));
    });
}

/// A guest without a session is gone, and is then removed together with the name; the guest's chips stay in the books.
#[test]
fn guests_who_are_gone_are_found_and_removed() {
    on_registers(|register| {
        let ledger = &register.house.ledger;
        let gone =
            |before: i64| ledger.read(|db| people::guests_gone(db, Moment(before), 10)).expect("readable");
        let nobodys = || ledger.read(|db| people::chips_of_nobody(db, 10)).expect("readable");
        let (purse, outside) =
            (Account::player(Chips::Play, PersonId(41)), Account::new(Chips::Play, Holder::Outside));
        register.store(RowChange::NewPerson(Person { guest: true, ..person(41, "guest-29") }));
        register.store(RowChange::NewPerson(person(42, "Ann")));
        assert_eq!((gone(5), gone(6)), (vec![], vec![PersonId(41)]), "created at 5");
        register.store(RowChange::NewSession(session("here", 41)));
        assert_eq!(gone(6), [], "who has a session is here");
        let mut chips = draft("chips", vec![]);
        chips.postings = Postings::none().transfer(outside, purse, Cents(500));
        ledger.commit(chips).expect("given");
        assert_eq!(nobodys(), []);
        let remove = |id: &str, person: i64| {
            let person = PersonId(person);
            let mut removed = draft(id, vec![RowChange::EndSessionsOf(person), RowChange::Forget(person)]);
            let purse = Account::player(Chips::Play, person);
            removed.postings = Postings::none().transfer_as_far_as_held(purse, outside, Cents(i64::MAX));
            ledger.commit(removed).expect("removed");
        };
        remove("r1", 41);
        remove("r2", 42);
        assert_eq!((register.person(41), register.session("here")), (None, None));
        assert_eq!(register.person(42).map(|ann| ann.name), Some("Ann".into()), "a member is no guest");
        assert_eq!((register.house.balance(purse), register.house.balance(outside)), (0, 0));
        // A bet that was still on a table returns to a removed guest.
        let mut late = draft("late", vec![]);
        late.postings = Postings::none().transfer(outside, purse, Cents(30));
        ledger.commit(late).expect("come back");
        assert_eq!(nobodys(), [PersonId(41)]);
        remove("r3", 41);
        assert_eq!((nobodys(), register.house.balance(purse)), (vec![], 0));
        register.store(RowChange::NewPerson(Person { guest: true, ..person(43, "guest-29") }));
        // A rebuild from the journal gives the same result.
        let mut db = register.house.place.writer().expect("connects");
        ledger::rebuild(&mut *db).expect("rebuilt");
        assert_eq!((register.person(41), register.person(43).is_some()), (None, true));
    });
}

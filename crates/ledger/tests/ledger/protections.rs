//! A patron's own limits and exclusion, checked where the bet is stored.

use crate::house::{House, TABLE, cash, command, on_both, patron};
use ledger::audit::Auditor;
use ledger::{
    Cents, Denied, Draft, Effect, Fault, GamingDay, Holder, Ledger, Measure, Moment, Opening, PersonId,
    PlayDay, Postings, Receipt, Span, Stopped, Stream, Timepiece,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

fn ask(house: &House, id: &str, effect: Effect) -> Receipt {
    let mut draft = Draft::new(Stream::House, PersonId(1), command(id), "protection");
    draft.effects.push(effect);
    house.ledger.commit(draft).expect("recorded")
}

fn limit(most: Option<i64>) -> Effect {
    Effect::Limit { person: PersonId(1), measure: Measure::Loss, span: Span::Day, most }
}

#[test]
fn a_loss_limit_stops_the_wager_that_would_break_it() {
    on_both(|house| {
        house.buy_in("b", 1, 10_000).expect("bought");
        ask(&house, "l1", limit(Some(1000)));
        house.wager("w1", 1, 900).expect("within");
        let stopped = Denied::Stopped(Stopped::Limit { measure: Measure::Loss, span: Span::Day });
        assert_eq!(house.wager("w2", 1, 101), Err(Fault::Denied(stopped.clone())));
        ask(&house, "l2", limit(Some(5000)));
        assert_eq!(
            house.wager("w2", 1, 101),
            Err(Fault::Denied(stopped.clone())),
            "loosened only after a day"
        );
        let house = house.reopened();
        assert_eq!(house.wager("w2", 1, 101), Err(Fault::Denied(stopped)), "also after a restart");
        house.give_back("g", 1, 900).expect("money always comes back");
        house.wager("w2", 1, 1000).expect("what came back is not lost");
    });
}

#[test]
fn exclusion_stops_wagers_and_deposits_but_never_a_withdrawal() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        house.wager("w1", 1, 100).expect("wagered");
        ask(&house, "x", Effect::Exclude { person: PersonId(1), until: Moment(i64::MAX) });
        assert!(matches!(
            house.wager("w2", 1, 1),
            Err(Fault::Denied(Denied::Stopped(Stopped::Excluded { .. })))
        ));
        assert!(matches!(
            house.buy_in("b2", 1, 1),
            Err(Fault::Denied(Denied::Stopped(Stopped::Excluded { .. })))
        ));
        house.give_back("g", 1, 100).expect("the open wager is settled");
        let mut out = Draft::new(Stream::House, PersonId(1), command("out"), "cash-out");
        out.postings =
            Postings::none().transfer(patron(1), crate::house::cash(ledger::Holder::Outside), Cents(1000));
        house.ledger.commit(out).expect("withdrawn");
        assert_eq!(house.balance(patron(1)), 0);
        assert_eq!(
            house.ledger.protection(PersonId(1)).expect("readable").excluded_until,
            Some(Moment(i64::MAX))
        );
    });
}

/// Returns a house whose clock can be shifted.
fn with_clock(house: House) -> (House, Arc<AtomicI64>) {
    let House { ledger, place, directory, epoch } = house;
    drop(ledger);
    let shift_ms = Arc::new(AtomicI64::new(0));
    let opening = Opening { shift_ms: Arc::clone(&shift_ms), ..Opening::default() };
    let ledger = Ledger::open_with(directory.path(), place.clone(), opening).expect("opens");
    (House { ledger, place, directory, epoch }, shift_ms)
}

const DAY_MS: i64 = 86_400_000;

#[test]
fn a_limit_counts_the_days_of_its_span() {
    for (span, days) in [(Span::Day, 1), (Span::Week, 7), (Span::Month, 30)] {
        on_both(|house| {
            let (house, shift) = with_clock(house);
            house.buy_in("b", 1, 100_000).expect("bought");
            let limit =
                Effect::Limit { person: PersonId(1), measure: Measure::Wager, span, most: Some(1000) };
            ask(&house, "l", limit);
            house.wager("first", 1, 900).expect("within");
            let on_day = |day: i64| {
                shift.store(day * DAY_MS, Ordering::Relaxed);
                house.ledger.clock().confirm();
            };
            on_day(days - 1);
            let stopped = Denied::Stopped(Stopped::Limit { measure: Measure::Wager, span });
            assert_eq!(house.wager("last", 1, 101), Err(Fault::Denied(stopped)), "{span:?}");
            house.wager("last", 1, 100).expect("what is left of it");
            on_day(days);
            let left = if span == Span::Day { 1000 } else { 900 };
            house.wager("after", 1, left + 1).expect_err("a day of it is left behind, and no more");
            house.wager("after", 1, left).expect("the first day counts no more");
        });
    }
}

/// A clock six days ahead dates records in the future. Once it is set right and confirmed, new records carry the right
/// date, the daily limit counts the bets of the right day, and every day's report reconciles.
#[test]
fn after_a_correction_records_and_limits_have_the_right_day() {
    on_both(|house| {
        let (house, shift) = with_clock(house);
        let today = house.ledger.today();
        house.buy_in("b", 1, 100_000).expect("bought");
        let (measure, span) = (Measure::Wager, Span::Day);
        ask(&house, "l", Effect::Limit { person: PersonId(1), measure, span, most: Some(1000) });
        house.wager("first", 1, 900).expect("within");
        let ahead = 6 * DAY_MS;
        let House { ledger, place, directory, epoch } = house;
        drop(ledger);
        shift.store(ahead, Ordering::Relaxed);
        let opening = || Opening { shift_ms: Arc::clone(&shift), ..Opening::default() };
        let ledger = Ledger::open_with(directory.path(), place.clone(), opening()).expect("opens");
        let house = House { ledger, place, directory, epoch };
        house.wager("ahead", 1, 700).expect("another day, by this clock");
        assert_eq!(house.ledger.today().0, today.0 + 6);

        shift.store(0, Ordering::Relaxed);
        assert_eq!(house.wager("doubted", 1, 1), Err(Fault::Denied(Denied::Clock)));
        let machine = house.ledger.clock().wall_clock();
        let mut word = Draft::new(Stream::House, PersonId(7), command("confirmed"), "significant");
        word.row_changes.push(Timepiece::confirmed_row(machine));
        assert_eq!(
            house.ledger.commit(word).expect("confirmed").at,
            machine,
            "dated by the time it confirms"
        );
        house.ledger.clock().confirm();
        let stopped = Denied::Stopped(Stopped::Limit { measure, span });
        assert_eq!(house.wager("over", 1, 101), Err(Fault::Denied(stopped)), "900 were bet today");
        let receipt = house.wager("left", 1, 100).expect("what is left of today's limit");
        assert!((0..60_000).contains(&(receipt.at.0 - machine.0)), "{receipt:?}");
        let days = house.ledger.protection(PersonId(1)).expect("readable").days;
        let wagered = |day: i64| days.iter().find(|(d, _)| d.0 == day).map(|(_, play)| play.wagered);
        assert_eq!((wagered(today.0), wagered(today.0 + 6)), (Some(Cents(1000)), Some(Cents(700))));
        for day in [today.0, today.0 + 1, today.0 + 6, today.0 + 7] {
            let report = house.ledger.read(|db| ledger::report::day(db, GamingDay(day))).expect("readable");
            assert!(report.reconciles(), "{report:?}");
        }
        let House { ledger, place, directory, .. } = house;
        drop(ledger);
        let ledger = Ledger::open_with(directory.path(), place.clone(), opening()).expect("opens");
        assert_eq!(ledger.clock().doubt(), None, "the confirmation is remembered");
        drop(ledger);
        let mut db = place.reader().expect("connects");
        let mut auditor = Auditor { key: None, copies: Vec::new(), replay: &mut |_| Ok(()) };
        assert_eq!(ledger::audit::audit(&mut *db, &mut auditor).expect("audited").first_bad, None);
    });
}

/// At a table a debit is a bet and a credit a return; a payment towards a debt undoes a return.
#[test]
fn what_is_claimed_back_is_no_wager() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        house.wager("w", 1, 300).expect("wagered");
        house.give_back("g", 1, 200).expect("returned");
        let of_today = || -> PlayDay {
            let days = house.ledger.protection(PersonId(1)).expect("readable").days;
            let [(_, today)] = days[..] else { panic!("{days:?}") };
            today
        };
        assert_eq!((of_today().wagered, of_today().returned), (Cents(300), Cents(200)));
        let mut claim = house.wager_draft("claim", 1, 0);
        claim.postings =
            Postings::none().claim(patron(1), PersonId(1), cash(Holder::Layout(TABLE)), Cents(150));
        house.ledger.commit(claim).expect("claimed");
        assert_eq!((of_today().wagered, of_today().returned), (Cents(300), Cents(50)));
        assert_eq!(house.balance(patron(1)), 750);
        // A loss limit counts what was claimed back: 250 are lost.
        ask(&house, "l", limit(Some(300)));
        house.wager("more", 1, 51).expect_err("too much");
        house.wager("more", 1, 50).expect("what is left");
        let mut claim = house.wager_draft("again", 1, 0);
        claim.postings =
            Postings::none().claim(patron(1), PersonId(1), cash(Holder::Layout(TABLE)), Cents(50));
        house.ledger.commit(claim).expect("no limit stops what is claimed back");
    });
}

/// A bet withdrawn before the deal leaves the limit unchanged, also in rebuilt projections.
#[test]
fn a_withdrawn_wager_takes_nothing_of_a_limit() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        let (measure, span) = (Measure::Wager, Span::Day);
        ask(&house, "l", Effect::Limit { person: PersonId(1), measure, span, most: Some(300) });
        let take_back = |id: &str, cents: i64| {
            let mut draft = house.wager_draft(id, 1, 0);
            let layout = cash(Holder::Layout(TABLE));
            draft.postings = Postings::none().take_back(patron(1), layout, Cents(cents));
            house.ledger.commit(draft).expect("taken back")
        };
        let of_today = || -> PlayDay {
            let days = house.ledger.protection(PersonId(1)).expect("readable").days;
            let [(_, today)] = days[..] else { panic!("{days:?}") };
            today
        };
        house.wager("w1", 1, 300).expect("all of the limit");
        house.wager("w2", 1, 1).expect_err("nothing is left");
        take_back("t1", 300);
        assert_eq!((of_today().wagered, of_today().returned), (Cents(0), Cents(0)));
        assert_eq!(house.balance(patron(1)), 1000);
        house.wager("w3", 1, 200).expect("the limit is as it was");
        take_back("t2", 50);
        assert_eq!((of_today().wagered, of_today().returned), (Cents(150), Cents(0)));
        // A bet that a settlement pays back still counts as bet.
        house.give_back("g", 1, 150).expect("returned");
        assert_eq!((of_today().wagered, of_today().returned), (Cents(150), Cents(150)));
        house.wager("w4", 1, 151).expect_err("too much");
        house.wager("w4", 1, 150).expect("what is left");
    });
}

/// A claim and a bet in one command are distinguished.
#[test]
fn a_claim_takes_nothing_of_a_limit_on_wagers() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        house.wager("w", 1, 300).expect("wagered");
        let (measure, span) = (Measure::Wager, Span::Day);
        ask(&house, "l", Effect::Limit { person: PersonId(1), measure, span, most: Some(310) });
        let claim_and_wager = |id: &str, cents: i64| {
            let mut draft = house.wager_draft(id, 1, 0);
            let layout = cash(Holder::Layout(TABLE));
            draft.postings = Postings::none().claim(patron(1), PersonId(1), layout, Cents(50)).transfer(
                patron(1),
                layout,
                Cents(cents),
            );
            house.ledger.commit(draft)
        };
        assert!(matches!(claim_and_wager("c", 11), Err(Fault::Denied(Denied::Stopped(_)))));
        claim_and_wager("c", 10).expect("what is left of the limit");
    });
}

/// Each leg of a command counts before the next one is judged.
#[test]
fn two_wagers_of_one_command_count_together() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        ask(&house, "l", limit(Some(100)));
        let twice = |id: &str, cents: i64| {
            let mut draft = house.wager_draft(id, 1, cents);
            draft.postings = draft.postings.transfer(patron(1), cash(Holder::Layout(TABLE)), Cents(cents));
            house.ledger.commit(draft)
        };
        assert!(matches!(twice("w", 51), Err(Fault::Denied(Denied::Stopped(_)))));
        twice("w", 50).expect("both together are within it");
        let mut there_and_back = house.wager_draft("back", 1, 0);
        there_and_back.postings = Postings::none()
            .transfer(cash(Holder::Layout(TABLE)), patron(1), Cents(40))
            .transfer(patron(1), cash(Holder::Layout(TABLE)), Cents(40));
        house.ledger.commit(there_and_back).expect("what came back may be wagered again");
        assert!(house.wager("more", 1, 1).is_err());
    });
}

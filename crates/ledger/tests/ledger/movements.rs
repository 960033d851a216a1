//! Bounded chip movements: up to a balance, to a debt first, or as far as the payer's balance goes.

use crate::house::{House, TABLE, cash, command, on_both, patron};
use ledger::{Account, Cents, Chips, Denied, Draft, Fault, Holder, PersonId, Postings, Receipt, Stream};

const OUTSIDE: Holder = Holder::Outside;

fn owed(person: i64) -> Account {
    cash(Holder::Owed(PersonId(person)))
}

fn moves(house: &House, id: &str, postings: Postings) -> Result<Receipt, Fault> {
    let mut draft = Draft::new(Stream::House, PersonId(0), command(id), "test");
    draft.postings = postings;
    house.ledger.commit(draft)
}

/// Returns the account and amount of each movement that took place.
fn moved(house: &House, id: &str, postings: Postings) -> Vec<(Account, i64)> {
    let receipt = moves(house, id, postings.clone()).expect("moved");
    assert!(postings.fits(&receipt.legs), "{id}: what is recorded is what was meant");
    let taken = receipt.legs.iter().filter(|leg| leg.amount > Cents::ZERO);
    taken.map(|leg| (leg.account, leg.amount.0)).collect()
}

#[test]
fn an_account_is_filled_up_to_a_balance_and_by_no_more_than_so_much() {
    on_both(|house| {
        let fill = || Postings::none().fill_up(cash(OUTSIDE), patron(1), (Cents(100), Cents(60)));
        assert_eq!(moved(&house, "a", fill()), [(patron(1), 60)]);
        assert_eq!(moved(&house, "b", fill()), [(patron(1), 40)]);
        assert_eq!(moved(&house, "c", fill()), [], "it lacks nothing");
        house.buy_in("more", 1, 50).expect("bought");
        assert_eq!(moved(&house, "d", fill()), [], "nothing is taken from who has more");
        assert_eq!(house.balance(patron(1)), 150);
    });
}

#[test]
fn what_is_owed_is_paid_first() {
    on_both(|house| {
        house.buy_in("b", 1, 20).expect("bought");
        let claim = |cents| Postings::none().claim(patron(1), PersonId(1), cash(OUTSIDE), Cents(cents));
        assert_eq!(moved(&house, "claim", claim(50)), [(cash(OUTSIDE), 50), (owed(1), 20)]);
        assert_eq!((house.balance(patron(1)), house.balance(owed(1))), (0, -30));
        let pay = |cents| Postings::none().pay_debt_first(cash(OUTSIDE), (owed(1), patron(1)), Cents(cents));
        assert_eq!(moved(&house, "a", pay(10)), [(owed(1), 10)]);
        assert_eq!(moved(&house, "b", pay(50)), [(owed(1), 20), (patron(1), 30)]);
        assert_eq!(moved(&house, "c", pay(5)), [(patron(1), 5)], "nothing is owed");
        // A debt cannot be paid twice.
        let twice = moves(&house, "d", Postings::none().transfer(patron(1), owed(1), Cents(1)));
        assert_eq!(twice, Err(Fault::Denied(Denied::Short(owed(1)))));
        assert_eq!((house.balance(patron(1)), house.balance(owed(1))), (35, 0));
    });
}

#[test]
fn a_debt_is_paid_as_far_as_chips_go() {
    on_both(|house| {
        let claim = Postings::none().claim(patron(1), PersonId(1), cash(OUTSIDE), Cents(30));
        assert_eq!(moved(&house, "claim", claim), [(cash(OUTSIDE), 30)], "there was nothing to pay with");
        let pay = || Postings::none().pay_what_is_owed(patron(1), owed(1));
        assert_eq!(moved(&house, "a", pay()), []);
        house.buy_in("b1", 1, 10).expect("bought");
        assert_eq!(moved(&house, "b", pay()), [(owed(1), 10)]);
        house.buy_in("b2", 1, 100).expect("bought");
        assert_eq!(moved(&house, "c", pay()), [(owed(1), 20)]);
        assert_eq!(moved(&house, "d", pay()), []);
        assert_eq!((house.balance(patron(1)), house.balance(owed(1))), (80, 0));
        let take = |cents| Postings::none().transfer_as_far_as_held(patron(1), patron(2), Cents(cents));
        assert_eq!(moved(&house, "e", take(30)), [(patron(2), 30)]);
        assert_eq!(moved(&house, "f", take(60)), [(patron(2), 50)]);
        assert_eq!(moved(&house, "g", take(60)), []);
    });
}

#[test]
fn movements_follow_one_another() {
    on_both(|house| {
        house.buy_in("b", 1, 100).expect("bought");
        let first = Postings::none().transfer(patron(1), patron(2), Cents(100));
        let both = first.clone().with(Postings::none().transfer(patron(2), patron(3), Cents(100)));
        assert_eq!(moved(&house, "a", both), [(patron(2), 100), (patron(3), 100)]);
        assert!(Postings::none().is_empty() && !first.is_empty());
        assert!(Postings::none().transfer(patron(1), patron(2), Cents::ZERO).is_empty());
    });
}

/// A bounded movement matches any part of its amount; an exact one matches only itself.
#[test]
fn what_is_recorded_is_held_against_what_was_meant() {
    let leg =
        |account: Account, cents: i64| ledger::PostedLeg { account, amount: Cents(cents), after: Cents(0) };
    let pair = |cents: i64| [leg(patron(1), -cents), leg(patron(2), cents)];
    let exact = Postings::none().transfer(patron(1), patron(2), Cents(10));
    let bounded = Postings::none().transfer_as_far_as_held(patron(1), patron(2), Cents(10));
    for (cents, of_exact, of_bounded) in [
        (10, true, true),
        (9, false, true),
        (1, false, true),
        (11, false, false),
        (0, false, false),
        (-5, false, false),
    ] {
        assert_eq!((exact.fits(&pair(cents)), bounded.fits(&pair(cents))), (of_exact, of_bounded), "{cents}");
    }
    assert!(bounded.fits(&[]) && !exact.fits(&[]), "a bound may leave nothing to move");
    let uneven = [leg(patron(1), -10), leg(patron(2), 9)];
    assert!(!exact.fits(&uneven) && !bounded.fits(&uneven));
    let others = [leg(patron(1), -10), leg(patron(3), 10)];
    assert!(!exact.fits(&others) && !bounded.fits(&others));
    let twice = [pair(10), pair(10)].concat();
    assert!(!exact.fits(&twice) && exact.clone().with(exact.clone()).fits(&twice));
}

#[test]
fn no_balance_overflows() {
    on_both(|house| {
        house.buy_in("all", 1, i64::MAX).expect("as much as can be counted");
        let more = house.buy_in("more", 1, 2).expect_err("more than that");
        assert!(matches!(more, Fault::Denied(Denied::Short(_))), "{more}");
        assert_eq!(house.balance(patron(1)), i64::MAX);
    });
}

/// Every account number contains its owner.
#[test]
fn an_account_names_its_owner() {
    assert_eq!(
        (patron(7).owner(), cash(Holder::Layout(TABLE)).owner(), cash(Holder::Bank).owner()),
        (7, 1, 0)
    );
    assert_eq!(Account::new(Chips::Play, Holder::Meter(3)).owner(), 3);
    on_both(|house| {
        house.buy_in("b", 7, 10).expect("bought");
        let mut owners = Vec::new();
        let mut db = house.place.reader().expect("connects");
        db.walk("SELECT owner, may_owe FROM accounts ORDER BY account", vec![], &mut |row| {
            owners.push(row);
            true
        })
        .expect("read");
        assert_eq!(owners, [ledger::row![0, 1], ledger::row![7, 0]]);
    });
}

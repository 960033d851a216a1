//! A patron's own limits and exclusion, checked where the wager is stored.

use crate::house::{House, command, on_both, patron};
use ledger::{
    Cents, Denied, Draft, Effect, Fault, Measure, Moment, PersonId, Postings, Receipt, Span, Stopped, Stream,
};

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

//! What a table waits for: who must act now, with exactly the legal actions.

use super::face_down::sees_cards_of;
use super::live::Live;
use super::offered::{self, Offered, RefusedAction};
use super::shown::{
    ApprovalWord, BettorNumber, BoxNumber, HandNumber, OfferWord, Place, Show as _, StepWord, TableRole,
};
use crate::wire::Money;
use ledger::PersonId;
use rules::script::Offer;
use rules::{Action, Card, Cents};
use serde::Serialize;
use table::round::CoAsk;
use table::table::{Decide, SwitchOption};
use table::{Awaiting, BoxId};
use utoipa::ToSchema;

/// What a table is waiting for, with the people who must act.
#[derive(Serialize, ToSchema)]
#[schema(as = Awaiting)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum AwaitingView {
    /// The table waits for nothing.
    Nothing,
    /// The table waits for a step of preparing the cards.
    Procedure { step: StepWord },
    /// The player at a box may cut the cards or decline.
    Cut { r#box: BoxNumber },
    /// The table waits for bets, until betting is closed.
    Wagers {
        /// Whether anybody has placed a bet.
        placed: bool,
    },
    /// The table waits for the next card, which is dealt to the place `to`.
    Card { to: Place },
    /// The table waits for the result of the hole-card reader.
    Reader,
    /// The table waits for the answers to an offer.
    Offer {
        /// The key of the offer.
        offer: OfferWord,
        /// The players who have not answered, each with the terms of the offer.
        asked: Vec<Offered>,
    },
    /// The player at a box may switch the second cards of the two hands.
    Switch {
        /// The number of the box.
        r#box: BoxNumber,
        /// The hands as they would be after the switch, in the order of their numbers.
        becomes: Vec<ExchangedHand>,
    },
    /// The player at a box may revoke the switch.
    Revocation { r#box: BoxNumber },
    /// The box owner must decide on a hand.
    Decision {
        /// The number of the box.
        r#box: BoxNumber,
        /// The number of the hand.
        hand: HandNumber,
        /// The legal actions.
        actions: Vec<LawfulAction>,
        /// The actions that the table offers but this hand may not take, with the reasons.
        not_now: Vec<RefusedAction>,
    },
    /// The other bettors on a box must decide whether to follow the box owner's double or split.
    CoBettors {
        /// The box owner's action that the co-bettors are asked about: `double` or `split`.
        on: CoDecision,
        /// The co-bettors who have not decided.
        asked: Vec<AskedBettor>,
    },
    /// The player at a box may take a card for the sevens bet.
    SevensCard { r#box: BoxNumber },
    /// The player at a box may take a card that the dealer should have dealt to the hand earlier.
    LateCard { r#box: BoxNumber },
    /// The table waits for the award that the bonus button shows.
    Award { r#box: BoxNumber, bettor: BettorNumber },
    /// The table waits for the approval of a payment.
    Approval {
        /// The key of the payment that must be approved.
        of: ApprovalWord,
        /// The number of the box.
        r#box: BoxNumber,
        /// The number of the bettor, by order of arrival at the box.
        bettor: BettorNumber,
        /// The role of the person who must approve the payment.
        by: TableRole,
    },
}

/// The box owner's action that co-bettors may follow: to double their own bets, or to bet on both hands of a
/// split.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CoDecision {
    Double,
    Split,
}

/// A co-bettor who has not decided whether to follow the box owner's double or split.
#[derive(Serialize, ToSchema)]
pub struct AskedBettor {
    /// The number of the box.
    r#box: BoxNumber,
    /// The number of the bettor, by order of arrival at the box.
    bettor: BettorNumber,
}

/// A Blackjack Switch hand as it would be after switching.
#[derive(Serialize, ToSchema)]
pub struct ExchangedHand {
    /// The total of the hand after the switch.
    total: u8,
}

/// A legal action, with the amount of chips that it costs.
#[derive(Serialize, ToSchema)]
pub struct LawfulAction {
    /// The key of the action, as a request names it.
    action: &'static str,
    /// The amount that the action adds to the bet, over all dealer hands; absent if the action costs nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    cost: Option<Money>,
    /// The box's two hands as they would be after the switch; absent unless the action is `switch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    becomes: Option<Vec<ExchangedHand>>,
}

/// Returns what the table waits for, with exactly the legal actions.
///
/// A viewer who may not see the cards of a box gets all actions that the table's rules allow on a hand, because
/// the legal ones would reveal what the hand holds.
pub fn awaiting(live: &Live, viewer: Option<PersonId>) -> AwaitingView {
    let seats = &live.seats;
    let Some(awaited) = live.table.awaiting() else { return AwaitingView::Nothing };
    match awaited {
        Awaiting::Procedure(step) => AwaitingView::Procedure { step: step.into() },
        Awaiting::Cut(b) => AwaitingView::Cut { r#box: b.show(seats) },
        Awaiting::Wagers => AwaitingView::Wagers { placed: live.anyone_wagers() },
        Awaiting::Card(to) => AwaitingView::Card { to: to.show(seats) },
        Awaiting::Reader => AwaitingView::Reader,
        Awaiting::Offers(offer) => {
            AwaitingView::Offer { offer: offer.into(), asked: offered::asked(live, viewer, None, offer) }
        }
        Awaiting::LateInsurance(b) => {
            let asked = offered::asked(live, viewer, Some(b), Offer::Insurance);
            AwaitingView::Offer { offer: Offer::Insurance.into(), asked }
        }
        Awaiting::Switch(b) => AwaitingView::Switch { r#box: b.show(seats), becomes: exchanged(live, b) },
        Awaiting::Revocation(b) => AwaitingView::Revocation { r#box: b.show(seats) },
        Awaiting::Decision(ask) => decision(live, viewer, &ask),
        Awaiting::CoBettors(ask) => co_bettors(live, &ask),
        Awaiting::SevensCard(b) => AwaitingView::SevensCard { r#box: b.show(seats) },
        Awaiting::LateCard(b) => AwaitingView::LateCard { r#box: b.show(seats) },
        Awaiting::Award(b, bettor) => {
            AwaitingView::Award { r#box: b.show(seats), bettor: bettor.show(seats) }
        }
        Awaiting::Approval(approval) => {
            let ((b, bettor), of, by) = (approval.whose(), approval.into(), approval.role().into());
            AwaitingView::Approval { of, r#box: b.show(seats), bettor: bettor.show(seats), by }
        }
    }
}

fn co_bettors(live: &Live, ask: &CoAsk) -> AwaitingView {
    let (on, at) = match ask {
        CoAsk::Double(at, _) => (CoDecision::Double, *at),
        CoAsk::Split(at, ..) => (CoDecision::Split, *at),
    };
    let only = live.table.round().boxes.get(at).map(|play| play.id);
    let seats = &live.seats;
    let asked = live.asked(only);
    let asked = asked.map(|(b, bettor)| AskedBettor { r#box: b.show(seats), bettor: bettor.show(seats) });
    AwaitingView::CoBettors { on, asked: asked.collect() }
}

fn decision(live: &Live, viewer: Option<PersonId>, ask: &Decide) -> AwaitingView {
    let round = live.table.round();
    let play = round.box_at(ask.box_id).map(|at| &round.boxes[at]);
    let staked = play.and_then(|play| {
        let hand = &play.hands[play.hand_at(ask.hand)?];
        Some(&hand.stakes[usize::from(play.box_owner)])
    });
    let costing = |action: Action| {
        let staked = staked.filter(|_| matches!(action, Action::Double | Action::Split));
        let cost = staked.map(|s| Money((0..3).map(|spot| s.undoubled(spot)).sum::<Cents>()));
        LawfulAction { action: action.word(), cost, becomes: None }
    };
    let (r#box, hand) = (ask.box_id.show(&live.seats), ask.hand.show(&live.seats));
    if play.is_some_and(|play| !sees_cards_of(live, play, viewer)) {
        let actions = offered::actions(live.table.rules()).map(costing).collect();
        return AwaitingView::Decision { r#box, hand, actions, not_now: Vec::new() };
    }
    let mut actions: Vec<LawfulAction> = ask.actions.iter().map(costing).collect();
    let free = |action, becomes| LawfulAction { action, cost: None, becomes };
    match ask.switch {
        SwitchOption::Nothing => {}
        SwitchOption::Switch => actions.push(free("switch", Some(exchanged(live, ask.box_id)))),
        SwitchOption::Revoke => actions.push(free("revoke", None)),
    }
    AwaitingView::Decision { r#box, hand, actions, not_now: offered::not_now(live, ask, play) }
}

/// Returns the two hands of a box as they would be with their second cards exchanged, or none if there are not two
/// hands.
fn exchanged(live: &Live, box_id: BoxId) -> Vec<ExchangedHand> {
    let totals = exchanged_totals(live, box_id).into_iter().flatten();
    totals.map(|total| ExchangedHand { total }).collect()
}

fn exchanged_totals(live: &Live, box_id: BoxId) -> Option<[u8; 2]> {
    let round = live.table.round();
    let [first, second] = round.boxes[round.box_at(box_id)?].hands.as_slice() else { return None };
    let (first, second) = (first.hand.cards(), second.hand.cards());
    let total = |a: &[Card], b: &[Card]| Some(rules::Hand::dealt(&[*a.first()?, *b.get(1)?]).points());
    Some([total(first, second)?, total(second, first)?])
}

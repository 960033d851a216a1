//! The terms of an offer for each player asked: insurance for each hand, even money, or the amount of an attack
//! bet.
//!
//! The rules engine decides what is legal; this module repeats no rule.

use super::face_down::sees_cards_of;
use super::live::Live;
use super::shown::{BettorNumber, BoxNumber, HandNumber as ShownHand, Show as _, SpotAmounts};
use crate::wire::{MessageParams, Money};
use ledger::PersonId;
use rules::limit::most_insurance;
use rules::script::Offer;
use rules::{Action, AttackAmount, Cents};
use serde::Serialize;
use table::round::BoxPlay;
use table::table::Decide;
use table::{Bettor, BoxId, Command, Decision, HandNumber, Spots};
use utoipa::ToSchema;

/// The terms of an offer to one player.
///
/// For an attack bet, the terms are the maximum amount and whether the bet must be exactly that amount; for
/// insurance, the hands that may be insured and whether even money may be taken.
#[derive(Serialize, ToSchema)]
pub struct Offered {
    /// The number of the box.
    r#box: BoxNumber,
    /// The number of the bettor, by order of arrival at the box.
    bettor: BettorNumber,
    /// The maximum amount of the attack bet; absent for insurance.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    most: Option<Money>,
    /// Whether the attack bet must be exactly the maximum amount; absent for insurance.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    whole: Option<bool>,
    /// The hands that may be insured; absent for an attack bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    insurance: Option<Vec<InsuredHand>>,
    /// Whether the player may take even money; absent for an attack bet.
    ///
    /// While cards lie face down, other viewers are told only whether the table offers even money.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    even_money: Option<bool>,
}

/// A hand that may be insured, with the maximum amount of insurance.
#[derive(Serialize, ToSchema)]
struct InsuredHand {
    /// The number of the hand.
    hand: ShownHand,
    /// The maximum insurance: one amount, or one for each dealer hand in Multiple Action.
    amounts: SpotAmounts,
}

/// An action that the table offers but that is not legal now, with the reason and the clause.
#[derive(Serialize, ToSchema)]
pub struct RefusedAction {
    /// The key of the action, as a request names it.
    action: &'static str,
    /// The reason why the hand may not take the action, in English.
    why: String,
    /// The code of the reason, the same in every language.
    code: &'static str,
    /// The values of the placeholders in the reason, by name, for a translation of the reason.
    params: MessageParams,
    /// The citation of the clause that forbids the action now.
    clause: &'static str,
}

/// Returns the terms of an offer for each bettor who has not answered the offer, as `viewer` may see them.
///
/// Looks at the box `only`, or at all boxes if `only` is `None`.
pub fn asked(live: &Live, viewer: Option<PersonId>, only: Option<BoxId>, offer: Offer) -> Vec<Offered> {
    let round = live.table.round();
    let play = |box_id| round.box_at(box_id).map(|at| &round.boxes[at]);
    live.asked(only)
        .filter_map(|(box_id, bettor)| Some(one(live, viewer, play(box_id)?, bettor, offer)))
        .collect()
}

fn one(live: &Live, viewer: Option<PersonId>, play: &BoxPlay, bettor: Bettor, offer: Offer) -> Offered {
    let box_id = play.id;
    let lawful = |command| live.table.decide(command).is_ok();
    let (r#box, shown) = (box_id.show(&live.seats), bettor.show(&live.seats));
    if offer != Offer::Insurance {
        let most = Money(play.bettors[usize::from(bettor.0)].main[0]);
        let whole = live.table.rules().attack_amount == AttackAmount::Equal;
        let (most, whole) = (Some(most), Some(whole));
        return Offered { r#box, bettor: shown, most, whole, insurance: None, even_money: None };
    }
    let amounts = insurance(live, play, bettor);
    let hands = (1..=play.hands.len() as u8)
        .map(HandNumber)
        .filter(|hand| lawful(Command::Insure { box_id, bettor, hand: *hand, amounts }))
        .map(|hand| InsuredHand { hand: hand.show(&live.seats), amounts: amounts.show(&live.seats) });
    // who may not see the cards is not told whether they are a blackjack
    let even_money = match sees_cards_of(live, play, viewer) {
        true => lawful(Command::TakeEvenMoney { box_id, bettor, spots: Spots::ALL }),
        false => live.table.rules().even_money == rules::Offered::Yes,
    };
    Offered {
        r#box,
        bettor: shown,
        most: None,
        whole: None,
        insurance: Some(hands.collect()),
        even_money: Some(even_money),
    }
}

/// Returns the maximum insurance of a bettor against each dealer hand; zero where the bettor has no bet to insure.
fn insurance(live: &Live, play: &BoxPlay, bettor: Bettor) -> [Cents; 3] {
    let at = usize::from(bettor.0);
    let rules = live.table.rules();
    [0, 1, 2].map(|spot| {
        let wager = play.hands[0].stakes[at].laid(spot).insured(rules);
        if wager > Cents::ZERO { most_insurance(rules, wager) } else { Cents::ZERO }
    })
}

/// Returns the actions that the table offers but that are not legal for this hand now, each with reason and
/// clause.
pub fn not_now(live: &Live, ask: &Decide, play: Option<&BoxPlay>) -> Vec<RefusedAction> {
    let Some(play) = play else { return Vec::new() };
    let bettor = Bettor(play.box_owner);
    let staked = play.hand_at(ask.hand).map(|at| &play.hands[at].stakes[usize::from(play.box_owner)]);
    let amounts = [0, 1, 2].map(|spot| staked.map_or(Cents::ZERO, |staked| staked.undoubled(spot)));
    let all = [
        (Action::Stand, Decision::Stand),
        (Action::Hit, Decision::Hit),
        (Action::Double, Decision::Double { amounts, face_down: false }),
        (Action::Split, Decision::Split),
        (Action::Surrender, Decision::Surrender),
    ];
    let offered = decisions(live.table.rules());
    all.into_iter()
        .filter(|(action, _)| !ask.actions.has(*action) && offered.contains(&action.word()))
        .filter_map(|(action, decision)| {
            let command = Command::Decide { box_id: ask.box_id, bettor, decision };
            let refusal = live.table.decide(command).err()?;
            let (why, clause) = (refusal.why, refusal.by.citation());
            Some(RefusedAction {
                action: action.word(),
                why: why.text.into_owned(),
                code: why.code,
                params: MessageParams(why.params),
                clause,
            })
        })
        .collect()
}

/// Returns the keys of all decisions that a player may have under these rules, such as `hit`.
pub(super) fn decisions(rules: &rules::Rules) -> Vec<&'static str> {
    let mut known = vec!["stand", "hit", "double", "split"];
    if rules.hands_per_box() == 2 {
        known.push("switch");
    }
    if rules.surrender == rules::Offered::Yes {
        known.push("surrender");
    }
    known
}

/// Returns all actions that may be taken on a single hand under these rules.
pub(super) fn actions(rules: &rules::Rules) -> impl Iterator<Item = Action> {
    let known = decisions(rules);
    let all = [Action::Stand, Action::Hit, Action::Double, Action::Split, Action::Surrender];
    all.into_iter().filter(move |action| known.contains(&action.word()))
}

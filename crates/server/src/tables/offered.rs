//! What an offer comes to for each player who is asked: the most that may be insured hand by hand, whether a blackjack may
//! be paid at once, how much an attack wager is. The machine says what is lawful; nothing is worked out twice.

use super::live::Live;
use super::told::{Detail, Details, details};
use super::view::decisions;
use rules::limit::most_insurance;
use rules::script::Offer;
use rules::{Action, AttackAmount, Cents};
use table::round::BoxPlay;
use table::table::Decide;
use table::{Bettor, BoxId, Command, Decision, HandNumber, Spots};

/// Returns everyone who is asked, with their options.
pub fn asked(live: &Live, only: Option<BoxId>, offer: Offer) -> Vec<Details> {
    let round = live.table.round();
    let play = |box_id| round.box_at(box_id).map(|at| &round.boxes[at]);
    live.asked(only).filter_map(|(box_id, bettor)| Some(one(live, play(box_id)?, bettor, offer))).collect()
}

fn one(live: &Live, play: &BoxPlay, bettor: Bettor, offer: Offer) -> Details {
    let box_id = play.id;
    let lawful = |command| live.table.decide(command).is_ok();
    if offer != Offer::Insurance {
        let most = play.bettors[usize::from(bettor.0)].main[0];
        let whole = live.table.rules().attack_amount == AttackAmount::Equal;
        return details!({ "box": box_id.0, "bettor": bettor.0, "most": most, "whole": whole });
    }
    let amounts = insurance(live, play, bettor);
    let hands = (1..=play.hands.len() as u8)
        .filter(|hand| lawful(Command::Insure { box_id, bettor, hand: HandNumber(*hand), amounts }))
        .map(|hand| details!({ "hand": hand, "amounts": amounts }));
    details!({
        "box": box_id.0, "bettor": bettor.0, "insurance": hands.collect::<Vec<_>>(),
        "even_money": lawful(Command::TakeEvenMoney { box_id, bettor, spots: Spots::ALL }),
    })
}

/// The most that may be insured on each spot.
fn insurance(live: &Live, play: &BoxPlay, bettor: Bettor) -> [Cents; 3] {
    let at = usize::from(bettor.0);
    let rules = live.table.rules();
    [0, 1, 2].map(|spot| {
        let wager = play.hands[0].stakes[at].laid(spot).insured(rules);
        if wager > Cents::ZERO { most_insurance(rules, wager) } else { Cents::ZERO }
    })
}

/// Returns what this table offers but not for this hand, with the reason and the clause of the refusal.
pub fn not_now(live: &Live, ask: &Decide, play: Option<&BoxPlay>) -> Vec<Details> {
    let Some(play) = play else { return Vec::new() };
    let bettor = Bettor(play.caller);
    let staked = play.hand_at(ask.hand).map(|at| &play.hands[at].stakes[usize::from(play.caller)]);
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
            let (why, clause) = (refusal.why.into_owned(), refusal.by.citation());
            Some(details!({ "action": action.word(), "why": Detail::Text(why), "clause": clause }))
        })
        .collect()
}

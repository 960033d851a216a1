//! Translates requests into commands of the rules engine.

use super::{Asker, Request};
use crate::error::{ApiError, ApiResult, NO_PERSON, unknown_card};
use crate::role::Role;
use crate::tables::live::Live;
use crate::tables::seats::Seat;
use crate::wire::Money;
use ledger::{Cents, PersonId};
use rules::message;
use rules::message::Fixed;
use rules::script::Offer;
use rules::{Card, SideBet};
use std::collections::BTreeMap;
use table::event::{Approval, Finding};
use table::ids::Side;
use table::shoe::Procedure;
use table::vocabulary::Fields;
use table::{Awaiting, Bettor, BoxId, Command, Decision, HandNumber, Irregularity, LineCodec, Person, Spots};

impl Request {
    pub(super) fn player_command(&self, live: &Live, box_id: BoxId, bettor: Bettor) -> ApiResult<Command> {
        let decide = |decision| Command::Decide { box_id, bettor, decision };
        let for_the_box = matches!(
            self,
            Request::Switch { .. }
                | Request::DeclineSwitch { .. }
                | Request::Revoke { .. }
                | Request::LateCard { .. }
                | Request::RefuseCard { .. }
        );
        if for_the_box {
            live.table.check_box_owner(box_id, bettor)?;
        }
        Ok(match self {
            Request::Consent { .. } => Command::Consent(box_id),
            Request::Cut { at, .. } => Command::AcceptCut { box_id, at: *at },
            Request::DeclineCut { .. } => Command::DeclineCut { box_id },
            Request::AskReshuffle { .. } => Command::AskReshuffle(box_id),
            Request::Attack { amount, .. } => Command::Attack { box_id, bettor, amount: amount.positive()? },
            Request::Insure { hand, amounts, .. } => {
                Command::Insure { box_id, bettor, hand: HandNumber(*hand), amounts: three(amounts)? }
            }
            Request::EvenMoney { .. } => Command::TakeEvenMoney { box_id, bettor, spots: Spots::ALL },
            Request::Decline { offer, .. } => {
                let offer = Offer::from_line(offer, &mut |_| None)
                    .ok_or_else(|| ApiError::bad("offer", message!("no-such-offer", "no such offer")))?;
                Command::Decline { box_id, bettor, offer }
            }
            Request::Switch { .. } => Command::Switch(box_id),
            Request::DeclineSwitch { .. } => Command::DeclineSwitch(box_id),
            Request::Revoke { .. } => Command::Revoke(box_id),
            Request::Stand { .. } => decide(Decision::Stand),
            Request::Hit { .. } => decide(Decision::Hit),
            Request::Split { .. } => decide(Decision::Split),
            Request::Surrender { .. } => decide(Decision::Surrender),
            Request::NotDouble { .. } => decide(Decision::NotDouble),
            Request::Cover { .. } => decide(Decision::Cover),
            Request::Follow { hand, .. } => decide(Decision::Follow(HandNumber(*hand))),
            Request::Double { amounts, face_down, .. } => {
                let amounts = match amounts.is_empty() {
                    true => staked_on_hand(live, box_id, bettor),
                    false => three(amounts)?,
                };
                decide(Decision::Double { amounts, face_down: *face_down })
            }
            Request::SevensCard { take, .. } => Command::TakeSevensCard { box_id, take: *take },
            Request::LateCard { take, .. } => Command::TakeLateCard { box_id, take: *take },
            Request::RefuseCard { .. } => Command::RefuseCard(box_id),
            _ => return Err(ApiError::role()),
        })
    }

    pub(super) fn staff_commands(&self, live: &mut Live, asker: Asker) -> ApiResult<Command> {
        let person = live.seats.meet(asker.seat);
        let unknown = |field: &'static str, what: Fixed| move || ApiError::bad(field, what);
        let role = match asker.role {
            Role::Dealer => table::Role::Dealer,
            Role::Floor => table::Role::Floorperson,
            _ => table::Role::Supervisor,
        };
        Ok(match self {
            Request::Perform { step, number } => {
                let made = |number| {
                    Procedure::from_word(step, &Fields { number, person: Some(person), ..Fields::default() })
                };
                let needs_number = number.is_none() && made(Some(1)).is_some();
                Command::Perform(made(*number).ok_or_else(|| match needs_number {
                    true => ApiError::bad(
                        "number",
                        message!("step-needs-number", "step {step} needs a number of cards", step),
                    ),
                    false => unknown("step", message!("no-such-step", "no such step"))(),
                })?)
            }
            Request::Card { card } => Command::Card(card_of(card)?),
            Request::FaceDown => Command::FaceDown,
            Request::Determinant { card, side } => {
                let side = Side::from_line(side, &mut |_| None).ok_or_else(|| {
                    ApiError::bad("side", message!("side-red-or-black", "side must be red or black"))
                })?;
                Command::Determinant(card_of(card)?, side)
            }
            Request::Reader { blackjack } => {
                Command::Reader(if *blackjack { Finding::Blackjack } else { Finding::NoBlackjack })
            }
            Request::CloseWagers => Command::CloseWagers,
            Request::Award { r#box, bettor, amount } => {
                Command::Award { box_id: BoxId(*r#box), bettor: Bettor(*bettor), amount: amount.positive()? }
            }
            Request::DiscloseBurn { card } => Command::DiscloseBurn(card_of(card)?),
            Request::Relieve => Command::RelieveDealer(person),
            Request::Report { irregularity, card, r#box } => {
                let card = card.as_deref().map(card_of).transpose()?;
                let fields = Fields { card, box_id: r#box.map(BoxId), ..Fields::default() };
                Command::Report(Irregularity::from_word(irregularity, &fields).ok_or_else(|| {
                    ApiError::bad(
                        "irregularity",
                        message!("irregularity", "unknown irregularity, or it needs `card` or `box`"),
                    )
                })?)
            }
            Request::Approve { what, r#box, bettor } => {
                let line = format!("{what} {} {bettor}", r#box);
                let what = Approval::from_line(&line, &mut |_| None)
                    .ok_or_else(unknown("approval", message!("no-such-approval", "no such approval")))?;
                Command::Approve { what, role, person }
            }
            Request::Reshuffle => Command::OrderReshuffle,
            Request::Recut => Command::OrderRecut { role },
            Request::Idle => Command::FallIdle,
            Request::Admit { person } => {
                let admitted = live
                    .seats
                    .person_of_public_number(PersonId(*person))
                    .ok_or_else(|| ApiError::missing(NO_PERSON))?;
                Command::Admit(admitted)
            }
            Request::Void { .. } => Command::VoidRound { role },
            _ => return Err(ApiError::role()),
        })
    }
}

pub(super) fn wager(
    live: &Live,
    (box_id, person, seat): (BoxId, Person, Seat),
    amounts: &[Money],
    (side, behind): (&BTreeMap<String, Money>, bool),
) -> ApiResult<Vec<Command>> {
    let mut commands = Vec::with_capacity(1 + side.len());
    if !amounts.is_empty() {
        // 2.13(b): one person is seated at a box, and anyone who joins the box stands behind
        let round = live.table.round();
        let taken =
            round.box_at(box_id).is_some_and(|at| round.boxes[at].bettors.iter().any(|who| who.seated));
        commands.push(Command::Wager { box_id, person, seated: !behind && !taken, amounts: three(amounts)? });
    } else if bettor_of(live, box_id, seat.person).is_err() {
        return Err(ApiError::bad("amount", message!("amount-required", "bet amount is required")));
    }
    for (name, amount) in side {
        let bet = SideBet::from_name(name)
            .ok_or_else(|| ApiError::bad("side", message!("unknown-side-bet", "unknown side bet")))?;
        // A meter pays in one kind of chips.
        if bet.kind().prize == rules::wager::Prize::Meter && seat.chips == ledger::Chips::Play {
            return Err(ApiError::refused(message!(
                "cash-only",
                "the progressive bet does not accept play chips"
            )));
        }
        commands.push(Command::SideWager { box_id, person, bet, amount: amount.positive()? });
    }
    Ok(commands)
}

/// Returns the number of a person among the bettors of a box, by order of arrival.
///
/// Returns an error if the person has no bet on the box, because players act for their own bets only.
pub fn bettor_of(live: &Live, box_id: BoxId, person: PersonId) -> ApiResult<Bettor> {
    let none = || ApiError::refused(message!("not-your-box", "you have no bet on this box"));
    live.seats.number(person).ok_or_else(none)?;
    let round = live.table.round();
    if let Some(Awaiting::Cut(offered)) = live.table.awaiting() {
        // The cut is offered to the bettor of the round before, so the box has no bettor now.
        return if offered == box_id { Ok(Bettor(0)) } else { Err(none()) };
    }
    let play = round.box_at(box_id).map(|at| &round.boxes[at]).ok_or_else(none)?;
    let of_person = |number| live.seats.seat(number).is_some_and(|seat| seat.person == person);
    let at = play.bettors.iter().position(|b| of_person(b.person)).ok_or_else(none)?;
    Ok(Bettor(at as u8))
}

fn staked_on_hand(live: &Live, box_id: BoxId, bettor: Bettor) -> [Cents; 3] {
    let round = live.table.round();
    let number = match live.table.awaiting() {
        Some(Awaiting::Decision(ask)) if ask.box_id == box_id => Some(ask.hand),
        Some(Awaiting::CoBettors(table::round::CoAsk::Double(_, hand))) => Some(hand),
        _ => None,
    };
    let play = round.box_at(box_id).map(|at| &round.boxes[at]);
    let hand = play.zip(number).and_then(|(play, number)| Some(&play.hands[play.hand_at(number)?]));
    hand.map_or([Cents::ZERO; 3], |hand| {
        let stakes = &hand.stakes[usize::from(bettor.0).min(2)];
        [0, 1, 2].map(|spot| stakes.undoubled(spot))
    })
}

fn three(amounts: &[Money]) -> ApiResult<[Cents; 3]> {
    if amounts.len() > 3 {
        return Err(ApiError::bad("amount", message!("too-many-amounts", "at most three amounts")));
    }
    let mut three = [Cents::ZERO; 3];
    for (place, amount) in three.iter_mut().zip(amounts) {
        if amount.0 < Cents::ZERO {
            return Err(ApiError::bad("amount", message!("amount-negative", "amount must not be negative")));
        }
        *place = amount.0;
    }
    Ok(three)
}

pub(super) fn card_of(text: &str) -> ApiResult<Card> {
    text.parse().map_err(|_| ApiError::bad("card", unknown_card(text)))
}

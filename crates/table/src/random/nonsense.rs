//! Nonsensical commands: any command with any box, person, card and amount, mostly close to those in play.

use super::Chance;
use crate::command::{Command, Decision};
use crate::event::{Approval, Finding};
use crate::ids::{Bettor, BoxId, HandNumber, Person, Role, Side, Spots};
use crate::irregular::Irregularity;
use crate::shoe::Procedure;
use crate::table::{Awaiting, Table};
use rules::script::Offer;
use rules::{Card, Cents, SideBet};

/// Returns an arbitrary command.
pub fn command(table: &Table, chance: &mut Chance<'_>) -> Command {
    let (box_id, bettor) = (box_id(table, chance), bettor(chance));
    match chance.below(32) {
        0 => Command::Perform(procedure(table, chance)),
        1 => Command::AcceptCut { box_id, at: chance.below(500) as u16 },
        2 => Command::DeclineCut { box_id },
        3 => Command::DiscloseBurn(card(chance)),
        4 => Command::RelieveDealer(person(chance)),
        5 => match chance.below(5) {
            3 => Command::AskReshuffle(box_id),
            0 => Command::OrderReshuffle,
            1 => Command::OrderRecut { role: role(chance) },
            2 => Command::FallIdle,
            _ => Command::Sit { box_id, person: person(chance) },
        },
        6 => Command::Consent(box_id),
        7 => Command::Admit(person(chance)),
        8 => {
            Command::Wager { box_id, person: person(chance), seated: chance.coin(), amounts: amounts(chance) }
        }
        9 => Command::SideWager {
            box_id,
            person: person(chance),
            bet: SideBet::ALL[chance.below(SideBet::ALL.len())],
            amount: amount(chance),
        },
        10 => Command::Withdraw { box_id, person: person(chance) },
        11 => Command::CloseWagers,
        12 | 13 => Command::Card(card(chance)),
        14 => Command::FaceDown,
        15 => Command::Determinant(card(chance), side(chance)),
        16 => Command::Reader(if chance.coin() { Finding::Blackjack } else { Finding::NoBlackjack }),
        17 => Command::Attack { box_id, bettor, amount: amount(chance) },
        18 => Command::Insure { box_id, bettor, hand: hand(chance), amounts: amounts(chance) },
        19 => Command::TakeEvenMoney { box_id, bettor, spots: Spots::ALL },
        20 => Command::Decline { box_id, bettor, offer: offer(chance) },
        21 => Command::Switch(box_id),
        22 => Command::DeclineSwitch(box_id),
        23 => Command::Revoke(box_id),
        24 | 25 => Command::Decide { box_id, bettor, decision: decision(chance) },
        26 => Command::TakeSevensCard { box_id, take: chance.coin() },
        27 => Command::TakeLateCard { box_id, take: chance.coin() },
        28 => Command::RefuseCard(box_id),
        29 => match chance.coin() {
            true => Command::Approve {
                what: approval(box_id, bettor, chance),
                role: role(chance),
                person: person(chance),
            },
            false => Command::Award { box_id, bettor, amount: amount(chance) },
        },
        30 => Command::Report(irregularity(box_id, chance)),
        _ => Command::VoidRound { role: role(chance) },
    }
}

fn box_id(table: &Table, chance: &mut Chance<'_>) -> BoxId {
    match chance.pick(&table.round().boxes) {
        Some(play) if !chance.one_in(4) => play.id,
        _ => BoxId(chance.below(9) as u8),
    }
}

fn bettor(chance: &mut Chance<'_>) -> Bettor {
    Bettor([0, 0, 0, 1, 2, 3, 255][chance.below(7)])
}

fn person(chance: &mut Chance<'_>) -> Person {
    Person(chance.below(12) as u32)
}

fn hand(chance: &mut Chance<'_>) -> HandNumber {
    HandNumber([1, 1, 2, 3, 0, 255][chance.below(6)])
}

fn card(chance: &mut Chance<'_>) -> Card {
    Card::from_index(chance.below(52) as u8).expect("52 cards")
}

fn side(chance: &mut Chance<'_>) -> Side {
    if chance.coin() { Side::Red } else { Side::Black }
}

fn role(chance: &mut Chance<'_>) -> Role {
    [Role::Player, Role::Dealer, Role::Floorperson, Role::Supervisor][chance.below(4)]
}

fn offer(chance: &mut Chance<'_>) -> Offer {
    [Offer::Attack, Offer::SecondAttack, Offer::ThirdAttack, Offer::Insurance][chance.below(4)]
}

/// Returns a plausible amount, or an absurd one.
fn amount(chance: &mut Chance<'_>) -> Cents {
    match chance.below(12) {
        0 => Cents::ZERO,
        1 => Cents(-500),
        2 => Cents(i64::MAX),
        3 => Cents(i64::MIN),
        4 => Cents(1_001),
        5 => Cents::dollars(1),
        _ => Cents::dollars(5 * chance.between(1, 20)),
    }
}

fn amounts(chance: &mut Chance<'_>) -> [Cents; 3] {
    let mut three = [amount(chance), Cents::ZERO, Cents::ZERO];
    for more in &mut three[1..] {
        if chance.one_in(3) {
            *more = amount(chance);
        }
    }
    three
}

fn decision(chance: &mut Chance<'_>) -> Decision {
    match chance.below(8) {
        0 => Decision::Stand,
        1 => Decision::Hit,
        2 => Decision::Double { amounts: amounts(chance), face_down: chance.one_in(4) },
        3 => Decision::Split,
        4 => Decision::Surrender,
        5 => Decision::NotDouble,
        6 => Decision::Cover,
        _ => Decision::Follow(hand(chance)),
    }
}

fn approval(box_id: BoxId, bettor: Bettor, chance: &mut Chance<'_>) -> Approval {
    match chance.below(3) {
        0 => Approval::Progressive(box_id, bettor),
        1 => Approval::Bonus(box_id, bettor),
        _ => Approval::QueensOfHearts(box_id, bettor),
    }
}

fn procedure(table: &Table, chance: &mut Chance<'_>) -> Procedure {
    let number = chance.below(500) as u16;
    if let Some(Awaiting::Procedure(procedure)) = table.awaiting()
        && chance.coin()
    {
        return procedure;
    }
    match chance.below(13) {
        12 => Procedure::Riffle,
        0 => Procedure::Inspect,
        1 => Procedure::RemoveTens,
        2 => Procedure::VerifyTens(person(chance)),
        3 => Procedure::Wash,
        4 => Procedure::EmptyShoe,
        5 => Procedure::Shuffle,
        6 => Procedure::SwapBatches,
        7 => Procedure::Cut { by: None, at: number },
        8 => Procedure::Cut { by: Some(BoxId(1)), at: number },
        9 => Procedure::PlaceCutCard { behind: number },
        10 => Procedure::Load,
        _ => Procedure::Burn,
    }
}

fn irregularity(box_id: BoxId, chance: &mut Chance<'_>) -> Irregularity {
    match chance.below(24) {
        0 => Irregularity::FoundFaceUp(card(chance)),
        1 => Irregularity::TenFound(card(chance)),
        2 => Irregularity::DrawnUnexposed,
        3 => Irregularity::Exposed(card(chance)),
        4 => Irregularity::DrewOnStanding(card(chance)),
        5 => Irregularity::MissedOwnCard,
        6 => Irregularity::MissedBox(box_id),
        7 => Irregularity::MissedDraw(box_id),
        8 => Irregularity::WrongSide,
        9 => Irregularity::ReaderMisused,
        10 => Irregularity::ReaderFailed,
        11 => Irregularity::UpCardNotMoved,
        12 => Irregularity::UpCardDiscarded,
        13 => Irregularity::LightFailed(box_id),
        14 => Irregularity::BonusFailed(box_id),
        15 => Irregularity::DoubleDealtUp(box_id),
        16 => Irregularity::OutOfCards,
        17 => Irregularity::ShufflerFailed,
        18 => Irregularity::ShufflerRemoved,
        19 => Irregularity::BurnForgotten,
        20 => Irregularity::SeenInMixing,
        21 => Irregularity::MovedForward(card(chance)),
        22 => Irregularity::LetOut(box_id),
        _ => Irregularity::Misdelivered(card(chance)),
    }
}

/// Returns whether a command names or reveals a card of the stack.
pub fn names_card(command: Command) -> bool {
    matches!(
        command,
        Command::Card(_)
            | Command::FaceDown
            | Command::DiscloseBurn(_)
            | Command::Determinant(..)
            | Command::Reader(_)
            | Command::Report(
                Irregularity::FoundFaceUp(_)
                    | Irregularity::Exposed(_)
                    | Irregularity::DrewOnStanding(_)
                    | Irregularity::Misdelivered(_)
            )
    )
}

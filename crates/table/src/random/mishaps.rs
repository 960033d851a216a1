//! Random irregularities that can have happened now, with cards that are actually there.

use super::Chance;
use super::cards::Cards;
use crate::command::Command;
use crate::ids::{BoxId, Role};
use crate::irregular::Irregularity;
use crate::table::{Awaiting, Table};
use rules::{Card, Deck, Rank, Suit};

/// Returns a random irregularity, or `None` if the chosen irregularity cannot have happened now.
pub fn mishap(table: &Table, cards: &mut Cards, chance: &mut Chance<'_>) -> Option<Command> {
    let boxes = &table.round().boxes;
    let box_id = chance.pick(boxes).map_or(BoxId(1), |play| play.id);
    // the dealer's own second card missed together with a player's
    let late = matches!(table.awaiting(), Some(Awaiting::LateCard(_))) && chance.coin();
    let which = if late { 6 } else { chance.below(24) };
    if which < 4 {
        return with_card(table, which, cards, chance);
    }
    let irregularity = match which {
        4 => Irregularity::TenFound(ten(chance)),
        5 => Irregularity::DrawnUnexposed,
        6 => Irregularity::MissedOwnCard,
        7 | 8 => Irregularity::MissedBox(box_id),
        9 | 10 => Irregularity::MissedDraw(box_id),
        11 => Irregularity::WrongSide,
        12 => Irregularity::ReaderMisused,
        13 => Irregularity::ReaderFailed,
        14 => Irregularity::UpCardNotMoved,
        15 => Irregularity::UpCardDiscarded,
        16 => Irregularity::LightFailed(box_id),
        17 => Irregularity::BonusFailed(box_id),
        18 => Irregularity::DoubleDealtUp(box_id),
        19 => Irregularity::OutOfCards,
        20 => Irregularity::ShufflerFailed,
        21 => Irregularity::ShufflerRemoved,
        22 => Irregularity::BurnForgotten,
        _ => {
            let role = if chance.coin() { Role::Floorperson } else { Role::Supervisor };
            return if_accepted(table, Command::VoidRound { role });
        }
    };
    if_accepted(table, Command::Report(irregularity))
}

fn if_accepted(table: &Table, command: Command) -> Option<Command> {
    table.decide(command).is_ok().then_some(command)
}

/// Returns an irregularity, chosen by `which`, that shows the next card of the shoe.
///
/// Returns `None` if the irregularity cannot have happened now.
fn with_card(table: &Table, which: usize, cards: &mut Cards, chance: &mut Chance<'_>) -> Option<Command> {
    if table.round().mishaps.exposed.is_some() {
        return None;
    }
    let card = cards.draw(table, chance)?;
    let command = if_accepted(
        table,
        Command::Report(match which {
            0 => Irregularity::FoundFaceUp(card),
            1 => Irregularity::Exposed(card),
            2 => Irregularity::DrewOnStanding(card),
            _ => Irregularity::Misdelivered(card),
        }),
    );
    if command.is_none() {
        cards.put_back(table.custody().side, card);
    }
    command
}

/// Returns a ten from another deck, which a 48-card game does not have.
fn ten(chance: &mut Chance<'_>) -> Card {
    let suits = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];
    Card::new(Rank::Ten, suits[chance.below(suits.len())])
}

/// Returns a ten left in the stack of a 48-card game.
///
/// The ten comes out instead of another card. Returns `None` in other games.
pub fn stray_ten(table: &Table, chance: &mut Chance<'_>) -> Option<Card> {
    (table.rules().deck() == Deck::FORTY_EIGHT).then(|| ten(chance))
}

//! Shows a played round to people: the table at the end, then every step with its clause.

use super::play::Played;
use super::record::{RoundRecord, WagerRecord};
use crate::event::{Announcement, Approval, Ending, Event, Fact, Finding, Settlement};
use crate::ids::{BoxId, CardPlace, HandNumber, Person, Side};
use crate::irregular::Irregularity;
use crate::shoe::Procedure;
use rules::script::Offer;
use rules::{Card, Total};
use std::fmt::Write as _;

/// Formats the rounds of a played file as text.
pub fn show(played: &Played) -> String {
    let mut text = String::new();
    for (index, record) in played.rounds.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let _ = writeln!(text, "Round {}", index + 1);
        text.push_str(&layout(record));
        text.push('\n');
        for event in played.events.get(index).into_iter().flatten() {
            if let Some(sentence) = sentence(event, &played.people) {
                let _ = writeln!(text, "  {sentence:<74} {}", event.by);
            }
        }
        text.push('\n');
        for (player, net) in &record.net {
            let _ = writeln!(text, "  {player:<12} {:>12}", signed(net.0));
        }
    }
    text
}

fn signed(cents: i64) -> String {
    let sign = if cents > 0 { "+" } else { "" };
    format!("{sign}{}", rules::Cents(cents))
}

/// Returns a drawing of the cards at the end of a round, the dealer above the boxes.
fn layout(record: &RoundRecord) -> String {
    let mut text = String::from("  +--------------------------------------------------------------+\n");
    let mut row = |label: String, cards: String, total: String, wagers: String| {
        let line = format!("{label:<12}{cards:<24}{total:<12}{wagers}");
        let _ = writeln!(text, "  | {line:<60} |");
    };
    for dealer in &record.dealer {
        row(
            "dealer".to_string(),
            drawn(dealer),
            total_of(Total::of(dealer), dealer.len() == 2),
            String::new(),
        );
    }
    row(String::new(), String::new(), String::new(), String::new());
    for hand in &record.hands {
        let label = format!("box {} #{}", hand.box_id.0, hand.hand.0);
        let wagers: Vec<&WagerRecord> = record
            .wagers
            .iter()
            .filter(|wager| wager.box_id == hand.box_id && wager.hand == hand.hand)
            .collect();
        let first = wagers.first().map_or(String::new(), |wager| wager.player.clone());
        row(label, drawn(&hand.cards), total_of(hand.total, false), first);
    }
    text.push_str("  +--------------------------------------------------------------+\n");
    text
}

fn drawn(cards: &[Card]) -> String {
    cards.iter().map(|card| format!("{}{}", card.rank().letter(), suit(*card))).collect::<Vec<_>>().join(" ")
}

fn suit(card: Card) -> char {
    match card.suit() {
        rules::Suit::Clubs => '♣',
        rules::Suit::Diamonds => '♦',
        rules::Suit::Hearts => '♥',
        rules::Suit::Spades => '♠',
    }
}

fn total_of(total: Total, two_cards: bool) -> String {
    match total {
        Total::Soft(21) if two_cards => "blackjack".to_string(),
        Total::Soft(points) => format!("soft {points}"),
        Total::Hard(points) if points > 21 => format!("{points} bust"),
        Total::Hard(points) => points.to_string(),
    }
}

fn name(people: &[String], person: Person) -> &str {
    people.get(person.0 as usize).map_or("somebody", String::as_str)
}

fn dollars(amounts: &[rules::Cents]) -> String {
    let placed: Vec<String> = amounts.iter().filter(|amount| amount.0 > 0).map(ToString::to_string).collect();
    placed.join("/")
}

/// Returns a sentence that describes an event, or `None` for bookkeeping that nobody needs to read.
pub fn sentence(event: &Event, people: &[String]) -> Option<String> {
    let b = |box_id: BoxId| format!("box {}", box_id.0);
    Some(match event.fact {
        Fact::Performed(procedure) => performed(procedure),
        Fact::CutOffered(box_id) => format!("the cut is offered to {}", b(box_id)),
        Fact::CutDeclined(box_id) => format!("{} declines the cut", b(box_id)),
        Fact::CutCardOut(_) => "the cut card comes out".to_string(),
        Fact::Burned(Some(card)) => format!("{card} is burned"),
        Fact::Burned(None) => "a card is burned face down".to_string(),
        Fact::BurnDisclosed(card) => format!("the burn card {card} is disclosed"),
        Fact::SetAside(card) => format!("{card} goes to the discard rack"),
        Fact::Destroyed(card) => format!("{card} does not belong to the shoe and is destroyed"),
        Fact::Determined { card, deals, .. } => {
            let side = if deals == Side::Red { "red" } else { "black" };
            format!("determinant card {card}: the {side} side deals")
        }
        Fact::DealerRelieved(_) => "a new dealer comes to the table".to_string(),
        Fact::ReshuffleOrdered => "a reshuffle is ordered".to_string(),
        Fact::RecutOrdered => "a recut is ordered".to_string(),
        Fact::BatchAskedFor(box_id) => {
            format!("{} asks for the batch to be spread and shuffled again", b(box_id))
        }
        Fact::FellIdle => {
            "nobody is playing; the cards are taken from the shoe and the discard rack".to_string()
        }
        Fact::Seated { box_id, person } => format!("{} sits down at {}", name(people, person), b(box_id)),
        Fact::Consented(box_id) => format!("others may bet on {}", b(box_id)),
        Fact::Admitted(person) => format!("{} is admitted", name(people, person)),
        Fact::Wagered { box_id, person, amounts, .. } => {
            format!("{} bets {} on {}", name(people, person), dollars(&amounts), b(box_id))
        }
        Fact::SideWagered { box_id, bet, amount, .. } => {
            format!("{amount} on {} at {}", bet.name(), b(box_id))
        }
        Fact::Withdrawn { box_id, .. } => format!("a bet on {} is withdrawn", b(box_id)),
        Fact::WagersClosed => return None,
        Fact::MeterRaised { by_amount, meter } => format!("the meter goes up by {by_amount} to {meter}"),
        Fact::MeterReset(seed) => format!("the meter resets to {seed}"),
        Fact::Dealt { to, card } => dealt(to, card),
        Fact::Announced(announcement) => announced(announcement),
        Fact::Attacked { box_id, amount, offer, .. } => {
            let which = match offer {
                Offer::SecondAttack => "second",
                Offer::ThirdAttack => "third",
                Offer::Attack | Offer::Insurance => "double",
            };
            format!("{} makes a {which} attack bet of {amount}", b(box_id))
        }
        Fact::Declined { .. } | Fact::SwitchDeclined(_) | Fact::NotDoubled { .. } => return None,
        Fact::Insured { box_id, hand, amounts, .. } => {
            format!("{} insures hand {} for {}", b(box_id), hand.0, dollars(&amounts))
        }
        Fact::EvenMoneyTaken { box_id, spots, .. } => {
            let on: Vec<&str> = spots.names().collect();
            match on.is_empty() {
                true => format!("{} takes even money", b(box_id)),
                false => format!("{} takes even money on the {} bet", b(box_id), on.join(" and ")),
            }
        }
        Fact::ReaderUsed(Finding::Blackjack) => "the reader shows a blackjack".to_string(),
        Fact::ReaderUsed(Finding::NoBlackjack) => "the reader shows no blackjack".to_string(),
        Fact::Switched(box_id) => format!("{} switches the second cards", b(box_id)),
        Fact::Revoked(box_id) => format!("{} revokes the switch", b(box_id)),
        Fact::Stood { box_id, hand } => format!("{} stands on hand {}", b(box_id), hand.0),
        Fact::Drew { box_id, hand } => format!("{} draws to hand {}", b(box_id), hand.0),
        Fact::Doubled { box_id, hand, amounts, .. } => {
            format!("{} doubles hand {} for {}", b(box_id), hand.0, dollars(&amounts))
        }
        Fact::Split { box_id, hand, new } => {
            format!("{} splits hand {} into {} and {}", b(box_id), hand.0, hand.0, new.0)
        }
        Fact::Covered { box_id, .. } => format!("a co-bettor bets on both hands of {}", b(box_id)),
        Fact::Followed { box_id, hand, .. } => {
            format!("a co-bettor's bet follows hand {} of {}", hand.0, b(box_id))
        }
        Fact::Surrendered { box_id, hand } => format!("{} surrenders hand {}", b(box_id), hand.0),
        Fact::SevensCard { box_id, taken: true } => {
            format!("{} takes a card for the sevens bet", b(box_id))
        }
        Fact::SevensCard { box_id, taken: false } => {
            format!("{} declines the card for the sevens bet", b(box_id))
        }
        Fact::LateCard { box_id, taken: true } => format!("{} takes the missed card", b(box_id)),
        Fact::LateCard { box_id, taken: false } => format!("{}'s hand is dead", b(box_id)),
        Fact::Refused(box_id) => format!("{} refuses the exposed card", b(box_id)),
        Fact::HoleTurned(card) => format!("the hole card is {card}"),
        Fact::DoubleTurned { box_id, hand, .. } => {
            format!("{}'s double card on hand {} is turned over", b(box_id), hand.0)
        }
        Fact::CardsRemoved(box_id) => format!("{}'s cards are removed", b(box_id)),
        Fact::CardsLookedAt(box_id) => format!("{} looks at their own two cards", b(box_id)),
        Fact::CardsTurned { box_id, .. } => format!("{}'s two cards are turned over", b(box_id)),
        Fact::CardsThrownIn { box_id, hand } => {
            format!("{} discards the first two cards of hand {} face down", b(box_id), hand.0)
        }
        Fact::CardsTucked(box_id) => format!("{}'s cards stay under the bonus bet", b(box_id)),
        Fact::LightOn(box_id) => format!("{}'s light comes on", b(box_id)),
        Fact::LightsCounted(1) => "the dealer counts 1 chip and 1 light".to_string(),
        Fact::LightsCounted(count) => format!("the dealer counts {count} chips and {count} lights"),
        Fact::CardsVerified { box_id, .. } => format!("{} holds a winning combination", b(box_id)),
        Fact::LightVerified { box_id, .. } => format!("the dealer verifies that {}'s light is on", b(box_id)),
        Fact::AmountVerified { amount, .. } => format!("the dealer verifies {amount} on the bonus display"),
        Fact::ButtonPlaced { box_id, .. } => format!("the bonus button goes to {}", b(box_id)),
        Fact::Approved { what, .. } => approved(what),
        Fact::Awarded { box_id, amount, .. } => format!("{}'s bonus button shows {amount}", b(box_id)),
        Fact::Settled(settlement) => settled(&settlement, people),
        Fact::LammerMoved { box_id, to, .. } => format!("{}'s lammer moves to {to}", b(box_id)),
        Fact::NextDealerHand(spot) => format!("the upcard moves to dealer hand {}", spot.0 + 1),
        Fact::PickedUp => "the cards are picked up".to_string(),
        Fact::Irregular(irregularity) => happened(irregularity),
        Fact::SupervisorNotified => "a supervisor is notified".to_string(),
        Fact::UpCardFound(card) => format!("the supervisor rebuilds the hand: the upcard was {card}"),
        Fact::UpCardPutBack(card) => format!("{card} is put back on the layout"),
        Fact::Voided => "the round is void".to_string(),
        Fact::Reversed(settlement) => {
            format!("{}: {} is reversed", name(people, settlement.person), settlement.wager.name())
        }
    })
}

fn approved(what: Approval) -> String {
    match what {
        Approval::Progressive(BoxId(number), _) => {
            format!("a supervisor validates box {number}'s progressive payout")
        }
        Approval::Bonus(BoxId(number), _) => format!("a supervisor confirms box {number}'s bonus"),
        Approval::QueensOfHearts(BoxId(number), _) => {
            format!("a floorperson is present for box {number}'s queens of hearts")
        }
    }
}

fn settled(settlement: &Settlement, people: &[String]) -> String {
    let who = name(people, settlement.person);
    let wager = settlement.wager.name();
    let spot = match settlement.spot.0 {
        0 => String::new(),
        spot => format!(" spot {}", spot + 1),
    };
    format!(
        "{who}: {wager}{spot} {} on box {} #{} {} {}",
        settlement.staked,
        settlement.box_id.0,
        settlement.hand.0,
        ended(settlement.ending),
        signed(settlement.net.0)
    )
}

fn ended(ending: Ending) -> &'static str {
    match ending {
        Ending::Win => "wins",
        Ending::Lose => "loses",
        Ending::Push => "pushes",
        Ending::Surrender => "loses half",
        Ending::Void => "is returned",
        Ending::Abandoned => "is abandoned",
    }
}

fn dealt(to: CardPlace, card: Option<Card>) -> String {
    let card = card.map_or("a card".to_string(), |card| card.to_string());
    match to {
        CardPlace::Hand(box_id, hand) => format!("{card} to box {} hand {}", box_id.0, hand.0),
        CardPlace::Dealer => format!("{card} to the dealer"),
        CardPlace::HoleDown => "the hole card to the dealer, face down".to_string(),
        CardPlace::Determinant => format!("{card} as determinant card"),
    }
}

fn announced(announcement: Announcement) -> String {
    match announcement {
        Announcement::NoMoreBets => "\"No more bets\"".to_string(),
        Announcement::DealersCard => "\"Dealer's Card\"".to_string(),
        Announcement::Blackjack(box_id) => format!("\"Blackjack\" at box {}", box_id.0),
        Announcement::SplittingSevens(box_id) => {
            format!("box {} splits sevens and forfeits three sevens", box_id.0)
        }
        Announcement::Bonus(box_id, _, amount) => format!("\"Bonus of {amount}\" at box {}", box_id.0),
        Announcement::DealerTotal(points) => format!("\"Dealer has {points}\""),
        Announcement::PlayerTotal(box_id, HandNumber(1), points) => {
            format!("\"{points}\" at box {}", box_id.0)
        }
        Announcement::PlayerTotal(box_id, hand, points) => {
            format!("\"{points}\" at box {} hand {}", box_id.0, hand.0)
        }
        Announcement::OrSwitch(box_id, _, points) => format!("\"{points} or switch?\" at box {}", box_id.0),
    }
}

fn performed(procedure: Procedure) -> String {
    match procedure {
        Procedure::Inspect => "the dealer inspects the decks".to_string(),
        Procedure::RemoveTens => "the tens are removed".to_string(),
        Procedure::VerifyTens(_) => "the floorperson verifies that no ten is left".to_string(),
        Procedure::DestroyTens => "the floorperson destroys the tens".to_string(),
        Procedure::Spread => "the cards are spread for inspection".to_string(),
        Procedure::TurnUp => "the cards are turned up for the arriving player".to_string(),
        Procedure::TurnDown => "the cards are turned face down".to_string(),
        Procedure::CoverBottom => "the dealer covers the bottom card with a cut card".to_string(),
        Procedure::TakeInHand => "the stack goes into the dealer's hand".to_string(),
        Procedure::Wash => "the cards are washed and stacked".to_string(),
        Procedure::Stack => "the cards are turned face down and stacked".to_string(),
        Procedure::EmptyShoe => {
            "the rest of the shoe goes to the discard rack, and all cards are counted".to_string()
        }
        Procedure::Shuffle => "the cards are shuffled".to_string(),
        Procedure::Plug => "the undealt cards are plugged into the discards".to_string(),
        Procedure::Riffle => "the cards are riffled".to_string(),
        Procedure::Turn => "one part of the stack is turned".to_string(),
        Procedure::Strip => "the cards are stripped".to_string(),
        Procedure::SwapBatches => "the shuffled batch is brought in".to_string(),
        Procedure::Cut { by: Some(box_id), at } => format!("box {} cuts at {at}", box_id.0),
        Procedure::Cut { by: None, at } => format!("the dealer cuts at {at}"),
        Procedure::PlaceCutCard { behind } => {
            format!("the cut card goes in with {behind} cards behind it")
        }
        Procedure::Load => "the stack goes into the shoe".to_string(),
        Procedure::Burn => "the first card is burned face down".to_string(),
        Procedure::InsertThreeStacks => "the shuffled discards go back in three stacks".to_string(),
        Procedure::ReturnToShuffler => "the dealt cards go back into the shuffler".to_string(),
        Procedure::ReshuffleDiscards => "the discards are shuffled".to_string(),
    }
}

fn happened(irregularity: Irregularity) -> String {
    match irregularity {
        Irregularity::FoundFaceUp(card) => format!("{card} is found face up in the shoe and not used"),
        Irregularity::TenFound(card) => format!("{card} is found in the shoe and destroyed"),
        Irregularity::SeenInMixing => "a card was seen while mixing; the cards are mixed again".to_string(),
        Irregularity::MovedForward(card) => {
            format!("{card} was misdelivered and moves forward; it is the next card")
        }
        Irregularity::LetOut(box_id) => format!("box {} is let out of the hand", box_id.0),
        Irregularity::DrawnUnexposed => {
            "a card was drawn in error but not exposed; it is the next card".to_string()
        }
        Irregularity::Exposed(card) => format!("{card} was drawn in error and exposed; it is the next card"),
        Irregularity::DrewOnStanding(card) => {
            format!("the dealer drew {card} on a hand that had to stand; it is burned")
        }
        Irregularity::MissedOwnCard => "the dealer missed their own card".to_string(),
        Irregularity::MissedBox(box_id) => format!("box {} was missed", box_id.0),
        Irregularity::MissedDraw(box_id) => format!("a requested card was not dealt to box {}", box_id.0),
        Irregularity::WrongSide => {
            "the round was dealt from the wrong side of the shoe; it stands".to_string()
        }
        Irregularity::ReaderMisused => {
            "the hole card was read although the upcard did not call for it".to_string()
        }
        Irregularity::ReaderFailed => "the card reader fails and is no longer used".to_string(),
        Irregularity::UpCardNotMoved => {
            "the upcard was not moved; the round continues as if it had been".to_string()
        }
        Irregularity::UpCardDiscarded => "the upcard went into the discard rack".to_string(),
        Irregularity::LightFailed(box_id) => format!("box {}'s light does not work", box_id.0),
        Irregularity::BonusFailed(box_id) => format!("the bonus system shows nothing for box {}", box_id.0),
        Irregularity::DoubleDealtUp(box_id) => {
            format!("box {}'s double card was dealt face up", box_id.0)
        }
        Irregularity::OutOfCards => "the discards are shuffled to finish the round".to_string(),
        Irregularity::ShufflerFailed => "the shuffling device failed; the cards are reshuffled".to_string(),
        Irregularity::ShufflerRemoved => "the shuffling device leaves the table".to_string(),
        Irregularity::BurnForgotten => "the burn was forgotten; play continues".to_string(),
        Irregularity::Misdelivered(card) => format!("{card} was misdelivered and is burned"),
    }
}

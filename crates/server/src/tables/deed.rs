//! A command as the journal holds it: one line of plain words. `deed` writes it, `read` reads it back; people appear by the
//! house's number with the kind of their chips (`c57`, `p57`), amounts in cents.

use super::keep::{seat_of, seat_text};
use super::seats::Seats;
use rules::script::Offer;
use rules::{Card, Cents, SideBet};
use std::fmt::Write as _;
use table::event::{Approval, Finding};
use table::ids::Side;
use table::shoe::Procedure;
use table::{Bettor, BoxId, Command, Decision, HandNumber, Irregularity, Person, Role};

/// Steps without anything to say about them.
const STEPS: [(&str, Procedure); 16] = [
    ("destroy-tens", Procedure::DestroyTens),
    ("inspect", Procedure::Inspect),
    ("remove-tens", Procedure::RemoveTens),
    ("spread", Procedure::Spread),
    ("wash", Procedure::Wash),
    ("stack", Procedure::Stack),
    ("empty-shoe", Procedure::EmptyShoe),
    ("shuffle", Procedure::Shuffle),
    ("plug", Procedure::Plug),
    ("riffle", Procedure::Riffle),
    ("turn", Procedure::Turn),
    ("strip", Procedure::Strip),
    ("swap-batches", Procedure::SwapBatches),
    ("load", Procedure::Load),
    ("burn", Procedure::Burn),
    ("insert-three-stacks", Procedure::InsertThreeStacks),
];
const RARE_STEPS: [(&str, Procedure); 6] = [
    ("turn-up", Procedure::TurnUp),
    ("turn-down", Procedure::TurnDown),
    ("cover-bottom", Procedure::CoverBottom),
    ("take-in-hand", Procedure::TakeInHand),
    ("return-to-shuffler", Procedure::ReturnToShuffler),
    ("reshuffle-discards", Procedure::ReshuffleDiscards),
];

const OFFERS: [(&str, Offer); 4] = [
    ("attack", Offer::Attack),
    ("second-attack", Offer::SecondAttack),
    ("third-attack", Offer::ThirdAttack),
    ("insurance", Offer::Insurance),
];

const ROLES: [(&str, Role); 4] = [
    ("player", Role::Player),
    ("dealer", Role::Dealer),
    ("floorperson", Role::Floorperson),
    ("supervisor", Role::Supervisor),
];

/// Irregularities that name nothing.
const PLAIN: [(&str, Irregularity); 12] = [
    ("seen-in-mixing", Irregularity::SeenInMixing),
    ("drawn-unexposed", Irregularity::DrawnUnexposed),
    ("missed-own-card", Irregularity::MissedOwnCard),
    ("wrong-side", Irregularity::WrongSide),
    ("reader-misused", Irregularity::ReaderMisused),
    ("reader-failed", Irregularity::ReaderFailed),
    ("up-card-not-moved", Irregularity::UpCardNotMoved),
    ("up-card-discarded", Irregularity::UpCardDiscarded),
    ("out-of-cards", Irregularity::OutOfCards),
    ("shuffler-failed", Irregularity::ShufflerFailed),
    ("shuffler-removed", Irregularity::ShufflerRemoved),
    ("burn-forgotten", Irregularity::BurnForgotten),
];

fn word_of<T: PartialEq + Copy>(table: &[(&'static str, T)], value: T) -> &'static str {
    table.iter().find(|(_, v)| *v == value).map_or("?", |(word, _)| word)
}

fn value_of<T: Copy>(table: &[(&'static str, T)], word: &str) -> Option<T> {
    table.iter().find(|(w, _)| *w == word).map(|(_, value)| *value)
}

pub fn offer_word(offer: Offer) -> &'static str {
    word_of(&OFFERS, offer)
}

pub fn offer_of(word: &str) -> Option<Offer> {
    value_of(&OFFERS, word)
}

pub fn role_word(role: Role) -> &'static str {
    word_of(&ROLES, role)
}

/// A step by its name, with what it says: where the cards are cut, how many lie behind the cutting card, who verified.
pub fn step_of(word: &str, number: Option<u16>, person: Person) -> Option<Procedure> {
    match word {
        "cut" => Some(Procedure::Cut { by: None, at: number? }),
        "place-cutting-card" => Some(Procedure::PlaceCuttingCard { behind: number? }),
        "verify-tens" => Some(Procedure::VerifyTens(person)),
        word => value_of(&STEPS, word).or_else(|| value_of(&RARE_STEPS, word)),
    }
}

pub fn side_word(side: Side) -> &'static str {
    match side {
        Side::Red => "red",
        Side::Black => "black",
    }
}

pub fn step_word(step: Procedure) -> &'static str {
    match step {
        Procedure::Cut { .. } => "cut",
        Procedure::PlaceCuttingCard { .. } => "place-cutting-card",
        Procedure::VerifyTens(_) => "verify-tens",
        step => match word_of(&STEPS, step) {
            "?" => word_of(&RARE_STEPS, step),
            word => word,
        },
    }
}

pub fn irregularity_word(irregularity: Irregularity) -> &'static str {
    match irregularity {
        Irregularity::FoundFaceUp(_) => "found-face-up",
        Irregularity::TenFound(_) => "ten-found",
        Irregularity::Exposed(_) => "exposed",
        Irregularity::DrewOnStanding(_) => "drew-on-standing",
        Irregularity::Misdelivered(_) => "misdelivered",
        Irregularity::MovedForward(_) => "moved-forward",
        Irregularity::LetOut(_) => "let-out",
        Irregularity::MissedBox(_) => "missed-box",
        Irregularity::MissedDraw(_) => "missed-draw",
        Irregularity::LightFailed(_) => "light-failed",
        Irregularity::BonusFailed(_) => "bonus-failed",
        Irregularity::DoubleDealtUp(_) => "double-dealt-up",
        plain => word_of(&PLAIN, plain),
    }
}

/// An irregularity by its name, with the card or box it needs.
pub fn irregularity_of(word: &str, card: Option<Card>, box_id: Option<BoxId>) -> Option<Irregularity> {
    Some(match word {
        "found-face-up" => Irregularity::FoundFaceUp(card?),
        "ten-found" => Irregularity::TenFound(card?),
        "exposed" => Irregularity::Exposed(card?),
        "drew-on-standing" => Irregularity::DrewOnStanding(card?),
        "misdelivered" => Irregularity::Misdelivered(card?),
        "moved-forward" => Irregularity::MovedForward(card?),
        "let-out" => Irregularity::LetOut(box_id?),
        "missed-box" => Irregularity::MissedBox(box_id?),
        "missed-draw" => Irregularity::MissedDraw(box_id?),
        "light-failed" => Irregularity::LightFailed(box_id?),
        "bonus-failed" => Irregularity::BonusFailed(box_id?),
        "double-dealt-up" => Irregularity::DoubleDealtUp(box_id?),
        plain => return value_of(&PLAIN, plain),
    })
}

pub fn approval_of(word: &str, box_id: BoxId, bettor: Bettor) -> Option<Approval> {
    Some(match word {
        "progressive" => Approval::Progressive(box_id, bettor),
        "bonus" => Approval::Bonus(box_id, bettor),
        "queens-of-hearts" => Approval::QueensOfHearts(box_id, bettor),
        _ => return None,
    })
}

pub fn approval_words(what: Approval) -> (&'static str, BoxId, Bettor) {
    match what {
        Approval::Progressive(box_id, bettor) => ("progressive", box_id, bettor),
        Approval::Bonus(box_id, bettor) => ("bonus", box_id, bettor),
        Approval::QueensOfHearts(box_id, bettor) => ("queens-of-hearts", box_id, bettor),
    }
}

fn person_text(seats: &Seats, person: Person) -> String {
    seats.seat(person).map_or("-".into(), seat_text)
}

fn amounts_text(amounts: [Cents; 3]) -> String {
    format!("{} {} {}", amounts[0].0, amounts[1].0, amounts[2].0)
}

/// The line that stands for a command.
pub fn deed(command: &Command, seats: &Seats) -> String {
    let who = |person| person_text(seats, person);
    match *command {
        Command::Perform(Procedure::Cut { by, at }) => {
            format!("perform cut {} {at}", by.map_or("-".into(), |b| b.0.to_string()))
        }
        Command::Perform(Procedure::PlaceCuttingCard { behind }) => {
            format!("perform place-cutting-card {behind}")
        }
        Command::Perform(Procedure::VerifyTens(person)) => format!("perform verify-tens {}", who(person)),
        Command::Perform(step) => format!("perform {}", step_word(step)),
        Command::AcceptCut { box_id, at } => format!("cut {} {at}", box_id.0),
        Command::DeclineCut { box_id } => format!("no-cut {}", box_id.0),
        Command::DiscloseBurn(card) => format!("disclose-burn {card}"),
        Command::RelieveDealer(person) => format!("relieve {}", who(person)),
        Command::OrderReshuffle => "reshuffle".into(),
        Command::OrderRecut { role } => format!("recut {}", role_word(role)),
        Command::FallIdle => "idle".into(),
        Command::Sit { box_id, person } => format!("sit {} {}", box_id.0, who(person)),
        Command::Consent(box_id) => format!("consent {}", box_id.0),
        Command::Admit(person) => format!("admit {}", who(person)),
        Command::Wager { box_id, person, seated, amounts } => {
            let seated = if seated { "seated" } else { "behind" };
            format!("wager {} {} {seated} {}", box_id.0, who(person), amounts_text(amounts))
        }
        Command::SideWager { box_id, person, bet, amount } => {
            format!("side {} {} {} {}", box_id.0, who(person), bet.name(), amount.0)
        }
        Command::Withdraw { box_id, person } => format!("withdraw {} {}", box_id.0, who(person)),
        Command::CloseWagers => "close".into(),
        Command::Card(card) => format!("card {card}"),
        Command::FaceDown => "face-down".into(),
        Command::Determinant(card, side) => {
            format!("determinant {card} {}", side_word(side))
        }
        Command::Reader(finding) => {
            format!("reader {}", if finding == Finding::Blackjack { "blackjack" } else { "nothing" })
        }
        Command::Attack { box_id, bettor, amount } => {
            format!("attack {} {} {}", box_id.0, bettor.0, amount.0)
        }
        Command::Insure { box_id, bettor, hand, amounts } => {
            format!("insure {} {} {} {}", box_id.0, bettor.0, hand.0, amounts_text(amounts))
        }
        Command::TakeEvenMoney { box_id, bettor } => format!("even-money {} {}", box_id.0, bettor.0),
        Command::Decline { box_id, bettor, offer } => {
            format!("decline {} {} {}", box_id.0, bettor.0, offer_word(offer))
        }
        Command::Switch(box_id) => format!("switch {}", box_id.0),
        Command::DeclineSwitch(box_id) => format!("no-switch {}", box_id.0),
        Command::Revoke(box_id) => format!("revoke {}", box_id.0),
        Command::Decide { box_id, bettor, decision } => {
            format!("decide {} {} {}", box_id.0, bettor.0, decision_text(decision))
        }
        Command::TakeSevensCard { box_id, take } => format!("sevens {} {take}", box_id.0),
        Command::TakeLateCard { box_id, take } => format!("late {} {take}", box_id.0),
        Command::RefuseCard(box_id) => format!("refuse {}", box_id.0),
        Command::Approve { what, role, person } => {
            let (word, box_id, bettor) = approval_words(what);
            format!("approve {word} {} {} {} {}", box_id.0, bettor.0, role_word(role), who(person))
        }
        Command::Award { box_id, bettor, amount } => format!("award {} {} {}", box_id.0, bettor.0, amount.0),
        Command::Report(irregularity) => report_text(irregularity),
        Command::VoidRound { role } => format!("void {}", role_word(role)),
    }
}

fn decision_text(decision: Decision) -> String {
    match decision {
        Decision::Double { amounts, face_down } => {
            format!("double {} {}", amounts_text(amounts), if face_down { "down" } else { "up" })
        }
        Decision::Follow(hand) => format!("follow {}", hand.0),
        Decision::Stand => "stand".into(),
        Decision::Hit => "hit".into(),
        Decision::Split => "split".into(),
        Decision::Surrender => "surrender".into(),
        Decision::NotDouble => "not-double".into(),
        Decision::Cover => "cover".into(),
    }
}

fn report_text(irregularity: Irregularity) -> String {
    let mut text = format!("report {}", irregularity_word(irregularity));
    let said = match irregularity {
        Irregularity::FoundFaceUp(card)
        | Irregularity::TenFound(card)
        | Irregularity::Exposed(card)
        | Irregularity::DrewOnStanding(card)
        | Irregularity::MovedForward(card)
        | Irregularity::Misdelivered(card) => card.to_string(),
        Irregularity::MissedBox(b)
        | Irregularity::MissedDraw(b)
        | Irregularity::LightFailed(b)
        | Irregularity::BonusFailed(b)
        | Irregularity::LetOut(b)
        | Irregularity::DoubleDealtUp(b) => b.0.to_string(),
        _ => String::new(),
    };
    if !said.is_empty() {
        let _ = write!(text, " {said}");
    }
    text
}

/// Reads a line back; people it names take their seats.
pub fn read(line: &str, seats: &mut Seats) -> Option<Command> {
    let mut words = Words { words: line.split(' '), seats };
    let command = match words.word()? {
        "perform" => Command::Perform(words.step()?),
        "cut" => Command::AcceptCut { box_id: words.box_id()?, at: words.number()? },
        "no-cut" => Command::DeclineCut { box_id: words.box_id()? },
        "disclose-burn" => Command::DiscloseBurn(words.card()?),
        "relieve" => Command::RelieveDealer(words.person()?),
        "reshuffle" => Command::OrderReshuffle,
        "recut" => Command::OrderRecut { role: words.role()? },
        "idle" => Command::FallIdle,
        "sit" => Command::Sit { box_id: words.box_id()?, person: words.person()? },
        "consent" => Command::Consent(words.box_id()?),
        "admit" => Command::Admit(words.person()?),
        "wager" => Command::Wager {
            box_id: words.box_id()?,
            person: words.person()?,
            seated: words.word()? == "seated",
            amounts: words.amounts()?,
        },
        "side" => Command::SideWager {
            box_id: words.box_id()?,
            person: words.person()?,
            bet: SideBet::from_name(words.word()?)?,
            amount: words.cents()?,
        },
        "withdraw" => Command::Withdraw { box_id: words.box_id()?, person: words.person()? },
        "close" => Command::CloseWagers,
        "card" => Command::Card(words.card()?),
        "face-down" => Command::FaceDown,
        "determinant" => Command::Determinant(words.card()?, words.side()?),
        "reader" => Command::Reader(words.finding()?),
        "attack" => {
            Command::Attack { box_id: words.box_id()?, bettor: words.bettor()?, amount: words.cents()? }
        }
        "insure" => Command::Insure {
            box_id: words.box_id()?,
            bettor: words.bettor()?,
            hand: words.hand()?,
            amounts: words.amounts()?,
        },
        "even-money" => Command::TakeEvenMoney { box_id: words.box_id()?, bettor: words.bettor()? },
        "decline" => Command::Decline {
            box_id: words.box_id()?,
            bettor: words.bettor()?,
            offer: offer_of(words.word()?)?,
        },
        "switch" => Command::Switch(words.box_id()?),
        "no-switch" => Command::DeclineSwitch(words.box_id()?),
        "revoke" => Command::Revoke(words.box_id()?),
        "decide" => {
            Command::Decide { box_id: words.box_id()?, bettor: words.bettor()?, decision: words.decision()? }
        }
        "sevens" => Command::TakeSevensCard { box_id: words.box_id()?, take: words.truth()? },
        "late" => Command::TakeLateCard { box_id: words.box_id()?, take: words.truth()? },
        "refuse" => Command::RefuseCard(words.box_id()?),
        "approve" => words.approve()?,
        "award" => {
            Command::Award { box_id: words.box_id()?, bettor: words.bettor()?, amount: words.cents()? }
        }
        "report" => Command::Report(words.irregularity()?),
        "void" => Command::VoidRound { role: words.role()? },
        _ => return None,
    };
    words.words.next().is_none().then_some(command)
}

struct Words<'a> {
    words: std::str::Split<'a, char>,
    seats: &'a mut Seats,
}

impl<'a> Words<'a> {
    fn word(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        self.word()?.parse().ok()
    }

    fn box_id(&mut self) -> Option<BoxId> {
        self.number().map(BoxId)
    }

    fn bettor(&mut self) -> Option<Bettor> {
        self.number().map(Bettor)
    }

    fn hand(&mut self) -> Option<HandNumber> {
        self.number().map(HandNumber)
    }

    fn cents(&mut self) -> Option<Cents> {
        self.number().map(Cents)
    }

    fn amounts(&mut self) -> Option<[Cents; 3]> {
        Some([self.cents()?, self.cents()?, self.cents()?])
    }

    fn card(&mut self) -> Option<Card> {
        self.number()
    }

    fn truth(&mut self) -> Option<bool> {
        self.number()
    }

    fn role(&mut self) -> Option<Role> {
        value_of(&ROLES, self.word()?)
    }

    fn person(&mut self) -> Option<Person> {
        let word = self.word()?;
        if word == "-" {
            return Some(Person(0));
        }
        seat_of(word).map(|seat| self.seats.meet(seat))
    }

    fn side(&mut self) -> Option<Side> {
        match self.word()? {
            "red" => Some(Side::Red),
            "black" => Some(Side::Black),
            _ => None,
        }
    }

    fn finding(&mut self) -> Option<Finding> {
        match self.word()? {
            "blackjack" => Some(Finding::Blackjack),
            "nothing" => Some(Finding::NoBlackjack),
            _ => None,
        }
    }

    fn step(&mut self) -> Option<Procedure> {
        Some(match self.word()? {
            "cut" => {
                let by = match self.word()? {
                    "-" => None,
                    number => Some(BoxId(number.parse().ok()?)),
                };
                Procedure::Cut { by, at: self.number()? }
            }
            "place-cutting-card" => Procedure::PlaceCuttingCard { behind: self.number()? },
            "verify-tens" => Procedure::VerifyTens(self.person()?),
            word => return step_of(word, None, Person(0)),
        })
    }

    fn decision(&mut self) -> Option<Decision> {
        Some(match self.word()? {
            "stand" => Decision::Stand,
            "hit" => Decision::Hit,
            "double" => Decision::Double { amounts: self.amounts()?, face_down: self.word()? == "down" },
            "split" => Decision::Split,
            "surrender" => Decision::Surrender,
            "not-double" => Decision::NotDouble,
            "cover" => Decision::Cover,
            "follow" => Decision::Follow(self.hand()?),
            _ => return None,
        })
    }

    fn irregularity(&mut self) -> Option<Irregularity> {
        let word = self.word()?;
        let said = self.word();
        let card = said.and_then(|text| text.parse().ok());
        let box_id = said.and_then(|text| text.parse().ok()).map(BoxId);
        irregularity_of(word, card, box_id)
    }

    fn approve(&mut self) -> Option<Command> {
        let word = self.word()?;
        let what = approval_of(word, self.box_id()?, self.bettor()?)?;
        Some(Command::Approve { what, role: self.role()?, person: self.person()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::seats::Seat;
    use ledger::{Chips, PersonId};

    #[test]
    fn every_deed_reads_back_as_what_it_was() {
        let mut seats = Seats::default();
        let ann = seats.meet(Seat { person: PersonId(57), chips: Chips::Cash });
        let guest = seats.meet(Seat { person: PersonId(58), chips: Chips::Play });
        let (b, who, hand) = (BoxId(3), Bettor(1), HandNumber(2));
        let card: Card = "As".parse().expect("a card");
        let three = [Cents(100), Cents(50), Cents(0)];
        let mut commands = vec![
            Command::Perform(Procedure::Cut { by: None, at: 200 }),
            Command::Perform(Procedure::Cut { by: Some(b), at: 20 }),
            Command::Perform(Procedure::PlaceCuttingCard { behind: 104 }),
            Command::Perform(Procedure::VerifyTens(ann)),
            Command::AcceptCut { box_id: b, at: 99 },
            Command::DeclineCut { box_id: b },
            Command::DiscloseBurn(card),
            Command::RelieveDealer(ann),
            Command::OrderReshuffle,
            Command::OrderRecut { role: Role::Supervisor },
            Command::FallIdle,
            Command::Sit { box_id: b, person: ann },
            Command::Consent(b),
            Command::Admit(guest),
            Command::Wager { box_id: b, person: guest, seated: true, amounts: three },
            Command::Wager { box_id: b, person: ann, seated: false, amounts: three },
            Command::Withdraw { box_id: b, person: ann },
            Command::CloseWagers,
            Command::Card(card),
            Command::FaceDown,
            Command::Determinant(card, Side::Red),
            Command::Determinant(card, Side::Black),
            Command::Reader(Finding::Blackjack),
            Command::Reader(Finding::NoBlackjack),
            Command::Attack { box_id: b, bettor: who, amount: Cents(700) },
            Command::Insure { box_id: b, bettor: who, hand, amounts: three },
            Command::TakeEvenMoney { box_id: b, bettor: who },
            Command::Switch(b),
            Command::DeclineSwitch(b),
            Command::Revoke(b),
            Command::TakeSevensCard { box_id: b, take: true },
            Command::TakeLateCard { box_id: b, take: false },
            Command::RefuseCard(b),
            Command::Award { box_id: b, bettor: who, amount: Cents(500) },
        ];
        commands.extend(STEPS.iter().chain(&RARE_STEPS).map(|(_, step)| Command::Perform(*step)));
        commands.extend(SideBet::ALL.map(|bet| Command::SideWager {
            box_id: b,
            person: ann,
            bet,
            amount: Cents(5),
        }));
        commands.extend(OFFERS.map(|(_, offer)| Command::Decline { box_id: b, bettor: who, offer }));
        commands.extend(ROLES.map(|(_, role)| Command::VoidRound { role }));
        commands.extend(PLAIN.map(|(_, irregularity)| Command::Report(irregularity)));
        for word in [
            "found-face-up",
            "ten-found",
            "exposed",
            "drew-on-standing",
            "misdelivered",
            "missed-box",
            "missed-draw",
            "light-failed",
            "bonus-failed",
            "double-dealt-up",
        ] {
            commands.push(Command::Report(irregularity_of(word, Some(card), Some(b)).expect(word)));
        }
        for word in ["progressive", "bonus", "queens-of-hearts"] {
            let what = approval_of(word, b, who).expect(word);
            commands.push(Command::Approve { what, role: what.role(), person: ann });
        }
        for decision in [
            Decision::Stand,
            Decision::Hit,
            Decision::Split,
            Decision::Surrender,
            Decision::NotDouble,
            Decision::Cover,
            Decision::Follow(hand),
            Decision::Double { amounts: three, face_down: true },
            Decision::Double { amounts: three, face_down: false },
        ] {
            commands.push(Command::Decide { box_id: b, bettor: who, decision });
        }
        for command in commands {
            let line = deed(&command, &seats);
            assert!(!line.contains('?'), "{line}");
            assert_eq!(read(&line, &mut seats), Some(command), "{line}");
            // A reader that has met nobody seats people as it meets them.
            let mut fresh = Seats::default();
            let again = read(&line, &mut fresh).expect("readable");
            assert_eq!(deed(&again, &fresh), line);
        }
    }

    #[test]
    fn nonsense_is_not_read() {
        for line in [
            "",
            "dance",
            "card",
            "card Xx",
            "wager 1 z5 seated 1 1 1",
            "close now",
            "cut 1",
            "decide 1 0 think",
        ] {
            assert_eq!(read(line, &mut Seats::default()), None, "{line}");
        }
    }
}

//! What people may ask of a table, in the words of the interface, and what it means to the machine for whoever asks.
//! Whether it is lawful is the machine's business; here only whose box it is and whose role.

use super::deed::{irregularity_of, step_of};
use super::live::{By, Live, Step};
use super::seats::Seat;
use super::shares::NotTaken;
use crate::error::{ApiError, ApiResult};
use crate::house_file::Dealing;
use crate::role::Role;
use crate::wire::Money;
use ledger::{Cents, PersonId};
use rules::script::Offer;
use rules::{Card, SideBet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use table::event::{Approval, Finding};
use table::ids::Side;
use table::{Awaiting, Bettor, BoxId, Command, Decision, HandNumber, Person, Spoken, Spots};

#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case", tag = "do", deny_unknown_fields)]
pub enum Request {
    /// Places a wager with its side wagers. One amount; two or three in multiple action.
    Wager {
        r#box: u8,
        #[schema(min_items = 1, max_items = 3)]
        amounts: Vec<Money>,
        #[serde(default)]
        side: BTreeMap<String, Money>,
        /// Stands behind the box instead of sitting at it.
        #[serde(default)]
        behind: bool,
    },
    Withdraw {
        r#box: u8,
    },
    /// Comes to the table and sits down at a box.
    Sit {
        r#box: u8,
    },
    /// Lets others wager on the box too.
    Consent {
        r#box: u8,
    },
    /// Ready: when everyone who wagered is, the cards are dealt without waiting.
    Deal,
    /// Adds to the order of a fresh shoe: the hash of a nonce that is revealed when the wagers are closed.
    Share {
        /// SHA-256 in 64 hexadecimal digits.
        #[schema(min_length = 64, max_length = 64)]
        hash: String,
    },
    /// The nonce whose hash was given.
    Reveal {
        #[schema(min_length = 64, max_length = 64)]
        nonce: String,
    },
    Cut {
        r#box: u8,
        at: u16,
    },
    DeclineCut {
        r#box: u8,
    },
    /// The batch that comes out of the shuffling device of an idle table is to be spread and shuffled again.
    AskReshuffle {
        r#box: u8,
    },
    Attack {
        r#box: u8,
        amount: Money,
    },
    Insure {
        r#box: u8,
        #[serde(default = "first")]
        hand: u8,
        amounts: Vec<Money>,
        /// This hand and no other: the offer is answered with it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        only: bool,
    },
    EvenMoney {
        r#box: u8,
    },
    /// Declines `attack`, `second-attack`, `third-attack` or `insurance`.
    Decline {
        r#box: u8,
        offer: String,
    },
    Switch {
        r#box: u8,
    },
    DeclineSwitch {
        r#box: u8,
    },
    Revoke {
        r#box: u8,
    },
    Stand {
        r#box: u8,
    },
    Hit {
        r#box: u8,
    },
    Double {
        r#box: u8,
        /// As many as there are wagers on the hand; as much as is staked when left out.
        #[serde(default)]
        amounts: Vec<Money>,
        #[serde(default)]
        face_down: bool,
    },
    Split {
        r#box: u8,
    },
    Surrender {
        r#box: u8,
    },
    NotDouble {
        r#box: u8,
    },
    Cover {
        r#box: u8,
    },
    Follow {
        r#box: u8,
        hand: u8,
    },
    SevensCard {
        r#box: u8,
        take: bool,
    },
    LateCard {
        r#box: u8,
        take: bool,
    },
    RefuseCard {
        r#box: u8,
    },

    // The dealer's, at a dealer's table.
    Perform {
        step: String,
        #[serde(default)]
        number: Option<u16>,
    },
    Card {
        card: String,
    },
    /// The last card was recorded wrongly and is this one. Until the next thing happens.
    Correct {
        card: String,
    },
    FaceDown,
    Determinant {
        card: String,
        side: String,
    },
    Reader {
        blackjack: bool,
    },
    CloseWagers,
    Award {
        r#box: u8,
        bettor: u8,
        amount: Money,
    },
    DiscloseBurn {
        card: String,
    },
    /// Takes over as the dealer between rounds; a card is burned.
    Relieve,
    /// Takes over as the dealer of a round in progress.
    TakeOver,
    Report {
        irregularity: String,
        #[serde(default)]
        card: Option<String>,
        #[serde(default)]
        r#box: Option<u8>,
    },
    /// Nobody plays: the cards are spread until a player comes.
    Idle,
    /// Asks a floorperson to come, and says why; everyone of the floor is told at once.
    CallFloor {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[schema(max_length = 200)]
        reason: String,
    },
    /// The floor is at the table.
    EndCall,

    // The floor's and the supervisor's.
    /// Comes to a table that called.
    AnswerCall,
    Approve {
        what: String,
        r#box: u8,
        bettor: u8,
    },
    Reshuffle,
    /// The cards are to be cut again.
    Recut,
    Admit {
        person: i64,
    },
    /// The round is void; the reason is recorded and shown with the name of who declares it.
    Void {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[schema(max_length = 200)]
        reason: String,
    },
}

fn first() -> u8 {
    1
}

/// Who asks.
#[derive(Clone, Copy, Debug)]
pub struct Asker {
    pub seat: Seat,
    pub role: Role,
}

impl Request {
    /// Is this for the people who work at the table?
    fn for_staff(&self) -> Option<&'static [Role]> {
        const DEALER: &[Role] = &[Role::Dealer];
        const FLOOR: &[Role] = &[Role::Floor, Role::Supervisor];
        const EITHER: &[Role] = &[Role::Dealer, Role::Floor, Role::Supervisor];
        match self {
            Request::Perform { .. }
            | Request::Card { .. }
            | Request::Correct { .. }
            | Request::FaceDown
            | Request::Determinant { .. }
            | Request::Reader { .. }
            | Request::CloseWagers
            | Request::Award { .. }
            | Request::DiscloseBurn { .. }
            | Request::Relieve
            | Request::TakeOver
            | Request::Report { .. }
            | Request::Idle
            | Request::CallFloor { .. } => Some(DEALER),
            Request::EndCall => Some(EITHER),
            Request::Approve { .. }
            | Request::AnswerCall
            | Request::Reshuffle
            | Request::Recut
            | Request::Admit { .. }
            | Request::Void { .. } => Some(FLOOR),
            _ => None,
        }
    }

    /// Is this what a player decides on cards that are dealt? Answers to offers and wagers are not.
    pub fn is_decision(&self) -> bool {
        matches!(
            self,
            Request::Switch { .. }
                | Request::DeclineSwitch { .. }
                | Request::Revoke { .. }
                | Request::Stand { .. }
                | Request::Hit { .. }
                | Request::Double { .. }
                | Request::Split { .. }
                | Request::Surrender { .. }
                | Request::NotDouble { .. }
                | Request::Cover { .. }
                | Request::Follow { .. }
                | Request::SevensCard { .. }
                | Request::LateCard { .. }
                | Request::RefuseCard { .. }
        )
    }

    /// Is this done by itself, and not decided upon what came before it?
    pub fn stands_alone(&self) -> bool {
        matches!(
            self,
            Request::Deal
                | Request::TakeOver
                | Request::CallFloor { .. }
                | Request::AnswerCall
                | Request::EndCall
        )
    }

    /// The box that a player's request is about.
    fn player_box(&self) -> Option<BoxId> {
        match *self {
            Request::Wager { r#box, .. }
            | Request::Withdraw { r#box }
            | Request::Sit { r#box }
            | Request::Consent { r#box }
            | Request::Cut { r#box, .. }
            | Request::DeclineCut { r#box }
            | Request::AskReshuffle { r#box }
            | Request::Attack { r#box, .. }
            | Request::Insure { r#box, .. }
            | Request::EvenMoney { r#box }
            | Request::Decline { r#box, .. }
            | Request::Switch { r#box }
            | Request::DeclineSwitch { r#box }
            | Request::Revoke { r#box }
            | Request::Stand { r#box }
            | Request::Hit { r#box }
            | Request::Double { r#box, .. }
            | Request::Split { r#box }
            | Request::Surrender { r#box }
            | Request::NotDouble { r#box }
            | Request::Cover { r#box }
            | Request::Follow { r#box, .. }
            | Request::SevensCard { r#box, .. }
            | Request::LateCard { r#box, .. }
            | Request::RefuseCard { r#box } => Some(BoxId(r#box)),
            _ => None,
        }
    }

    /// May someone of this role ask this here?
    pub fn permitted(&self, role: Role, dealing: Dealing) -> ApiResult<()> {
        match self.for_staff() {
            None if role == Role::Player => Ok(()),
            Some(roles) if roles.contains(&role) => match (self, dealing) {
                (
                    Request::Reshuffle
                    | Request::Void { .. }
                    | Request::Approve { .. }
                    | Request::Admit { .. }
                    | Request::AnswerCall
                    | Request::EndCall,
                    _,
                ) => Ok(()),
                (_, Dealing::Dealer) => Ok(()),
                (_, Dealing::Automatic) => {
                    Err(ApiError::refused("automatic", "this table deals automatically"))
                }
            },
            _ => Err(ApiError::role()),
        }
    }

    /// What the machine is told. The commands are carried out in order, all or none.
    pub fn commands(&self, live: &mut Live, asker: Asker) -> ApiResult<Vec<Command>> {
        self.permitted(asker.role, live.fixed.dealing)?;
        if asker.role.is_staff() {
            return self.staff_commands(live, asker).map(|command| vec![command]);
        }
        let person = live.seats.meet(asker.seat);
        let box_id = self.player_box().unwrap_or(BoxId(0));
        if let Request::Wager { amounts, side, behind, .. } = self {
            return wager(live, (box_id, person, asker.seat), amounts, (side, *behind));
        }
        if let Request::Withdraw { .. } = self {
            return Ok(vec![Command::Withdraw { box_id, person }]);
        }
        if let Request::Sit { .. } = self {
            return Ok(vec![Command::Sit { box_id, person }]);
        }
        let bettor = bettor_of(live, box_id, asker.seat.person)?;
        self.player_command(live, box_id, bettor).map(|command| vec![command])
    }

    /// Carries it out on a copy of the table, all of it or nothing.
    pub fn carry_out(&self, live: &mut Live, asker: Asker, step: &mut Step) -> ApiResult<()> {
        if let Request::Correct { card } = self {
            self.permitted(asker.role, live.fixed.dealing)?;
            return Ok(live.correct(By::Person, card_of(card)?, step)?);
        }
        match self {
            // Taken where the house can sign it, by the table's own actor.
            Request::Share { .. } => return Err(NotTaken::NotNow.into()),
            Request::Reveal { nonce } => {
                self.permitted(asker.role, live.fixed.dealing)?;
                return Ok(live.reveal(By::Person, asker.seat, nonce, step)?);
            }
            _ => {}
        }
        for command in self.commands(live, asker)? {
            live.perform(By::Person, command, step)?;
        }
        let Request::Insure { r#box, only: true, .. } = *self else { return Ok(()) };
        let (box_id, offer) = (BoxId(r#box), Offer::Insurance);
        let bettor = bettor_of(live, box_id, asker.seat.person)?;
        let offered = match live.table.awaiting() {
            Some(Awaiting::Offers(asked)) => asked == offer,
            Some(Awaiting::LateInsurance(asked)) => asked == box_id,
            _ => false,
        };
        if offered && live.table.is_asked(box_id, bettor) {
            live.perform(By::Person, Command::Decline { box_id, bettor, offer }, step)?;
        }
        Ok(())
    }

    fn player_command(&self, live: &Live, box_id: BoxId, bettor: Bettor) -> ApiResult<Command> {
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
            live.table.may_call(box_id, bettor)?;
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
                let offer = Offer::heard(offer, &mut |_| None)
                    .ok_or_else(|| ApiError::bad("offer", "no such offer"))?;
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

    fn staff_commands(&self, live: &mut Live, asker: Asker) -> ApiResult<Command> {
        let person = live.seats.meet(asker.seat);
        let unknown = |what: &'static str| move || ApiError::bad(what, format!("no such {what}"));
        let role = match asker.role {
            Role::Dealer => table::Role::Dealer,
            Role::Floor => table::Role::Floorperson,
            _ => table::Role::Supervisor,
        };
        Ok(match self {
            Request::Perform { step, number } => {
                let needs_number = number.is_none() && step_of(step, Some(1), person).is_some();
                Command::Perform(step_of(step, *number, person).ok_or_else(|| match needs_number {
                    true => ApiError::bad("number", format!("step {step} needs a number of cards")),
                    false => unknown("step")(),
                })?)
            }
            Request::Card { card } => Command::Card(card_of(card)?),
            Request::FaceDown => Command::FaceDown,
            Request::Determinant { card, side } => {
                let side = Side::heard(side, &mut |_| None)
                    .ok_or_else(|| ApiError::bad("side", "side must be red or black"))?;
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
                card.as_deref().map(card_of).transpose()?;
                let found = irregularity_of(irregularity, card.as_deref(), *r#box);
                Command::Report(found.ok_or_else(|| {
                    ApiError::bad("irregularity", "no such irregularity, or it needs a card or a box")
                })?)
            }
            Request::Approve { what, r#box, bettor } => {
                let line = format!("{what} {} {bettor}", r#box);
                let what = Approval::heard(&line, &mut |_| None).ok_or_else(unknown("approval"))?;
                Command::Approve { what, role, person }
            }
            Request::Reshuffle => Command::OrderReshuffle,
            Request::Recut => Command::OrderRecut { role },
            Request::Idle => Command::FallIdle,
            Request::Admit { person } => {
                let admitted =
                    live.seats.number(PersonId(*person)).ok_or_else(|| ApiError::missing("person"))?;
                Command::Admit(admitted)
            }
            Request::Void { .. } => Command::VoidRound { role },
            _ => return Err(ApiError::role()),
        })
    }
}

fn wager(
    live: &Live,
    (box_id, person, seat): (BoxId, Person, Seat),
    amounts: &[Money],
    (side, behind): (&BTreeMap<String, Money>, bool),
) -> ApiResult<Vec<Command>> {
    let mut commands = Vec::with_capacity(1 + side.len());
    if !amounts.is_empty() {
        // 2.13(b): one person is seated at a box, and whoever joins it stands behind
        let round = live.table.round();
        let taken =
            round.box_at(box_id).is_some_and(|at| round.boxes[at].bettors.iter().any(|who| who.seated));
        commands.push(Command::Wager { box_id, person, seated: !behind && !taken, amounts: three(amounts)? });
    } else if bettor_of(live, box_id, seat.person).is_err() {
        return Err(ApiError::bad("amount", "bet amount is required"));
    }
    for (name, amount) in side {
        let bet = SideBet::from_name(name).ok_or_else(|| ApiError::bad("side", "unknown side bet"))?;
        // One meter pays in one kind of chips.
        if bet == SideBet::Progressive && seat.chips == ledger::Chips::Play {
            return Err(ApiError::refused("cash-only", "the progressive bet does not accept play chips"));
        }
        commands.push(Command::SideWager { box_id, person, bet, amount: amount.positive()? });
    }
    Ok(commands)
}

/// Where this person stands among the bettors of a box; players act for their own wagers only.
pub fn bettor_of(live: &Live, box_id: BoxId, person: PersonId) -> ApiResult<Bettor> {
    let none = || ApiError::refused("not-your-box", "you have no bet on this box");
    live.seats.number(person).ok_or_else(none)?;
    let round = live.table.round();
    if let Some(Awaiting::Cut(offered)) = live.table.awaiting() {
        // The cut goes to who wagered there in the round before, so there is no bettor now.
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
        return Err(ApiError::bad("amount", "at most three amounts"));
    }
    let mut three = [Cents::ZERO; 3];
    for (place, amount) in three.iter_mut().zip(amounts) {
        if amount.0 < Cents::ZERO {
            return Err(ApiError::bad("amount", "amount must not be negative"));
        }
        *place = amount.0;
    }
    Ok(three)
}

fn card_of(text: &str) -> ApiResult<Card> {
    text.parse().map_err(|_| {
        ApiError::bad("card", format!("unknown card `{}`", text.chars().take(8).collect::<String>()))
    })
}

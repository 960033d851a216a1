//! Plays a round file at a table: its lines supply the inputs that the table awaits, and the rules do the rest.

mod decisions;
mod offers;
mod officials;
mod order;
mod outcome;

use super::parse::{RoundFile, Seated, Statement, StatementKind, Verb, verb_of};
use super::record::RoundRecord;
use crate::command::Command;
use crate::event::{Event, Fact, Finding};
use crate::ids::{Bettor, BoxId, CardPlace, Person, Role};
use crate::shoe::{self, Procedure};
use crate::table::{Awaiting, Decide, Table};
use rules::message;
use rules::play::Refusal;
use rules::{Action, Card, Cents, Clause, Rules};
use std::collections::VecDeque;
use std::sync::Arc;

/// Why a round file was not played to the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A line that the rules refuse; nothing is settled.
    Refused {
        /// The line number in the file, from one.
        line: usize,
        /// The line as written in the round file.
        text: String,
        /// The clause that refuses the line.
        clause: Clause,
        /// The reason, in plain words.
        reason: String,
    },
    /// The file cannot be played: a decision or a card is missing, or a line is not in the notation.
    Error {
        /// The line number in the file, from one; `None` if the error belongs to no line.
        line: Option<usize>,
        /// The message that says what is missing or wrong.
        message: String,
    },
}

/// The result of playing a round file.
#[derive(Clone, Debug)]
pub struct Played {
    /// The results, round by round.
    pub rounds: Vec<RoundRecord>,
    /// The events, round by round.
    pub events: Vec<Vec<Event>>,
    /// The names of the people, indexed by person number.
    pub people: Vec<String>,
    /// The table after the last round.
    pub table: Table,
}

/// The maximum number of readings of the file that are tried, and of readings kept to be tried later.
const MOST_READINGS: usize = 200;

/// The maximum number of events in a round. A round with more is reported as an error.
const MOST_EVENTS: usize = 10_000;

/// Plays all rounds of a file at a legal table. Returns an error if the file cannot be played to the end.
pub fn play(file: &RoundFile, rules: Arc<Rules>) -> Result<Played, Stop> {
    // the cards are prepared, unless the file starts with the opening of the table
    let opens = file.rounds.first().and_then(|round| round.first()).is_some_and(
        |first| matches!(&first.what, StatementKind::Official { who: Role::Dealer, words } if words[0] == "opens"),
    );
    let replay = Replay {
        file,
        table: if opens { Table::new(rules) } else { Table::prepared(rules) },
        next_card: 0,
        round: 0,
        at: usize::from(opens),
        people: Vec::new(),
        records: Vec::new(),
        events: vec![Vec::new()],
        dealer_hands: Vec::new(),
        started: false,
        first_card: 0,
        since_card: 0,
        withheld: Vec::new(),
        order: order::Order::default(),
    };
    explore(replay).map(|replay| Played {
        rounds: replay.records,
        events: replay.events,
        people: replay.people,
        table: replay.table,
    })
}

/// Plays a file to the end.
///
/// Where a line can be read in two ways, keeps the first reading with which the whole file can be played. If there
/// is none, returns the error of the reading that came furthest: its last line is the illegal one, because every
/// line before it has a legal reading.
fn explore(mut replay: Replay<'_>) -> Result<Replay<'_>, Stop> {
    let (mut untried, mut tried, mut furthest) = (VecDeque::new(), 0, None);
    loop {
        let stop = match replay.run() {
            Ok(Pause::Over) => return Ok(replay),
            Ok(Pause::Ambiguous(ask)) => {
                if untried.len() == MOST_READINGS {
                    untried.pop_front();
                }
                untried.push_back((replay.clone(), ask));
                match replay.statement_decision() {
                    Ok(()) => continue,
                    Err(stop) => stop,
                }
            }
            Err(stop) => stop,
        };
        let reached = (replay.round, replay.at);
        let (_, told) = match furthest.take() {
            Some(before @ (earlier, _)) if earlier >= reached => furthest.insert(before),
            _ => furthest.insert((reached, stop)),
        };
        replay = loop {
            let (Some((mut other, ask)), true) = (untried.pop_back(), tried < MOST_READINGS) else {
                return Err(told.clone());
            };
            tried += 1;
            if other.stand(ask).is_ok() {
                break other;
            }
        };
    }
}

/// Why the playing of a file pauses.
enum Pause {
    Over,
    /// The player must decide on a hand, and the next line may be that decision; if it is not, the player stands.
    Ambiguous(Decide),
}

#[derive(Clone)]
struct Replay<'a> {
    file: &'a RoundFile,
    table: Table,
    next_card: usize,
    round: usize,
    at: usize,
    people: Vec<String>,
    records: Vec<RoundRecord>,
    events: Vec<Vec<Event>>,
    dealer_hands: Vec<Vec<Card>>,
    started: bool,
    /// The index of this round's first card.
    first_card: usize,
    /// The number of events since the last card of the round.
    since_card: usize,
    /// The boxes whose first bettor has refused to share them.
    withheld: Vec<BoxId>,
    /// The lines of this round that were played early, and the offers to which no line replied.
    order: order::Order,
}

impl<'a> Replay<'a> {
    /// Plays to the end of the file, or to a line that can be read in two ways.
    fn run(&mut self) -> Result<Pause, Stop> {
        loop {
            if self.events.last().is_some_and(|events| events.len() > MOST_EVENTS) {
                return Err(self.error("the round is incomplete".to_string()));
            }
            self.skip_played();
            if self.official()? || self.out_of_turn()? {
                continue;
            }
            if let Some(event) = self.table.due() {
                if event.fact == Fact::PickedUp {
                    self.leftover()?;
                    self.finish_round();
                }
                self.apply(&event);
                continue;
            }
            let Some(awaiting) = self.table.awaiting() else {
                continue;
            };
            match awaiting {
                Awaiting::Procedure(_) | Awaiting::Cut(_) | Awaiting::Wagers if self.over() => {
                    if self.round + 1 >= self.file.rounds.len() {
                        return Ok(Pause::Over);
                    }
                    self.round += 1;
                    self.at = 0;
                    self.started = false;
                    self.withheld.clear();
                    self.order = order::Order::default();
                    self.events.push(Vec::new());
                }
                Awaiting::Procedure(_) | Awaiting::Cut(_) => self.prepare(awaiting)?,
                Awaiting::Wagers => self.wagers()?,
                Awaiting::Card(_) if self.refuses_card()? => {}
                Awaiting::Card(_) => self.card()?,
                // the reader can have shown nothing if nobody saw the card afterwards
                Awaiting::Reader => self.command(Command::Reader(Finding::NoBlackjack))?,
                Awaiting::Offers(offer) => self.offers(offer)?,
                Awaiting::LateInsurance(box_id) => self.late_insurance(box_id)?,
                Awaiting::Switch(box_id) | Awaiting::Revocation(box_id) => self.switch(box_id)?,
                Awaiting::Decision(ask) => {
                    if ask.actions.has(Action::Hit) || !self.speaks_for(ask.box_id) {
                        self.decision(ask)?;
                        continue;
                    }
                    return Ok(Pause::Ambiguous(ask));
                }
                Awaiting::CoBettors(ask) => self.co_bettors(ask)?,
                Awaiting::SevensCard(box_id) => {
                    self.answer(box_id, Verb::Hit, |take| Command::TakeSevensCard { box_id, take })?;
                }
                Awaiting::LateCard(box_id) => self.late_card(box_id)?,
                Awaiting::Award(box_id, bettor) => self.award(box_id, bettor)?,
                Awaiting::Approval(what) => {
                    let role = what.role();
                    self.command(Command::Approve { what, role, person: Person(u32::MAX) })?;
                }
            }
        }
    }

    /// Returns whether the round is over and the next one has not started.
    fn over(&self) -> bool {
        self.started && self.table.round().step == 0
    }

    fn statement(&self) -> Option<&'a Statement> {
        self.file.rounds.get(self.round)?.get(self.at)
    }

    fn error(&self, message: String) -> Stop {
        Stop::Error { line: self.statement().map(|statement| statement.line), message }
    }

    /// Returns the error for a missing line, at the current line or else at the round's last line.
    fn missing(&self, message: String) -> Stop {
        let last = || self.file.rounds.get(self.round)?.last();
        Stop::Error { line: self.statement().or_else(last).map(|statement| statement.line), message }
    }

    fn refused(&self, refusal: Refusal) -> Stop {
        let refusal = self.with_cause(refusal);
        match self.statement() {
            Some(statement) => Stop::Refused {
                line: statement.line,
                text: statement.text.clone(),
                clause: refusal.by,
                reason: refusal.why.text.into_owned(),
            },
            None => Stop::Error { line: None, message: refusal.to_string() },
        }
    }

    fn apply(&mut self, event: &Event) {
        if let Fact::NextDealerHand(_) = event.fact {
            self.dealer_hands.push(self.table.round().dealer.cards().to_vec());
        }
        let exposed = self.table.round().mishaps.exposed;
        self.table.apply(event);
        if let Some(events) = self.events.last_mut() {
            events.push(*event);
        }
        self.since_card += 1;
        match event.fact {
            Fact::WagersClosed => (self.first_card, self.since_card) = (self.next_card, 0),
            // 2.15(c)#3: the exposed card was the file's next card
            Fact::Burned(Some(card)) if exposed == Some(card) => self.card_used(),
            _ => {}
        }
    }

    fn card_used(&mut self) {
        self.next_card += 1;
        self.since_card = 0;
    }

    fn command(&mut self, command: Command) -> Result<(), Stop> {
        let event = self.table.decide(command).map_err(|refusal| self.refused(refusal))?;
        self.apply(&event);
        Ok(())
    }

    /// Executes a command that the current statement requests, and moves to the next statement.
    fn execute_statement(&mut self, command: Command) -> Result<(), Stop> {
        self.command(command)?;
        self.at += 1;
        Ok(())
    }

    fn person(&mut self, name: &str) -> Person {
        let at = self.people.iter().position(|known| known == name).unwrap_or_else(|| {
            self.people.push(name.to_string());
            self.people.len() - 1
        });
        Person(at as u32)
    }

    // between rounds

    /// Performs a step of preparing the cards, as the current line says or in the usual way.
    fn prepare(&mut self, awaiting: Awaiting) -> Result<(), Stop> {
        if self.sits()? || self.asks_reshuffle()? {
            return Ok(());
        }
        let cut = matches!(awaiting, Awaiting::Cut(_) | Awaiting::Procedure(Procedure::Cut { .. }));
        if let Some((box_id, words)) = self.player_line().filter(|_| cut) {
            match verb_of(&words[0]) {
                Some(Verb::Cut) => {
                    let at = self.card_count(words)?;
                    return self.execute_statement(Command::AcceptCut { box_id, at });
                }
                Some(Verb::Decline) => return self.execute_statement(Command::DeclineCut { box_id }),
                // in a round, `pass` is for a wager that is offered there
                Some(Verb::Pass) if self.table.round().step == 0 => {
                    return self.execute_statement(Command::DeclineCut { box_id });
                }
                _ => {}
            }
        }
        if let Some(StatementKind::Official { .. }) = self.statement().map(|statement| &statement.what)
            && let Command::Perform(procedure) = self.official_command()?
        {
            let expected = match awaiting {
                Awaiting::Procedure(expected) => expected,
                _ => Procedure::Cut { by: None, at: 0 },
            };
            let is = |step: &Procedure| std::mem::discriminant(step) == std::mem::discriminant(&procedure);
            // a step that is not to come is refused where it stands, not after all the others
            let to_come = shoe::is_by_hand(procedure) || self.table.custody().pending.iter().any(is);
            if is(&expected) || !to_come {
                return self.execute_statement(Command::Perform(procedure));
            }
        }
        if let Awaiting::Cut(box_id) = awaiting {
            let at = (self.table.custody().to_cut() / 2) as u16;
            return self.command(Command::AcceptCut { box_id, at });
        }
        if let Some(event) = self.table.preparation() {
            self.apply(&event);
        }
        Ok(())
    }

    /// Handles the line `BOX PLAYER sits`, and returns whether it was the current line.
    fn sits(&mut self) -> Result<bool, Stop> {
        match self.player_line() {
            Some((box_id, [name, verb])) if verb_of(verb) == Some(Verb::Sits) => {
                let person = self.person(name);
                self.execute_statement(Command::Sit { box_id, person })?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Handles the line `BOX [PLAYER] asks-reshuffle` (2.5(j)2#3), and returns whether it was the current line.
    fn asks_reshuffle(&mut self) -> Result<bool, Stop> {
        match self.player_line() {
            Some((box_id, [.., verb]))
                if verb_of(verb) == Some(Verb::AsksReshuffle) && !self.table.custody().batch_is_to_come() =>
            {
                self.execute_statement(Command::AskReshuffle(box_id))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn card_count(&self, words: &[String]) -> Result<u16, Stop> {
        let count = words.get(1).and_then(|word| word.parse().ok());
        count.ok_or_else(|| self.error(format!("`{}` needs a number of cards", words[0])))
    }

    // bets

    fn wagers(&mut self) -> Result<(), Stop> {
        if self.sits()? || self.asks_reshuffle()? {
            return Ok(());
        }
        let round = &self.file.rounds[self.round];
        match round.get(self.at).map(|statement| &statement.what) {
            Some(StatementKind::Bet { coupon: Some(amount), .. }) => {
                let by = self.table.rules().text().wagers.coupon;
                let why = message!(
                    "no-coupons",
                    "match play coupons ({amount}) are not supported, because no regulation says what they win",
                    amount
                );
                Err(self.refused(Refusal::new(by, why)))
            }
            Some(StatementKind::Bet { box_id, player, amounts, sides, seated, coupon: None }) => {
                let person = self.person(player);
                let box_id = BoxId(*box_id);
                let seated = self.is_seated(*seated, box_id);
                let first = self
                    .table
                    .round()
                    .box_at(box_id)
                    .is_none_or(|at| self.table.round().boxes[at].bettors.is_empty());
                if !first && !self.withheld.contains(&box_id) {
                    self.command(Command::Consent(box_id))?;
                }
                let mut three = [Cents::ZERO; 3];
                three[..amounts.len()].copy_from_slice(amounts);
                // Switch takes two equal amounts
                if self.table.rules().hands_per_box() == 2 && amounts.len() == 2 && amounts[0] == amounts[1] {
                    three[1] = Cents::ZERO;
                }
                self.command(Command::Wager { box_id, person, seated, amounts: three })?;
                for &(bet, amount) in sides {
                    self.command(Command::SideWager { box_id, person, bet, amount })?;
                }
                self.at += 1;
                Ok(())
            }
            Some(StatementKind::Say { box_id, words }) if self.withdraws(BoxId(*box_id), words) => {
                let (bettor, verb, rest) = self.speaker(BoxId(*box_id), words)?;
                let command = self.command_of(BoxId(*box_id), bettor, verb, rest)?;
                self.execute_statement(command)
            }
            Some(StatementKind::Say { box_id, words }) if self.shares(BoxId(*box_id), words)? => {
                self.at += 1;
                Ok(())
            }
            Some(StatementKind::Say { box_id, words }) if verb_of(&words[0]) == Some(Verb::Cut) => {
                let at = self.card_count(words)?;
                self.execute_statement(Command::AcceptCut { box_id: BoxId(*box_id), at })
            }
            // an official's line that did not take effect, and nobody has bet
            Some(StatementKind::Official { .. }) if self.table.round().boxes.is_empty() => {
                let command = self.official_command()?;
                self.execute_statement(command)
            }
            _ if self.table.round().boxes.is_empty() && round.is_empty() && self.round > 0 => {
                Err(Stop::Error { line: None, message: "a round needs at least one bet".to_string() })
            }
            _ => {
                self.started = true;
                let event = self.table.decide(Command::CloseWagers);
                match event {
                    Ok(event) => {
                        self.apply(&event);
                        Ok(())
                    }
                    Err(_) => Err(self.error("a round begins with a bet, like `bet 1 ann 10`".to_string())),
                }
            }
        }
    }

    /// Handles the line `BOX [PLAYER] consent` or `decline`, and returns whether it was the current line.
    ///
    /// The first bettor at a box lets others join the box, or refuses (2.13(a)#2).
    fn shares(&mut self, box_id: BoxId, words: &'a [String]) -> Result<bool, Stop> {
        let said = words.iter().find_map(|word| verb_of(word));
        let (Some(verb @ (Verb::Consent | Verb::Decline)), true) =
            (said, self.table.round().box_at(box_id).is_some())
        else {
            return Ok(false);
        };
        // without a name it is the first bettor
        let bettor = match verb_of(&words[0]) {
            Some(_) => Bettor(0),
            None => self.speaker(box_id, words)?.0,
        };
        if bettor != Bettor(0) {
            let by = self.table.rules().text().sharing.consent;
            return Err(self.refused(Refusal::new(
                by,
                message!(
                    "consent-by-first",
                    "only the first person betting on the box can consent to others"
                ),
            )));
        }
        match verb {
            Verb::Consent => self.command(Command::Consent(box_id))?,
            _ => self.withheld.push(box_id),
        }
        Ok(true)
    }

    /// Returns whether the line withdraws a bet that is on the box and not in play yet.
    fn withdraws(&self, box_id: BoxId, words: &[String]) -> bool {
        let withdraw = words.iter().any(|word| verb_of(word) == Some(Verb::Withdraw));
        withdraw && self.table.round().box_at(box_id).is_some()
    }

    /// Returns whether the bettor sits at the box: the first bettor does, unless a line seats another one.
    fn is_seated(&self, said: Seated, box_id: BoxId) -> bool {
        let bets = self.file.rounds[self.round].iter().filter_map(|statement| match &statement.what {
            StatementKind::Bet { box_id: other, seated, .. } if BoxId(*other) == box_id => Some(*seated),
            _ => None,
        });
        let anybody = bets.clone().any(|seated| seated == Seated::Yes);
        let first = self
            .table
            .round()
            .box_at(box_id)
            .is_none_or(|at| self.table.round().boxes[at].bettors.is_empty());
        match said {
            Seated::Yes => true,
            Seated::No => false,
            Seated::Unsaid => first && !anybody,
        }
    }

    // cards

    fn card(&mut self) -> Result<(), Stop> {
        let Some(&card) = self.file.cards.get(self.next_card) else {
            self.decided_too_late()?;
            self.came_in_turn()?;
            let to = match self.table.awaiting() {
                Some(Awaiting::Card(CardPlace::Hand(box_id, hand))) => {
                    format!("box {}, hand {}", box_id.0, hand.0)
                }
                _ => "the dealer".to_string(),
            };
            return Err(self.missing(format!(
                "the `cards` line has run out: {to} is dealt a card on this line; add one more card to \
                 `cards`"
            )));
        };
        let event = self
            .table
            .decide(card.map_or(Command::FaceDown, Command::Card))
            .map_err(|refusal| self.missing(format!("{refusal}; correct the `cards` line")))?;
        self.apply(&event);
        self.card_used();
        Ok(())
    }

    /// Handles the line `BOX [PLAYER] refuse` (2.15(c)#2), and returns whether it was the current line.
    fn refuses_card(&mut self) -> Result<bool, Stop> {
        let Some((box_id, words)) = self.player_line() else { return Ok(false) };
        let refuses = words.iter().take(2).any(|word| verb_of(word) == Some(Verb::Refuse));
        if !refuses || self.table.round().mishaps.exposed.is_none() {
            return Ok(false);
        }
        let (bettor, ..) = self.speaker(box_id, words)?;
        self.table.check_box_owner(box_id, bettor).map_err(|refusal| self.refused(refusal))?;
        self.execute_statement(Command::RefuseCard(box_id))?;
        Ok(true)
    }

    // statements

    /// Returns the box and the words of the current statement, or `None` if it is not a player's line.
    fn player_line(&self) -> Option<(BoxId, &'a [String])> {
        match &self.statement()?.what {
            StatementKind::Say { box_id, words } => Some((BoxId(*box_id), words)),
            _ => None,
        }
    }

    /// Returns the speaker of the line `BOX [PLAYER] VERB …`, the verb, and the words after the verb.
    fn speaker(&self, box_id: BoxId, words: &'a [String]) -> Result<(Bettor, Verb, &'a [String]), Stop> {
        let play = self.table.round().box_at(box_id).map(|at| &self.table.round().boxes[at]);
        let box_owner = play.map_or(Bettor(0), |play| Bettor(play.box_owner));
        if let Some(verb) = verb_of(&words[0]) {
            return Ok((box_owner, verb, &words[1..]));
        }
        let Some(verb) = words.get(1).and_then(|word| verb_of(word)) else {
            return Err(self.error(format!("unknown decision `{}`", words.join(" "))));
        };
        let person = self.people.iter().position(|name| *name == words[0]);
        let bettor = play.zip(person).and_then(|(play, person)| {
            play.bettors.iter().position(|bettor| bettor.person == Person(person as u32))
        });
        match bettor {
            Some(bettor) => Ok((Bettor(bettor as u8), verb, &words[2..])),
            None => {
                let by = self.table.rules().text().sharing.box_owner;
                let why = message!(
                    "name-not-on-box",
                    "{name} has no bet on box {position}",
                    name = words[0],
                    position = box_id.0
                );
                Err(self.refused(Refusal::new(by, why)))
            }
        }
    }

    fn speaks_for(&self, box_id: BoxId) -> bool {
        self.player_line().is_some_and(|(said, _)| said == box_id)
    }

    /// Returns the speaker and the verb of the current statement, or `None` if it is not for this box.
    fn verb_for(&self, box_id: BoxId) -> Option<(Bettor, Verb)> {
        let (said, words) = self.player_line().filter(|(said, _)| *said == box_id)?;
        self.speaker(said, words).ok().map(|(bettor, verb, _)| (bettor, verb))
    }
}

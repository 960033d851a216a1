//! Plays a round file through the machine: the statements answer what the table awaits, the rest follows by rule.

use super::parse::{Official, RoundFile, Seated, Statement, What, amounts_of, is_verb};
use super::record::{HandRecord, RoundRecord, WagerRecord};
use crate::command::{Command, Decision};
use crate::event::{Ending, Event, Fact, Settlement};
use crate::ids::{Bettor, BoxId, HandNumber, Person, Place, Role, Side, Wager};
use crate::irregular::Irregularity;
use crate::round::CoAsk;
use crate::shoe::Procedure;
use crate::table::{Awaiting, Decide, Table};
use rules::play::Refusal;
use rules::script::Offer;
use rules::{Action, Card, Cents, Clause, Rules, Variation};
use std::sync::Arc;

/// Why a file was not played to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A line that the rules refuse; nothing is settled.
    Refused {
        line: usize,
        text: String,
        clause: Clause,
        reason: String,
    },
    /// The file cannot be played: a decision or a card is missing, or a line is not in the notation.
    Error { line: Option<usize>, message: String },
}

/// The rounds of a file and everything that happened in them.
#[derive(Clone, Debug)]
pub struct Played {
    pub rounds: Vec<RoundRecord>,
    /// The events of each round.
    pub events: Vec<Vec<Event>>,
    pub people: Vec<String>,
    /// The table as the last round left it.
    pub table: Table,
}

/// Most readings of ambiguous lines that are tried.
const MOST_BRANCHES: u32 = 200;

/// Plays all rounds of a file at a lawful table.
pub fn play(file: &RoundFile, rules: Arc<Rules>) -> Result<Played, Stop> {
    // the cards lie ready, unless the file begins with the opening of the table
    let opens = file.rounds.first().and_then(|round| round.first()).is_some_and(
        |first| matches!(&first.what, What::Official { who: Official::Dealer, words } if words[0] == "opens"),
    );
    let player = Player {
        file,
        table: if opens {
            Table::new(rules)
        } else {
            Table::prepared(rules)
        },
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
    };
    explore(player).map(|player| Played {
        rounds: player.records,
        events: player.events,
        people: player.people,
        table: player.table,
    })
}

/// Plays on to the end. Where a line can be read in two ways, the first reading that works out is taken; if none does,
/// the error is that of the first.
fn explore(mut player: Player<'_>) -> Result<Player<'_>, Stop> {
    let (mut untried, mut branches, mut first) = (Vec::new(), 0, None);
    loop {
        let stop = match player.run() {
            Ok(Pause::Over) => return Ok(player),
            Ok(Pause::TwoWays(ask)) => {
                branches += 1;
                if branches <= MOST_BRANCHES {
                    untried.push((player.clone(), ask));
                }
                match player.statement_decision() {
                    Ok(()) => continue,
                    Err(stop) => stop,
                }
            }
            Err(stop) => stop,
        };
        let first: &Stop = first.get_or_insert(stop);
        player = loop {
            let Some((mut other, ask)) = untried.pop() else {
                return Err(first.clone());
            };
            if other.stand(ask).is_ok() {
                break other;
            }
        };
    }
}

/// Why a player stops for a moment.
enum Pause {
    Over,
    /// An offer that need not be answered: the next line may be its answer, or belong to what follows.
    TwoWays(Decide),
}

#[derive(Clone)]
struct Player<'a> {
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
    /// The first card of this round.
    first_card: usize,
    /// How many events there were since the last card of the round.
    since_card: usize,
}

impl<'a> Player<'a> {
    /// Plays on to the end, or to a line that can be read in two ways.
    fn run(&mut self) -> Result<Pause, Stop> {
        loop {
            if self.official()? {
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
                Awaiting::Procedure(_) | Awaiting::Cut(_) | Awaiting::Wagers if self.started => {
                    if self.round + 1 >= self.file.rounds.len() {
                        return Ok(Pause::Over);
                    }
                    self.round += 1;
                    self.at = 0;
                    self.started = false;
                    self.events.push(Vec::new());
                }
                Awaiting::Procedure(_) | Awaiting::Cut(_) => self.prepare(awaiting)?,
                Awaiting::Wagers => self.wagers()?,
                Awaiting::Card(_) if self.refuses_card()? => {}
                Awaiting::Card(_) => self.card()?,
                Awaiting::Reader => return Err(self.error("the reader's finding is not known".to_string())),
                Awaiting::Offers(offer) => self.offers(offer)?,
                Awaiting::LateInsurance(box_id) => self.late_insurance(box_id)?,
                Awaiting::Switch(box_id) => self.switch(box_id)?,
                Awaiting::Revocation(box_id) => self.revocation(box_id)?,
                Awaiting::Decision(ask) => {
                    if ask.actions.has(Action::Hit) || !self.speaks_for(ask.box_id) {
                        self.decision(ask)?;
                        continue;
                    }
                    return Ok(Pause::TwoWays(ask));
                }
                Awaiting::CoBettors(ask) => self.co_bettors(ask)?,
                Awaiting::SevensCard(box_id) => {
                    let take = self.take_word(box_id, &["hit"]);
                    self.command(Command::TakeSevensCard { box_id, take })?;
                }
                Awaiting::LateCard(box_id) => {
                    let take = self.take_word(box_id, &["accept"]);
                    if !take {
                        self.take_word(box_id, &["decline"]);
                    }
                    self.command(Command::TakeLateCard { box_id, take })?;
                }
                Awaiting::Award(box_id, bettor) => self.award(box_id, bettor)?,
                Awaiting::Approval(what) => {
                    let role = what.role();
                    self.command(Command::Approve {
                        what,
                        role,
                        person: Person(u32::MAX),
                    })?;
                }
            }
        }
    }

    fn statement(&self) -> Option<&'a Statement> {
        self.file.rounds.get(self.round)?.get(self.at)
    }

    fn error(&self, message: String) -> Stop {
        Stop::Error {
            line: self.statement().map(|statement| statement.line),
            message,
        }
    }

    fn refused(&self, refusal: Refusal) -> Stop {
        match self.statement() {
            Some(statement) => Stop::Refused {
                line: statement.line,
                text: statement.text.clone(),
                clause: refusal.by,
                reason: refusal.why.into_owned(),
            },
            None => Stop::Error {
                line: None,
                message: refusal.to_string(),
            },
        }
    }

    fn apply(&mut self, event: &Event) {
        if let Fact::NextDealerHand(_) = event.fact {
            self.dealer_hands.push(self.table.round().dealer.cards().to_vec());
        }
        let exposed = self.table.round().exposed;
        self.table.apply(event);
        if let Some(events) = self.events.last_mut() {
            events.push(*event);
        }
        self.since_card += 1;
        match event.fact {
            Fact::WagersClosed => (self.first_card, self.since_card) = (self.next_card, 0),
            // 2.15(c)#3: the exposed card was the next one of the file
            Fact::Burned(Some(card)) if exposed == Some(card) => self.card_used(),
            _ => {}
        }
    }

    fn card_used(&mut self) {
        self.next_card += 1;
        self.since_card = 0;
    }

    fn command(&mut self, command: Command) -> Result<(), Stop> {
        let event = self
            .table
            .decide(command)
            .map_err(|refusal| self.refused(refusal))?;
        self.apply(&event);
        Ok(())
    }

    /// A command that a statement asked for; the statement is used up.
    fn obey(&mut self, command: Command) -> Result<(), Stop> {
        self.command(command)?;
        self.at += 1;
        Ok(())
    }

    fn person(&mut self, name: &str) -> Person {
        let at = self
            .people
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| {
                self.people.push(name.to_string());
                self.people.len() - 1
            });
        Person(at as u32)
    }

    // between rounds

    /// A step in preparing the cards: as a line says, or else as it is usually done.
    fn prepare(&mut self, awaiting: Awaiting) -> Result<(), Stop> {
        if self.sits()? {
            return Ok(());
        }
        let cut = matches!(
            awaiting,
            Awaiting::Cut(_) | Awaiting::Procedure(Procedure::Cut { .. })
        );
        if let Some((box_id, words)) = self.say().filter(|_| cut) {
            match words[0].as_str() {
                "cut" => {
                    let at = self.card_count(words)?;
                    return self.obey(Command::AcceptCut { box_id, at });
                }
                "decline" | "pass" => return self.obey(Command::DeclineCut { box_id }),
                _ => {}
            }
        }
        if let Some(What::Official { .. }) = self.statement().map(|statement| &statement.what)
            && let Command::Perform(procedure) = self.official_command()?
        {
            let expected = match awaiting {
                Awaiting::Procedure(expected) => expected,
                _ => Procedure::Cut { by: None, at: 0 },
            };
            if std::mem::discriminant(&expected) == std::mem::discriminant(&procedure) {
                return self.obey(Command::Perform(procedure));
            }
        }
        if let Awaiting::Cut(box_id) = awaiting {
            let at = (self.table.custody().stack() / 2) as u16;
            return self.command(Command::AcceptCut { box_id, at });
        }
        if let Some(event) = self.table.preparation() {
            self.apply(&event);
        }
        Ok(())
    }

    /// `BOX PLAYER sits`: somebody comes to the table.
    fn sits(&mut self) -> Result<bool, Stop> {
        match self.say() {
            Some((box_id, [name, verb])) if verb == "sits" => {
                let person = self.person(name);
                self.obey(Command::Sit { box_id, person })?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn card_count(&self, words: &[String]) -> Result<u16, Stop> {
        let count = words.get(1).and_then(|word| word.parse().ok());
        count.ok_or_else(|| self.error(format!("`{}` needs a number of cards", words[0])))
    }

    // wagers

    fn wagers(&mut self) -> Result<(), Stop> {
        if self.sits()? {
            return Ok(());
        }
        let round = &self.file.rounds[self.round];
        match round.get(self.at).map(|statement| &statement.what) {
            Some(What::Bet {
                box_id,
                player,
                amounts,
                sides,
                seated,
            }) => {
                let person = self.person(player);
                let box_id = BoxId(*box_id);
                let seated = self.is_seated(*seated, box_id);
                let first = self
                    .table
                    .round()
                    .box_at(box_id)
                    .is_none_or(|at| self.table.round().boxes[at].bettors.is_empty());
                if !first {
                    self.command(Command::Consent(box_id))?;
                }
                let mut three = [Cents::ZERO; 3];
                three[..amounts.len()].copy_from_slice(amounts);
                // two equal amounts are what Switch asks for
                if self.table.rules().game == rules::Game::Switch
                    && amounts.len() == 2
                    && amounts[0] == amounts[1]
                {
                    three[1] = Cents::ZERO;
                }
                self.command(Command::Wager {
                    box_id,
                    person,
                    seated,
                    amounts: three,
                })?;
                for &(bet, amount) in sides {
                    self.command(Command::SideWager {
                        box_id,
                        person,
                        bet,
                        amount,
                    })?;
                }
                self.at += 1;
                Ok(())
            }
            Some(What::Say { box_id, words }) if self.withdraws(BoxId(*box_id), words) => {
                let (bettor, words) = self.speaker(BoxId(*box_id), words)?;
                let command = self.command_of(BoxId(*box_id), bettor, words)?;
                self.obey(command)
            }
            Some(What::Say { box_id, words }) if words[0] == "cut" => {
                let at = self.card_count(words)?;
                self.obey(Command::AcceptCut {
                    box_id: BoxId(*box_id),
                    at,
                })
            }
            // an official's line that did not take effect, and nobody has wagered
            Some(What::Official { .. }) if self.table.round().boxes.is_empty() => {
                let command = self.official_command()?;
                self.obey(command)
            }
            _ if self.table.round().boxes.is_empty() && round.is_empty() && self.round > 0 => {
                Err(Stop::Error {
                    line: None,
                    message: "a round needs a bet".to_string(),
                })
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

    /// Whether the line takes a wager back that lies on the box and is not in play yet.
    fn withdraws(&self, box_id: BoxId, words: &[String]) -> bool {
        let withdraw = words.iter().any(|word| word == "withdraw");
        withdraw && self.table.round().box_at(box_id).is_some()
    }

    /// The first bettor of a box sits there, unless another line says so of somebody else.
    fn is_seated(&self, said: Seated, box_id: BoxId) -> bool {
        let bets = self.file.rounds[self.round]
            .iter()
            .filter_map(|statement| match &statement.what {
                What::Bet {
                    box_id: other,
                    seated,
                    ..
                } if BoxId(*other) == box_id => Some(*seated),
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
            let message = "the cards of the file run out before the round is finished".to_string();
            return Err(Stop::Error {
                line: self.statement().map(|s| s.line),
                message,
            });
        };
        let event = self
            .table
            .decide(Command::Card(card))
            .map_err(|refusal| Stop::Error {
                line: None,
                message: refusal.to_string(),
            })?;
        self.apply(&event);
        self.card_used();
        Ok(())
    }

    /// `BOX refuse` while the exposed card is to be dealt to that box: 2.15(c)#2.
    fn refuses_card(&mut self) -> Result<bool, Stop> {
        match self.say() {
            Some((box_id, words)) if words[0] == "refuse" && self.table.round().exposed.is_some() => {
                self.obey(Command::RefuseCard(box_id))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    // statements

    /// The words of the next statement if it speaks for this box.
    fn say(&self) -> Option<(BoxId, &'a [String])> {
        match &self.statement()?.what {
            What::Say { box_id, words } => Some((BoxId(*box_id), words)),
            _ => None,
        }
    }

    /// Who speaks in `BOX [PLAYER] VERB …`, and the words from the verb on.
    fn speaker(&self, box_id: BoxId, words: &'a [String]) -> Result<(Bettor, &'a [String]), Stop> {
        let play = self
            .table
            .round()
            .box_at(box_id)
            .map(|at| &self.table.round().boxes[at]);
        let caller = play.map_or(Bettor(0), |play| Bettor(play.caller));
        if is_verb(&words[0]) {
            return Ok((caller, words));
        }
        if words.len() < 2 || !is_verb(&words[1]) {
            return Err(self.error(format!("`{}` is no decision of the notation", words.join(" "))));
        }
        let person = self.people.iter().position(|name| *name == words[0]);
        let bettor = play.zip(person).and_then(|(play, person)| {
            play.bettors
                .iter()
                .position(|bettor| bettor.person == Person(person as u32))
        });
        match bettor {
            Some(bettor) => Ok((Bettor(bettor as u8), &words[1..])),
            None => Err(self.error(format!("{} has no wager on box {}", words[0], box_id.0))),
        }
    }

    fn speaks_for(&self, box_id: BoxId) -> bool {
        self.say().is_some_and(|(said, _)| said == box_id)
    }

    /// Uses up the next statement if it is one of these words for this box.
    fn take_word(&mut self, box_id: BoxId, words: &[&str]) -> bool {
        let says = self
            .say()
            .is_some_and(|(said, spoken)| said == box_id && words.contains(&spoken[0].as_str()));
        if says {
            self.at += 1;
        }
        says
    }

    // offers

    fn offers(&mut self, offer: Offer) -> Result<(), Stop> {
        if let Some((box_id, words)) = self.say()
            && let Ok((bettor, words)) = self.speaker(box_id, words)
        {
            let answers = matches!(
                (offer, words[0].as_str()),
                (_, "pass")
                    | (Offer::Insurance, "insurance" | "even-money")
                    | (Offer::Attack | Offer::SecondAttack | Offer::ThirdAttack, "attack")
            );
            if answers && self.table.is_asked(box_id, bettor) {
                return self.offer_answered(offer, box_id, bettor, words);
            }
            // a box without a wager, or an offer made twice, is refused where it stands
            let known = self.table.round().box_at(box_id).is_some();
            if answers && !known {
                let command = self.command_of(box_id, bettor, words)?;
                return self.obey(command);
            }
        }
        self.decline_one(offer)
    }

    fn offer_answered(
        &mut self,
        offer: Offer,
        box_id: BoxId,
        bettor: Bettor,
        words: &[String],
    ) -> Result<(), Stop> {
        if words[0] == "pass" {
            return self.obey(Command::Decline {
                box_id,
                bettor,
                offer,
            });
        }
        let command = self.command_of(box_id, bettor, words)?;
        self.obey(command)
    }

    /// An offer that no line takes up is declined.
    fn decline_one(&mut self, offer: Offer) -> Result<(), Stop> {
        let asked = self.table.round().boxes.iter().find_map(|play| {
            play.bettors
                .iter()
                .position(|bettor| !bettor.answered)
                .map(|at| (play.id, Bettor(at as u8)))
        });
        match asked {
            Some((box_id, bettor)) => self.command(Command::Decline {
                box_id,
                bettor,
                offer,
            }),
            None => Ok(()),
        }
    }

    fn late_insurance(&mut self, box_id: BoxId) -> Result<(), Stop> {
        if let Some((said, words)) = self.say()
            && said == box_id
            && let Ok((bettor, words)) = self.speaker(box_id, words)
            && matches!(words[0].as_str(), "insurance" | "pass")
            && self.table.is_asked(box_id, bettor)
        {
            return self.offer_answered(Offer::Insurance, box_id, bettor, words);
        }
        let at = self.table.round().box_at(box_id).unwrap_or(0);
        let bettor = self.table.round().boxes[at]
            .bettors
            .iter()
            .position(|bettor| !bettor.answered)
            .unwrap_or(0);
        self.command(Command::Decline {
            box_id,
            bettor: Bettor(bettor as u8),
            offer: Offer::Insurance,
        })
    }

    fn switch(&mut self, box_id: BoxId) -> Result<(), Stop> {
        if self.take_word(box_id, &["switch"]) {
            self.command(Command::Switch(box_id))
        } else {
            self.take_word(box_id, &["keep"]);
            self.command(Command::DeclineSwitch(box_id))
        }
    }

    fn revocation(&mut self, box_id: BoxId) -> Result<(), Stop> {
        match self.say() {
            Some((said, words)) if said == box_id && matches!(words[0].as_str(), "revoke" | "switch") => {
                self.statement_decision()
            }
            _ => {
                self.take_word(box_id, &["keep"]);
                self.command(Command::DeclineSwitch(box_id))
            }
        }
    }

    fn co_bettors(&mut self, ask: CoAsk) -> Result<(), Stop> {
        let (at, hand) = match ask {
            CoAsk::Double(at, hand) | CoAsk::Split(at, hand, _) => (at, hand),
        };
        let box_id = self.table.round().boxes[at].id;
        if let Some((said, words)) = self.say()
            && said == box_id
            && !is_verb(&words[0])
            && let Ok((bettor, words)) = self.speaker(box_id, words)
            && self.table.is_asked(box_id, bettor)
        {
            let answers = match ask {
                CoAsk::Double(..) => matches!(words[0].as_str(), "double" | "pass" | "stand"),
                CoAsk::Split(..) => matches!(words[0].as_str(), "cover" | "follow" | "split"),
            };
            if answers {
                let command = match words[0].as_str() {
                    "pass" => Command::Decide {
                        box_id,
                        bettor,
                        decision: Decision::NotDouble,
                    },
                    _ => self.command_of(box_id, bettor, words)?,
                };
                return self.obey(command);
            }
        }
        let bettor = self.table.round().boxes[at]
            .bettors
            .iter()
            .position(|bettor| !bettor.answered)
            .unwrap_or(0);
        let decision = match ask {
            CoAsk::Double(..) => Decision::NotDouble,
            CoAsk::Split(..) => Decision::Follow(hand),
        };
        self.command(Command::Decide {
            box_id,
            bettor: Bettor(bettor as u8),
            decision,
        })
    }

    // decisions

    fn stand(&mut self, ask: Decide) -> Result<(), Stop> {
        let at = self.table.round().box_at(ask.box_id).unwrap_or(0);
        let bettor = Bettor(self.table.round().boxes[at].caller);
        self.command(Command::Decide {
            box_id: ask.box_id,
            bettor,
            decision: Decision::Stand,
        })
    }

    fn decision(&mut self, ask: Decide) -> Result<(), Stop> {
        match self.statement().map(|statement| &statement.what) {
            Some(What::Say { .. }) => {
                let same_box = self.speaks_for(ask.box_id);
                if !same_box && !ask.actions.has(Action::Hit) {
                    return self.stand(ask);
                }
                self.statement_decision()
            }
            _ if !ask.actions.has(Action::Hit) => self.stand(ask),
            Some(What::Official { .. }) => {
                let command = self.official_command()?;
                match self.table.decide(command) {
                    Err(refusal) => Err(self.refused(refusal)),
                    Ok(_) => Err(self.error("the card that this line names is not the next one".to_string())),
                }
            }
            Some(What::Bet { .. }) => self.late_bet(),
            None => {
                let why = format!("box {}, hand {}: a decision is missing", ask.box_id.0, ask.hand.0);
                Err(Stop::Error {
                    line: None,
                    message: why,
                })
            }
        }
    }

    fn late_bet(&mut self) -> Result<(), Stop> {
        let refusal = self.table.decide(Command::Consent(BoxId(1)));
        match refusal {
            Err(refusal) => Err(self.refused(refusal)),
            Ok(_) => Err(self.error("a bet is out of place here".to_string())),
        }
    }

    fn statement_decision(&mut self) -> Result<(), Stop> {
        let Some((box_id, words)) = self.say() else {
            return Err(self.error("a decision is missing".to_string()));
        };
        let (bettor, words) = self.speaker(box_id, words)?;
        let command = self.command_of(box_id, bettor, words)?;
        self.obey(command)
    }

    /// What a line asks for.
    fn command_of(&self, box_id: BoxId, bettor: Bettor, words: &[String]) -> Result<Command, Stop> {
        let decide = |decision| {
            Ok(Command::Decide {
                box_id,
                bettor,
                decision,
            })
        };
        let hand = self.awaited_hand(box_id);
        match words[0].as_str() {
            "hit" => decide(Decision::Hit),
            "stand" => decide(Decision::Stand),
            "split" => decide(Decision::Split),
            "surrender" => decide(Decision::Surrender),
            "double" => {
                let face_down = words.last().is_some_and(|word| word == "face-down");
                let given = words.get(1).filter(|word| *word != "face-down");
                let full = self.table.cost(box_id, hand, bettor);
                let amounts = match given {
                    Some(text) => self.spread(text, full)?,
                    None => full,
                };
                decide(Decision::Double { amounts, face_down })
            }
            "cover" => decide(Decision::Cover),
            "follow" => {
                let number = words.get(1).and_then(|word| word.parse().ok());
                let number =
                    number.ok_or_else(|| self.error("`follow` needs the number of a hand".to_string()))?;
                decide(Decision::Follow(HandNumber(number)))
            }
            "withdraw" => {
                let person = self.table.round().box_at(box_id).and_then(|at| {
                    let play = &self.table.round().boxes[at];
                    play.bettors.get(usize::from(bettor.0)).map(|who| who.person)
                });
                let person = person.unwrap_or(Person(u32::MAX));
                Ok(Command::Withdraw { box_id, person })
            }
            "switch" => Ok(Command::Switch(box_id)),
            "revoke" => Ok(Command::Revoke(box_id)),
            "keep" => Ok(Command::DeclineSwitch(box_id)),
            "refuse" => Ok(Command::RefuseCard(box_id)),
            "accept" => Ok(Command::TakeLateCard { box_id, take: true }),
            "decline" => Ok(Command::TakeLateCard { box_id, take: false }),
            "attack" => {
                let main = self
                    .table
                    .main_wager(box_id, bettor)
                    .map_or(Cents::ZERO, |main| main[0]);
                let amount = match words.get(1) {
                    Some(text) => text.parse().map_err(|e| self.error(format!("{e}")))?,
                    None => main,
                };
                Ok(Command::Attack {
                    box_id,
                    bettor,
                    amount,
                })
            }
            "insurance" => self.insurance(box_id, bettor, words),
            "even-money" => Ok(Command::TakeEvenMoney { box_id, bettor }),
            "award" => {
                let amount = words
                    .get(1)
                    .ok_or_else(|| self.error("`award` needs an amount".to_string()))?;
                let amount = amount.parse().map_err(|e| self.error(format!("{e}")))?;
                Ok(Command::Award {
                    box_id,
                    bettor,
                    amount,
                })
            }
            "pass" => Ok(Command::Decline {
                box_id,
                bettor,
                offer: self.offer_now(),
            }),
            other => Err(self.error(format!("`{other}` is not a decision that can be made here"))),
        }
    }

    fn offer_now(&self) -> Offer {
        match self.table.awaiting() {
            Some(Awaiting::Offers(offer)) => offer,
            _ if self.table.rules().game == rules::Game::DoubleAttack => Offer::Attack,
            _ if self.table.rules().game == rules::Game::TripleAttack => Offer::SecondAttack,
            _ => Offer::Insurance,
        }
    }

    fn awaited_hand(&self, box_id: BoxId) -> HandNumber {
        match self.table.awaiting() {
            Some(Awaiting::Decision(ask)) if ask.box_id == box_id => ask.hand,
            Some(Awaiting::CoBettors(CoAsk::Double(_, hand) | CoAsk::Split(_, hand, _))) => hand,
            _ => HandNumber(1),
        }
    }

    /// One amount stands for every spot that has a wager; several are given spot by spot.
    fn spread(&self, text: &str, full: [Cents; 3]) -> Result<[Cents; 3], Stop> {
        let amounts = amounts_of(text).map_err(|message| self.error(message))?;
        let mut three = [Cents::ZERO; 3];
        if amounts.len() == 1 && self.table.rules().variation == Variation::MultipleAction {
            for (spot, amount) in three.iter_mut().enumerate() {
                *amount = if full[spot] > Cents::ZERO {
                    amounts[0]
                } else {
                    Cents::ZERO
                };
            }
        } else {
            three[..amounts.len()].copy_from_slice(&amounts);
        }
        Ok(three)
    }

    fn insurance(&self, box_id: BoxId, bettor: Bettor, words: &[String]) -> Result<Command, Stop> {
        let text = words
            .get(1)
            .ok_or_else(|| self.error("`insurance` needs an amount".to_string()))?;
        let full = self.table.main_wager(box_id, bettor).unwrap_or([Cents::ZERO; 3]);
        let amounts = self.spread(text, full)?;
        let hand = match words.get(2).map(String::as_str) {
            None | Some("first") => HandNumber(1),
            Some("second") => HandNumber(2),
            Some(other) => return Err(self.error(format!("`{other}` is neither first nor second"))),
        };
        Ok(Command::Insure {
            box_id,
            bettor,
            hand,
            amounts,
        })
    }

    fn award(&mut self, box_id: BoxId, bettor: Bettor) -> Result<(), Stop> {
        if let Some((said, words)) = self.say()
            && said != box_id
            && let Ok((speaker, words)) = self.speaker(said, words)
            && words[0] == "award"
        {
            // the button goes from the dealer's left to each winner
            let command = self.command_of(said, speaker, words)?;
            return self.obey(command);
        }
        if let Some((said, words)) = self.say()
            && said == box_id
            && let Ok((speaker, words)) = self.speaker(box_id, words)
            && words[0] == "award"
        {
            let who = if is_verb(&self.say().map_or(String::new(), |(_, w)| w[0].clone())) {
                bettor
            } else {
                speaker
            };
            let command = self.command_of(box_id, who, words)?;
            return self.obey(command);
        }
        Err(self.error(format!(
            "box {}: say what the bonus button showed, like `{} award 20`",
            box_id.0, box_id.0
        )))
    }

    // officials

    /// Tries the next line if it is an official's; it takes effect as soon as it can have happened.
    fn official(&mut self) -> Result<bool, Stop> {
        let Some(What::Official { words, .. }) = self.statement().map(|statement| &statement.what) else {
            return Ok(false);
        };
        if let ("admit", Some(name)) = (words[0].as_str(), words.get(1)) {
            self.person(name);
        }
        if self.table.round().void.is_some() || !self.moment_has_come(words)? {
            return Ok(false);
        }
        let command = self.official_command()?;
        let named = match command {
            Command::Report(
                Irregularity::FoundFaceUp(card)
                | Irregularity::TenFound(card)
                | Irregularity::Exposed(card)
                | Irregularity::DrewOnStanding(card)
                | Irregularity::MovedForward(card)
                | Irregularity::Misdelivered(card),
            )
            | Command::Determinant(card, _) => Some(card),
            _ => None,
        };
        // one card is missing when the other has been dealt
        let of_one_card = match command {
            Command::Report(Irregularity::MissedBox(_)) if words[0] == "missed-second-card" => {
                self.second_card_awaited()
            }
            Command::Report(Irregularity::MissedOwnCard) if words[0] == "missed-own-second-card" => {
                self.table.round().dealer.len() == 1
            }
            _ => true,
        };
        if !of_one_card {
            return Ok(false);
        }
        if named.is_some() && self.file.cards.get(self.next_card).copied() != named {
            return Ok(false);
        }
        let Ok(event) = self.table.decide(command) else {
            return Ok(false);
        };
        self.apply(&event);
        self.at += 1;
        let stays = matches!(
            command,
            Command::Report(Irregularity::Exposed(_) | Irregularity::MovedForward(_))
        );
        if named.is_some() && !stays {
            self.card_used();
        }
        Ok(true)
    }

    /// Whether the card awaited is the second of a hand's initial two.
    fn second_card_awaited(&self) -> bool {
        let Some(Awaiting::Card(Place::Hand(box_id, number))) = self.table.awaiting() else {
            return false;
        };
        let play = self
            .table
            .round()
            .box_at(box_id)
            .map(|at| &self.table.round().boxes[at]);
        let hand = play.and_then(|play| play.hand_at(number).map(|at| &play.hands[at]));
        hand.is_some_and(|hand| hand.hand.len() == 1)
    }

    /// A line that ends in `after N`, or `after N+K`, waits for the Nth card of the round and K steps after it.
    fn moment_has_come(&self, words: &[String]) -> Result<bool, Stop> {
        let [_, .., after, moment] = words else {
            return Ok(true);
        };
        if after != "after" {
            return Ok(true);
        }
        let (cards, steps) = moment.split_once('+').unwrap_or((moment, "0"));
        let (Ok(cards), Ok(steps)) = (cards.parse::<usize>(), steps.parse::<usize>()) else {
            return Err(self.error(format!("`after {moment}` names no number of cards")));
        };
        let now = (self.next_card - self.first_card, self.since_card);
        Ok(self.table.round().step > 0 && now >= (cards, steps))
    }

    fn official_command(&self) -> Result<Command, Stop> {
        let Some(Statement {
            what: What::Official { who, words },
            ..
        }) = self.statement()
        else {
            return Err(self.error("an official's line is missing".to_string()));
        };
        let card = || -> Result<Card, Stop> {
            let word = words
                .get(1)
                .ok_or_else(|| self.error(format!("`{}` needs a card", words[0])))?;
            word.parse().map_err(|e| self.error(format!("{e}")))
        };
        let box_id = || -> Result<BoxId, Stop> {
            let number = words.get(1).and_then(|word| word.parse().ok());
            number
                .map(BoxId)
                .ok_or_else(|| self.error(format!("`{}` needs the number of a box", words[0])))
        };
        let person = || -> Result<Person, Stop> {
            let name = words
                .get(1)
                .ok_or_else(|| self.error(format!("`{}` needs a name", words[0])))?;
            let known = self.people.iter().position(|known| known == name);
            Ok(Person(known.unwrap_or(self.people.len()) as u32))
        };
        let report = |irregularity| Ok(Command::Report(irregularity));
        let perform = |procedure| Ok(Command::Perform(procedure));
        match (*who, words[0].as_str()) {
            (_, "found-face-up") => report(Irregularity::FoundFaceUp(card()?)),
            (_, "ten-found") => report(Irregularity::TenFound(card()?)),
            (_, "drawn-unexposed") => report(Irregularity::DrawnUnexposed),
            (_, "exposed") => report(Irregularity::Exposed(card()?)),
            (_, "drew-on-standing") => report(Irregularity::DrewOnStanding(card()?)),
            (_, "missed-own-second-card") => report(Irregularity::MissedOwnCard),
            (_, "missed-second-card") => report(Irregularity::MissedBox(box_id()?)),
            (_, "missed-own-card") => report(Irregularity::MissedOwnCard),
            (_, "missed-box") => report(Irregularity::MissedBox(box_id()?)),
            (_, "missed-draw") => report(Irregularity::MissedDraw(box_id()?)),
            (_, "wrong-side") => report(Irregularity::WrongSide),
            (_, "reader-misused") => report(Irregularity::ReaderMisused),
            (_, "reader-failed") => report(Irregularity::ReaderFailed),
            (_, "up-card-not-moved") => report(Irregularity::UpCardNotMoved),
            (_, "up-card-discarded") => report(Irregularity::UpCardDiscarded),
            (_, "light-failed") => report(Irregularity::LightFailed(box_id()?)),
            (_, "bonus-failed") => report(Irregularity::BonusFailed(box_id()?)),
            (_, "double-dealt-up") => report(Irregularity::DoubleDealtUp(box_id()?)),
            (_, "out-of-cards") => report(Irregularity::OutOfCards),
            (_, "shuffler-failed") => report(Irregularity::ShufflerFailed),
            (_, "shuffler-removed") => report(Irregularity::ShufflerRemoved),
            (_, "burn-forgotten") => report(Irregularity::BurnForgotten),
            (_, "misdelivered") if words.get(2).is_some_and(|word| word == "forward") => {
                report(Irregularity::MovedForward(card()?))
            }
            (_, "misdelivered") => report(Irregularity::Misdelivered(card()?)),
            (_, "moved-forward") => report(Irregularity::MovedForward(card()?)),
            (_, "let-out" | "lets-out") => report(Irregularity::LetOut(box_id()?)),
            (_, "seen-in-mixing") => report(Irregularity::SeenInMixing),
            (_, "destroy-tens") => perform(Procedure::DestroyTens),
            (_, "plug") => perform(Procedure::Plug),
            (_, "riffle") => perform(Procedure::Riffle),
            (_, "turn") => perform(Procedure::Turn),
            (_, "strip") => perform(Procedure::Strip),
            (_, "inspect") => perform(Procedure::Inspect),
            (_, "remove-tens") => perform(Procedure::RemoveTens),
            (_, "verify-tens") => perform(Procedure::VerifyTens(Person(0))),
            (_, "spread") => perform(Procedure::Spread),
            (_, "turn-up") => perform(Procedure::TurnUp),
            (_, "turn-down") => perform(Procedure::TurnDown),
            (_, "wash") => perform(Procedure::Wash),
            (_, "stack") => perform(Procedure::Stack),
            (_, "empty-shoe") => perform(Procedure::EmptyShoe),
            (_, "plug") => perform(Procedure::Plug),
            (_, "riffle") => perform(Procedure::Riffle),
            (_, "turn") => perform(Procedure::Turn),
            (_, "strip") => perform(Procedure::Strip),
            (_, "shuffle") => perform(Procedure::Shuffle),
            (_, "swap-batches") => perform(Procedure::SwapBatches),
            (_, "cut") => perform(Procedure::Cut {
                by: None,
                at: self.card_count(words)?,
            }),
            (_, "cover-bottom") => perform(Procedure::CoverBottom),
            (_, "place-cutting-card") => perform(Procedure::PlaceCuttingCard {
                behind: self.card_count(words)?,
            }),
            (_, "load") => perform(Procedure::Load),
            (_, "take-in-hand") => perform(Procedure::TakeInHand),
            (_, "burn") => perform(Procedure::Burn),
            (_, "insert-three-stacks") => perform(Procedure::InsertThreeStacks),
            (_, "return-to-shuffler") => perform(Procedure::ReturnToShuffler),
            (_, "idle") => Ok(Command::FallIdle),
            (Official::Supervisor, "recut") => Ok(Command::OrderRecut {
                role: Role::Supervisor,
            }),
            (Official::Floor, "recut") => Ok(Command::OrderRecut {
                role: Role::Floorperson,
            }),
            (Official::Dealer, "recut") => Ok(Command::OrderRecut { role: Role::Dealer }),
            (_, "disclose-burn") => Ok(Command::DiscloseBurn(card()?)),
            (_, "reshuffle") => Ok(Command::OrderReshuffle),
            (_, "relieved") => Ok(Command::RelieveDealer(person()?)),
            (_, "admit") => Ok(Command::Admit(person()?)),
            (_, "determinant") => {
                let side = match words.get(2).map(String::as_str) {
                    Some("red") => Side::Red,
                    Some("black") => Side::Black,
                    _ => return Err(self.error("say from which side it was drawn: red or black".to_string())),
                };
                Ok(Command::Determinant(card()?, side))
            }
            (Official::Floor, "void") => Ok(Command::VoidRound {
                role: Role::Floorperson,
            }),
            (Official::Supervisor, "void") => Ok(Command::VoidRound {
                role: Role::Supervisor,
            }),
            (Official::Dealer, "void") => Ok(Command::VoidRound { role: Role::Dealer }),
            (_, other) => Err(self.error(format!(
                "`{other}` is no irregularity or procedure of the notation"
            ))),
        }
    }

    // the end of a round

    /// Lines that nobody asked for: a decision out of turn is refused, with the state of the round to say why.
    fn leftover(&mut self) -> Result<(), Stop> {
        let Some(statement) = self.statement() else {
            return Ok(());
        };
        match &statement.what {
            What::Say { box_id, words } => {
                let box_id = BoxId(*box_id);
                let (bettor, words) = self.speaker(box_id, words)?;
                let command = self.command_of(box_id, bettor, words)?;
                match self.table.decide(command) {
                    Err(refusal) => Err(self.refused(refusal)),
                    Ok(_) => Err(self.error("this line is out of place".to_string())),
                }
            }
            What::Bet { .. } => self.late_bet(),
            What::Official { .. } => {
                let command = self.official_command()?;
                match self.table.decide(command) {
                    _ if self.table.round().void.is_some() => Ok(()),
                    Err(refusal) => Err(self.refused(refusal)),
                    Ok(_) => Err(self.error("what this line says did not happen at its place".to_string())),
                }
            }
        }
    }

    fn finish_round(&mut self) {
        let round = self.table.round();
        let mut dealer = std::mem::take(&mut self.dealer_hands);
        dealer.push(round.dealer.cards().to_vec());
        let mut hands = Vec::new();
        for play in &round.boxes {
            let mut of_box: Vec<_> = play.hands.iter().collect();
            of_box.sort_by_key(|hand| hand.number);
            hands.extend(of_box.into_iter().map(|hand| HandRecord {
                box_id: play.id,
                hand: hand.number,
                cards: hand.hand.cards().to_vec(),
                total: hand.hand.total(),
            }));
        }
        let several = self.table.rules().spots() > 1;
        let mut wagers: Vec<WagerRecord> = Vec::new();
        for event in self.events.last().into_iter().flatten() {
            match event.fact {
                Fact::Settled(settlement) => wagers.push(self.wager_record(&settlement, event.by, several)),
                Fact::Reversed(settlement) => {
                    let record = self.wager_record(&settlement, event.by, several);
                    for wager in wagers.iter_mut().filter(|wager| {
                        (wager.box_id, wager.hand, wager.wager, wager.spot)
                            == (record.box_id, record.hand, record.wager, record.spot)
                            && wager.player == record.player
                    }) {
                        wager.result = Ending::Void;
                        wager.net = Cents::ZERO;
                        wager.clause = event.by;
                    }
                }
                _ => {}
            }
        }
        let mut net: Vec<(String, Cents)> = Vec::new();
        for play in &round.boxes {
            for bettor in &play.bettors {
                let name = self.name(bettor.person);
                if !net.iter().any(|(known, _)| *known == name) {
                    net.push((name, Cents::ZERO));
                }
            }
        }
        for wager in &wagers {
            match net.iter_mut().find(|(name, _)| *name == wager.player) {
                Some((_, total)) => *total += wager.net,
                None => net.push((wager.player.clone(), wager.net)),
            }
        }
        self.records.push(RoundRecord {
            dealer,
            hands,
            wagers,
            net,
        });
    }

    fn name(&self, person: Person) -> String {
        self.people.get(person.0 as usize).cloned().unwrap_or_default()
    }

    fn wager_record(&self, settlement: &Settlement, clause: Clause, several: bool) -> WagerRecord {
        let by_spot = several && !matches!(settlement.wager, Wager::Side(_));
        WagerRecord {
            box_id: settlement.box_id,
            hand: settlement.hand,
            player: self.name(settlement.person),
            wager: settlement.wager,
            spot: by_spot.then_some(settlement.spot.0 + 1),
            amount: settlement.staked,
            result: settlement.ending,
            net: settlement.net,
            clause,
            when: settlement.when,
        }
    }
}

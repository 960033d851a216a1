//! A live table without time or network: the rules engine, the people, the virtual shoe and the money.
//!
//! All changes happen on a copy, which replaces the table only when its record is durable.

use super::command_codec;
use super::correction::{Corrected, LastCard, told_card};
use super::money::{Stakes, Till};
use super::origins::{Origin, Origins};
use super::returns::BetTotalsByName;
use super::seats::Seats;
use super::shares::GivenShare;
use super::shoe::{Cut, Shoes, VirtualShoe, reorders, sides};
use crate::error::ApiError;
use crate::fair::{Opening, ShoeId, Vault};
use crate::house_file::{Dealing, TableSetup};
use crate::wire::text_of;
use ledger::{Cents, PersonId, Postings, RoundNo, TableId};
use rules::Rules;
use rules::play::Refusal;
use std::collections::HashMap;
use std::sync::Arc;
use table::shoe::Procedure;
use table::{Awaiting, BoxId, Command, Event, Fact, HandNumber, Side, Table};

/// Who chose a command: the person who sent it, or the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The person who sent the command.
    Person,
    /// The platform, for an automatic step such as dealing a card.
    House,
    /// The platform, which applies the published rule for a player who did not answer in time.
    Absent,
}

impl By {
    pub fn letter(self) -> char {
        match self {
            By::Person => 'p',
            By::House => 'h',
            By::Absent => 'a',
        }
    }

    pub fn from_letter(letter: &str) -> Option<By> {
        [By::Person, By::House, By::Absent].into_iter().find(|by| letter == by.letter().to_string())
    }
}

/// The reason why a table cannot continue. A table fault is never caused by a player.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TableFault {
    #[error("cannot get random numbers from the system: {0}")]
    Entropy(String),
    #[error("cannot read the stored shoe: {0}")]
    Shoe(String),
    #[error("the table rejected the platform's command: {0}")]
    Refused(String),
    #[error("the journal is inconsistent with the table: {0}")]
    Journal(String),
    #[error("the table would move chips of person {0}, who has no account")]
    Stranger(u32),
}

/// The reason why a command was not performed: the rules refuse it, or the table has a fault.
#[derive(Clone, Debug)]
pub enum CommandError {
    Refused(Refusal),
    TableFault(TableFault),
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> CommandError {
        CommandError::Refused(refusal)
    }
}

impl From<TableFault> for CommandError {
    fn from(stuck: TableFault) -> CommandError {
        CommandError::TableFault(stuck)
    }
}

/// Converts the reason into the error that the client sees. A table with a fault is logged as parked.
impl From<CommandError> for ApiError {
    fn from(halt: CommandError) -> ApiError {
        match halt {
            CommandError::Refused(refusal) => refusal.into(),
            CommandError::TableFault(stuck) => {
                tracing::error!(%stuck, "the table is parked");
                ApiError::stopped()
            }
        }
    }
}

/// Converts the reason into a table fault, for commands that the table must accept.
impl From<CommandError> for TableFault {
    fn from(halt: CommandError) -> TableFault {
        match halt {
            CommandError::Refused(refusal) => TableFault::Refused(refusal.why.to_string()),
            CommandError::TableFault(stuck) => stuck,
        }
    }
}

/// Returns a table's rules as the text that the journal stores.
pub fn rules_text(rules: &Rules) -> String {
    rules::file::show(rules)
}

/// The result of performing commands: journal lines, events and chip movements.
#[derive(Clone, Debug, Default)]
pub struct Step {
    pub lines: Vec<String>,
    pub events: Vec<(By, Event)>,
    /// The origin of the card that each event drew or turned up, one entry per event.
    ///
    /// An entry is `None` if the event drew or turned up no card, or if the card came from no virtual shoe.
    pub origins: Vec<Option<Origin>>,
    pub postings: Postings,
    /// The openings of ended shoes that are published with this step.
    pub openings: Vec<Opening>,
    /// The checkpoint's journal line, from which a restart can begin, or `None` if this step is not a checkpoint.
    ///
    /// A checkpoint reopens the table or takes a snapshot of it.
    pub checkpoint: Option<String>,
    /// The round that a corrected card belongs to, or `None` if the step is no correction and belongs to the round
    /// in play.
    ///
    /// The corrected card may have ended its round.
    pub round: Option<RoundNo>,
    pub corrected: Option<Corrected>,
    pub declared: Option<VoidDeclaration>,
    /// The box and number of each hand that was settled as a blackjack in this step.
    ///
    /// The table itself forgets these hands when the round ends.
    pub blackjacks: Vec<(BoxId, HandNumber)>,
}

/// Who declared a round void, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoidDeclaration {
    pub name: String,
    pub why: String,
}

/// What never changes about a table while the house is open: its number, its rules, and who deals.
#[derive(Clone, Debug)]
pub struct Fixed {
    pub id: TableId,
    pub rules: Arc<Rules>,
    pub dealing: Dealing,
}

impl Fixed {
    /// Returns whether the table is the private table of one player.
    pub fn is_solo(&self) -> bool {
        crate::house_file::solo_of(self.id.0).is_some()
    }

    pub fn of(setup: &TableSetup) -> Fixed {
        Fixed { id: TableId(setup.number), rules: Arc::new(setup.rules.clone()), dealing: setup.dealing }
    }
}

#[derive(Clone, Debug)]
pub struct Live {
    pub fixed: Fixed,
    pub table: Table,
    pub seats: Seats,
    pub shoes: Shoes,
    /// The shoe and position that each card on the layout came from; empty at a dealer's table.
    pub origins: Origins,
    /// The players' nonce shares for the new shoe, until they are mixed into the order of its cards.
    pub shares: Vec<GivenShare>,
    /// The openings of shoes that ran out during the round in play, to be published when the round is over.
    ///
    /// Publishing these openings earlier would reveal face-down cards.
    withheld: Vec<Opening>,
    /// The table's totals of bets and payouts; `None` before the table counts them.
    ///
    /// A table that was opened before totals were counted starts to count them when it is reopened.
    pub returns: Option<Arc<BetTotalsByName>>,
    /// The number of rounds that the table had finished when it was last reopened.
    rounds_before: i64,
    /// The number of the table's latest shoe.
    shoe_number: i64,
    is_open: bool,
    /// The number of rounds between the last reopening and the last snapshot; 0 without a snapshot since then.
    snapshot_at: u64,
    /// The last card that a person entered; `None` once another command has followed.
    pub last_card: Option<Arc<LastCard>>,
    /// The display names of the table's players, by person.
    ///
    /// Only views use the names; they are not part of the table's state.
    pub names: Arc<HashMap<PersonId, String>>,
}

/// Returns the seats of a table at which nobody sits yet.
///
/// A training table has the number 0, and is private.
fn nobody(fixed: &Fixed) -> Seats {
    if fixed.id == TableId(0) { Seats::private() } else { Seats::default() }
}

impl Live {
    /// Returns a table that has never been opened.
    pub fn new(fixed: Fixed) -> Live {
        let table = Table::new(Arc::clone(&fixed.rules));
        Live {
            table,
            seats: nobody(&fixed),
            fixed,
            shoes: Shoes::default(),
            origins: Origins::default(),
            shares: Vec::new(),
            withheld: Vec::new(),
            returns: None,
            rounds_before: 0,
            shoe_number: 0,
            is_open: false,
            snapshot_at: 0,
            last_card: None,
            names: Arc::default(),
        }
    }

    /// Returns an open table in the state that a snapshot stores.
    ///
    /// `rounds_before` and `shoe_number` are the values that [`Live::before`] returned for the snapshot.
    pub fn resumed(
        fixed: Fixed,
        (table, seats, shoes): (Table, Seats, Shoes),
        (rounds_before, shoe_number): (i64, i64),
    ) -> Live {
        let snapshot_at = table.memory().round_number;
        Live {
            fixed,
            table,
            seats,
            shoes,
            origins: Origins::default(),
            shares: Vec::new(),
            withheld: Vec::new(),
            returns: None,
            rounds_before,
            shoe_number,
            is_open: true,
            snapshot_at,
            last_card: None,
            names: Arc::default(),
        }
    }

    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns the number of rounds since the last reopening or snapshot, all of which a restart has to replay.
    pub fn rounds_to_replay(&self) -> u64 {
        self.table.memory().round_number.saturating_sub(self.snapshot_at)
    }

    pub fn note_snapshot(&mut self) {
        self.snapshot_at = self.table.memory().round_number;
    }

    /// Returns the number of rounds before the last reopening, and the number of the table's latest shoe.
    pub fn before(&self) -> (i64, i64) {
        (self.rounds_before, self.shoe_number)
    }

    /// Parses the rules in `text`, in the format of a table file, or returns `None` if they describe no legal
    /// table.
    ///
    /// The rules are those of the house file, or others that were once in force.
    pub fn rules_of(&self, text: &str) -> Option<Arc<Rules>> {
        if text == rules_text(&self.fixed.rules) {
            return Some(Arc::clone(&self.fixed.rules));
        }
        let choices = rules::file::parse(text).ok()?;
        Some(Arc::new(Rules::new(choices).ok()?))
    }

    /// Returns the number of the round that a record made now belongs to.
    ///
    /// It is the round in play, or the next round while bets are placed.
    pub fn round_no(&self) -> RoundNo {
        self.round_of(&self.table)
    }

    /// Returns the number of the round that a record made in the state `table` belongs to.
    ///
    /// `table` must be a state that this table has had since its last reopening.
    pub fn round_of(&self, table: &Table) -> RoundNo {
        let started = i64::from(table.round().step == 0);
        let number = i64::try_from(table.memory().round_number).unwrap_or(i64::MAX);
        RoundNo(self.rounds_before.saturating_add(number).saturating_add(started))
    }

    /// Returns the number of boxes with a bet.
    pub fn taken(&self) -> usize {
        self.table.round().boxes.iter().filter(|play| !play.bettors.is_empty()).count()
    }

    /// Returns the number of the table's latest shoe.
    pub fn last_shoe(&self) -> i64 {
        self.shoe_number
    }

    /// Returns the number of the shoe on one side of a double shoe, or of the table's latest shoe if the side has
    /// none.
    pub fn shoe_number(&self, side: Side) -> i64 {
        self.shoes.of(side).map_or(self.shoe_number, |shoe| shoe.id.number)
    }

    /// Ends the table's shoes, and reopens the table with the amount that is on its progressive meter.
    ///
    /// Restoring the table then no longer needs the earlier records.
    pub fn reopen(&mut self, step: &mut Step) {
        for side in sides(&self.table) {
            self.end_shoe(*side, self.table.custody().stack_of(*side));
        }
        self.publish_openings(step);
        let rounds = self.rounds_before + i64::try_from(self.table.memory().round_number).unwrap_or(0);
        let rules = serde_json::Value::from(rules_text(&self.fixed.rules));
        let line = format!("open {rounds} {} {} {rules}", self.table.memory().meter.0, self.shoe_number);
        if rounds == 0 && self.shoe_number == 0 {
            step.postings =
                std::mem::take(&mut step.postings).with(self.till().seed_meter(self.table.memory().meter));
        }
        // Cannot fail: the line was just written in this format.
        let _ = self.restore_opening(&line);
        step.checkpoint = Some(line.clone());
        step.lines.push(line);
        self.write_returns(step);
    }

    /// Adds a journal line with the table's totals of bets and payouts to the step.
    pub fn write_returns(&mut self, step: &mut Step) {
        let returns = self.returns.get_or_insert_default();
        step.lines.push(format!("returns{}", returns.text()));
    }

    /// Checks the totals of bets and payouts in a journal line against those that the table counted.
    ///
    /// If the table has no totals yet, it takes those of the line. Returns an error if the totals differ or cannot
    /// be parsed.
    pub fn check_returns(&mut self, text: &str) -> Result<(), TableFault> {
        let wrong = |what: &str| TableFault::Journal(format!("the recorded bets and payouts {what}"));
        let written = BetTotalsByName::read(text).ok_or_else(|| wrong("cannot be parsed"))?;
        match &self.returns {
            Some(counted) if !counted.same(&written) => Err(wrong("do not match the events")),
            _ => {
                self.returns = Some(Arc::new(written));
                Ok(())
            }
        }
    }

    /// Reopens the table as an `open` line of the journal states, or returns `None` if the line cannot be parsed.
    ///
    /// The table gets the rules that the line states, which were in force then.
    pub fn restore_opening(&mut self, line: &str) -> Option<()> {
        let mut words = line.strip_prefix("open ")?.splitn(4, ' ');
        let mut number = || words.next()?.parse::<i64>().ok();
        let (rounds, meter, shoes) = (number()?, number()?, number()?);
        let text: String = serde_json::from_str(words.next()?).ok()?;
        self.table = Table::new(self.rules_of(&text)?);
        self.table.share_meter(Cents(meter));
        (self.seats, self.shoes, self.last_card) = (nobody(&self.fixed), Shoes::default(), None);
        self.origins = Origins::default();
        self.shares.clear();
        self.withheld.clear();
        (self.rounds_before, self.shoe_number, self.is_open, self.snapshot_at) = (rounds, shoes, true, 0);
        Some(())
    }

    /// Returns whether this is the table's first opening: no round was played before, and the table has had no
    /// shoe.
    pub fn first_opening(&self) -> bool {
        self.rounds_before == 0 && self.shoe_number == 0
    }

    pub fn till(&self) -> Till {
        Till { table: self.fixed.id }
    }

    /// Performs a command, and then every event that the rules require next.
    ///
    /// Returns an error if the rules refuse the command; then nothing has changed.
    pub fn perform(&mut self, by: By, command: Command, step: &mut Step) -> Result<(), CommandError> {
        let event = self.table.decide(command)?;
        step.lines.push(format!("{} {}", by.letter(), command_codec::encode(&command, &self.seats)));
        let corrigible = by == By::Person && told_card(command).is_some();
        let before = corrigible.then(|| (self.table.clone(), self.returns.clone()));
        let moved_before = std::mem::take(&mut step.postings);
        let mut stakes = Stakes::at(&self.table);
        self.apply(by, event, &mut stakes, step)?;
        while let Some(event) = self.table.due() {
            self.apply(By::House, event, &mut stakes, step)?;
        }
        self.last_card = before
            .map(|before| Arc::new(LastCard::of(self, command, &event, (before, step.postings.clone()))));
        step.postings = moved_before.with(std::mem::take(&mut step.postings));
        Ok(())
    }

    /// Adds a journal line that states who declares the round void and why, before the command that voids the
    /// round.
    pub fn declare_void(&mut self, by: By, declared: VoidDeclaration, step: &mut Step) {
        let words = text_of(&(&declared.name, &declared.why));
        step.lines.push(format!("{} because {words}", by.letter()));
        step.declared = Some(declared);
    }

    fn apply(
        &mut self,
        by: By,
        event: Event,
        stakes: &mut Stakes,
        step: &mut Step,
    ) -> Result<(), TableFault> {
        let left = [Side::Red, Side::Black].map(|side| (side, self.table.custody().stack_of(side)));
        let round = self.round_no().0;
        if let Fact::Settled(settled) = event.fact {
            let round = self.table.round();
            let play = round.box_at(settled.box_id).map(|at| &round.boxes[at]);
            let hand = play.and_then(|play| play.hand_at(settled.hand).map(|at| &play.hands[at]));
            if hand.is_some_and(|hand| hand.hand.is_blackjack()) {
                step.blackjacks.push((settled.box_id, settled.hand));
            }
        }
        self.table.apply(&event);
        if let Some(returns) = &mut self.returns
            && matches!(event.fact, Fact::WagersClosed | Fact::Voided | Fact::Settled(_))
        {
            Arc::make_mut(returns).count(&event, &self.table);
        }
        let before = std::mem::replace(stakes, Stakes::at(&self.table));
        let moved = self.till().postings(&event, (&before, stakes), &self.seats)?;
        step.postings = std::mem::take(&mut step.postings).with(moved);
        let mut drawn = None;
        for (side, left) in left {
            let now = self.table.custody().stack_of(side);
            if now > left {
                self.end_shoe(side, left);
            }
            if now < left {
                drawn = Some(Origin { shoe: self.shoe_number(side), left: now });
                if let Some(shoe) = self.shoes.of_mut(side) {
                    shoe.note_drawn(round, shoe.gone(now));
                }
            }
        }
        if self.fixed.dealing == Dealing::Automatic {
            self.origins.follow(self.table.round(), drawn);
        }
        if matches!(event.fact, Fact::HoleTurned(_)) {
            drawn = self.origins.dealer().last().copied().flatten();
        }
        step.events.push((by, event));
        step.origins.push(drawn);
        self.publish_openings(step);
        if let Fact::Performed(Procedure::Cut { by, at }) = event.fact {
            // each side of a double shoe is cut separately
            if let Some(shoe) = self.shoes.of_mut(self.table.custody().side) {
                shoe.cut(Cut { at: usize::from(at), by: by.map(|cutter| cutter.0) });
            }
        }
        Ok(())
    }

    /// Ends the shoe of a side when `left` cards remain in it; its opening is published when the round in play is
    /// over.
    fn end_shoe(&mut self, side: Side, left: usize) {
        if let Some(shoe) = self.shoes.of_mut(side).take() {
            self.withheld.push(shoe.opening(left));
        }
    }

    /// Moves the openings of ended shoes into the step for publication, unless a round is in play.
    ///
    /// 2.15(f) ends a shoe while its cards are on the layout, some of them face down.
    fn publish_openings(&mut self, step: &mut Step) {
        if self.table.round().step == 0 {
            step.openings.append(&mut self.withheld);
        }
    }

    /// Returns the sides of the shoe to shuffle after the step `performed`; none unless the table deals
    /// automatically.
    pub fn to_shuffle(&self, performed: Procedure) -> Vec<Side> {
        let automatic = self.fixed.dealing == Dealing::Automatic;
        // 2.6(m): Bart Carter's shuffle shuffles the discards, which go back into the shoe afterwards
        let discards = self.table.custody().next_procedure() == Some(Procedure::InsertThreeStacks);
        if !automatic || discards {
            return Vec::new();
        }
        let custody = self.table.custody();
        if reorders(performed) {
            return vec![custody.side];
        }
        // preshuffled cards get their order when both sides are loaded
        let loaded = performed == Procedure::Load && !custody.pending.contains(&Procedure::Load);
        let unordered = |side: &Side| loaded && self.shoes.of(*side).is_none();
        sides(&self.table).iter().copied().filter(unordered).collect()
    }

    /// Shuffles, commits to and encrypts a new shoe for a side.
    ///
    /// Returns an error if there is no entropy, or if the vault cannot sign or encrypt.
    pub fn shuffle(&mut self, side: Side, vault: &Vault, step: &mut Step) -> Result<(), TableFault> {
        let id = ShoeId { table: self.fixed.id, number: self.shoe_number + 1 };
        let mut shoe =
            VirtualShoe::shuffled(id, &self.table, side).map_err(|e| TableFault::Entropy(e.to_string()))?;
        let wrong = |e: crate::fair::VaultError| TableFault::Shoe(e.to_string());
        shoe.signature = vault.sign(&shoe.commitment_statement()).map_err(wrong)?;
        let locked = vault.lock(shoe.committed()).map_err(wrong)?;
        let (commitment, signature, locked) =
            (shoe.commitment(), &shoe.signature, ledger::keys::hex(&locked));
        let black = if side == Side::Black { " black" } else { "" };
        step.lines.push(format!("shoe {} {commitment} {signature} {locked}{black}", id.number));
        (self.shoe_number, *self.shoes.of_mut(side)) = (id.number, Some(shoe));
        // These shares were given before this order was fixed.
        self.shares.clear();
        Ok(())
    }

    /// Restores a shoe from a `shoe` line of the journal.
    ///
    /// Returns an error if the line cannot be parsed or decrypted, or if the cards do not match their commitment.
    pub fn shoe_loaded(&mut self, line: &str, vault: &Vault) -> Result<(), TableFault> {
        let wrong = |what: &str| {
            TableFault::Journal(format!("{what} in `{}`", line.chars().take(90).collect::<String>()))
        };
        let mut words = line.strip_prefix("shoe ").unwrap_or_default().split(' ');
        let number = words.next().and_then(|w| w.parse().ok()).ok_or_else(|| wrong("invalid shoe number"))?;
        let commitment = words.next().unwrap_or_default();
        let signature = words.next().unwrap_or_default().to_owned();
        let locked = words.next().and_then(ledger::keys::from_hex).ok_or_else(|| wrong("invalid cards"))?;
        let side = match words.next() {
            None => Side::Red,
            Some("black") => Side::Black,
            Some(_) => return Err(wrong("unknown side")),
        };
        let id = ShoeId { table: self.fixed.id, number };
        let committed = vault.unlock(id, &locked).map_err(|e| TableFault::Shoe(e.to_string()))?;
        let mut shoe = VirtualShoe::restored(committed).ok_or_else(|| wrong("invalid cards"))?;
        if shoe.commitment() != commitment {
            return Err(wrong("the shoe does not match its commitment"));
        }
        shoe.signature = signature;
        (self.shoe_number, *self.shoes.of_mut(side)) = (number, Some(shoe));
        self.shares.clear();
        Ok(())
    }

    /// Returns whether the table should be reopened now.
    ///
    /// A table that was never open must open. Otherwise no bet may continue into the next round, and the table
    /// must be automatic and between two shoes, or its rules must differ from the house file's. One side of a
    /// double shoe continues when the other is over: 2.6(l)3#2.
    pub fn wants_reopening(&self) -> bool {
        if !self.is_open {
            return true;
        }
        if !self.table.is_idle() || !self.table.memory().streaks.is_empty() {
            return false;
        }
        let cards_due = matches!(self.table.awaiting(), Some(Awaiting::Procedure(_)));
        let single = self.table.rules().shoe != rules::Shoe::Double;
        let between = self.fixed.dealing == Dealing::Automatic && cards_due && single;
        (between && self.table.memory().round_number > 0) || *self.table.rules() != *self.fixed.rules
    }
}

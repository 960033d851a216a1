//! Plays the end of a round: leftover lines, and the record of the result.

use super::super::parse::StatementKind;
use super::super::record::{HandRecord, RoundRecord, WagerRecord};
use super::{Replay, Stop};
use crate::event::{Ending, Fact, Settlement};
use crate::ids::{BoxId, Person, Wager};
use rules::{Cents, Clause};

impl<'a> Replay<'a> {
    /// Returns an error for a leftover line, such as a decision out of turn.
    ///
    /// The state of the round at its end gives the reason.
    pub(super) fn leftover(&mut self) -> Result<(), Stop> {
        let Some(statement) = self.statement() else {
            return Ok(());
        };
        match &statement.what {
            StatementKind::Say { box_id, words } => {
                let box_id = BoxId(*box_id);
                let (bettor, verb, rest) = self.speaker(box_id, words)?;
                let command = self.command_of(box_id, bettor, verb, rest)?;
                match self.table.decide(command) {
                    Err(refusal) => Err(self.refused(refusal)),
                    Ok(_) => {
                        Err(self.error("this line cannot happen at this point of the round".to_string()))
                    }
                }
            }
            StatementKind::Bet { .. } => self.late_bet(),
            StatementKind::Official { .. } => {
                let command = self.official_command()?;
                match self.table.decide(command) {
                    _ if self.table.round().void.is_some() => Ok(()),
                    Err(refusal) => Err(self.refused(refusal)),
                    Ok(_) => {
                        self.came_in_turn()?;
                        Err(self.error("the event on this line did not happen at this point".to_string()))
                    }
                }
            }
        }
    }

    pub(super) fn finish_round(&mut self) {
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
        let several = self.table.rules().dealer_hands() > 1;
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
        self.records.push(RoundRecord { dealer, hands, wagers, net });
    }

    pub(super) fn name(&self, person: Person) -> String {
        self.people.get(person.0 as usize).cloned().unwrap_or_default()
    }

    pub(super) fn wager_record(&self, settlement: &Settlement, clause: Clause, several: bool) -> WagerRecord {
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

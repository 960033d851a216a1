//! Computes a strategy for a table that comes without one: the best play with an infinite deck.
//!
//! The strategy is a total-dependent chart, marginally worse than the exact solver's. It exists so that every
//! legal table can be simulated immediately. Actions are ranked by their value, so that each cell also says what
//! to do if the best action is not allowed.

use crate::chart::{Cell, Chart, Kind};
use crate::class::{BLACKJACK, Class, Classes, FINALS, Finished, MoneyScale, original};
use crate::face::Faces;
use crate::hand::{Node, row_key};
use crate::moves::{Move, moves};
use crate::view::{View, value_label, views};
use rules::play::{Action, Doubled, dealer_draws};
use rules::text::Form;
use rules::{Card, Choices, Hand, HoleCard, Origin, Total};
use std::collections::{HashMap, HashSet};

/// Returns the best chart for a table, computed as if the deck were infinite.
pub fn infinite_deck_chart(choices: &Choices) -> Chart {
    let faces = Faces::new(choices, false, &|_| 0, &[]);
    let mut deck = InfiniteDeck {
        choices,
        money: MoneyScale::new(choices, rules::limit::least_wager(choices)),
        chances: faces.symbols.iter().map(|s| s.0).zip(faces.chances()).collect(),
        most_cards: choices.text().settle.most_cards,
        view: View { up: 1, open: None },
        finals: [0.0; FINALS],
        attacks: 0,
        values: HashMap::new(),
        classes: Classes::default(),
    };
    let mut chart = Chart::default();
    let mut first_card_ev: HashMap<u8, f64> = HashMap::new();
    let views = views(choices);
    for &view in &views {
        deck.select(view, 0);
        let column = view.label();
        let up_chance = deck.chance(view.up);
        for (value, ev) in deck.by_first_card() {
            let own = value_label(value).to_string();
            chart.offers.third_attack.entry(own).or_default().insert(column.clone(), ev > 0.0);
            *first_card_ev.entry(value).or_default() += ev * up_chance;
        }
        let base = deck.average();
        deck.select(view, 1);
        let attack = choices.text().form() == Form::OneAttack && deck.average() > base;
        chart.offers.attack.insert(column.clone(), attack);
        deck.select(view, usize::from(attack));
        deck.rank_initial(&mut chart, &column);
        deck.rank_further(&mut chart, &column);
        if choices.text().form() == Form::TwoHands {
            deck.weigh_switch(&mut chart, &column);
        }
    }
    for (value, ev) in first_card_ev {
        chart.offers.second_attack.insert(value_label(value).to_string(), ev > 0.0);
    }
    trim(choices, &mut chart);
    chart
}

/// Removes from the chart the decisions on attack bets that the game does not offer.
fn trim(choices: &Choices, chart: &mut Chart) {
    let moves = moves(choices);
    if !moves.contains(&Move::Attack) {
        chart.offers.attack.clear();
    }
    if !moves.contains(&Move::SecondAttack) {
        chart.offers.second_attack.clear();
        chart.offers.third_attack.clear();
    }
}

type Key = (Total, usize, Origin, bool, Doubled, bool, u8);

struct InfiniteDeck<'a> {
    choices: &'a Choices,
    money: MoneyScale,
    chances: Vec<(Card, f64)>,
    most_cards: usize,
    view: View,
    finals: [f64; FINALS],
    attacks: usize,
    values: HashMap<Key, f64>,
    classes: Classes,
}

impl InfiniteDeck<'_> {
    /// Selects a view of the dealer's cards and a number of attack bets, and clears the cached values.
    fn select(&mut self, view: View, attacks: usize) {
        self.view = view;
        self.attacks = attacks;
        self.values.clear();
        self.finals = self.finals_of(view);
    }

    fn finals_of(&self, view: View) -> [f64; FINALS] {
        let Some(up) = self.chances.iter().map(|c| c.0).find(|c| c.value() == view.up) else {
            return [0.0; FINALS];
        };
        let mut finals = [0.0; FINALS];
        match view.open {
            Some(_) => self.draw(view.total(), 2, 1.0, &mut finals),
            None => self.draw(Total::NONE.with(up.value()), 1, 1.0, &mut finals),
        }
        // the reader has ruled out a blackjack before the first decision
        if self.choices.hole_card == HoleCard::Reader {
            let rest = 1.0 - finals[BLACKJACK];
            finals[BLACKJACK] = 0.0;
            finals.iter_mut().for_each(|p| *p /= rest);
        }
        finals
    }

    /// Returns the probability of drawing a card of each point value, indexed by point value.
    fn values(&self) -> [f64; 11] {
        std::array::from_fn(|value| self.chance(value as u8))
    }

    fn draw(&self, total: Total, cards: usize, chance: f64, finals: &mut [f64; FINALS]) {
        self.draw_with(&self.values(), total, cards, chance, finals);
    }

    fn draw_with(
        &self,
        values: &[f64; 11],
        total: Total,
        cards: usize,
        chance: f64,
        finals: &mut [f64; FINALS],
    ) {
        if cards >= 2 && !dealer_draws(self.choices, total) {
            let last = match total.points() {
                21 if cards == 2 => BLACKJACK,
                22 => 5,
                points @ 17..=21 => points as usize - 17,
                _ => 6,
            };
            finals[last] += chance;
            return;
        }
        for value in 1..=10u8 {
            self.draw_with(values, total.with(value), cards + 1, chance * values[usize::from(value)], finals);
        }
    }

    fn chance(&self, value: u8) -> f64 {
        self.chances.iter().filter(|c| c.0.value() == value).map(|c| c.1).sum()
    }

    fn finished(&mut self, node: &Node, surrendered: Option<bool>) -> f64 {
        let finished = Finished { hand: node.hand, doubled: node.doubled, surrendered };
        let at = self.classes.of(self.choices, self.money, &finished);
        let class = &self.classes.all[at as usize];
        let pay = &class.pay[self.attacks];
        let to_blackjack = |class: &Class| match node.hand.origin() {
            Origin::Split => f64::from(class.split[1][self.attacks].fixed),
            _ => f64::from(class.pay[self.attacks][BLACKJACK]),
        };
        let later = to_blackjack(&self.classes.all[usize::from(self.classes.later(at))]);
        let spots = self.choices.dealer_hands().max(1) as f64;
        let to_blackjack = later + (to_blackjack(class) - later) / spots;
        let plain: f64 = (0..BLACKJACK).map(|last| self.finals[last] * f64::from(pay[last])).sum();
        plain + self.finals[BLACKJACK] * to_blackjack
    }

    /// Returns the value of a hand under best play.
    fn best(&mut self, node: &Node) -> f64 {
        let hand = &node.hand;
        let pair =
            if hand.len() <= 2 && (hand.len() == 1 || hand.is_pair()) { hand.cards()[0].value() } else { 0 };
        let cards = hand.len().min(self.most_cards);
        let key = (hand.total(), cards, hand.origin(), hand.is_split_ace(), node.doubled, node.again, pair);
        if let Some(&ev) = self.values.get(&key) {
            return ev;
        }
        let ranked = self.ranked(node);
        let ev = ranked.first().map_or_else(|| self.finished(node, None), |r| r.1);
        self.values.insert(key, ev);
        ev
    }

    /// Returns the legal actions with their values, best first.
    fn ranked(&mut self, node: &Node) -> Vec<(Action, f64)> {
        let open = node.actions(self.choices);
        let mut ranked: Vec<(Action, f64)> =
            open.iter().map(|action| (action, self.value_of(node, action))).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked
    }

    fn value_of(&mut self, node: &Node, action: Action) -> f64 {
        match action {
            Action::Stand => self.finished(node, None),
            Action::Surrender => self.finished(node, Some(self.view.high())),
            Action::Hit => self.after_card(node),
            Action::Double => self.after_card(&Node { doubled: Doubled::Yes, ..*node }),
            Action::Split => {
                let first = node.hand.origin() != Origin::Split;
                let half = Node {
                    hand: Hand::new(Origin::Split, &node.hand.cards()[..1]),
                    again: first && self.choices.split_hands > 2,
                    ..*node
                };
                let original = f64::from(original(self.choices, self.money.unit, self.attacks));
                let lost = if first { self.finals[BLACKJACK] * original } else { 0.0 };
                2.0 * self.after_card(&half) - lost
            }
        }
    }

    fn after_card(&mut self, node: &Node) -> f64 {
        let chances = self.chances.clone();
        let mut ev = 0.0;
        for (card, chance) in chances {
            let mut drawn = *node;
            drawn.hand.push(card);
            ev += chance * self.best(&drawn);
        }
        ev
    }

    fn dealt(first: Card, second: Card) -> Node {
        Node { hand: Hand::dealt(&[first, second]), doubled: Doubled::No, again: true, other_played: false }
    }

    /// Returns the EV of a round against the selected view, for each point value of the player's first card.
    fn by_first_card(&mut self) -> Vec<(u8, f64)> {
        let cards = self.chances.clone();
        let mut by_value: HashMap<u8, f64> = HashMap::new();
        for &(first, p) in &cards {
            let share = p / self.chance(first.value());
            let mean: f64 = cards.iter().map(|&(second, q)| q * self.best(&Self::dealt(first, second))).sum();
            *by_value.entry(first.value()).or_default() += share * mean;
        }
        by_value.into_iter().collect()
    }

    fn average(&mut self) -> f64 {
        let by_first = self.by_first_card();
        by_first.into_iter().map(|(value, ev)| self.chance(value) * ev).sum()
    }

    fn rank_initial(&mut self, chart: &mut Chart, column: &str) {
        let cards: Vec<Card> = self.chances.iter().map(|c| c.0).collect();
        for &first in &cards {
            for &second in &cards {
                self.write(chart, "initial", column, &Self::dealt(first, second));
                let split =
                    Node { hand: Hand::new(Origin::Split, &[first, second]), ..Self::dealt(first, second) };
                self.write(chart, "split", column, &split);
            }
        }
    }

    /// Adds to the chart the ranked actions for hands of three or more cards and for doubled hands.
    ///
    /// These hands are reached from every pair of first cards.
    fn rank_further(&mut self, chart: &mut Chart, column: &str) {
        let cards: Vec<Card> = self.chances.iter().map(|c| c.0).collect();
        let mut todo: Vec<Node> = Vec::new();
        for &first in &cards {
            todo.extend(cards.iter().map(|&second| Self::dealt(first, second)));
        }
        let mut seen = HashSet::new();
        while let Some(node) = todo.pop() {
            for doubled in [Doubled::No, Doubled::Yes] {
                for &card in &cards {
                    let mut drawn = Node { doubled, ..node };
                    drawn.hand.push(card);
                    let count = drawn.hand.len().min(self.most_cards);
                    if drawn.hand.is_bust() || !seen.insert((drawn.hand.total(), count, doubled)) {
                        continue;
                    }
                    let name = match doubled {
                        Doubled::Yes => "doubled".to_string(),
                        Doubled::No if count == self.most_cards => "drawn".to_string(),
                        Doubled::No => format!("cards-{count}"),
                    };
                    self.write(chart, &name, column, &drawn);
                    if doubled == Doubled::No && drawn.hand.points() < 21 {
                        todo.push(drawn);
                    }
                }
            }
        }
    }

    fn write(&mut self, chart: &mut Chart, section: &str, column: &str, node: &Node) {
        let ranked = self.ranked(node);
        let Some(&(best, _)) = ranked.first() else { return };
        let pair = (Kind::Pairs, node.hand.cards()[0].value());
        if best == Action::Split {
            chart.set(section, pair, column, Cell(vec![Action::Split]));
        }
        let others: Vec<Action> = ranked.iter().map(|r| r.0).filter(|&a| a != Action::Split).collect();
        // a split ace has fewer legal actions than another hand with the same total
        let row = row_key(&node.hand);
        let known = chart.cell(&[section.to_string()], row, column).map_or(0, |cell| cell.0.len());
        if others.len() > known {
            chart.set(section, row, column, Cell(others));
        }
    }

    fn weigh_switch(&mut self, chart: &mut Chart, column: &str) {
        let unit = f64::from(self.money.unit);
        let cards: Vec<Card> = self.chances.iter().map(|c| c.0).collect();
        let mut switch = std::collections::BTreeMap::new();
        for &first in &cards {
            for &second in &cards {
                let dealt = Self::dealt(first, second);
                let switched = Node { hand: Hand::new(Origin::Switched, &[first, second]), ..dealt };
                let mut values = [first.value(), second.value()];
                values.sort_unstable();
                let name: String = values.iter().map(|&v| value_label(v)).collect();
                switch.insert(name, self.best(&switched) / unit);
                if dealt.hand.is_blackjack() {
                    switch.insert("BJ".to_string(), self.best(&dealt) / unit);
                }
            }
        }
        chart.offers.switch.insert(column.to_string(), switch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CompileOptions, compile};
    use rules::preset::{PRESETS, preset};

    #[test]
    fn every_preset_can_be_compiled_with_its_infinite_deck_chart() {
        for (name, _) in PRESETS {
            let choices = preset(name).unwrap();
            let chart = infinite_deck_chart(&choices);
            let program = compile(&choices, &chart, &CompileOptions::default()).unwrap();
            assert!(program.classes.all.len() > 5, "{name}");
        }
    }

    #[test]
    fn the_chart_of_new_jersey_blackjack_is_the_one_in_the_books() {
        let chart = infinite_deck_chart(&preset("nj-blackjack").unwrap());
        let cell = |section: &str, row, column: &str| {
            chart
                .cell(&[section.to_string()], row, column)
                .map_or(String::new(), |c| c.to_string()[..1].to_string())
        };
        for (row, column, play) in [
            ((Kind::Hard, 16), "T", "H"),
            ((Kind::Hard, 16), "6", "S"),
            ((Kind::Hard, 12), "3", "H"),
            ((Kind::Hard, 12), "4", "S"),
            ((Kind::Hard, 11), "9", "D"),
            ((Kind::Hard, 11), "A", "H"),
            ((Kind::Soft, 18), "9", "H"),
            ((Kind::Soft, 18), "3", "D"),
            ((Kind::Pairs, 8), "9", "P"),
            ((Kind::Pairs, 9), "7", ""),
        ] {
            assert_eq!(cell("initial", row, column), play, "{row:?} v {column}");
        }
    }
}

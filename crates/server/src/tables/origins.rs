//! The origins of the cards on the layout: the shoe that each came from, and how many cards were left in it.
//!
//! A view names the origin of every card that it shows. A browser that missed the event of a card can thus still
//! check the card against the shoe opening.

use rules::Card;
use serde::Serialize;
use std::collections::BTreeMap;
use table::round::{Hole, Round};
use table::{BoxId, HandNumber};
use utoipa::ToSchema;

/// The shoe that a card came from, and how many cards were then left in that shoe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = CardOrigin)]
pub struct Origin {
    /// The number of the shoe that the card came from.
    pub shoe: i64,
    /// How many cards were left in the shoe after the card was drawn.
    pub left: usize,
}

/// A group of cards that lie together: the dealer's face-up cards, the hole card, or a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Dealer,
    Hole,
    Hand(BoxId, HandNumber),
}

type Cards = Vec<(Card, Option<Origin>)>;

/// The origins of all cards on the layout, by the group in which the cards lie.
///
/// Empty between two rounds, so that a snapshot need not store the origins.
#[derive(Clone, Debug, Default)]
pub struct Origins(BTreeMap<Group, Cards>);

impl Origins {
    /// Updates the origins after an event, from the cards that now lie on the layout.
    ///
    /// `drawn` is the origin of the card that the event drew, or `None` if it drew none. Identical cards that one
    /// event moves are interchangeable, because the event leaves all of them face up or all of them face down.
    pub fn follow(&mut self, round: &Round, drawn: Option<Origin>) {
        let hole = match &round.hole {
            Hole::Down(Some(card)) => std::slice::from_ref(card),
            _ => &[],
        };
        let hands = round.boxes.iter().flat_map(|play| {
            play.hands.iter().map(move |hand| (Group::Hand(play.id, hand.number), hand.hand.cards()))
        });
        let now = [(Group::Dealer, round.dealer.cards()), (Group::Hole, hole)];
        let now: BTreeMap<Group, &[Card]> = now.into_iter().chain(hands).collect();
        let lies = |cards: &Cards, now: &[Card]| cards.iter().map(|(card, _)| card).eq(now);
        let moved = self.0.extract_if(.., |group, cards| now.get(group).is_none_or(|now| !lies(cards, now)));
        let mut moved: Vec<_> = moved.flat_map(|(_, cards)| cards).collect();
        let mut drawn = drawn;
        for (group, cards) in now {
            self.0.entry(group).or_insert_with(|| {
                let origin = |card: &Card| match moved.iter().position(|(other, _)| other == card) {
                    Some(at) => (*card, moved.remove(at).1),
                    None => (*card, drawn.take()),
                };
                cards.iter().map(origin).collect()
            });
        }
    }

    /// Returns the origins of the dealer's face-up cards, in the order of the cards.
    pub fn dealer(&self) -> Vec<Option<Origin>> {
        self.of(Group::Dealer)
    }

    /// Returns the origins of the cards of a hand, in the order of the cards; empty if there is no such hand.
    pub fn hand(&self, box_id: BoxId, hand: HandNumber) -> Vec<Option<Origin>> {
        self.of(Group::Hand(box_id, hand))
    }

    fn of(&self, group: Group) -> Vec<Option<Origin>> {
        self.0.get(&group).map_or(Vec::new(), |cards| cards.iter().map(|(_, origin)| *origin).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::fair::{Opening, Vault};
    use crate::house_file::Dealing;
    use crate::tables::live::{By, Fixed, Live, Step};
    use crate::tables::seats::Seat;
    use crate::tables::view;
    use ledger::{Chips, PersonId, TableId};
    use rules::{Cents, Rules};
    use serde_json::{Value, json};
    use std::collections::BTreeMap;
    use std::sync::Arc;
    use table::random::cards::Cards;
    use table::random::{Chance, Style, people};
    use table::{Awaiting, BoxId, Command};

    /// A card that a view showed: the number of its round, and the card as text.
    type Shown = (i64, String);

    /// Every card that the views of a table showed, by shoe and by the number of cards left in the shoe.
    #[derive(Default)]
    struct Seen {
        cards: BTreeMap<(i64, usize), Shown>,
        only_lying: usize,
    }

    impl Seen {
        fn see(&mut self, round: i64, card: &Value, origin: &Value) -> bool {
            let of = |field: &str| origin[field].as_i64().unwrap_or_else(|| panic!("{card} from {origin}"));
            let place = (of("shoe"), of("left") as usize);
            let shown = (round, card.as_str().expect("a card").to_owned());
            let before = self.cards.insert(place, shown.clone());
            assert!(before.as_ref().is_none_or(|before| *before == shown), "{before:?}, then {shown:?}");
            before.is_none()
        }

        /// Checks the events of a step, and the view of the table after the step for `viewer`.
        fn observe(&mut self, before: &Live, step: &Step, live: &Live, viewer: Option<PersonId>) {
            let over = live.table.round().step == 0;
            let round = live.round_no().0;
            for event in json!(view::events(before, step, live)).as_array().expect("events") {
                let deals = ["dealt", "determined", "hole-turned"]
                    .contains(&event["event"].as_str().expect("a word"));
                if deals && !event["card"].is_null() {
                    self.see(round - i64::from(over), &event["card"], &event["origin"]);
                }
            }
            let state = json!(view::state(live, viewer));
            let boxes = state["boxes"].as_array().expect("boxes").iter();
            let hands = boxes.flat_map(|play| play["hands"].as_array().expect("hands"));
            for group in hands.chain([&state["dealer"]]) {
                for (at, card) in group["cards"].as_array().expect("cards").iter().enumerate() {
                    self.only_lying += usize::from(self.see(round, card, &group["origins"][at]));
                }
            }
        }

        /// Compares the cards of a shoe that the views showed with the opening of that shoe.
        fn fits(&self, opening: &Opening) {
            let size = opening.committed.order.split(' ').count();
            let rounds = opening.rounds.iter().flat_map(|r| r.cards.split(' ').map(|card| (r.round, card)));
            let drawn: Vec<Shown> = rounds.map(|(round, card)| (round, card.to_owned())).collect();
            for ((_, left), shown) in
                self.cards.range((opening.committed.shoe, 0)..(opening.committed.shoe + 1, 0))
            {
                assert_eq!(
                    drawn[size - left - 1],
                    *shown,
                    "the card with {} left in shoe {}",
                    left,
                    opening.committed.shoe
                );
            }
        }
    }

    fn plays(preset: &str, settings: &[&str], rounds: usize) {
        let mut choices = rules::preset::preset(preset).expect("a preset");
        settings.iter().for_each(|setting| rules::file::set(&mut choices, setting).expect("a setting"));
        let rules = Arc::new(Rules::new(choices).expect("a legal table"));
        let keys = tempfile::tempdir().expect("a directory");
        let vault = Vault::open(keys.path()).expect("opens");
        let mut chance = Chance::seeded(33);
        let mut cards = Cards::new(&table::Table::new(Arc::clone(&rules)));
        let mut live = Live::new(Fixed { id: TableId(1), rules, dealing: Dealing::Automatic });
        let (mut seen, mut opened) = (Seen::default(), 0);
        for n in 0..rounds {
            // A browser that sees no event of these rounds binds the cards by what lies there.
            let sees_events = n % 2 == 0;
            let number = live.round_no();
            while live.round_no() == number || matches!(live.table.awaiting(), Some(Awaiting::Cut(_))) {
                let (before, mut step) = (live.clone(), Step::default());
                if live.wants_reopening() {
                    live.reopen(&mut step);
                } else {
                    for command in commands(&mut live, &mut cards, &mut chance) {
                        live.perform(By::Person, command, &mut step).expect("accepted");
                    }
                }
                live.carry_on(&vault, &mut step).expect("goes on");
                let told =
                    Step { origins: step.origins.clone(), events: step.events.clone(), ..Step::default() };
                let told = if sees_events { told } else { Step::default() };
                for viewer in [None, Some(PersonId(7)), Some(PersonId(9))] {
                    seen.observe(&before, &told, &live, viewer);
                }
                step.openings.iter().for_each(|opening| seen.fits(opening));
                opened += step.openings.len();
            }
        }
        assert!(opened > 1 && seen.only_lying > 20, "{preset} {settings:?}: {opened}, {}", seen.only_lying);
    }

    /// Returns the commands that place the bets of a round, or those of a player who acts at random.
    fn commands(live: &mut Live, cards: &mut Cards, chance: &mut Chance<'_>) -> Vec<Command> {
        let style = Style { bettors: 4, sides: false, mishaps: 0, plain: false };
        if live.table.awaiting() != Some(Awaiting::Wagers) {
            return people::command(&live.table, cards, &style, chance).into_iter().collect();
        }
        let spots = live.table.rules().dealer_hands();
        let amount = |at: usize| if at < spots { live.table.rules().minimum } else { Cents::ZERO };
        let amounts = [0, 1, 2].map(amount);
        let mut wager = |n: u8| Command::Wager {
            box_id: BoxId(n),
            person: live.seats.meet(Seat { person: PersonId(6 + i64::from(n)), chips: Chips::Play }),
            seated: true,
            amounts,
        };
        (1..=4).map(&mut wager).chain([Command::CloseWagers]).collect()
    }

    /// Checks that every card in a view has a position of its own in the shoe, which a browser can check.
    #[test]
    fn every_card_that_a_view_shows_has_its_place_in_the_shoe() {
        for (preset, settings, rounds) in [
            ("nj-blackjack", &["decks=1"][..], 300),
            ("nj-blackjack-reader", &["double_card=on-request"], 120),
            ("nj-blackjack-face-up", &[], 120),
            ("nj-blackjack", &["shoe=double", "decks=2", "hole_card=down"], 120),
        ] {
            plays(preset, settings, rounds);
        }
    }
}

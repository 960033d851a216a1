//! Plays the same cards and answers through the table's state machine and the compiled tables, and checks that the
//! legal answers, the observations and the settled amounts agree.

use gym::cards::Cards;
use gym::core::{Core, Options};
use gym::live::{Live, Stake};
use gym::observation::{ACTIONS, FEATURES, Question, SUITS};
use gym::seat::Seat;
use rules::limit::least_wager;
use rules::preset::{PRESETS, preset};
use rules::{Card, Cents, Rules, SideBet, file};
use sim::rng::mix;
use std::sync::Arc;

/// A shoe with its cards in a given order.
#[derive(Clone)]
struct Given {
    faces: Vec<u8>,
    at: usize,
}

impl Cards for Given {
    fn shuffle(&mut self) {
        self.at = 0;
    }

    fn draw(&mut self) -> Option<u8> {
        self.at += 1;
        self.faces.get(self.at - 1).copied()
    }

    fn left(&self) -> usize {
        self.faces.len() - self.at
    }
}

/// Features that are not compared, because the two implementations do not set them alike.
const OWN: [&str; 2] = ["count", "left"];

fn sides(rules: &Rules, random: &mut u64) -> Vec<SideBet> {
    let mut bets = Vec::new();
    for (wager, offer) in &rules.choices().side_wagers {
        let all: Vec<SideBet> = wager.bets().collect();
        let bet = all[(mix(random) % all.len() as u64) as usize];
        let lasting = bet.streak().is_some()
            || matches!(bet, SideBet::Sevens | SideBet::Progressive | SideBet::BlackjackBonus);
        let lawful = rules::limit::side_wager(rules, bet, offer.minimum, least_wager(rules)).is_ok();
        if !lasting && lawful {
            bets.push(bet);
        }
    }
    bets
}

/// Returns a bet of `bets` initial bets.
fn stake_of(rules: &Rules, bets: u16) -> Cents {
    Cents(least_wager(rules).0 * i64::from(bets))
}

fn compare_observations(core: &Core, seat: &Seat<Given>, live: &Live, context: impl Fn() -> String) {
    let observation = live.observation(1);
    let (mut sees, shown) = ([0; FEATURES.len()], observation.numbers());
    seat.write(core, &mut sees);
    for (at, name) in FEATURES.iter().enumerate().filter(|(_, name)| !OWN.contains(name)) {
        assert_eq!(sees[at], shown[at], "{name} {}: {sees:?} {shown:?}", context());
    }
    let (mut sees, shown) = ([0; SUITS.len()], observation.suit_numbers());
    seat.write_suits(core, &mut sees);
    assert_eq!(sees, shown, "suits {}", context());
}

fn compare(rules: &Arc<Rules>, seed: u64, rounds: usize) {
    let mut random = seed;
    let bets = sides(rules, &mut random);
    let stakes: Vec<u16> =
        [1, 2, 5].into_iter().filter(|&bets| stake_of(rules, bets) <= rules.maximum).collect();
    let options = Options { sides: bets.clone(), stakes: stakes.clone(), suits: true, ..Options::default() };
    let core = Core::new(rules, &options).unwrap();
    let program = &core.tree.program;
    let whole = least_wager(rules).0 as f64 * (program.hands_per_box * program.dealer_hands) as f64;
    for round in 0..rounds {
        let mut cards: Vec<Card> = (0..rules.decks).flat_map(|_| rules.deck().cards()).collect();
        for at in (1..cards.len()).rev() {
            cards.swap(at, (mix(&mut random) % (at as u64 + 1)) as usize);
        }
        let faces = cards.iter().map(|card| program.faces.face_of[card.index() as usize]).collect();
        let mut seat = Seat::new(&core, Given { faces, at: 0 });
        let mut live = Live::new(rules.clone(), seed);
        let burned = program.stack.burned + program.stack.burned_each_round;
        live.arrange(&cards[burned..]);
        let mut placed = Vec::new();
        for (at, bet) in bets.iter().enumerate().filter(|_| mix(&mut random).is_multiple_of(2)) {
            seat.answer(&core, ACTIONS.len() + stakes.len() + at);
            placed.push((*bet, rules.offer(bet.wager()).unwrap().minimum));
        }
        let chosen = (mix(&mut random) % stakes.len() as u64) as usize;
        let mut reward = seat.answer(&core, ACTIONS.len() + chosen);
        let stake = Stake { box_id: 1, amounts: vec![stake_of(rules, stakes[chosen])], sides: placed };
        let told = live.wager(&[stake]).unwrap();
        let context = || {
            let cards = rules::card::show_cards(&cards[burned..burned + 24]);
            format!("{} round {round}: {cards}\n{}", rules.name, file::show(rules))
        };
        // nothing is asked after a dealer blackjack; the card offered for the sevens bet is always taken
        let mut asked = vec![format!("{} events", told.len())];
        while reward.is_none() {
            let (mask, said) = (seat.mask(&core), live.mask());
            assert_eq!(mask, said, "{asked:?} {:?} {:?}\n{}", seat.question(), live.ask(), context());
            compare_observations(&core, &seat, &live, || format!("after {asked:?}\n{}", context()));
            let open: Vec<usize> = (0..ACTIONS.len()).filter(|bit| mask >> bit & 1 == 1).collect();
            let action = open[(mix(&mut random) % open.len() as u64) as usize];
            asked.push(ACTIONS[action].to_string());
            reward = seat.answer(&core, action);
            // the table also refuses every answer that the mask does not allow
            for other in (0..ACTIONS.len()).filter(|bit| mask >> bit & 1 == 0) {
                assert!(live.clone().decide(ACTIONS[other], None).is_err(), "{} {asked:?}", ACTIONS[other]);
            }
            live.act(ACTIONS[action]).unwrap();
        }
        assert_eq!(seat.question(), Question::Nothing);
        assert!(live.is_over(), "{asked:?} {:?}\n{}", live.ask(), context());
        compare_observations(&core, &seat, &live, || format!("at the end, after {asked:?}\n{}", context()));
        let net = reward.unwrap_or_default() * whole;
        assert!((net - live.net(1).0 as f64).abs() < 1e-6, "{net} {} {asked:?}\n{}", live.net(1), context());
    }
}

#[test]
fn presets_ask_and_settle_alike() {
    for (nth, (name, _)) in PRESETS.iter().enumerate() {
        let rules = Arc::new(Rules::new(preset(name).unwrap()).unwrap());
        compare(&rules, 100 + nth as u64, 300);
    }
}

/// 2.10(b), (c): a doubled hand that busts face down is not collected before a dealer blackjack.
#[test]
fn doubles_that_bust_face_down_settle_alike() {
    for (nth, name) in ["nj-six-to-five", "nj-multiple-action"].into_iter().enumerate() {
        let mut choices = preset(name).unwrap();
        choices.double_card = rules::DoubleCard::Down;
        compare(&Arc::new(Rules::new(choices).unwrap()), 200 + nth as u64, 2000);
    }
}

#[test]
fn random_lawful_tables_ask_and_settle_alike() {
    let mut chance = table::random::Chance::seeded(20_261_116);
    for seed in 0..table::random::sized(25) {
        let rules = table::random::tables::lawful(&mut chance);
        if matches!(rules.shoe, rules::Shoe::Double) {
            continue;
        }
        compare(&rules, seed, 25);
    }
}

/// Refused bets leave no trace: the events that prepare the shoe are returned with the bets that are accepted.
#[test]
fn a_refused_bet_loses_no_event() {
    let rules = Arc::new(Rules::new(preset("nj-blackjack").unwrap()).unwrap());
    let stake = |amounts| [Stake { box_id: 1, amounts, sides: Vec::new() }];
    let mut refused = Live::new(rules.clone(), 7);
    let before = refused.table().clone();
    assert!(refused.wager(&stake(vec![rules::Cents(1)])).is_err());
    assert_eq!(refused.table(), &before);
    let mut plain = Live::new(rules.clone(), 7);
    let least = || stake(vec![least_wager(&rules)]);
    assert_eq!(refused.wager(&least()).unwrap(), plain.wager(&least()).unwrap());
}

//! Training tables: automatic, private, for chips that are worth nothing, and the only place where the house gives advice.
//! They live in memory and leave no record; nothing that matters to the books happens here.

use crate::api::Me;
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::house_file::Dealing;
use crate::lab::Task;
use crate::room::Room;
use crate::session::Who;
use crate::share::Payers;
use crate::tables::{
    Asker, By, Fixed, Live, Request, Seat, Step, Told as Event, card, event_views, state_view,
};
use crate::verdict::{Verdict, decides, verdicts};
use axum::body::Bytes;
use exact::ev::{Answer, Option_};
use ledger::{Cents, Chips, PersonId, TableId};
use rules::card::show_cards;
use rules::{Card, Rules};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use table::{Awaiting, BoxId};

/// Training tables that may be open at once.
const MOST: usize = 512;

#[derive(Clone)]
struct Training {
    live: Live,
    won: Cents,
    decisions: u32,
    /// What choices below the best have cost, in millionths of the initial wager.
    cost_millionths: i64,
}

pub struct TrainingRoom(Room<PersonId, Training>);

impl Default for TrainingRoom {
    fn default() -> TrainingRoom {
        TrainingRoom(Room::new(MOST))
    }
}

impl TrainingRoom {
    fn get(&self, person: PersonId) -> ApiResult<Training> {
        self.0.get(person).ok_or_else(|| ApiError::missing("training table; open one first"))
    }

    fn put(&self, me: &Me, training: Training) -> ApiResult<()> {
        Ok(self.0.put(me.id, me.payers, training, |_| true)?)
    }
}

impl Training {
    fn view(&self, who: &Who, events: &[Event]) -> Value {
        let mut view = json!(state_view(&self.live, Some(who.id)));
        if let Value::Object(fields) = &mut view {
            fields.insert("training".into(), true.into());
            fields.insert("events".into(), json!(events));
            fields.insert("won".into(), self.won.to_string().into());
            fields.insert("decisions".into(), self.decisions.into());
            fields.insert("cost".into(), (self.cost_millionths as f64 / 1e6).into());
        }
        view
    }

    /// Goes on until the player is asked, opening new shoes as they are needed.
    fn settle_down(&mut self, app: &App, step: &mut Step) -> ApiResult<()> {
        for _ in 0..8 {
            if self.live.wants_reopening() {
                self.live.reopen(step);
            }
            self.live
                .carry_on(&app.vault.unsigned(), step)
                .map_err(|stuck| ApiError::refused("stuck", stuck.to_string()))?;
            if !self.live.wants_reopening() {
                break;
            }
        }
        Ok(())
    }
}

fn seat(who: &Who) -> Seat {
    Seat { person: who.id, chips: Chips::Play }
}

/// Opens a training table with these rules, in place of the one the person had.
pub fn open(app: &App, who: &Me, rules: Rules, name: &str) -> ApiResult<Value> {
    let fixed = Fixed { id: TableId(0), rules: Arc::new(rules), dealing: Dealing::Automatic };
    let mut training =
        Training { live: Live::new(fixed), won: Cents::ZERO, decisions: 0, cost_millionths: 0 };
    training.settle_down(app, &mut Step::default())?;
    let mut view = training.view(who, &[]);
    if let Value::Object(fields) = &mut view {
        fields.insert("card".into(), card(&training.live, name));
    }
    app.training.put(who, training)?;
    Ok(view)
}

pub fn view(app: &App, who: &Who) -> ApiResult<Value> {
    Ok(app.training.get(who.id)?.view(who, &[]))
}

/// Arranges the next cards of my training table, in the order in which they will be dealt; the rest stays shuffled.
pub fn arrange(app: &App, who: &Me, cards: &[Card]) -> ApiResult<Value> {
    let mut training = app.training.get(who.id)?;
    let live = &mut training.live;
    if !matches!(live.table.awaiting(), Some(Awaiting::Wagers)) {
        return Err(ApiError::refused("arrange", "cards can be set only between rounds"));
    }
    if !live.shoes.arrange(&live.table, cards) {
        return Err(ApiError::refused("arrange", "some of these cards are not in the shoe"));
    }
    let view = training.view(who, &[]);
    app.training.put(who, training)?;
    Ok(view)
}

/// Carries a request out. With `coached`, says afterwards what the best play was and what the choice cost.
pub async fn act(app: &App, who: Me, request: Request, coached: bool) -> ApiResult<Value> {
    let training = app.training.get(who.id)?;
    let answer = match coached && decides(&request) {
        true => values(app, who.payers, &training.live).await.ok(),
        false => None,
    };
    let house = Arc::clone(app);
    app.work(move || carry_out(&house, &who, (training, request), (coached, answer))).await
}

fn carry_out(
    app: &App,
    who: &Me,
    (mut training, request): (Training, Request),
    (coached, answer): (bool, Option<Answer>),
) -> ApiResult<Value> {
    let before = training.live.clone();
    let mut step = Step::default();
    if matches!(request, Request::Deal) {
        training.live.perform(By::Person, table::Command::CloseWagers, &mut step)?;
    } else {
        let asker = Asker { seat: seat(who), role: crate::role::Role::Player };
        request.carry_out(&mut training.live, asker, &mut step)?;
    }
    training.settle_down(app, &mut step)?;
    let purse = seat(who).purse();
    let moved = step.postings.legs().iter().filter(|leg| leg.account == purse).map(|leg| leg.amount);
    training.won += moved.sum();
    let told = answer.map(|answer| verdicts(&before, &training.live, &request, &answer));
    let judged = told.unwrap_or_default();
    for verdict in &judged {
        training.decisions += 1;
        training.cost_millionths += (verdict.cost * 1e6).round() as i64;
    }
    let events = event_views(&before, &step, &training.live);
    let mut view = training.view(who, &events);
    if let (true, Value::Object(fields)) = (coached, &mut view) {
        fields.insert("coach".into(), judged.iter().map(Verdict::view).collect());
    }
    app.training.put(who, training)?;
    Ok(view)
}

/// Returns the exact value of every lawful action now.
pub async fn coach(app: &App, who: &Me) -> ApiResult<Value> {
    let training = app.training.get(who.id)?;
    let answer = worked_out(app, who.payers, &training.live).await?;
    Ok(serde_json::from_slice(&answer).unwrap_or_default())
}

async fn worked_out(app: &App, payers: Payers, live: &Live) -> ApiResult<Bytes> {
    let Some(seen) = Sight::of(live, None) else {
        return Err(ApiError::refused("no-decision", "no decision is pending"));
    };
    app.lab.answer(payers, seen.task(live.table.rules())).await
}

async fn values(app: &App, payers: Payers, live: &Live) -> ApiResult<Answer> {
    answer_of(&worked_out(app, payers, live).await?).ok_or_else(ApiError::stopped)
}

/// Returns the lab's answer about values, read back.
pub fn answer_of(answer: &[u8]) -> Option<Answer> {
    serde_json::from_slice::<Told>(answer).map(Told::answer).ok()
}

/// The lab's answer, read back.
#[derive(Deserialize)]
struct Told {
    actions: Vec<Valued>,
    other_actions: Vec<Valued>,
    switch: Vec<Valued>,
    attack: Vec<Valued>,
    insurance: Option<f64>,
    even_money: Option<f64>,
    dealer_blackjack: f64,
}

#[derive(Deserialize)]
struct Valued {
    action: String,
    ev: f64,
}

impl Told {
    fn answer(self) -> Answer {
        let list = |all: Vec<Valued>| {
            all.into_iter().map(|v| Option_ { action: word(v.action), ev: v.ev }).collect()
        };
        Answer {
            actions: list(self.actions),
            other_actions: list(self.other_actions),
            switch: list(self.switch),
            attack: list(self.attack),
            insurance: self.insurance,
            even_money: self.even_money,
            dealer_blackjack: self.dealer_blackjack,
        }
    }
}

/// The word of an action, of which there are a few: each is kept once for all.
fn word(text: String) -> &'static str {
    static WORDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut words = WORDS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match words.get(text.as_str()) {
        Some(known) => known,
        None => {
            let kept: &'static str = text.leak();
            words.insert(kept);
            kept
        }
    }
}

/// The cards that the player can see, as the exact solver takes them.
pub struct Sight {
    pub hand: Vec<Card>,
    pub other: Vec<Card>,
    pub up: Vec<Card>,
    removed: Vec<Card>,
    attacked: bool,
}

impl Sight {
    /// Returns what is visible from a box; if none is named, from the only box or the one that is asked.
    pub fn of(live: &Live, from: Option<BoxId>) -> Option<Sight> {
        let round = live.table.round();
        let (box_id, number) = match live.table.awaiting()? {
            Awaiting::Decision(ask) => (ask.box_id, Some(ask.hand)),
            Awaiting::Switch(box_id) | Awaiting::Revocation(box_id) => (box_id, None),
            Awaiting::LateInsurance(box_id) => (box_id, None),
            Awaiting::Offers(_) => (from.or_else(|| round.boxes.first().map(|play| play.id))?, None),
            _ => return None,
        };
        let play = &round.boxes[round.box_at(box_id)?];
        let at = number.and_then(|n| play.hand_at(n)).unwrap_or(0);
        // Double Attack asks for its attack before the boxes have cards.
        let hand = play.hands.get(at);
        let in_switch = live.table.rules().hands_per_box() == 2 && play.hands.len() == 2;
        let other = if in_switch { play.hands[1 - at].hand.cards().to_vec() } else { Vec::new() };
        let attacked = hand.is_some_and(|hand| hand.stakes[0].attack.iter().any(|c| *c > Cents::ZERO));
        Some(Sight {
            hand: hand.map(|hand| hand.hand.cards().to_vec()).unwrap_or_default(),
            other,
            up: round.dealer.cards().to_vec(),
            removed: Sight::elsewhere(live, box_id, (at, in_switch)),
            attacked,
        })
    }

    /// Cards that have been seen and lie neither in the hand, nor in the other one of Switch, nor before the dealer.
    fn elsewhere(live: &Live, box_id: BoxId, (at, in_switch): (usize, bool)) -> Vec<Card> {
        let mut gone: Vec<Card> = live.table.custody().rack.iter().flatten().copied().collect();
        for play in &live.table.round().boxes {
            for (n, hand) in play.hands.iter().enumerate() {
                let asked = play.id == box_id && (n == at || in_switch);
                if !asked {
                    gone.extend_from_slice(hand.hand.cards());
                }
            }
        }
        gone
    }

    pub fn task(&self, rules: &Rules) -> Task {
        Task::Values {
            table: Task::table(rules),
            hand: show_cards(&self.hand),
            other: show_cards(&self.other),
            up: show_cards(&self.up),
            removed: show_cards(&self.removed),
            attacked: self.attacked,
        }
    }
}

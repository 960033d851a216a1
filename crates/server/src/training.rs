//! Training tables: private tables, dealt by the platform, for chips without value.
//!
//! They are the only place where the house gives advice. They are kept in memory and leave no record.

use crate::api::Me;
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::evicting_store::EvictingStore;
use crate::house_file::Dealing;
use crate::lab::Task;
use crate::lab::answers::{ActionValues, ValuedAction};
use crate::session::SignedIn;
use crate::share::Clients;
use crate::tables::{
    Asker, By, EventView, Fixed, Live, Request, Seat, State, Step, TableFacts, card, event_views, state_view,
};
use crate::verdict::{Verdict, decides, verdicts};
use crate::wire::{Money, Written};
use axum::body::Bytes;
use exact::ev::{ActionEv, Answer};
use ledger::{Cents, Chips, PersonId, TableId};
use rules::card::show_cards;
use rules::message;
use rules::{Card, Rules};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use table::{Awaiting, BoxId};

/// The maximum number of open training tables.
const MOST: usize = 512;
/// How long a decision waits for the coach.
///
/// A busy lab may take longer, and the cards do not wait for it.
const COACH_WAITS: Duration = Duration::from_secs(8);

/// The view of a training table.
#[derive(Serialize, utoipa::ToSchema)]
pub struct TrainingView<'a> {
    #[serde(flatten)]
    state: State<'a>,
    /// Always true: this table is not played for chips with value.
    training: bool,
    /// The player's total net win at this table.
    won: Money,
    /// The number of decisions that were graded.
    decisions: u32,
    /// The total cost of all graded decisions, in initial bets.
    cost: f64,
    /// The events since the last view.
    events: Vec<EventView>,
    /// The verdicts on the last decision; absent if they were not requested, or if the coach took too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    coach: Option<Vec<Verdict>>,
    /// The rules and limits of the table, present only when the table is opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    card: Option<TableFacts>,
}

#[derive(Clone)]
struct Training {
    live: Live,
    won: Cents,
    decisions: u32,
    /// The total cost of decisions below the best, in millionths of the initial bet.
    cost_millionths: i64,
}

pub struct TrainingStore(EvictingStore<PersonId, Training>);

impl Default for TrainingStore {
    fn default() -> TrainingStore {
        TrainingStore(EvictingStore::new(MOST))
    }
}

impl TrainingStore {
    fn get(&self, person: PersonId) -> ApiResult<Training> {
        self.0.get(person).ok_or_else(|| {
            ApiError::missing(message!("no-training-table", "no such training table; open one first"))
        })
    }

    fn put(&self, me: &Me, training: Training) -> ApiResult<()> {
        Ok(self.0.put(me.id, me.clients, training, |_| true)?)
    }
}

impl Training {
    fn view(&self, who: &SignedIn, events: Vec<EventView>) -> TrainingView<'_> {
        TrainingView {
            state: state_view(&self.live, Some(who.id)),
            training: true,
            won: Money(self.won),
            decisions: self.decisions,
            cost: self.cost_millionths as f64 / 1e6,
            events,
            coach: None,
            card: None,
        }
    }

    /// Advances the table until the player must act, opening new shoes as needed.
    fn settle_down(&mut self, app: &App, step: &mut Step) -> ApiResult<()> {
        for _ in 0..8 {
            if self.live.wants_reopening() {
                self.live.reopen(step);
            }
            self.live.carry_on(&app.vault.unsigned(), step).map_err(|stuck| {
                tracing::error!(%stuck, "a training table cannot continue");
                ApiError::refused(message!("stuck", "the training table cannot continue; open it again"))
            })?;
            if !self.live.wants_reopening() {
                break;
            }
        }
        Ok(())
    }
}

fn seat(who: &SignedIn) -> Seat {
    Seat { person: who.id, chips: Chips::Play }
}

/// Opens a training table with these rules, and returns its view.
///
/// The new table replaces the person's earlier training table.
pub fn open(app: &App, who: &Me, rules: Rules, name: &str) -> ApiResult<Written> {
    let fixed = Fixed { id: TableId(0), rules: Arc::new(rules), dealing: Dealing::Automatic };
    let mut training =
        Training { live: Live::new(fixed), won: Cents::ZERO, decisions: 0, cost_millionths: 0 };
    training.settle_down(app, &mut Step::default())?;
    let card = Some(card(&training.live, name));
    let view = Written::json(&TrainingView { card, ..training.view(who, Vec::new()) });
    app.training.put(who, training)?;
    Ok(view)
}

pub fn view(app: &App, who: &SignedIn) -> ApiResult<Written> {
    Ok(Written::json(&app.training.get(who.id)?.view(who, Vec::new())))
}

/// Sets the next cards of a training table, in the order of dealing, and returns the table's view.
///
/// The rest of the shoe stays shuffled.
pub fn arrange(app: &App, who: &Me, cards: &[Card]) -> ApiResult<Written> {
    let mut training = app.training.get(who.id)?;
    let live = &mut training.live;
    if !matches!(live.table.awaiting(), Some(Awaiting::Wagers)) {
        return Err(ApiError::refused(message!(
            "cards-between-rounds",
            "cards can only be set between rounds"
        )));
    }
    if !live.shoes.arrange(&live.table, cards) {
        return Err(ApiError::refused(message!(
            "cards-not-in-shoe",
            "some of these cards are not in the shoe"
        )));
    }
    let view = Written::json(&training.view(who, Vec::new()));
    app.training.put(who, training)?;
    Ok(view)
}

/// Performs a request at the person's training table, and returns the new view.
///
/// With `coached`, the view also reports the best action and the cost of the decision.
pub async fn act(app: &App, who: Me, request: Request, coached: bool) -> ApiResult<Written> {
    let training = app.training.get(who.id)?;
    let mut in_time = true;
    let mut answer = None;
    if coached && decides(&request) {
        match tokio::time::timeout(COACH_WAITS, values(app, who.clients, &training.live)).await {
            Ok(told) => answer = told.ok(),
            Err(_) => in_time = false,
        }
    }
    let house = Arc::clone(app);
    app.work(move || carry_out(&house, &who, (training, request), (coached && in_time, answer))).await
}

fn carry_out(
    app: &App,
    who: &Me,
    (mut training, request): (Training, Request),
    (coached, answer): (bool, Option<Answer>),
) -> ApiResult<Written> {
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
    let coach = coached.then_some(judged);
    let view = Written::json(&TrainingView { coach, ..training.view(who, events) });
    app.training.put(who, training)?;
    Ok(view)
}

/// Returns the exact value of every legal action at the person's training table, as JSON.
pub async fn coach(app: &App, who: &Me) -> ApiResult<Written> {
    let training = app.training.get(who.id)?;
    Ok(Written::text("application/json", solve(app, who.clients, &training.live).await?))
}

async fn solve(app: &App, clients: Clients, live: &Live) -> ApiResult<Bytes> {
    let Some(seen) = Observation::of(live, None) else {
        return Err(ApiError::refused(message!("no-decision", "no decision is pending")));
    };
    app.lab.answer(clients, seen.task(live.table.rules())).await
}

async fn values(app: &App, clients: Clients, live: &Live) -> ApiResult<Answer> {
    parse_values(&solve(app, clients, live).await?).ok_or_else(ApiError::stopped)
}

/// Parses action values from the lab's answer, or returns `None` if the answer has none.
pub fn parse_values(answer: &[u8]) -> Option<Answer> {
    let values = serde_json::from_slice::<ActionValues>(answer).ok()?;
    let list = |all: Vec<ValuedAction>| {
        all.into_iter().map(|valued| ActionEv { action: word(valued.action), ev: valued.ev }).collect()
    };
    Some(Answer {
        actions: list(values.actions),
        other_actions: list(values.other_actions),
        switch: list(values.switch),
        attack: list(values.attack),
        insurance: values.insurance,
        even_money: values.even_money,
        dealer_blackjack: values.dealer_blackjack,
    })
}

/// Returns an action's name as a static string.
///
/// There are only a few names.
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

/// The cards visible to the player, as input to the exact solver.
pub struct Observation {
    pub hand: Vec<Card>,
    pub other: Vec<Card>,
    pub up: Vec<Card>,
    removed: Vec<Card>,
    attacked: bool,
}

impl Observation {
    /// Returns the cards visible to the player who must act, or `None` if no decision is pending.
    ///
    /// During an offer to all boxes, that is the player at the box `from`, or else at the first box.
    pub fn of(live: &Live, from: Option<BoxId>) -> Option<Observation> {
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
        // Double Attack offers its attack before the boxes have cards.
        let hand = play.hands.get(at);
        let in_switch = live.table.rules().hands_per_box() == 2 && play.hands.len() == 2;
        let other = if in_switch { play.hands[1 - at].hand.cards().to_vec() } else { Vec::new() };
        let attacked = hand.is_some_and(|hand| hand.stakes[0].attack.iter().any(|c| *c > Cents::ZERO));
        Some(Observation {
            hand: hand.map(|hand| hand.hand.cards().to_vec()).unwrap_or_default(),
            other,
            up: round.dealer.cards().to_vec(),
            removed: Observation::other_visible_cards(live, box_id, at, in_switch),
            attacked,
        })
    }

    /// Returns the visible cards that are not in the hand, its Switch partner or the dealer's hand.
    fn other_visible_cards(live: &Live, box_id: BoxId, at: usize, in_switch: bool) -> Vec<Card> {
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

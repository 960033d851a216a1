//! Training tables: private tables for chips without value, at which the platform deals.
//!
//! Only at these tables does the house give advice. They are kept in memory and leave no record.

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
/// How long a decision waits for the coach, which runs in the lab.
///
/// If a busy lab takes longer, the decision is carried out without a verdict.
const COACH_WAITS: Duration = Duration::from_secs(8);

/// The view of a training table.
#[derive(Serialize, utoipa::ToSchema)]
pub struct TrainingView<'a> {
    #[serde(flatten)]
    state: State<'a>,
    /// Always true, as a mark that no chips with value are played at this table.
    training: bool,
    /// The player's net win over all rounds at this table.
    won: Money,
    /// The number of decisions that the coach has graded.
    decisions: u32,
    /// The total cost of all graded decisions, as a multiple of the initial bet.
    cost: f64,
    /// The events that the request caused; empty if it caused none.
    events: Vec<EventView>,
    /// The verdicts of the coach on the request; empty if it was no decision that the coach can grade.
    ///
    /// Absent if verdicts were not requested, or if the coach took too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    coach: Option<Vec<Verdict>>,
    /// The rules and limits of the table; absent unless the request opens the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    card: Option<TableFacts>,
}

#[derive(Clone)]
struct Training {
    live: Live,
    won: Cents,
    decisions: u32,
    /// The total cost of all graded decisions, in millionths of the initial bet.
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

    /// Performs automatic steps until the player must act, and reopens the table when its shoe ends.
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

/// Opens a training table with these rules for a person, and returns its view.
///
/// The new table replaces an earlier training table of the same person.
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

/// Sets the next cards of the person's training table, in the order of dealing, and returns the table's view.
///
/// The rest of the shoe stays shuffled. Returns an error during a round, or if the shoe does not hold the cards.
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

/// Performs a request at the person's training table, and returns the table's new view.
///
/// If `coached` is set, the view also has the coach's verdicts: the best action, and what the decision cost.
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

/// Returns the exact value of every legal action in the person's training table, as JSON.
///
/// Returns an error if no decision is pending.
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

/// Parses the values of actions in an answer of the lab, or returns `None` if it cannot be parsed.
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

/// Returns the name of an action as a static string, allocated once for each name.
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

/// The cards that a player sees when a decision is pending, as input to the exact solver.
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
    /// During an offer to all boxes, that player is the one at the box `from` or, if `from` is `None`, at the
    /// first box.
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

    /// Returns the seen cards that are neither in the hand, nor in its partner in Blackjack Switch, nor the
    /// dealer's.
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

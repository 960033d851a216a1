//! A person's own account: balance, statement, limits, self-exclusion, and the kind of chips to bet with.

use super::Me;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::role::Role;
use crate::second_factor;
use crate::session::{SignedIn, plays_with};
use crate::wire::{Body, ClientId, Money, Page, PageQuery, Query, Time, body_digest};
use axum::Json;
use axum::extract::State;
use ledger::{
    Account, Cents, Chips, Effect, Holder, Limit, Measure, Moment, Postings, Seq, Span, Stream, report,
};
use rules::message;
use serde::{Deserialize, Serialize};

/// The signed-in person: their role and chips, and what they must change or set up first.
#[derive(Serialize, utoipa::ToSchema)]
pub struct MeView {
    /// The number that identifies the person in the house.
    person: i64,
    /// The name that the person signs in with.
    name: String,
    /// The person's role.
    role: Role,
    /// Whether the person is a guest, who has play chips only.
    guest: bool,
    /// The chips that the person bets with: `cash` or `play`.
    chips: String,
    /// Whether the person must change the password before doing anything else.
    must_change_password: bool,
    /// Whether the person must set up a second factor before doing anything else, because this house requires
    /// staff to have one.
    must_set_second_factor: bool,
    /// Whether signing in requires a code from the second factor.
    second_factor: bool,
    /// The person's balance of cash chips, which are bought at the cashier.
    cash: Money,
    /// The person's balance of play chips, which have no cash value.
    play: Money,
}

/// Returns the caller's account, with their balances.
#[utoipa::path(get, path = "/api/me", tag = "account",
    responses((status = 200, body = MeView), (status = 401, body = ErrorBody)))]
pub async fn me(State(app): State<App>, me: Me) -> ApiResult<Json<MeView>> {
    me_view(&app, &me).await.map(Json)
}

/// Returns the account of the session's person, or `null` for a visitor without a session.
///
/// A missing session is not an error.
#[utoipa::path(get, path = "/api/sessions/current", tag = "account", responses((status = 200, body = Option<MeView>)))]
pub async fn current(
    State(app): State<App>,
    who: Option<axum::Extension<std::sync::Arc<SignedIn>>>,
) -> ApiResult<Json<Option<MeView>>> {
    match who {
        Some(axum::Extension(who)) => me_view(&app, &who).await.map(|me| Json(Some(me))),
        None => Ok(Json(None)),
    }
}

async fn me_view(app: &App, me: &SignedIn) -> ApiResult<MeView> {
    let (cash, play) = (Account::player(Chips::Cash, me.id), Account::player(Chips::Play, me.id));
    let id = me.id;
    let (cash, play, second_factor) = app
        .read(move |db| {
            let factor = second_factor::is_set(db, id)?;
            Ok((report::balance(db, cash)?, report::balance(db, play)?, factor))
        })
        .await?;
    Ok(MeView {
        person: me.id.0,
        name: me.name.clone(),
        role: me.role,
        guest: me.guest,
        chips: me.chips.to_string(),
        must_change_password: me.must_change,
        must_set_second_factor: me.must_set_factor,
        second_factor,
        cash: Money(cash),
        play: Money(play),
    })
}

/// Returns the ledger account that the person bets from: their cash chips or their play chips.
pub(crate) fn purse(me: &crate::session::SignedIn) -> Account {
    Account::player(me.chips, me.id)
}

/// One movement of chips in an account statement.
#[derive(Serialize, utoipa::ToSchema)]
pub struct StatementLine {
    /// The number of the journal record that moved the chips.
    seq: i64,
    /// The time of the movement.
    at: Time,
    /// The kind of the record, such as `settle`.
    kind: String,
    /// The number of the table, or absent if the movement is not from a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<u32>,
    /// The number of the round, or absent if the movement belongs to no round.
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<i64>,
    /// The balance before the movement.
    before: Money,
    /// The amount that moved, negative if chips left the account.
    amount: Money,
    /// The balance after the movement.
    after: Money,
}

impl From<report::AccountLine> for StatementLine {
    fn from(line: report::AccountLine) -> StatementLine {
        StatementLine {
            seq: line.seq.0,
            at: Time(line.at),
            kind: line.kind,
            table: match line.stream {
                Stream::House => None,
                Stream::Table(table) => Some(table.0),
            },
            round: (line.round.0 > 0).then_some(line.round.0),
            before: Money(line.before),
            amount: Money(line.amount),
            after: Money(line.after),
        }
    }
}

/// Returns the movements of the caller's chips, newest first, with the balance before and after each.
#[utoipa::path(get, path = "/api/me/statement", tag = "account", params(PageQuery),
    responses((status = 200, body = Page<StatementLine>), (status = 401, body = ErrorBody)))]
pub async fn statement(
    State(app): State<App>,
    me: Me,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<Page<StatementLine>>> {
    let (account, before, limit) = (purse(&me), Seq(page.cursor.unwrap_or(i64::MAX)), page.limit());
    let mut lines = app.read(move |db| report::statement(db, account, before, limit)).await?;
    // Keeps a record's lines together: the page ends before a record that it would split.
    if lines.len() as i64 == limit
        && let (Some(first), Some(last)) = (lines.first().map(|l| l.seq), lines.last().map(|l| l.seq))
        && first != last
    {
        let whole = lines.iter().filter(|l| l.seq != last).count();
        lines.truncate(whole);
        let next = lines.last().map(|l| l.seq.0);
        return Ok(Json(Page { items: lines.into_iter().map(StatementLine::from).collect(), next }));
    }
    let lines: Vec<StatementLine> = lines.into_iter().map(StatementLine::from).collect();
    Ok(Json(Page::of(lines, limit, |line| line.seq)))
}

/// What a personal limit measures: losses, bets or time.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MeasureName {
    Loss,
    Wager,
    Time,
}

/// The period that a personal limit covers.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SpanName {
    Day,
    Week,
    Month,
}

impl MeasureName {
    fn measure(self) -> Measure {
        match self {
            MeasureName::Loss => Measure::Loss,
            MeasureName::Wager => Measure::Wager,
            MeasureName::Time => Measure::Time,
        }
    }
}

impl SpanName {
    fn span(self) -> Span {
        match self {
            SpanName::Day => Span::Day,
            SpanName::Week => Span::Week,
            SpanName::Month => Span::Month,
        }
    }
}

/// A personal limit, and its pending change if there is one.
#[derive(Serialize, utoipa::ToSchema)]
pub struct LimitView {
    /// What the limit measures: `loss`, `wager` or `time`.
    measure: &'static str,
    /// The period over which the limit counts: `day`, `week` or `month`.
    span: &'static str,
    /// The limit: cents for loss and wager, seconds for time, or null if there is no limit.
    most: Option<i64>,
    /// The limit after the pending change, or null if no change is pending or the change lifts the limit.
    later: Option<i64>,
    /// The time from which the pending change applies, or null if no change is pending.
    later_from: Option<Time>,
}

/// A player's limits and self-exclusion, and their bets, losses and playing time today.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Protections {
    /// The player's limits.
    limits: Vec<LimitView>,
    /// The end of the self-exclusion, or null if the player is not excluded.
    excluded_until: Option<Time>,
    /// The amount that the player bet today.
    wagered_today: Money,
    /// The amount that the player lost today, negative after a net win.
    lost_today: Money,
    /// How long the player has played today, in seconds.
    seconds_today: i64,
}

fn limit_view(limit: &Limit, now: Moment) -> LimitView {
    let waiting = limit.later.filter(|(_, from)| *from > now);
    LimitView {
        measure: limit.measure.name(),
        span: limit.span.name(),
        most: limit.most_at(now),
        later: waiting.and_then(|(most, _)| most),
        later_from: waiting.map(|(_, from)| Time(from)),
    }
}

async fn protections(app: &App, me: &Me) -> ApiResult<Protections> {
    let (ledger, id) = (std::sync::Arc::clone(&app.ledger), me.id);
    let (today, protection) = app.desk.run(move || (ledger.today(), ledger.protection(id))).await?;
    let mut protection = protection?;
    let confirmed = app.ledger.clock().confirmed();
    let day = *protection.today(today);
    Ok(Protections {
        limits: protection.limits.iter().map(|l| limit_view(l, confirmed)).collect(),
        excluded_until: protection.excluded_until.filter(|until| *until > confirmed).map(Time),
        wagered_today: Money(day.wagered),
        lost_today: Money(Cents(day.wagered.0 - day.returned.0)),
        seconds_today: day.played_ms / 1000,
    })
}

/// Returns the caller's limits and self-exclusion, with today's totals of bets, losses and playing time.
#[utoipa::path(get, path = "/api/me/limits", tag = "account",
    responses((status = 200, body = Protections), (status = 401, body = ErrorBody)))]
pub async fn limits(State(app): State<App>, me: Me) -> ApiResult<Json<Protections>> {
    Ok(Json(protections(&app, &me).await?))
}

/// A request to set a personal limit.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct LimitChange {
    /// The client's id for the command; a command with a repeated id is not carried out again.
    id: ClientId,
    /// What the limit measures: `loss`, `wager` or `time`.
    measure: MeasureName,
    /// The period over which the limit counts: `day`, `week` or `month`.
    span: SpanName,
    /// The limit: cents for loss and wager, seconds for time; `null` lifts the limit.
    #[schema(minimum = 0)]
    most: Option<i64>,
}

/// Sets a personal limit: a stricter one applies immediately, a looser one after 24 hours.
#[utoipa::path(put, path = "/api/me/limits", tag = "account", request_body = LimitChange,
    responses((status = 200, body = Protections), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn change_limit(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<LimitChange>,
) -> ApiResult<Json<Protections>> {
    if asked.most.is_some_and(|most| most < 0) {
        return Err(ApiError::bad("limit", message!("limit-negative", "limit must not be negative")));
    }
    let mut draft = app.draft(&me, asked.id.lawful()?, "limit", body_digest("limit", &asked));
    let (measure, span) = (asked.measure.measure(), asked.span.span());
    draft.effects.push(Effect::Limit { person: me.id, measure, span, most: asked.most });
    app.commit(draft).await?;
    Ok(Json(protections(&app, &me).await?))
}

/// A request for self-exclusion.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct Exclusion {
    /// The client's id for the command; a command with a repeated id is not carried out again.
    id: ClientId,
    /// The number of days, 1 to 36500. An exclusion can be lengthened, never shortened.
    #[schema(minimum = 1, maximum = 36500)]
    days: i64,
}

/// Excludes the caller from play and buy-ins.
///
/// Chips can still be cashed out.
#[utoipa::path(post, path = "/api/me/exclusion", tag = "account", request_body = Exclusion,
    responses((status = 200, body = Protections), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn exclude(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<Exclusion>,
) -> ApiResult<Json<Protections>> {
    if !(1..=36_500).contains(&asked.days) {
        return Err(ApiError::bad("days", message!("exclusion-days", "exclusion must be 1 to 36500 days")));
    }
    let mut draft = app.draft(&me, asked.id.lawful()?, "exclusion", body_digest("exclusion", &asked));
    draft
        .effects
        .push(Effect::Exclude { person: me.id, until: app.ledger.now().plus_ms(asked.days * 86_400_000) });
    app.commit(draft).await?;
    app.sockets.leave_all(me.id);
    Ok(Json(protections(&app, &me).await?))
}

/// A request to refill the caller's play chips.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct Refill {
    /// The client's id for the command; a command with a repeated id is not carried out again.
    id: ClientId,
}

/// A request to bet with cash chips or with play chips.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct ChipsChoice {
    /// The kind of chips: `cash` for chips from the cashier, `play` for play chips.
    #[schema(value_type = ChipsWord)]
    chips: String,
}

/// The kinds of chips: `cash`, which are bought at the cashier, and `play`, which have no cash value.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "used only for the schema: an unknown word gets our own error")]
enum ChipsWord {
    Cash,
    Play,
}

/// Selects the kind of chips for the caller's future bets.
///
/// Bets already placed are not affected.
#[utoipa::path(put, path = "/api/me/chips", tag = "account", request_body = ChipsChoice,
    responses((status = 200, body = MeView), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn choose_chips(
    State(app): State<App>,
    who: Me,
    Body(asked): Body<ChipsChoice>,
) -> ApiResult<Json<MeView>> {
    let found = [Chips::Cash, Chips::Play].into_iter().find(|chips| chips.to_string() == asked.chips);
    let chips = found
        .ok_or_else(|| ApiError::bad("chips", message!("chips-kind", "chips must be `cash` or `play`")))?;
    if who.guest && chips == Chips::Cash {
        return Err(ApiError::refused(message!(
            "guest-play-chips",
            "guests can only use play chips; create an account"
        )));
    }
    app.store_rows(vec![plays_with(who.id, chips)]).await?;
    app.sessions.forget(who.id);
    let changed = crate::session::SignedIn { chips, ..(*who.who).clone() };
    me(State(app), Me { who: std::sync::Arc::new(changed), clients: who.clients }).await
}

/// Refills the caller's play chips to the amount that a guest starts with.
#[utoipa::path(post, path = "/api/me/refill", tag = "account", request_body = Refill,
    responses((status = 200, body = MeView), (status = 409, body = ErrorBody)))]
pub async fn refill(State(app): State<App>, who: Me, Body(asked): Body<Refill>) -> ApiResult<Json<MeView>> {
    let account = Account::player(Chips::Play, who.id);
    let full = app.file.guest_chips;
    let mut draft = app.draft(&who, asked.id.lawful()?, "refill", body_digest("refill", &asked));
    let outside = Account::new(Chips::Play, Holder::Outside);
    draft.postings = Postings::none().fill_up(outside, account, (full, full));
    app.commit(draft).await?;
    me(State(app), who).await
}

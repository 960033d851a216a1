//! The HTTP interface: one file a group of routes. `routes` is the whole list, each with who may use it.

mod account;
mod analysis;
mod bench;
mod cash_wagers;
mod cashier;
mod clauses;
mod clock;
mod coach;
mod counts;
mod entry;
mod lab;
mod memory;
mod nodes;
mod ops;
mod records;
mod register;
mod rehearsal;
mod rounds;
mod rules;
mod second_factor;
mod simulations;
mod staff;
mod tables;
mod training;

use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::registry::{Access, Registry};
use crate::role::{Allow, Role};
use crate::session::Who;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};
use utoipa::OpenApi;
use utoipa_axum::routes;

pub use entry::first_supervisor;
pub use ops::metrics;
pub use register::{entered, registered};
#[cfg(test)]
pub use tables::shoe;
pub use tables::{Action, ActionAnswer};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Cutcard house",
        description = "Tables, chips and records of a house. Money is a decimal string; every command that moves chips carries a client-made id, and repeating it is harmless."
    ),
    components(schemas(ErrorBody))
)]
struct Document;

const PLAYER: &[Role] = &[Role::Player];
const CASHIER: &[Role] = &[Role::Cashier];
const SUPERVISOR: &[Role] = &[Role::Supervisor];
const BOOKS: &[Role] = &[Role::Auditor, Role::Supervisor];
const AT_TABLES: &[Role] = &[Role::Player, Role::Dealer, Role::Floor, Role::Supervisor];
const STAFF: &[Role] = &[Role::Dealer, Role::Floor, Role::Cashier, Role::Supervisor, Role::Auditor];
const AUDITOR: &[Role] = &[Role::Auditor];
const DEALER: &[Role] = &[Role::Dealer];
const TABLE_STAFF: &[Role] = &[Role::Dealer, Role::Floor, Role::Supervisor];
const REGISTER: &[Role] = &[Role::Floor, Role::Supervisor];
const REGISTER_READERS: &[Role] = &[Role::Floor, Role::Supervisor, Role::Auditor];

/// Routes with their description and who may use which.
pub type Routes = (axum::Router<App>, utoipa::openapi::OpenApi, Access);

/// Every route of the house: put together once, since describing them takes longer than opening a house.
pub fn routes() -> &'static Routes {
    static ROUTES: LazyLock<Routes> = LazyLock::new(put_together);
    &ROUTES
}

fn put_together() -> Routes {
    use Allow::{Anyone, Roles, SignedIn};
    Registry::new(Document::openapi())
        .add(Anyone, routes!(ops::health))
        .add(Anyone, routes!(ops::ready))
        .add(Anyone, routes!(ops::document))
        .add(Anyone, routes!(ops::live_document))
        .add(Anyone, routes!(ops::house))
        .add(Roles(REGISTER_READERS), routes!(clock::read))
        .add(Roles(SUPERVISOR), routes!(clock::confirm))
        .add(Roles(BOOKS), routes!(nodes::list))
        .add(Anyone, routes!(entry::guest))
        .add(Anyone, routes!(entry::sign_up))
        .add(Anyone, routes!(entry::sign_in))
        .add(SignedIn, routes!(entry::sign_out))
        .add(SignedIn, routes!(account::me))
        .add(Anyone, routes!(account::current))
        .add(SignedIn, routes!(entry::change_password))
        .add(Roles(STAFF), routes!(second_factor::make, second_factor::confirm))
        .add(Roles(PLAYER), routes!(account::statement))
        .add(Roles(PLAYER), routes!(account::limits, account::change_limit))
        .add(Roles(PLAYER), routes!(account::exclude))
        .add(Roles(PLAYER), routes!(account::refill))
        .add(Roles(PLAYER), routes!(account::choose_chips))
        .add(Roles(CASHIER), routes!(cashier::buy_in))
        .add(Roles(CASHIER), routes!(cashier::cash_out))
        .add(Roles(CASHIER), routes!(cashier::patron))
        .add(Roles(SUPERVISOR), routes!(staff::list, staff::hire))
        .add(Roles(SUPERVISOR), routes!(staff::change))
        .add(Roles(BOOKS), routes!(records::day))
        .add(Roles(BOOKS), routes!(records::day_csv))
        .add(Roles(BOOKS), routes!(records::returns))
        .add(Roles(BOOKS), routes!(records::significant_events))
        .add(Roles(AUDITOR), routes!(records::journal))
        .add(Anyone, routes!(records::head))
        .add(Roles(TABLE_STAFF), routes!(counts::count_rack, counts::last_count))
        .add(Roles(REGISTER), routes!(register::enter))
        .add(Roles(REGISTER_READERS), routes!(register::list))
        .add(Roles(REGISTER_READERS), routes!(register::due))
        .add(Anyone, routes!(register::notices))
        .add(Roles(DEALER), routes!(cash_wagers::call))
        .add(Roles(SUPERVISOR), routes!(cash_wagers::confirm))
        .add(Roles(BOOKS), routes!(rounds::of_patron))
        .add(Roles(PLAYER), routes!(rounds::mine))
        .add(SignedIn, routes!(rounds::round))
        .add(SignedIn, routes!(rounds::csv))
        .add(SignedIn, routes!(rounds::notation))
        .add(Roles(PLAYER), routes!(analysis::of_round))
        .add(Roles(PLAYER), routes!(rehearsal::open_rehearsal))
        .add(Roles(PLAYER), routes!(rehearsal::act_at_rehearsal))
        .add(Roles(PLAYER), routes!(rehearsal::wager_at_rehearsal))
        .add(Roles(PLAYER), routes!(training::view, training::open))
        .add(Roles(PLAYER), routes!(memory::drilled, memory::remember_drill))
        .add(Roles(PLAYER), routes!(training::arrange))
        .add(Roles(PLAYER), routes!(training::act))
        .add(Roles(PLAYER), routes!(training::coach))
        .add(Anyone, routes!(rules::of_table))
        .add(Anyone, routes!(clauses::search))
        .add(Anyone, routes!(lab::keys))
        .add(Anyone, routes!(lab::check))
        .add(Anyone, routes!(lab::edge_of))
        .add(Anyone, routes!(lab::edge_of_table))
        .add(Anyone, routes!(lab::effects_of))
        .add(Anyone, routes!(lab::strategy_of))
        .add(Anyone, routes!(lab::strategy_svg))
        .add(Anyone, routes!(bench::report))
        .add(Anyone, routes!(bench::report_page))
        .add(Anyone, routes!(bench::card))
        .add(Anyone, routes!(bench::sweep))
        .add(Anyone, routes!(bench::compare))
        .add(Anyone, routes!(bench::shoe))
        .add(Anyone, routes!(bench::shoe_strategy))
        .add(Anyone, routes!(bench::removal))
        .add(Anyone, routes!(bench::tags))
        .add(Anyone, routes!(bench::indices))
        .add(Anyone, routes!(bench::ramp))
        .add(SignedIn, routes!(simulations::start))
        .add(SignedIn, routes!(simulations::look, simulations::stop))
        .add(Anyone, routes!(coach::values))
        .add(Anyone, routes!(tables::list))
        .add(Anyone, routes!(tables::table))
        .add(Anyone, routes!(tables::shoe))
        .add(Roles(AT_TABLES), routes!(tables::act))
        .add(Roles(PLAYER), routes!(tables::solo))
        .add(SignedIn, routes!(crate::live::live))
        .add(Roles(REGISTER), routes!(crate::calls::live))
        .finish()
}

/// The person behind a request, on routes that need one. The guard has put it there.
pub struct Me(pub Arc<Who>);

impl Deref for Me {
    type Target = Who;
    fn deref(&self) -> &Who {
        &self.0
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Me {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Me, ApiError> {
        parts.extensions.get::<Arc<Who>>().cloned().map(Me).ok_or_else(ApiError::sign_in)
    }
}

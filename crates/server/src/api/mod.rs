//! The HTTP API: one file per group of routes.
//!
//! The function `routes` lists every route, each with the roles that may use it.

mod account;
mod analysis;
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
mod requests;
mod rounds;
pub mod rules;
mod second_factor;
mod simulations;
mod staff;
mod tables;
mod training;
mod workbench;

use crate::app::App;
use crate::daily::Writes;
use crate::error::{ApiError, ErrorBody};
use crate::registry::{Access, Registry};
use crate::role::{Allow, Role};
use crate::session::SignedIn;
use crate::share::Clients;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};
use utoipa::OpenApi;
use utoipa_axum::routes;

pub use entry::{GUEST, first_supervisor};
pub use ops::metrics;
pub use register::{entered, registered};
pub use staff::Change;
#[cfg(test)]
pub use tables::shoe;
pub use tables::{Action, ActionAnswer};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Cutcard house",
        description = "Tables, chips and records of a casino. Money is a decimal string. Every command that moves \
            chips carries a client-generated id, so it is safe to retry."
    ),
    components(schemas(ErrorBody))
)]
struct Document;

const PLAYER: &[Role] = &[Role::Player];
const CASHIER: &[Role] = &[Role::Cashier];
const SUPERVISOR: &[Role] = &[Role::Supervisor];
const DECIDERS: &[Role] = &[Role::Cashier, Role::Supervisor];
const BOOKS: &[Role] = &[Role::Auditor, Role::Supervisor];
const AT_TABLES: &[Role] = &[Role::Player, Role::Dealer, Role::Floor, Role::Supervisor];
const STAFF: &[Role] = &[Role::Dealer, Role::Floor, Role::Cashier, Role::Supervisor, Role::Auditor];
const AUDITOR: &[Role] = &[Role::Auditor];
const DEALER: &[Role] = &[Role::Dealer];
const TABLE_STAFF: &[Role] = &[Role::Dealer, Role::Floor, Role::Supervisor];
const REGISTER: &[Role] = &[Role::Floor, Role::Supervisor];
const REGISTER_READERS: &[Role] = &[Role::Floor, Role::Supervisor, Role::Auditor];

/// The router of the API, its OpenAPI description, and the access rule of each route.
pub type Routes = (axum::Router<App>, utoipa::openapi::OpenApi, Access);

/// Returns the API's router, its OpenAPI description and its access rules.
///
/// The first call builds them and later calls reuse them, because the description takes long to build.
pub fn routes() -> &'static Routes {
    static ROUTES: LazyLock<Routes> = LazyLock::new(build_routes);
    &ROUTES
}

fn build_routes() -> Routes {
    use Allow::{Anyone, Roles, SignedIn};
    use Writes::{Account, Entry, Nothing, Practice, Protection, SignOut, Staff, Table};
    Registry::new(Document::openapi())
        .add(Anyone, routes!(ops::health))
        .add(Anyone, routes!(ops::ready))
        .add(Anyone, routes!(ops::document))
        .add(Anyone, routes!(ops::live_document))
        .add(Anyone, routes!(ops::house))
        .add(Roles(REGISTER_READERS), routes!(clock::read))
        .writing(Roles(SUPERVISOR), Staff, routes!(clock::confirm))
        .add(Roles(BOOKS), routes!(nodes::list))
        .writing(Anyone, Entry, routes!(entry::guest))
        .writing(Anyone, Entry, routes!(entry::sign_up))
        .writing(Anyone, Entry, routes!(entry::sign_in))
        .writing(SignedIn, SignOut, routes!(entry::sign_out))
        .add(SignedIn, routes!(account::me))
        .add(Anyone, routes!(account::current))
        .writing(SignedIn, Account, routes!(entry::change_password))
        .writing(Roles(STAFF), Staff, routes!(second_factor::make, second_factor::confirm))
        .add(Roles(PLAYER), routes!(account::statement))
        .writing(Roles(PLAYER), Protection, routes!(account::limits, account::change_limit))
        .writing(Roles(PLAYER), Protection, routes!(account::exclude))
        .writing(Roles(PLAYER), Account, routes!(account::refill))
        .writing(Roles(PLAYER), Account, routes!(account::choose_chips))
        .writing(Roles(CASHIER), Staff, routes!(cashier::buy_in))
        .writing(Roles(CASHIER), Staff, routes!(cashier::cash_out))
        .add(Roles(CASHIER), routes!(cashier::patron))
        .writing(Roles(SUPERVISOR), Staff, routes!(staff::list, staff::hire))
        .writing(Roles(SUPERVISOR), Staff, routes!(staff::change))
        .add(Roles(DECIDERS), routes!(requests::open))
        .writing(Roles(DECIDERS), Staff, routes!(requests::decide))
        .add(Roles(BOOKS), routes!(records::day))
        .add(Roles(BOOKS), routes!(records::day_csv))
        .add(Roles(BOOKS), routes!(records::returns))
        .add(Roles(BOOKS), routes!(records::significant_events))
        .add(Roles(AUDITOR), routes!(records::journal))
        .add(Anyone, routes!(records::head))
        .writing(Roles(TABLE_STAFF), Staff, routes!(counts::count_rack, counts::last_count))
        .writing(Roles(REGISTER), Staff, routes!(register::enter))
        .add(Roles(REGISTER_READERS), routes!(register::list))
        .add(Roles(REGISTER_READERS), routes!(register::due))
        .add(Anyone, routes!(register::notices))
        .writing(Roles(DEALER), Staff, routes!(cash_wagers::call))
        .writing(Roles(SUPERVISOR), Staff, routes!(cash_wagers::confirm))
        .add(Roles(BOOKS), routes!(rounds::of_patron))
        .add(Roles(PLAYER), routes!(rounds::mine))
        .add(SignedIn, routes!(rounds::round))
        .add(SignedIn, routes!(rounds::csv))
        .add(SignedIn, routes!(rounds::notation))
        .add(Roles(PLAYER), routes!(analysis::of_round))
        .writing(Roles(PLAYER), Nothing, routes!(rehearsal::open_rehearsal))
        .writing(Roles(PLAYER), Nothing, routes!(rehearsal::act_at_rehearsal))
        .writing(Roles(PLAYER), Nothing, routes!(rehearsal::wager_at_rehearsal))
        .writing(Roles(PLAYER), Nothing, routes!(training::view, training::open))
        .writing(Roles(PLAYER), Practice, routes!(memory::drilled, memory::remember_drill))
        .writing(Roles(PLAYER), Nothing, routes!(training::arrange))
        .writing(Roles(PLAYER), Nothing, routes!(training::act))
        .add(Roles(PLAYER), routes!(training::coach))
        .add(Anyone, routes!(rules::of_table))
        .add(Anyone, routes!(clauses::search))
        .add(Anyone, routes!(lab::keys))
        .writing(Anyone, Nothing, routes!(lab::check))
        .writing(Anyone, Nothing, routes!(lab::edge_of))
        .add(Anyone, routes!(lab::edge_of_table))
        .writing(Anyone, Nothing, routes!(lab::effects_of))
        .writing(Anyone, Nothing, routes!(lab::strategy_of))
        .writing(Anyone, Nothing, routes!(lab::strategy_svg))
        .writing(Anyone, Nothing, routes!(workbench::report))
        .writing(Anyone, Nothing, routes!(workbench::report_page))
        .writing(Anyone, Nothing, routes!(workbench::card))
        .writing(Anyone, Nothing, routes!(workbench::sweep))
        .writing(Anyone, Nothing, routes!(workbench::compare))
        .writing(Anyone, Nothing, routes!(workbench::shoe))
        .writing(Anyone, Nothing, routes!(workbench::shoe_strategy))
        .writing(Anyone, Nothing, routes!(workbench::removal))
        .writing(Anyone, Nothing, routes!(workbench::tags))
        .writing(Anyone, Nothing, routes!(workbench::indices))
        .writing(Anyone, Nothing, routes!(workbench::ramp))
        .writing(SignedIn, Nothing, routes!(simulations::start))
        .writing(SignedIn, Nothing, routes!(simulations::progress, simulations::stop))
        .writing(Anyone, Nothing, routes!(coach::values))
        .add(Anyone, routes!(tables::list))
        .add(Anyone, routes!(tables::table))
        .add(Anyone, routes!(tables::shoe))
        .writing(Roles(AT_TABLES), Table, routes!(tables::act))
        .writing(Roles(PLAYER), Table, routes!(tables::solo))
        .add(SignedIn, routes!(crate::live::live))
        .add(Roles(REGISTER), routes!(crate::calls::live))
        .finish()
}

/// The signed-in person who sends a request, for routes that require a session.
///
/// The gate in `guard.rs` identifies the person before the route runs. A request without a session is refused.
pub struct Me {
    pub who: Arc<SignedIn>,
    pub clients: Clients,
}

impl Me {
    /// Returns the person who sends the request, and the person and address whose limits the request counts
    /// against.
    pub fn asks(&self) -> (Option<&SignedIn>, Clients) {
        (Some(&self.who), self.clients)
    }
}

impl Deref for Me {
    type Target = SignedIn;
    fn deref(&self) -> &SignedIn {
        &self.who
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Me {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Me, ApiError> {
        let clients = parts.extensions.get::<Clients>().copied().unwrap_or_default();
        let who = parts.extensions.get::<Arc<SignedIn>>().cloned().ok_or_else(ApiError::sign_in)?;
        Ok(Me { who, clients })
    }
}

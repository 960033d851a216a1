//! The roles of people, and the access rules of routes.

use serde::{Deserialize, Serialize};

/// A person's role, which decides what they may do in the house.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    Player,
    Dealer,
    Floor,
    Supervisor,
    Cashier,
    Auditor,
}

impl Role {
    pub const ALL: [Role; 6] =
        [Role::Player, Role::Dealer, Role::Floor, Role::Supervisor, Role::Cashier, Role::Auditor];

    pub fn name(self) -> &'static str {
        match self {
            Role::Player => "player",
            Role::Dealer => "dealer",
            Role::Floor => "floor",
            Role::Supervisor => "supervisor",
            Role::Cashier => "cashier",
            Role::Auditor => "auditor",
        }
    }

    pub fn from_name(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Returns whether the role is a staff role.
    ///
    /// Staff do not bet.
    pub fn is_staff(self) -> bool {
        self != Role::Player
    }
}

/// Who may use a route.
///
/// Every route declares it; there is no default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allow {
    /// Anyone may use the route, with or without a session.
    Anyone,
    /// Anyone who is signed in may use the route.
    SignedIn,
    /// Only people with one of these roles may use the route.
    Roles(&'static [Role]),
}

impl Allow {
    pub fn admits(self, role: Option<Role>) -> bool {
        match (self, role) {
            (Allow::Anyone, _) => true,
            (Allow::SignedIn, role) => role.is_some(),
            (Allow::Roles(roles), Some(role)) => roles.contains(&role),
            (Allow::Roles(_), None) => false,
        }
    }
}

//! The nodes of the house, for operators: which are alive, how long each lease lasts, and which owns which table.

use crate::app::App;
use axum::Json;
use axum::extract::State;
use serde::Serialize;

/// The nodes of the house, and the tables without an owner.
#[derive(Serialize, utoipa::ToSchema)]
pub struct NodesView {
    /// The name of the node that answered, or absent if the house is a single process.
    #[serde(skip_serializing_if = "Option::is_none")]
    me: Option<String>,
    /// The nodes of the house, alive or not.
    nodes: Vec<NodeView>,
    /// The numbers of the tables that no live node owns.
    free: Vec<u32>,
    /// The lag of the database's synchronous standby in bytes, or absent without a standby.
    #[serde(skip_serializing_if = "Option::is_none")]
    standby_lag_bytes: Option<i64>,
}

/// A node of the house, with its lease and its tables.
#[derive(Serialize, utoipa::ToSchema)]
pub struct NodeView {
    /// The name of the node.
    name: String,
    /// The number of times that the node has started.
    incarnation: i64,
    /// The address at which other nodes reach the node.
    address: String,
    /// The version of the program that the node runs.
    program: String,
    /// Whether the node is alive: its lease has not expired and its database session is open.
    alive: bool,
    /// The milliseconds left on the lease by the database's clock, negative after it expires.
    lease_left_ms: i64,
    /// The tables that the node owns, each with its epoch.
    tables: Vec<OwnedView>,
}

/// A table owned by a node.
#[derive(Serialize, utoipa::ToSchema)]
pub struct OwnedView {
    /// The number of the table.
    table: u32,
    /// The fencing token of the table's owner, which rises with every new owner.
    epoch: i64,
}

/// Returns the nodes of the house.
///
/// The list was read from the database at most a second ago.
#[utoipa::path(get, path = "/api/nodes", tag = "operations", responses((status = 200, body = NodesView)))]
pub async fn list(State(app): State<App>) -> Json<NodesView> {
    let Some(nodes) = app.nodes.get() else {
        return Json(NodesView { me: None, nodes: Vec::new(), free: Vec::new(), standby_lag_bytes: None });
    };
    let roster = nodes.roster();
    let owned = |owner: &str| {
        let of = roster.owners.iter().filter(|owned| owned.owner == owner);
        of.map(|owned| OwnedView { table: owned.table.0, epoch: owned.epoch }).collect()
    };
    let view = |node: &ledger::nodes::NodeStatus| NodeView {
        name: node.name.clone(),
        incarnation: node.incarnation,
        address: node.address.clone(),
        program: node.program.clone(),
        alive: node.alive,
        lease_left_ms: node.lease_left_ms,
        tables: owned(&node.owner()),
    };
    let tables = app.file.tables.iter().map(|setup| setup.number);
    Json(NodesView {
        me: Some(nodes.membership.name().to_owned()),
        nodes: roster.nodes.iter().map(view).collect(),
        free: tables.filter(|table| roster.owner_of(ledger::TableId(*table)).is_none()).collect(),
        standby_lag_bytes: roster.standby_lag_bytes,
    })
}

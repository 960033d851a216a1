//! Joins a house on PostgreSQL as one of its nodes, even if it is the only one.

use crate::app::App;
use crate::nodes::{self, Nodes, Secret};
use crate::serve::{Options, ServeError, blocking};
use ledger::nodes::{Node, NodeNotification};
use ledger::signer::Signer;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The default node name, for a house that is the only node on its database.
const ALONE: &str = "house";

/// A node that has joined the house, but does not yet serve the other nodes.
///
/// [`JoinedNode::serve`] starts to serve them once the tables are restored.
pub struct JoinedNode {
    listener: Option<TcpListener>,
    notifications: UnboundedReceiver<NodeNotification>,
}

fn wrong(what: impl std::fmt::Display) -> ServeError {
    ServeError::Opening(what.to_string())
}

/// Joins the house on PostgreSQL as one of its nodes.
///
/// The caller has already checked that this node has the house's keys.
pub async fn among_nodes(
    app: &App,
    options: &Options,
    signer: Option<&Signer>,
) -> Result<JoinedNode, ServeError> {
    let name = options.node.clone().unwrap_or_else(|| ALONE.into());
    if !Node::is_name(&name) {
        return Err(wrong(format!("--node {name}: use a-z, 0-9, `-` and `.`, up to 40 characters")));
    }
    let listener = match &options.peers_listen {
        Some(listen) => {
            Some(TcpListener::bind(listen).await.map_err(|error| ServeError::Listen(listen.clone(), error))?)
        }
        None => None,
    };
    let address = match (&listener, &options.peers_address) {
        (_, Some(address)) => address.clone(),
        (Some(listener), None) => reachable(listener.local_addr().map_err(wrong)?)?,
        (None, None) => String::new(),
    };
    let secret = Secret::of(&options.data, signer).map_err(wrong)?;
    let node =
        Node { name, address, program: env!("CARGO_PKG_VERSION").into(), house: house_digest(options)? };
    let (tell, notifications) = unbounded_channel();
    let house = Arc::clone(app);
    let on_notification = move |notification| {
        // Nobody receives this while the house is closing.
        let _ = tell.send(notification);
    };
    let membership = blocking(move || house.ledger.join(node, on_notification)).await?.map_err(wrong)?;
    let tables = app.file.tables.iter().map(|setup| setup.number);
    if app.nodes.set(Nodes::new(membership, secret, tables)).is_err() {
        return Err(wrong("this house has already joined the cluster"));
    }
    Ok(JoinedNode { listener, notifications })
}

/// Returns the SHA-256 of the house file, in hexadecimal.
pub fn house_digest(options: &Options) -> Result<String, ServeError> {
    let text = match &options.house {
        Some(path) => std::fs::read(path).map_err(|error| wrong(format!("{}: {error}", path.display())))?,
        None => Vec::new(),
    };
    Ok(ledger::Digest::of(&text).to_string())
}

/// Returns `address` as text for other nodes to connect to, or an error if it is the unspecified address.
///
/// Other nodes cannot reach the unspecified address.
fn reachable(address: SocketAddr) -> Result<String, ServeError> {
    match address.ip().is_unspecified() {
        true => Err(wrong("--peers-listen on all addresses also needs --peers-address HOST:PORT")),
        false => Ok(address.to_string()),
    }
}

impl JoinedNode {
    /// Starts to exchange requests with the other nodes, and waits until this node owns the tables assigned to it.
    ///
    /// Stops waiting with a warning if that takes too long.
    pub async fn serve(self, app: &App) {
        let Some(nodes) = app.nodes.get() else { return };
        nodes.run(nodes::handle_notifications(Arc::clone(app), self.notifications));
        if let Some(listener) = self.listener {
            nodes.run(nodes::listen(listener, Arc::clone(app)));
            nodes.run(nodes::keep_reporting(Arc::clone(app)));
        }
        if !nodes.settled().await {
            tracing::warn!("this node does not own all of its assigned tables yet; it keeps trying");
        }
    }
}

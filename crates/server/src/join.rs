//! How a house on PostgreSQL comes in as one of its nodes, alone or among others.

use crate::app::App;
use crate::nodes::{self, Nodes, Secret};
use crate::serve::{Options, ServeError, blocking};
use ledger::keeper::Keeper;
use ledger::nodes::{Node, Word};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// A house that is the only one on its database need not be named.
const ALONE: &str = "house";

/// What is served when the tables are there.
pub struct Coming {
    listener: Option<TcpListener>,
    words: UnboundedReceiver<Word>,
}

fn wrong(what: impl std::fmt::Display) -> ServeError {
    ServeError::Opening(what.to_string())
}

/// Takes the node's place; the house's keys have been compared before.
pub async fn among_nodes(
    app: &App,
    options: &Options,
    keeper: Option<&Keeper>,
) -> Result<Coming, ServeError> {
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
    let secret = Secret::of(&options.data, keeper).map_err(wrong)?;
    let node = Node { name, address, program: env!("CARGO_PKG_VERSION").into() };
    let (tell, words) = unbounded_channel();
    let house = Arc::clone(app);
    let hear = move |word| {
        // Nobody hears when the house is closing.
        let _ = tell.send(word);
    };
    let membership = blocking(move || house.ledger.join(node, hear)).await?.map_err(wrong)?;
    let tables = app.file.tables.iter().map(|setup| setup.number);
    if app.nodes.set(Nodes::new(membership, secret, tables)).is_err() {
        return Err(wrong("the house has come in already"));
    }
    Ok(Coming { listener, words })
}

/// An address that means every one of this machine's is none that others can ask.
fn reachable(address: SocketAddr) -> Result<String, ServeError> {
    match address.ip().is_unspecified() {
        true => Err(wrong("--peers-listen on all addresses also needs --peers-address HOST:PORT")),
        false => Ok(address.to_string()),
    }
}

impl Coming {
    /// Hears of other nodes and answers them, and waits until it owns the tables that are assigned to it.
    pub async fn serve(self, app: &App) {
        let Some(nodes) = app.nodes.get() else { return };
        nodes.run(nodes::hear(Arc::clone(app), self.words));
        if let Some(listener) = self.listener {
            nodes.run(nodes::listen(listener, Arc::clone(app)));
        }
        if !nodes.settled().await {
            tracing::warn!("some tables could not be taken yet");
        }
    }
}

//! Wires that can be cut: traffic is passed on, delayed, or held as if the other end were gone. A wire identifies the
//! connecting node by its address if each node has one, and otherwise by the owner of the socket, so that any two nodes
//! can be separated.

use super::network::Network;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::runtime::Handle;
use tokio::sync::watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    Whole,
    /// Nothing arrives, and no error is reported.
    Cut,
    /// Everything arrives with this delay.
    Slow(Duration),
}

#[derive(Clone)]
pub enum End {
    Port(SocketAddr),
    Socket(PathBuf),
}

impl End {
    /// A port on the wire's own machine.
    pub fn here(port: u16) -> End {
        End::Port((Ipv4Addr::LOCALHOST, port).into())
    }
}

/// The process ids of the nodes, by node number.
pub type Pids = Arc<Mutex<Vec<u32>>>;

pub struct Wires {
    pub port: u16,
    /// One for each connecting node.
    wires: watch::Sender<Vec<Wire>>,
}

impl Wires {
    /// Creates a wire from a port at this address, on the machine of the runtime.
    pub async fn to(end: End, pids: Pids, nodes: usize, (at, near): (&Handle, IpAddr)) -> Wires {
        let (wires, state) = watch::channel(vec![Wire::Whole; nodes]);
        let begin = async move {
            let listener = TcpListener::bind((near, 0)).await.expect("bound");
            let port = listener.local_addr().expect("known").port();
            tokio::spawn(async move {
                while let Ok((near, from)) = listener.accept().await {
                    let (end, state, pids) = (end.clone(), state.clone(), Arc::clone(&pids));
                    tokio::spawn(async move {
                        let _ = near.set_nodelay(true);
                        let by_socket = || asker(from.port(), port, &pids.lock().expect("unpoisoned"));
                        let asker = Network::machine_of(from.ip()).or_else(by_socket).unwrap_or(0);
                        pass(near, end, Own { state, asker }).await;
                    });
                }
            });
            port
        };
        Wires { port: at.spawn(begin).await.expect("begun"), wires }
    }

    /// Creates a wire from a Unix socket; this wire is never cut itself.
    pub async fn from_socket(socket: &Path, end: End, at: &Handle) {
        let _entered = at.enter();
        let listener = UnixListener::bind(socket).expect("bound");
        let state = watch::channel(vec![Wire::Whole]).1;
        at.spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(pass(near, end.clone(), Own { state: state.clone(), asker: 0 }));
            }
        });
    }

    /// Sets the wire from one node, or from all.
    pub fn set(&self, from: Option<usize>, wire: Wire) {
        self.wires.send_modify(|wires| {
            for (n, each) in wires.iter_mut().enumerate() {
                if from.is_none_or(|from| from == n) {
                    *each = wire;
                }
            }
        });
    }
}

/// The state of the wire from one node.
#[derive(Clone)]
struct Own {
    state: watch::Receiver<Vec<Wire>>,
    asker: usize,
}

impl Own {
    fn now(&self) -> Wire {
        self.state.borrow().get(self.asker).copied().unwrap_or(Wire::Whole)
    }

    /// Waits until the wire is not cut.
    async fn passes(&mut self) -> bool {
        let asker = self.asker;
        self.now() != Wire::Cut
            || self.state.wait_for(|wires| wires.get(asker) != Some(&Wire::Cut)).await.is_ok()
    }
}

async fn pass(near: impl AsyncRead + AsyncWrite, end: End, mut own: Own) {
    // A connection made while the wire is cut waits until it is whole.
    if !own.passes().await {
        return;
    }
    match end {
        End::Port(address) => {
            if let Ok(far) = TcpStream::connect(address).await {
                let _ = far.set_nodelay(true);
                both(near, far, own).await;
            }
        }
        End::Socket(path) => {
            if let Ok(far) = UnixStream::connect(path).await {
                both(near, far, own).await;
            }
        }
    }
}

/// Returns which of these processes owns the socket that connects these two ports.
fn asker(from: u16, to: u16, pids: &[u32]) -> Option<usize> {
    let sockets = std::fs::read_to_string("/proc/net/tcp").ok()?;
    let (from, to) = (format!(":{from:04X}"), format!(":{to:04X}"));
    let inode = sockets.lines().find_map(|line| {
        let mut columns = line.split_whitespace().skip(1);
        let (near, far) = (columns.next()?, columns.next()?);
        (near.ends_with(&from) && far.ends_with(&to)).then(|| columns.nth(6))?
    })?;
    let name = format!("socket:[{inode}]");
    pids.iter().position(|pid| {
        let files = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        files
            .map(|file| std::fs::read_link(file.path()))
            .any(|link| link.is_ok_and(|to| to.as_os_str() == &*name))
    })
}

async fn both<A, B>(near: A, far: B, own: Own)
where
    A: AsyncRead + AsyncWrite,
    B: AsyncRead + AsyncWrite,
{
    let (near_in, near_out) = tokio::io::split(near);
    let (far_in, far_out) = tokio::io::split(far);
    tokio::select! {
        () = one(near_in, far_out, own.clone()) => {}
        () = one(far_in, near_out, own) => {}
    }
}

async fn one(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, mut own: Own) {
    let mut bytes = vec![0; 1 << 14];
    loop {
        let Ok(count @ 1..) = from.read(&mut bytes).await else { return };
        if let Wire::Slow(later) = own.now() {
            tokio::time::sleep(later).await;
        }
        if !own.passes().await || to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

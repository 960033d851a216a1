//! A wire that can be cut: what goes through it is passed on, held back for a while, or kept as if the other end were gone.

use std::path::PathBuf;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    Whole,
    /// Nothing arrives, and nothing is said about it.
    Cut,
    /// Everything arrives so much later.
    Slow(Duration),
}

#[derive(Clone)]
pub enum End {
    Port(u16),
    Socket(PathBuf),
}

pub struct Proxy {
    pub port: u16,
    wire: watch::Sender<Wire>,
}

impl Proxy {
    pub async fn to(end: End) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bound");
        let port = listener.local_addr().expect("known").port();
        let (wire, state) = watch::channel(Wire::Whole);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let (end, mut state) = (end.clone(), state.clone());
                tokio::spawn(async move {
                    let _ = near.set_nodelay(true);
                    // A connection that is asked for while the wire is cut is not made before it is whole.
                    if !passes(&mut state).await {
                        return;
                    }
                    match end {
                        End::Port(port) => {
                            if let Ok(far) = TcpStream::connect(("127.0.0.1", port)).await {
                                let _ = far.set_nodelay(true);
                                both(near, far, state).await;
                            }
                        }
                        End::Socket(path) => {
                            if let Ok(far) = UnixStream::connect(path).await {
                                both(near, far, state).await;
                            }
                        }
                    }
                });
            }
        });
        Proxy { port, wire }
    }

    pub fn set(&self, wire: Wire) {
        self.wire.send_replace(wire);
    }
}

async fn both<A, B>(near: A, far: B, state: watch::Receiver<Wire>)
where
    A: AsyncRead + AsyncWrite,
    B: AsyncRead + AsyncWrite,
{
    let (near_in, near_out) = tokio::io::split(near);
    let (far_in, far_out) = tokio::io::split(far);
    tokio::select! {
        () = one(near_in, far_out, state.clone()) => {}
        () = one(far_in, near_out, state) => {}
    }
}

/// Waits until the wire is not cut.
async fn passes(state: &mut watch::Receiver<Wire>) -> bool {
    state.wait_for(|wire| *wire != Wire::Cut).await.is_ok()
}

async fn one(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut state: watch::Receiver<Wire>,
) {
    let mut bytes = vec![0; 1 << 14];
    loop {
        let Ok(count @ 1..) = from.read(&mut bytes).await else { return };
        let wire = *state.borrow();
        if let Wire::Slow(later) = wire {
            tokio::time::sleep(later).await;
        }
        if !passes(&mut state).await || to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

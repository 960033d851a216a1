//! The network of the chaos test: each machine has its own network namespace, with a link to a router namespace, which
//! silently drops packets between separated machines. The host's own network is not touched, and everything disappears
//! with the test. Needs root.

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::{IpAddr, Ipv4Addr};
use std::os::fd::AsFd as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use tokio::runtime::{Builder, Handle};

/// A network namespace, held by a process that ends when its standard input closes.
struct Space(Child);

impl Space {
    fn open() -> Option<Space> {
        let mut command = Command::new("unshare");
        command.args(["--net", "sh", "-c", "echo here; exec cat >/dev/null"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().ok()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take()?).read_line(&mut line).ok()?;
        let space = Space(child);
        (line.trim() == "here").then_some(space)
    }

    fn pid(&self) -> String {
        self.0.id().to_string()
    }

    /// Runs a shell line in this namespace.
    fn run(&self, line: &str) -> bool {
        let mut command = Command::new("nsenter");
        command.args(["--net", "--target", &self.pid(), "sh", "-ec", line]);
        command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

pub struct Network {
    router: Space,
    machines: Vec<(Space, Handle)>,
}

impl Network {
    /// Creates this many machines; `None` if this process is not allowed to.
    pub fn of(machines: usize) -> Option<Network> {
        let router = Space::open()?;
        if !router.run("ip link set lo up; echo 1 >/proc/sys/net/ipv4/ip_forward") {
            return None;
        }
        let machines: Option<Vec<_>> = (0..machines).map(|number| machine(number, &router)).collect();
        Some(Network { router, machines: machines? })
    }

    pub fn address(machine: usize) -> IpAddr {
        Ipv4Addr::new(10, 47, machine as u8, 2).into()
    }

    /// Returns the machine that has this address.
    pub fn machine_of(address: IpAddr) -> Option<usize> {
        match address {
            IpAddr::V4(v4) if v4.octets()[..2] == [10, 47] => Some(v4.octets()[2].into()),
            _ => None,
        }
    }

    /// Returns a runtime whose tasks run at this machine.
    pub fn runtime(&self, machine: usize) -> &Handle {
        &self.machines[machine].1
    }

    /// Runs a closure at a machine, in its own thread; a process started there stays there.
    pub fn at<T: Send + 'static>(&self, machine: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
        let (done, doing) = mpsc::channel();
        // A thread inherits the namespace of the thread that spawned it.
        self.runtime(machine).spawn(async move {
            std::thread::spawn(move || done.send(work()));
        });
        doing.recv().expect("it is done")
    }

    /// Separates two machines, so that packets between them vanish silently, or joins them again.
    pub fn part(&self, one: usize, other: usize, parted: bool) {
        let [one, other] = [one, other].map(Network::address);
        let drop = |from: IpAddr, to: IpAddr| format!("from {from} to {to} blackhole");
        for rule in [drop(one, other), drop(other, one)] {
            // Deletes the rule first, so that it never exists twice.
            self.router.run(&format!("ip rule del {rule}"));
            assert!(!parted || self.router.run(&format!("ip rule add {rule}")), "the router knows {rule}");
        }
    }
}

fn machine(number: usize, router: &Space) -> Option<(Space, Handle)> {
    let space = Space::open()?;
    let wired = format!(
        "ip link add wire netns {} type veth peer name wire{number}; ip addr add 10.47.{number}.1/30 dev wire{number}; \
         ip link set wire{number} up",
        space.pid()
    );
    let own = format!(
        "ip link set lo up; ip addr add 10.47.{number}.2/30 dev wire; ip link set wire up; \
         ip route add default via 10.47.{number}.1"
    );
    if !router.run(&wired) || !space.run(&own) {
        return None;
    }
    let file = File::open(format!("/proc/{}/ns/net", space.pid())).ok()?;
    let (send, handle) = mpsc::channel();
    std::thread::spawn(move || {
        move_into_link_name_space(file.as_fd(), Some(LinkNameSpaceType::Network)).expect("entered");
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let _ = send.send(runtime.handle().clone());
        runtime.block_on(std::future::pending::<()>());
    });
    Some((space, handle.recv().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::net::{TcpListener, TcpStream};

    /// Checks that cuts have an effect; otherwise the chaos test could pass without them.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn machines_that_are_parted_do_not_hear_each_other() {
        let Some(network) = Network::of(3) else { return };
        let bind = async { TcpListener::bind((Network::address(1), 4700)).await };
        let listener = network.runtime(1).spawn(bind).await.expect("done").expect("bound");
        let reaches = |from: usize| {
            let connect = TcpStream::connect((Network::address(1), 4700));
            let tried = async { tokio::time::timeout(Duration::from_millis(700), connect).await };
            let task = network.runtime(from).spawn(tried);
            async { matches!(task.await.expect("done"), Ok(Ok(_))) }
        };
        assert!(reaches(0).await && reaches(2).await, "all are joined at first");
        network.part(0, 1, true);
        network.part(0, 1, true);
        assert!(!reaches(0).await && reaches(2).await, "these two are parted, and nobody else");
        network.part(1, 0, false);
        assert!(reaches(0).await && reaches(2).await, "and joined again");
        drop(listener);
    }
}

//! Connects to the first database host that answers.
//!
//! A host may accept connections and then say nothing: its PostgreSQL hangs, or a connection pooler there waits for a
//! dead server. Such a host must not keep a node from the next one, so each host is an attempt of its own.

use crate::address::Address;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use std::time::Duration;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Error, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

type Tls = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;

/// How long a host may stay silent before the next host is tried as well.
const NEXT_AFTER: Duration = Duration::from_millis(500);

impl Address {
    /// Connects to the hosts of this address in order, and returns the first connection that is established.
    ///
    /// Tries the next host as soon as one fails or stays silent for a while. Returns the last error if all fail.
    pub async fn connect(&self) -> Result<(Client, Connection<Socket, Tls>), Error> {
        let mut left = of_each_host(&self.config).into_iter();
        let mut attempts = FuturesUnordered::new();
        loop {
            if let Some(config) = left.next() {
                let tls = self.tls.clone();
                attempts.push(async move { config.connect(tls).await });
            }
            let next = async {
                match left.len() {
                    0 => std::future::pending().await,
                    _ => tokio::time::sleep(NEXT_AFTER).await,
                }
            };
            tokio::select! {
                Some(tried) = attempts.next() => match tried {
                    Err(_) if left.len() > 0 || !attempts.is_empty() => {}
                    last => return last,
                },
                () = next => {}
            }
        }
    }
}

/// Returns the settings for each host by itself.
fn of_each_host(config: &Config) -> Vec<Config> {
    let (hosts, addresses, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    let count = hosts.len().max(addresses.len());
    // What does not fit together is left to the driver, which says why.
    let fit = [hosts.len(), addresses.len()].iter().all(|n| [0, count].contains(n));
    if count < 2 || !fit || ![0, 1, count].contains(&ports.len()) {
        return vec![config.clone()];
    }
    let of_one = |at: usize| {
        let mut one = without_hosts(config);
        match hosts.get(at) {
            Some(tokio_postgres::config::Host::Tcp(name)) => _ = one.host(name),
            Some(tokio_postgres::config::Host::Unix(path)) => _ = one.host_path(path),
            None => {}
        }
        addresses.get(at).inspect(|address| _ = one.hostaddr(**address));
        ports.get(at).or(ports.first()).inspect(|port| _ = one.port(**port));
        one
    };
    (0..count).map(of_one).collect()
}

/// Returns a copy of the settings without hosts, addresses and ports, which a `Config` cannot remove.
fn without_hosts(config: &Config) -> Config {
    let mut one = Config::new();
    config.get_user().inspect(|user| _ = one.user(*user));
    config.get_password().inspect(|password| _ = one.password(password));
    config.get_dbname().inspect(|name| _ = one.dbname(*name));
    config.get_options().inspect(|options| _ = one.options(*options));
    config.get_application_name().inspect(|name| _ = one.application_name(*name));
    config.get_connect_timeout().inspect(|time| _ = one.connect_timeout(**time));
    config.get_tcp_user_timeout().inspect(|time| _ = one.tcp_user_timeout(**time));
    config.get_keepalives_interval().inspect(|time| _ = one.keepalives_interval(*time));
    config.get_keepalives_retries().inspect(|count| _ = one.keepalives_retries(*count));
    one.ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding())
        .load_balance_hosts(config.get_load_balance_hosts());
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every setting that an address can have is in each part. A part differs from the whole only in its host.
    #[test]
    fn each_host_keeps_all_other_settings() {
        let others = "user=u password=p dbname=d options=-cx=1 application_name=a sslmode=require \
            sslnegotiation=direct connect_timeout=3 tcp_user_timeout=4 keepalives=0 keepalives_idle=5 \
            keepalives_interval=6 keepalives_retries=7 target_session_attrs=read-write channel_binding=require \
            load_balance_hosts=random";
        let config = |hosts: &str| format!("{hosts} {others}").parse::<Config>().expect("an address");
        let each = |hosts: &str| of_each_host(&config(hosts));
        assert!(each("host=a,/run port=1,2") == [config("host=a port=1"), config("host=/run port=2")]);
        assert!(each("host=a,b port=1") == [config("host=a port=1"), config("host=b port=1")]);
        assert!(each("host=a,b") == [config("host=a"), config("host=b")]);
        let addresses = each("host=a,b hostaddr=10.0.0.1,10.0.0.2");
        assert!(addresses == [config("host=a hostaddr=10.0.0.1"), config("host=b hostaddr=10.0.0.2")]);
        for whole in ["host=a", "host=a,b port=1,2,3", "host=a,b hostaddr=10.0.0.1"] {
            assert!(each(whole) == [config(whole)], "{whole}");
        }
    }
}

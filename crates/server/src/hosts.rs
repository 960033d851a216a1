//! The host names of a house.
//!
//! Another site can point its own host name at the house's address (DNS rebinding). A browser's requests then
//! differ from the house's own only in the host name, so requests under a foreign name are rejected.

use std::net::{IpAddr, SocketAddr};

/// The host names and addresses under which requests may reach the house.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts {
    named: Vec<String>,
    /// Whether any address of the machine is accepted, because the house listens on all of them.
    any_address: bool,
}

impl Hosts {
    /// Checks the host names of the house file, and returns them in lower case, without a trailing dot.
    ///
    /// Returns an error if a name is invalid, or has a scheme or a port.
    pub fn parse(texts: &[String]) -> Result<Vec<String>, String> {
        let one = |text: &String| match host_of(text) {
            Some(host) if !has_port(text) => Ok(host),
            _ => Err(format!("hosts: `{text}` is not a name like casino.example, without scheme or port")),
        };
        texts.iter().map(one).collect()
    }

    /// Returns the hosts of a house: the names in `named`, loopback, and the host of the listening address
    /// `listen`.
    pub fn new(named: &[String], listen: &str) -> Hosts {
        let own = listen.parse::<SocketAddr>().map(|address| address.ip().to_string()).ok();
        let own = own.or_else(|| host_of(listen));
        let any_address = own.as_deref().and_then(address_of).is_some_and(|address| address.is_unspecified());
        Hosts { named: named.iter().cloned().chain(own).collect(), any_address }
    }

    /// Returns whether `authority`, the host and port that a request names, is one of the house's hosts.
    ///
    /// Ignores the port.
    pub fn permit(&self, authority: &str) -> bool {
        let Some(host) = host_of(authority) else { return false };
        if host == "localhost" || host.ends_with(".localhost") || self.named.contains(&host) {
            return true;
        }
        // Addresses are safe from rebinding: nobody can point one elsewhere.
        address_of(&host).is_some_and(|address| {
            let is = |named: &String| address_of(named) == Some(address);
            self.any_address || address.is_loopback() || self.named.iter().any(is)
        })
    }
}

/// Returns the host name or address in an authority, in lower case, or `None` if the authority is invalid.
///
/// The port, brackets and a trailing dot are removed.
fn host_of(authority: &str) -> Option<String> {
    let (host, port) = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, rest)) => (address, rest.strip_prefix(':').or(rest.is_empty().then_some(""))?),
        None => authority.split_once(':').unwrap_or((authority, "")),
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    let is_host = !host.is_empty() && (host.chars().all(plain) || address_of(host).is_some());
    let is_port = port.chars().all(|c| c.is_ascii_digit());
    (is_host && is_port).then(|| host.to_ascii_lowercase())
}

fn has_port(authority: &str) -> bool {
    authority.rsplit(']').next().is_some_and(|rest| rest.contains(':'))
}

fn address_of(host: &str) -> Option<IpAddr> {
    host.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(named: &[&str], listen: &str) -> Hosts {
        let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
        Hosts::new(&Hosts::parse(&named).expect("names"), listen)
    }

    #[test]
    fn the_house_has_its_own_names_and_no_others() {
        let loopback = ["localhost", "LOCALHOST:8080", "localhost.", "127.0.0.1:1", "127.9.9.9", "[::1]:80"];
        let foreign =
            ["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example"];
        let broken =
            ["", ":80", "a b", "[::1", "[::1]x", "http://localhost", "localhost:x", "user@localhost"];
        for listen in ["127.0.0.1:8080", "0.0.0.0:8080", "[::]:8080", "10.0.0.5:80", "casino.example:80", ""]
        {
            let house = hosts(&[], listen);
            assert!(loopback.iter().all(|host| house.permit(host)), "{listen}");
            assert!(foreign.iter().chain(&broken).all(|host| !house.permit(host)), "{listen}");
            let any = ["0.0.0.0:8080", "[::]:8080"].contains(&listen);
            assert_eq!(house.permit("192.168.1.7:8080"), any, "{listen}");
            assert_eq!(house.permit("[2001:db8::7]:8080"), any, "{listen}");
            assert_eq!(house.permit("10.0.0.5"), any || listen == "10.0.0.5:80", "{listen}");
            assert_eq!(house.permit("Casino.example"), listen == "casino.example:80", "{listen}");
        }
        let named = hosts(&["Casino.Example", "192.0.2.9"], "127.0.0.1:8080");
        assert!(
            ["casino.example", "CASINO.example.:443", "192.0.2.9", "localhost"]
                .iter()
                .all(|h| named.permit(h))
        );
        assert!(!named.permit("www.casino.example") && !named.permit("192.0.2.10"));
    }

    #[test]
    fn a_name_in_the_house_file_is_a_name() {
        for text in ["https://casino.example", "casino.example:443", "casino.example/", "", "*.example"] {
            assert!(Hosts::parse(&[text.to_owned()]).is_err(), "{text}");
        }
    }
}

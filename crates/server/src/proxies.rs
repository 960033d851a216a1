//! Finds the address of a client behind proxies.
//!
//! Forwarding headers are trusted only if a trusted proxy sent them. The client is the nearest hop that is not a
//! trusted proxy.

use axum::http::HeaderMap;
use axum::http::header::FORWARDED;
use std::net::IpAddr;

/// The proxies whose forwarding headers the house trusts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies(Vec<(IpAddr, u8)>);

impl Proxies {
    /// Parses proxy addresses and networks, such as `10.0.0.1` and `10.0.0.0/8`.
    pub fn parse(texts: &[String]) -> Result<Proxies, String> {
        let one = |text: &String| {
            let (address, length) = match text.split_once('/') {
                Some((address, length)) => (address, length.parse::<u8>().ok()),
                None => (text.as_str(), Some(128)),
            };
            let address = address.parse::<IpAddr>().ok().map(|address| address.to_canonical());
            let most = if address.is_some_and(|a| a.is_ipv4()) { 32 } else { 128 };
            let length = if text.contains('/') { length.filter(|n| *n <= most) } else { Some(most) };
            match (address, length) {
                (Some(address), Some(length)) => Ok((address, length)),
                _ => Err(format!(
                    "trusted_proxies: `{text}` is neither an address nor a network like 10.0.0.0/8"
                )),
            }
        };
        texts.iter().map(one).collect::<Result<_, _>>().map(Proxies)
    }

    /// Returns whether `address` belongs to a trusted proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|(network, length)| match (network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(*length)).unwrap_or(0);
                u32::from(*network) & mask == u32::from(address) & mask
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(*length)).unwrap_or(0);
                u128::from(*network) & mask == u128::from(address) & mask
            }
            _ => false,
        })
    }

    /// Returns the address of the client behind the trusted proxy `peer`, or `peer` itself if it is not a trusted
    /// proxy.
    pub fn source(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let peer = peer.to_canonical();
        if !self.trusts(peer) {
            return peer;
        }
        let forwarded = hops(headers, FORWARDED.as_str(), forwarded_for);
        let listed = hops(headers, "x-forwarded-for", address);
        let found: Vec<IpAddr> =
            [forwarded, listed].iter().flatten().map(|hops| self.nearest(peer, hops)).collect();
        match found[..] {
            [only] => only,
            // If the two headers disagree, neither is trusted: a proxy that appends to one may have passed the other on
            // unchecked.
            [one, other] if one == other => one,
            _ => peer,
        }
    }

    /// Returns the nearest of `hops` that is not a trusted proxy.
    ///
    /// If the hop behind a trusted proxy is hidden or missing, returns the address of that proxy.
    fn nearest(&self, peer: IpAddr, hops: &[Option<IpAddr>]) -> IpAddr {
        let mut last = peer;
        for hop in hops.iter().rev() {
            match hop {
                Some(address) if self.trusts(*address) => last = *address,
                Some(address) => return *address,
                None => return last,
            }
        }
        last
    }
}

/// Returns the hops in a header, farthest first, or `None` if the header is missing.
///
/// A hop that is hidden or malformed is `None`.
fn hops(
    headers: &HeaderMap,
    name: &str,
    read: impl Fn(&str) -> Option<IpAddr>,
) -> Option<Vec<Option<IpAddr>>> {
    let lines: Vec<_> = headers.get_all(name).iter().collect();
    if lines.is_empty() {
        return None;
    }
    let elements = lines.iter().flat_map(|line| line.to_str().unwrap_or("?").split(','));
    Some(elements.map(|element| read(element.trim())).collect())
}

/// Returns the `for=` address of one `Forwarded` element, or `None` if it has none.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.eq_ignore_ascii_case("for"))?;
    address(value.trim_matches('"'))
}

/// Parses an address with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let plain = text.parse::<IpAddr>().ok();
    let with_port = || text.parse::<std::net::SocketAddr>().ok().map(|socket| socket.ip());
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<IpAddr>().ok();
    plain.or_else(with_port).or_else(bracketed).map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn source(peer: &str, pairs: &[(&'static str, &'static str)]) -> String {
        let proxies =
            Proxies::parse(&["127.0.0.1".into(), "10.0.0.0/8".into(), "fd00::/16".into()]).expect("read");
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_static(value));
        }
        proxies.source(peer.parse().expect("an address"), &headers).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let spoofed = ("x-forwarded-for", "9.9.9.9");
        assert_eq!(
            source("192.0.2.1", &[spoofed]),
            "192.0.2.1",
            "a header from an untrusted peer is ignored"
        );
        assert_eq!(source("127.0.0.1", &[spoofed]), "9.9.9.9");
        assert_eq!(source("::ffff:127.0.0.1", &[spoofed]), "9.9.9.9");
        assert_eq!(source("127.0.0.1", &[]), "127.0.0.1");
    }

    #[test]
    fn the_nearest_hop_that_is_not_ours_counts() {
        let xff = |list| source("127.0.0.1", &[("x-forwarded-for", list)]);
        assert_eq!(
            xff("6.6.6.6, 9.9.9.9, 10.1.2.3"),
            "9.9.9.9",
            "entries before the nearest untrusted hop are ignored"
        );
        assert_eq!(xff("10.0.0.9, 10.1.2.3"), "10.0.0.9", "every hop is a trusted proxy");
        assert_eq!(xff("9.9.9.9, nonsense, 10.1.2.3"), "10.1.2.3");
        assert_eq!(xff("9.9.9.9:4711"), "9.9.9.9");
        let lines = [("x-forwarded-for", "6.6.6.6"), ("x-forwarded-for", "9.9.9.9")];
        assert_eq!(source("10.0.0.1", &lines), "9.9.9.9");
    }

    #[test]
    fn both_headers_are_read() {
        let forwarded = |list| source("127.0.0.1", &[("forwarded", list)]);
        assert_eq!(forwarded("for=6.6.6.6;proto=http, For=\"9.9.9.9:80\";by=10.0.0.1"), "9.9.9.9");
        assert_eq!(forwarded("for=\"[2001:db8::1]:80\""), "2001:db8::1");
        assert_eq!(forwarded("for=9.9.9.9, for=\"[fd00::1]\""), "9.9.9.9");
        assert_eq!(forwarded("for=unknown"), "127.0.0.1");
        let both = |a, b| source("127.0.0.1", &[("forwarded", a), ("x-forwarded-for", b)]);
        assert_eq!(both("for=9.9.9.9", "9.9.9.9"), "9.9.9.9");
        assert_eq!(both("for=6.6.6.6", "9.9.9.9"), "127.0.0.1", "both headers are ignored when they differ");
    }

    #[test]
    fn mistakes_are_named() {
        for text in ["10.0.0.0/33", "proxy", "10.0.0.0/x", "fd00::/129", ""] {
            assert!(Proxies::parse(&[text.to_owned()]).expect_err(text).contains(text));
        }
    }
}

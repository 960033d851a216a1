//! Shares failed login attempts between nodes, so that switching nodes grants no extra attempts.
//!
//! If a message is lost, the attempt still counts on the node that saw it.

use crate::app::House;
use crate::login_throttle::Network;
use std::net::IpAddr;

/// A change to the failed login attempts of a name: the name and, for an attempt, the client's network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginOutcome<'a> {
    Failed(&'a str, Network),
    Succeeded(&'a str, Network),
    /// A supervisor unlocked this name.
    Unlocked(&'a str),
}

impl<'a> LoginOutcome<'a> {
    fn text(self) -> String {
        match self {
            LoginOutcome::Failed(name, from) => format!("failed {} {name}", from.address()),
            LoginOutcome::Succeeded(name, from) => format!("fitted {} {name}", from.address()),
            LoginOutcome::Unlocked(name) => format!("unlocked {name}"),
        }
    }

    /// Parses a message about a login attempt, or returns `None` for any other message.
    fn read(text: &'a str) -> Option<LoginOutcome<'a>> {
        let (word, rest) = text.split_once(' ')?;
        let from = || {
            let (address, name) = rest.split_once(' ')?;
            Some((name, Network::of(address.parse::<IpAddr>().ok()?)))
        };
        match word {
            "failed" => from().map(|(name, from)| LoginOutcome::Failed(name, from)),
            "fitted" => from().map(|(name, from)| LoginOutcome::Succeeded(name, from)),
            "unlocked" => Some(LoginOutcome::Unlocked(rest)),
            _ => None,
        }
    }
}

impl House {
    pub fn share_login_outcome(&self, tried: LoginOutcome<'_>) {
        if let Some(nodes) = self.nodes.get() {
            nodes.membership.broadcast(&tried.text());
        }
    }

    pub(super) fn note_login_outcome(&self, text: &str) {
        match LoginOutcome::read(text) {
            Some(LoginOutcome::Failed(name, from)) => drop(self.attempts.begin(name, from)),
            Some(LoginOutcome::Succeeded(name, from)) => self.attempts.forget(name, from),
            Some(LoginOutcome::Unlocked(name)) => self.attempts.unlock(name),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_try_is_read_as_it_was_told() {
        let from = Network::of("2001:db8:1:2::9".parse().expect("an address"));
        for tried in [
            LoginOutcome::Failed("Ann of G", from),
            LoginOutcome::Succeeded("b", from),
            LoginOutcome::Unlocked("a b c"),
        ] {
            assert_eq!(LoginOutcome::read(&tried.text()), Some(tried));
        }
        assert_eq!(
            [LoginOutcome::read("failed x y"), LoginOutcome::read("sang 1 2"), LoginOutcome::read("")],
            [None; 3]
        );
    }
}

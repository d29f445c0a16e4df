//! Which orders have been carried out: the same one is not carried out again.
//!
//! A lease is known for as long as it has the agent, so only the tokens of leases that are still known need be
//! remembered; what is replayed later finds no lease.

use goodput_model::id::Token;
use goodput_model::trial::Role;
use std::collections::HashMap;

/// What makes two orders the same. An agent may be both ends of a trial, and several clients of a load, under one lease
/// and one token.
type Order = (Token, Role, u16);

/// The orders that were carried out under each lease.
#[derive(Debug, Default)]
pub struct ReplayGuard {
    of: HashMap<String, Vec<Order>>,
}

impl ReplayGuard {
    /// Notes an order. False when it has been carried out before.
    pub fn first(&mut self, lease: &str, token: Token, role: Role, client: u16) -> bool {
        let orders = self.of.entry(lease.to_string()).or_default();
        let order = (token, role, client);
        let new = !orders.contains(&order);
        if new {
            orders.push(order);
        }
        new
    }

    /// Forgets the leases that are no longer known.
    pub fn keep(&mut self, known: impl Fn(&str) -> bool) {
        self.of.retain(|lease, _| known(lease));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_counts_once() {
        let mut spent = ReplayGuard::default();
        let token = Token([1; 16]);
        assert!(spent.first("a", token, Role::Listen, 0));
        assert!(spent.first("a", token, Role::Connect, 0), "the same agent may be both ends");
        assert!(spent.first("a", token, Role::Connect, 1), "and two clients");
        assert!(!spent.first("a", token, Role::Listen, 0));
        spent.keep(|lease| lease == "b");
        assert!(spent.of.is_empty());
    }
}

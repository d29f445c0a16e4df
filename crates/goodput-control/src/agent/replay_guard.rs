//! Rejects replayed orders. Only tokens of known leases are kept; a later replay finds no lease.

use goodput_model::id::Token;
use goodput_model::trial::Role;
use std::collections::HashMap;

/// Identifies an order. One agent may be both ends of a trial and several clients under one lease and token.
type Order = (Token, Role, u16);

#[derive(Debug, Default)]
pub struct ReplayGuard {
    of: HashMap<String, Vec<Order>>,
}

impl ReplayGuard {
    /// Records an order. False for a replay.
    pub fn first(&mut self, lease: &str, token: Token, role: Role, client: u16) -> bool {
        let orders = self.of.entry(lease.to_string()).or_default();
        let order = (token, role, client);
        let new = !orders.contains(&order);
        if new {
            orders.push(order);
        }
        new
    }

    /// Drops unknown leases.
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

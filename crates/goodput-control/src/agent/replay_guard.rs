//! Rejects replayed orders. Only tokens of known leases are kept; a later replay finds no lease.

use goodput_model::ids::TrialToken;
use goodput_model::trial::EndpointRole;
use std::collections::HashMap;

/// Identifies an order. One agent may be both ends of a trial and several clients under one lease and token.
type Order = (TrialToken, EndpointRole, u16);

#[derive(Debug, Default)]
pub struct ReplayGuard {
    of: HashMap<String, Vec<Order>>,
}

impl ReplayGuard {
    /// Records an order. False for a replay.
    pub fn record_if_new(&mut self, lease: &str, token: TrialToken, role: EndpointRole, client: u16) -> bool {
        let orders = self.of.entry(lease.to_string()).or_default();
        let order = (token, role, client);
        let new = !orders.contains(&order);
        if new {
            orders.push(order);
        }
        new
    }

    /// Drops unknown leases.
    pub fn retain_leases(&mut self, known: impl Fn(&str) -> bool) {
        self.of.retain(|lease, _| known(lease));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_counts_once() {
        let mut spent = ReplayGuard::default();
        let token = TrialToken([1; 16]);
        assert!(spent.record_if_new("a", token, EndpointRole::Listen, 0));
        assert!(spent.record_if_new("a", token, EndpointRole::Connect, 0), "the same agent may be both ends");
        assert!(spent.record_if_new("a", token, EndpointRole::Connect, 1), "and two clients");
        assert!(!spent.record_if_new("a", token, EndpointRole::Listen, 0));
        spent.retain_leases(|lease| lease == "b");
        assert!(spent.of.is_empty());
    }
}

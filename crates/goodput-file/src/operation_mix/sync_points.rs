//! Synchronisation points between the players of one host: SETSP and WAITSP of dbench 5. In dbench a wait
//! ends only while the other's *last* point is the awaited one. Here a wait in pass n ends when the other has
//! reached the point in its pass n or later.

use crate::locked;
use std::collections::HashMap;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Longest single wait before the caller checks for cancellation.
const STEP: Duration = Duration::from_millis(50);

#[derive(Debug, Default)]
pub(super) struct SyncPoints {
    reached: Mutex<HashMap<(u32, u32), u64>>,
    changed: Condvar,
}

impl SyncPoints {
    pub fn mark_reached(&self, player: u32, point: u32, pass: u64) {
        locked(&self.reached).insert((player, point), pass);
        self.changed.notify_all();
    }

    /// Waits until a player has reached a point in this pass; false when `give_up` returns true first.
    pub fn wait_for_simulated_client(
        &self,
        player: u32,
        point: u32,
        pass: u64,
        mut give_up: impl FnMut() -> bool,
    ) -> bool {
        let mut reached = locked(&self.reached);
        loop {
            if reached.get(&(player, point)).is_some_and(|seen| *seen >= pass) {
                return true;
            }
            if give_up() {
                return false;
            }
            reached = match self.changed.wait_timeout(reached, STEP) {
                Ok((guard, _)) => guard,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_with_the_point_of_its_pass() {
        let points = SyncPoints::default();
        assert!(!points.wait_for_simulated_client(0, 7, 1, || true));
        points.mark_reached(0, 7, 1);
        assert!(points.wait_for_simulated_client(0, 7, 1, || true));
        assert!(!points.wait_for_simulated_client(0, 7, 2, || true), "the first pass is not the second");
        assert!(
            !points.wait_for_simulated_client(1, 7, 1, || true)
                && !points.wait_for_simulated_client(0, 8, 1, || true)
        );
        points.mark_reached(0, 7, 3);
        assert!(points.wait_for_simulated_client(0, 7, 2, || true), "who is further has been there");
    }
}

//! Synchronisation points between the players of one host: SETSP and WAITSP of dbench 5.
//!
//! In dbench a wait ends when the other's last point *is* the one waited for, so who comes late waits for ever, and a second
//! pass does not wait at all. Here a wait in a player's n-th pass ends when the other has come to the point in its n-th pass
//! or a later one.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long one wait is at the most before the caller looks around.
const STEP: Duration = Duration::from_millis(50);

#[derive(Debug, Default)]
pub(super) struct SyncPoints {
    /// For each player and point, the last pass in which it was reached, from 1.
    reached: Mutex<HashMap<(u32, u32), u64>>,
    changed: Condvar,
}

impl SyncPoints {
    pub fn set(&self, player: u32, point: u32, pass: u64) {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).insert((player, point), pass);
        self.changed.notify_all();
    }

    /// Waits until a player has come to a point in this pass; false when `give_up` says so before.
    pub fn wait(&self, player: u32, point: u32, pass: u64, mut give_up: impl FnMut() -> bool) -> bool {
        let mut reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
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
        assert!(!points.wait(0, 7, 1, || true));
        points.set(0, 7, 1);
        assert!(points.wait(0, 7, 1, || true));
        assert!(!points.wait(0, 7, 2, || true), "the first pass is not the second");
        assert!(!points.wait(1, 7, 1, || true) && !points.wait(0, 8, 1, || true));
        points.set(0, 7, 3);
        assert!(points.wait(0, 7, 2, || true), "who is further has been there");
    }

    #[test]
    fn another_thread_ends_the_wait() {
        let points = SyncPoints::default();
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| points.wait(4, 2, 1, || false));
            points.set(4, 2, 1);
            assert!(waits.join().unwrap());
        });
    }
}

//! Runs a function for many agents in parallel.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// Maximum number of threads.
const AT_ONCE: usize = 256;

/// Results are in the order of the items.
pub(crate) fn map_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let (tell, told) = channel();
    let toil = || {
        while let Some((at, item)) = take(&next, items) {
            let _ = tell.send((at, work(item)));
        }
    };
    thread::scope(|scope| {
        for _ in 1..items.len().min(AT_ONCE) {
            let helper = thread::Builder::new().name("goodput-each".into());
            if helper.spawn_scoped(scope, toil).is_err() {
                // Fewer threads do the same more slowly.
                break;
            }
        }
        toil();
    });
    drop(tell);
    let mut done: Vec<(usize, R)> = told.into_iter().collect();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

fn take<'a, T>(next: &AtomicUsize, items: &'a [T]) -> Option<(usize, &'a T)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    items.get(at).map(|item| (at, item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Condvar, Mutex};

    #[test]
    fn all_are_under_way_together_and_the_order_is_that_of_the_items() {
        let items: Vec<usize> = (0..AT_ONCE * 3).collect();
        let doubled: Vec<usize> = items.iter().map(|n| n * 2).collect();
        assert_eq!(map_parallel(&items, |n| n * 2), doubled);
        assert!(map_parallel(&[] as &[u8], |n| *n).is_empty());

        // Each waits for the last: sequential execution would never end.
        let (came, all) = (Mutex::new(0), Condvar::new());
        let wait = |_: &u8| {
            let mut came = came.lock().unwrap();
            *came += 1;
            all.notify_all();
            drop(all.wait_while(came, |came| *came < 20).unwrap());
        };
        assert_eq!(map_parallel(&[0; 20], wait).len(), 20);
    }
}

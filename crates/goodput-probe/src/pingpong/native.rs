//! The native sweep: one batch of every unfinished size in each shuffled pass, until the interval of its
//! batch medians is narrow enough or its time is used up.
//!
//! Every pass has a connection and buffers of its own. Where a connection's data happens to lie (pages,
//! hash buckets, CPUs) shifts all its times a little; with one connection a sweep that shift would be in
//! every batch alike and the interval could not know of it.

use super::{Books, Driver};
use crate::ProbeError;
use goodput_analysis::random::SplitMix64;
use goodput_analysis::stopping::{Batch, StoppingRule, Verdict, estimate};
use goodput_model::probe::{Pattern, PingPongMethod};

/// A size's cap is spent in about this many batches, so that the first looks come well before it.
const BATCHES_IN_CAP: u64 = 30;
/// Round trips before the first batch of a size: path and buffers have seen the size.
const WARM_UP: u64 = 3;
/// Round trips of the smallest size on a new connection.
const FIRST_WARM_UP: u64 = 100;
/// Round trips in one batch at the most; each is kept until the batch is booked.
const LARGEST_BATCH: u64 = 1 << 16;

/// What is known of one size so far.
struct Size {
    bytes: u64,
    /// Round trips in one batch, from the last batch's pace.
    repeats: u64,
    spent_ns: u64,
    batches: Vec<Batch>,
    finished: Option<CapReached>,
}

/// Whether the cap ended the size before its interval was narrow enough.
type CapReached = bool;

/// Measures every size.
pub(super) fn sweep(driver: &mut Driver<'_>, books: &mut Books) -> Result<(), ProbeError> {
    let PingPongMethod::Native { cap, seed, passes, .. } = driver.settings.method else { return Ok(()) };
    let Some(rule) = StoppingRule::of(&driver.settings.method) else { return Ok(()) };
    let batch_ns = (cap.0 / BATCHES_IN_CAP).max(1);
    let halves = if driver.settings.pattern == Pattern::PingPong { 2.0 } else { 1.0 };
    let mut random = SplitMix64::new(seed);
    let mut kept = Vec::with_capacity(LARGEST_BATCH as usize);
    let mut sizes: Vec<Size> = driver.settings.sizes.iter().map(|s| Size::new(s.0)).collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    for pass in 0.. {
        order.retain(|i| sizes[*i].finished.is_none());
        if order.is_empty() {
            break;
        }
        if pass > 0 {
            driver.reset()?;
        }
        warm_up(driver, &sizes, batch_ns, &mut kept)?;
        random.shuffle(&mut order);
        for &i in &order {
            let size = &mut sizes[i];
            if size.batches.is_empty() {
                let timed = driver.batch(size.bytes, WARM_UP, Some(&mut kept))?;
                size.pace(timed.elapsed_ns, timed.repeats, batch_ns);
            }
            let timed = driver.batch(size.bytes, size.repeats, Some(&mut kept))?;
            size.pace(timed.elapsed_ns, timed.repeats, batch_ns);
            size.spent_ns += timed.elapsed_ns;
            kept.sort_unstable();
            let median = match super::median(&kept) {
                0 => timed.elapsed_ns as f64 / timed.repeats as f64,
                median => median as f64,
            };
            books.batch(size.bytes, pass, size.batches.len() as u32, &timed, &kept);
            kept.clear();
            size.batches.push(Batch { pass, time_ns: median / halves });
            size.finished = match rule.judge(&size.batches) {
                Verdict::Narrow(_) => Some(false),
                // The least number of passes is measured even where one round trip takes longer than the
                // cap. A cap that falls between two looks may find the interval narrow all the same.
                Verdict::Continue { .. }
                    if size.spent_ns >= cap.0 && size.batches.len() >= passes as usize =>
                {
                    let width = estimate(&size.batches).and_then(|e| e.width_percent());
                    Some(width.is_none_or(|w| w > rule.width_percent))
                }
                Verdict::Continue { .. } => None,
            };
        }
    }
    for size in &sizes {
        books.size_done(size.bytes, size.finished == Some(true));
    }
    Ok(())
}

/// Uses a new connection until its window and buffers have grown: round trips of the smallest size, then
/// of the largest unfinished one for about as long as a batch takes, at least one.
fn warm_up(
    driver: &mut Driver<'_>,
    sizes: &[Size],
    batch_ns: u64,
    kept: &mut Vec<u32>,
) -> Result<(), ProbeError> {
    let Some(smallest) = sizes.iter().map(|s| s.bytes).min() else { return Ok(()) };
    driver.batch(smallest, FIRST_WARM_UP, Some(kept))?;
    let Some(largest) = sizes.iter().filter(|s| s.finished.is_none()).map(|s| s.bytes).max() else {
        return Ok(());
    };
    let mut spent = 0;
    while spent < batch_ns {
        spent += driver.batch(largest, WARM_UP, Some(kept))?.elapsed_ns;
    }
    Ok(())
}

impl Size {
    fn new(bytes: u64) -> Size {
        Size { bytes, repeats: 1, spent_ns: 0, batches: Vec::new(), finished: None }
    }

    /// Sets the next batch's repeats so that it takes about `batch_ns`.
    fn pace(&mut self, elapsed_ns: u64, repeats: u64, batch_ns: u64) {
        let each = (elapsed_ns / repeats.max(1)).max(1);
        self.repeats = (batch_ns / each).clamp(1, LARGEST_BATCH);
    }
}

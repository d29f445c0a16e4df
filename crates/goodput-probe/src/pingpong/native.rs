//! The native sweep: shuffled passes with one batch of every unfinished size, until the confidence interval
//! of its batch medians is narrow enough or its time is used up. Each pass has a new connection and buffers:
//! memory placement (pages, hash buckets, CPUs) shifts all its times, which the interval must include.

use super::exchange::BatchTiming;
use super::{Driver, PingPongRecord};
use crate::ProbeError;
use crate::time::now_ns;
use goodput_analysis::random::SplitMix64;
use goodput_analysis::stopping_rule::{BatchTime, StoppingDecision, StoppingRule, estimate_time};
use goodput_model::probe::{PingPongMethod, PingPongPattern};

/// Batches within a size's time limit: four checks (10, 14, 20 and 28 batches) with a margin.
const BATCHES_IN_CAP: u64 = 32;
/// Maximum warm-up round trips before the first batch of a size.
const WARM_UP: u64 = 3;
const FIRST_WARM_UP: u64 = 100;
/// Maximum round trips of a batch, all of which are kept.
const LARGEST_BATCH: u64 = 1 << 16;

struct Size {
    bytes: u64,
    /// From the previous batch's pace.
    repeats: u64,
    /// Includes announcements and a share of each pass's warm-up.
    spent_ns: u64,
    batches: Vec<BatchTime>,
    finished: Option<CapReached>,
}

/// Whether time ran out before the interval was narrow enough.
type CapReached = bool;

pub(super) fn run_size_sweep(driver: &mut Driver<'_>, books: &mut PingPongRecord) -> Result<(), ProbeError> {
    let PingPongMethod::Native { cap, seed, passes, .. } = driver.settings.method else { return Ok(()) };
    let Some(rule) = StoppingRule::from_ping_pong_method(&driver.settings.method) else { return Ok(()) };
    let batch_ns = (cap.0 / BATCHES_IN_CAP).max(1);
    let halves = if driver.settings.pattern == PingPongPattern::PingPong { 2.0 } else { 1.0 };
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
        let begun = now_ns();
        warm_up(driver, &sizes, batch_ns, &mut kept)?;
        let share = (now_ns() - begun) / order.len() as u64;
        random.shuffle(&mut order);
        for &i in &order {
            let size = &mut sizes[i];
            let begun = now_ns();
            if size.batches.is_empty() {
                let timed = see(driver, size.bytes, batch_ns, &mut kept)?;
                size.pace(timed.elapsed_ns, timed.repeats, batch_ns);
            }
            let timed = driver.batch(size.bytes, size.repeats, Some(&mut kept))?;
            size.pace(timed.elapsed_ns, timed.repeats, batch_ns);
            size.spent_ns += now_ns() - begun + share;
            kept.sort_unstable();
            let median = match super::median(&kept) {
                0 => timed.elapsed_ns as f64 / timed.repeats as f64,
                median => median as f64,
            };
            books.batch(size.bytes, pass, size.batches.len() as u32, &timed, &kept);
            kept.clear();
            size.batches.push(BatchTime { pass, time_ns: median / halves });
            size.finished = match rule.decide(&size.batches) {
                StoppingDecision::Narrow(_) => Some(false),
                StoppingDecision::Continue { next_look }
                    if size.must_end(&rule, next_look, cap.0, passes) =>
                {
                    let width =
                        estimate_time(&size.batches).and_then(|e| e.confidence_interval_width_percent());
                    Some(width.is_none_or(|w| w > rule.width_percent))
                }
                StoppingDecision::Continue { .. } => None,
            };
        }
    }
    for size in &sizes {
        books.size_done(size.bytes, size.finished == Some(true));
    }
    Ok(())
}

/// Warms a connection by the smallest size, then about a batch of the largest unfinished one, at least one.
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
        spent += driver.batch(largest, 1, Some(kept))?.elapsed_ns;
    }
    Ok(())
}

/// A few round trips of a new size; one if it takes longer than a batch.
fn see(
    driver: &mut Driver<'_>,
    size: u64,
    batch_ns: u64,
    kept: &mut Vec<u32>,
) -> Result<BatchTiming, ProbeError> {
    let mut timed = driver.batch(size, 1, Some(kept))?;
    if timed.elapsed_ns < batch_ns {
        timed = driver.batch(size, WARM_UP - 1, Some(kept))?;
    }
    Ok(timed)
}

impl Size {
    fn new(bytes: u64) -> Size {
        Size { bytes, repeats: 1, spent_ns: 0, batches: Vec::new(), finished: None }
    }

    /// True when the time limit ends before the next check: batches without a check are not measured. The
    /// minimum number of passes is always made.
    fn must_end(&self, rule: &StoppingRule, next_look: u32, cap_ns: u64, passes: u32) -> bool {
        let made = self.batches.len() as u64;
        let to_come = u64::from(next_look).saturating_sub(made);
        let at_next_look = self.spent_ns + to_come * (self.spent_ns / made.max(1));
        let at_a_look = rule.is_interim_analysis(made as u32);
        made >= u64::from(passes) && (self.spent_ns >= cap_ns || (at_a_look && at_next_look > cap_ns))
    }

    /// Sets the repeats for a batch of about `batch_ns`.
    fn pace(&mut self, elapsed_ns: u64, repeats: u64, batch_ns: u64) {
        let each = (elapsed_ns / repeats.max(1)).max(1);
        self.repeats = (batch_ns / each).clamp(1, LARGEST_BATCH);
    }
}

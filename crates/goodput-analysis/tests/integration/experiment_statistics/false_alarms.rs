//! False alarms of A/A comparisons with simulated drift. Blocked and shuffled, they stay within 5 % (200
//! comparisons, binomial 99 % bound). Compared with: the plain rank-sum test one side after the other, this
//! program's unpaired test, a fixed threshold of 5 %, and blocks without random order.

use super::noise::{Drift, Noise, PLANTED, trials};
use super::played::{Order, blocked, most_alarms, real};
use goodput_analysis::descriptive_statistics::mean;
use goodput_analysis::experiment::rank_sum_test::rank_sum_test;
use goodput_analysis::experiment::unpaired_comparison::compare_unpaired_samples;

const COMPARISONS: u64 = 200;
const BLOCKS: usize = 20;

/// False alarms of every method in 200 A/A comparisons on the same trials.
#[derive(Debug, Default, Clone, Copy)]
struct Alarms {
    shuffled: u64,
    fixed_order: u64,
    before_after: u64,
    apart: u64,
    threshold: u64,
}

fn alarms(drift: Drift, heavy: bool, effect: f64, first_seed: u64) -> Alarms {
    let mut found = Alarms::default();
    for seed in first_seed..first_seed + COMPARISONS {
        let mut noise = Noise::new(seed.wrapping_mul(0xD129_0B26_88CC_2BA7));
        let time = trials(drift, heavy, 2 * BLOCKS, &mut noise);
        let judged = |order, noise: &mut Noise| u64::from(real(&blocked(&time, order, effect, noise), seed));
        found.shuffled += judged(Order::Shuffled, &mut noise);
        found.fixed_order += judged(Order::Fixed, &mut noise);
        let (before, after) = time.split_at(BLOCKS);
        let after: Vec<f64> = after.iter().map(|v| v * (1.0 + effect)).collect();
        found.before_after += u64::from(rank_sum_test(before, &after, 0.05).is_some_and(|r| r.p <= 0.05));
        let apart = compare_unpaired_samples(before, &after, 0.05);
        found.apart += u64::from(apart.is_some_and(|a| a.p <= 0.05 && !a.is_within_drift()));
        let means = mean(before).zip(mean(&after));
        found.threshold += u64::from(means.is_some_and(|(a, b)| (b / a - 1.0).abs() > 0.05));
    }
    found
}

fn print(what: &str, found: Alarms) {
    println!(
        "{what:34} {:9} {:12} {:13} {:9} {:10}",
        found.shuffled, found.fixed_order, found.before_after, found.apart, found.threshold
    );
}

fn heading() {
    println!(
        "of {COMPARISONS} comparisons, {BLOCKS} blocks         shuffled  fixed order  before/after  as judged  threshold"
    );
}

#[test]
fn whatever_drifts_equal_sides_look_different_in_five_of_a_hundred() {
    let most = most_alarms(0.05, COMPARISONS);
    heading();
    let mut all = 0;
    for (at, drift) in PLANTED.into_iter().enumerate() {
        let found = alarms(drift, false, 0.0, 1_000 * at as u64);
        print(&format!("{drift:?}"), found);
        assert!(found.shuffled <= most, "{drift:?}: {} false alarms, more than {most}", found.shuffled);
        all += found.shuffled;
    }
    let comparisons = COMPARISONS * PLANTED.len() as u64;
    let most = most_alarms(0.05, comparisons);
    println!("together {all} of {comparisons}, at most {most}");
    assert!(all <= most, "{all} false alarms of {comparisons}, more than {most}");
    assert!(all * 100 >= 3 * comparisons, "{all} false alarms of {comparisons}: the test has no power");
}

#[test]
fn wild_values_make_no_more_alarms() {
    let most = most_alarms(0.05, COMPARISONS);
    heading();
    for (at, drift) in [Drift::None, Drift::Linear(0.20), Drift::OneOverF(0.03)].into_iter().enumerate() {
        let found = alarms(drift, true, 0.0, 50_000 + 1_000 * at as u64);
        print(&format!("heavy tails, {drift:?}"), found);
        assert!(found.shuffled <= most, "{drift:?}: {} false alarms, more than {most}", found.shuffled);
    }
}

#[test]
fn what_the_other_ways_would_have_said() {
    let most = most_alarms(0.05, COMPARISONS);
    heading();
    for (seed, drift) in
        [(80_000, Drift::Linear(0.20)), (81_000, Drift::Steps(0.30)), (82_000, Drift::OneOverF(0.10))]
    {
        let found = alarms(drift, false, 0.0, seed);
        print(&format!("{drift:?}"), found);
        assert!(found.before_after.min(found.threshold) > 3 * most, "{drift:?}: {found:?}");
        // Correcting for drift within the sides helps, but not completely.
        assert!(found.apart < found.before_after, "{drift:?}: {found:?}");
    }
    let found = alarms(Drift::None, false, 0.03, 90_000);
    print("a true 3 %, no drift", found);
    assert!(found.threshold <= 2 && found.shuffled > 190, "{found:?}");
    let found = alarms(Drift::Linear(0.20), false, 0.03, 91_000);
    print("a true 3 %, Linear(0.2)", found);
    assert!(found.shuffled > 180, "{found:?}");
}

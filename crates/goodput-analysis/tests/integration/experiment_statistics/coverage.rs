//! Simulates the coverage of intervals of a mean or median change at n = 5 to 30 blocks, for the table in
//! `docs/methods/paired-comparison.md`. Two thousand samples a cell give a standard error of half a point.
//! Differences of blocks in random order are symmetric; a skewed distribution shows each method without that.

use super::noise::Noise;
use goodput_analysis::confidence_interval::{ConfidenceInterval, mean_interval};
use goodput_analysis::descriptive_statistics::{
    mean, quantile_of_sorted, sample_standard_deviation, sorted_finite_values,
};
use goodput_analysis::experiment::bootstrap::BootstrapResampler;
use goodput_analysis::experiment::paired_comparison::test_paired_differences;
use goodput_analysis::experiment::sign_flip_test::SignFlipTest;
use goodput_analysis::random::SplitMix64;

const SAMPLES: u64 = 2_000;
const SIZES: [usize; 7] = [5, 6, 8, 10, 15, 20, 30];
const WAYS: [&str; 6] = ["sign-flip", "Student's t", "percentile", "BCa", "studentized", "order (median)"];

struct Kind {
    name: &'static str,
    mean: f64,
    median: f64,
    draw: fn(&mut Noise) -> f64,
}

/// One block in ten has a disturbed side, ten deviations off.
fn disturbed(noise: &mut Noise) -> f64 {
    match (noise.normal(), noise.uniform()) {
        (own, chance) if chance < 0.05 => own - 10.0,
        (own, chance) if chance < 0.10 => own + 10.0,
        (own, _) => own,
    }
}

const KINDS: [Kind; 4] = [
    Kind { name: "normal", mean: 0.0, median: 0.0, draw: Noise::normal },
    Kind { name: "t, 3 degrees", mean: 0.0, median: 0.0, draw: Noise::heavy },
    Kind { name: "one in ten disturbed", mean: 0.0, median: 0.0, draw: disturbed },
    // Lognormal with σ = 0.5: mean e^(1/8), median 1.
    Kind { name: "skewed", mean: 1.133_148_453, median: 1.0, draw: |n| (0.5 * n.normal()).exp() },
];

fn percentile(values: &[f64], seed: u64) -> Option<ConfidenceInterval> {
    let mut random = SplitMix64::new(seed);
    let mut drawn = || (0..values.len()).map(|_| values[random.next_below(values.len())]).sum::<f64>();
    let means: Vec<f64> = (0..999).map(|_| drawn() / values.len() as f64).collect();
    let means = sorted_finite_values(&means);
    let [low, high] = [0.025, 0.975].map(|q| quantile_of_sorted(&means, q));
    Some(ConfidenceInterval { low: low?, high: high? })
}

/// Per cent of samples whose interval contains the truth, and those with an interval, by method.
fn coverage(kind: &Kind, size: usize) -> [(f64, f64); WAYS.len()] {
    let mut hits = [0u64; WAYS.len()];
    let mut had = [0u64; WAYS.len()];
    for seed in 0..SAMPLES {
        let mut noise = Noise::new(seed * 104_729 + size as u64);
        let values: Vec<f64> = (0..size).map(|_| (kind.draw)(&mut noise)).collect();
        let bootstrap = BootstrapResampler { level: 0.95, resamples: 999, seed };
        let flips = SignFlipTest { draws: 999, seed };
        let found = test_paired_differences(&values, 0.05, flips).expect("there are values");
        let moments = mean(&values).zip(sample_standard_deviation(&values));
        let t = moments.and_then(|(mean, deviation)| mean_interval(mean, deviation, size, 0.95));
        let intervals = [
            (found.interval, kind.mean),
            (t, kind.mean),
            (percentile(&values, seed), kind.mean),
            (bootstrap.bca_mean_interval(&values), kind.mean),
            (bootstrap.studentized_mean_interval(&values), kind.mean),
            (found.median_interval, kind.median),
        ];
        for (way, (interval, truth)) in intervals.into_iter().enumerate() {
            had[way] += u64::from(interval.is_some());
            hits[way] += u64::from(interval.is_some_and(|i| i.low <= truth && truth <= i.high));
        }
    }
    std::array::from_fn(|way| {
        let share = |n: u64, of: u64| if of == 0 { f64::NAN } else { 100.0 * n as f64 / of as f64 };
        (share(hits[way], had[way]), share(had[way], SAMPLES))
    })
}

#[test]
fn the_interval_that_decides_keeps_its_level() {
    for kind in &KINDS {
        println!("{:22} {}", kind.name, WAYS.map(|w| format!("{w:>15}")).concat());
        for size in SIZES {
            let found = coverage(kind, size);
            println!("{size:22} {}", found.map(|(hit, _)| format!("{hit:15.1}")).concat());
            let [flip, _, percentile, bca, studentized, order] = found.map(|(hit, _)| hit);
            let skewed = kind.mean != kind.median;
            if size < 6 {
                assert!(flip.is_nan() && order.is_nan(), "five blocks cannot reach 95 %");
                // The bootstraps undercover here, so they do not decide.
                assert!(percentile < 92.0 && bca < 92.0, "{} {size}: {found:?}", kind.name);
                continue;
            }
            // Exact for symmetric noise: 95 % or more. Three standard errors are 1.5 points.
            assert!(skewed || (93.5..=99.0).contains(&flip), "{} {size}: sign-flip {flip}", kind.name);
            assert!(!skewed || flip >= 88.0, "{} {size}: sign-flip {flip}", kind.name);
            assert!((93.0..=99.0).contains(&order), "{} {size}: order statistics {order}", kind.name);
            assert!(size > 8 || (percentile < 93.5 && bca < 93.5), "{} {size}: {found:?}", kind.name);
            // Studentizing repairs that for noise without outliers.
            let calm = kind.name == "normal" || skewed;
            assert!(!calm || studentized >= 92.5, "{} {size}: studentized {studentized}", kind.name);
        }
    }
}

//! Simulates how often the trend test reports a steady machine, and how often a drifting one.

use super::noise::{Drift, Noise, trials};
use goodput_analysis::experiment::steady_state::{estimate_trend, find_outliers};

const RECORDS: u64 = 400;

fn told(count: usize, make: impl Fn(&mut Noise) -> Vec<f64>) -> f64 {
    let told = (0..RECORDS)
        .filter(|seed| {
            let values = make(&mut Noise::new(seed * 7919 + count as u64));
            estimate_trend(&values).is_some_and(|t| t.p <= 0.05)
        })
        .count();
    100.0 * told as f64 / RECORDS as f64
}

#[test]
fn trends_are_told_where_they_are() {
    println!("trials  white  rho 0.3  rho 0.6  1/f  linear, two deviations in all");
    for count in [12, 20, 40, 80] {
        let white = told(count, |n| (0..count).map(|_| n.normal()).collect());
        let some = told(count, |n| n.autoregression(0.3, count));
        let much = told(count, |n| n.autoregression(0.6, count));
        let pink = told(count, |n| n.one_over_f(count));
        let line =
            told(count, |n| (0..count).map(|i| n.normal() + 2.0 * i as f64 / (count - 1) as f64).collect());
        println!("{count:6} {white:6.1} {some:8.1} {much:8.1} {pink:4.1} {line:6.1}");
        // Three standard errors of 5 % in 400 are 3.3 points. Autocorrelation is corrected in part.
        assert!(white <= 8.3, "{count} trials: {white} % of steady records are said to drift");
        assert!(some <= 12.0 && much <= 30.0, "{count} trials: {some} %, {much} %");
        assert!(count < 40 || line > 90.0, "{count} trials: {line} % of drifting records are seen");
    }
}

#[test]
fn few_values_of_a_calm_record_are_named() {
    let mut named = 0;
    for seed in 0..200 {
        let mut noise = Noise::new(seed);
        named += find_outliers(&trials(Drift::Linear(0.10), false, 100, &mut noise)).len();
    }
    println!("{named} of 20,000 normal values named");
    // 0.05 % of normal values are beyond 3.5 deviations; the running fit adds some.
    assert!(named <= 200, "{named} of 20,000 normal values named");
}

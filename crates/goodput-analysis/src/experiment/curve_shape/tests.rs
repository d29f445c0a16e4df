use super::*;
use crate::random::SplitMix64;

/// Nearly normal: the sum of twelve uniform numbers less six has variance 1.
pub(super) fn normal(random: &mut SplitMix64) -> f64 {
    (0..12).map(|_| (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64).sum::<f64>() - 6.0
}

/// Repeats of time `time(n)` in ns, noise of `percent` on each value and half as much on each repeat.
fn curve(time: impl Fn(u64) -> f64, repeats: u32, percent: f64, seed: u64) -> SizeCurve {
    let mut random = SplitMix64::new(seed);
    let shifts: Vec<f64> = (0..repeats).map(|_| percent / 200.0 * normal(&mut random)).collect();
    let sizes: Vec<u64> = (0..=38).map(|k| 2f64.powf(f64::from(k) / 2.0).round() as u64).collect();
    let mut made = SizeCurve::from_points(&sizes.iter().map(|n| (*n, 1.0)).collect::<Vec<_>>());
    for p in &mut made.points {
        let rate = p.size_bytes as f64 * 8e9 / time(p.size_bytes);
        p.by_block = (1..=repeats)
            .zip(&shifts)
            .map(|(b, shift)| (b, rate * (shift + percent / 100.0 * normal(&mut random)).exp()))
            .collect();
    }
    made
}

/// 60 µs and 94 Mbit/s.
fn good(n: u64) -> f64 {
    60e3 + 85.0 * n as f64
}

fn breaches(curve: &SizeCurve) -> Vec<MonotonicityViolation> {
    match analyze_curve_shape(curve) {
        CurveShape::Seen { breaches, .. } => breaches,
        CurveShape::CannotTell { reason } => panic!("{reason}"),
    }
}

#[test]
fn a_clean_curve_has_no_shape_nineteen_times_in_twenty() {
    let mut false_alarms = 0;
    for seed in 0..200 {
        let repeats = [1, 2, 3, 8][seed as usize % 4];
        false_alarms += u32::from(!breaches(&curve(good, repeats, 2.0 + (seed % 5) as f64, seed)).is_empty());
    }
    // 5 % of 200 are 10; the binomial 99 % bound is 18.
    assert!(false_alarms <= 18, "{false_alarms} of 200");
}

#[test]
fn collapses_and_dips_are_found_with_their_edges() {
    for repeats in [1, 3, 8] {
        let only = |time: &dyn Fn(u64) -> f64, seed| {
            let mut found = breaches(&curve(time, repeats, 2.0, seed));
            assert_eq!(found.len(), 1, "{found:?}");
            found.remove(0)
        };
        // As in the article on some chipsets: a fifth of the rate beyond a size.
        let above = only(&|n| if n > 3_000 { 5.0 * good(n) } else { good(n) }, 7);
        assert_eq!((above.kind, above.edge), (MonotonicityViolationKind::CollapseAbove, (2_896, 4_096)));
        assert_eq!((above.sizes.1, above.against_neighbours), (524_288, None));
        // Against the best smaller size, 2,896 B with 300 ns a byte at a fifth of 94 Mbit/s.
        assert!((0.6..0.8).contains(&above.depth), "{above:?}");
        assert!(above.depth_interval.0 < above.depth && above.depth < above.depth_interval.1);
        let below = only(&|n| if n < 1_000 { 5e6 } else { good(n) }, 9);
        assert_eq!((below.kind, below.edge), (MonotonicityViolationKind::CollapseBelow, (724, 1_024)));
        // A message of 1,024 B takes 147 µs, so that all but 3 % of 5 ms is lost.
        assert!(below.sizes.0 == 1 && (below.depth - 0.9706).abs() < 0.01, "{below:?}");
        let dip = only(&|n| if (8_000..20_000).contains(&n) { 2.0 * good(n) } else { good(n) }, 11);
        assert_eq!((dip.kind, dip.sizes), (MonotonicityViolationKind::Dip, (8_192, 16_384)));
        assert!((dip.against_neighbours.unwrap() - 0.5).abs() < 0.05, "{dip:?}");
        assert!((0.4..0.5).contains(&dip.depth), "{dip:?}");
    }
}

#[test]
fn a_small_loss_is_a_fall_and_one_in_the_noise_is_none() {
    let less = |share: f64| move |n: u64| if n > 60_000 { good(n) / (1.0 - share) } else { good(n) };
    let found = breaches(&curve(less(0.25), 8, 2.0, 13));
    assert_eq!(found.iter().map(|b| b.kind).collect::<Vec<_>>(), [MonotonicityViolationKind::Fall]);
    assert!(breaches(&curve(less(0.05), 8, 1.0, 13)).is_empty());
    assert!(breaches(&curve(less(0.25), 3, 40.0, 13)).is_empty());
}

#[test]
fn one_point_of_one_repeat_may_be_an_accident() {
    let once = |n: u64| if n == 16_384 { 3.0 * good(n) } else { good(n) };
    assert!(breaches(&curve(once, 1, 1.0, 3)).is_empty());
    assert_eq!(breaches(&curve(once, 5, 1.0, 3)).len(), 1);
}

#[test]
fn little_is_not_judged() {
    for points in [vec![], vec![(1, 1.0), (2, 1.0)], (1..20).map(|n| (n, 0.0)).collect()] {
        let found = analyze_curve_shape(&SizeCurve::from_points(&points));
        assert!(matches!(found, CurveShape::CannotTell { .. }), "{points:?}");
    }
}

#[test]
fn curves_cross_where_their_times_are_equal() {
    // 60 µs + 85 ns a byte against 150 µs + 30 ns a byte: equal at 90,000/55 = 1,636 B.
    let other = |n: u64| 150e3 + 30.0 * n as f64;
    for seed in 0..20 {
        let (a, b) = (curve(good, 5, 1.0, seed), curve(other, 5, 1.0, seed + 100));
        let found = find_crossover(&a, &b);
        let CrossoverResult::Crosses { crossings } = &found else { panic!("{found:?}") };
        let [c] = crossings[..] else { panic!("{found:?}") };
        assert!((c.at_bytes / 1_636.4 - 1.0).abs() < 0.1, "{c:?}");
        assert!(c.between.0 < 1_636 && 1_636 < c.between.1 && c.then == ComparedCurve::Second, "{c:?}");
    }
}

#[test]
fn curves_that_do_not_cross_say_how_they_lie() {
    let (a, b) = (curve(good, 5, 1.0, 1), curve(|n| 0.5 * good(n), 5, 1.0, 2));
    let higher = CrossoverResult::OneSided { higher: ComparedCurve::Second, sizes: 38, of: 38 };
    assert_eq!(find_crossover(&a, &b), higher);
    let alike = find_crossover(&a, &curve(good, 5, 1.0, 3));
    assert!(matches!(alike, CrossoverResult::NotApart { .. } | CrossoverResult::OneSided { sizes: 1, .. }));
    assert!(matches!(find_crossover(&curve(good, 1, 1.0, 1), &b), CrossoverResult::CannotTell { .. }));
}

proptest::proptest! {
    #[test]
    fn units_change_nothing(seed in 0u64..500, unit in 0.001f64..1000.0) {
        let plain = curve(|n| if n > 3_000 { 3.0 * good(n) } else { good(n) }, 3, 5.0, seed);
        let mut other = plain.clone();
        for v in other.points.iter_mut().flat_map(|p| p.by_block.values_mut()) { *v *= unit }
        let (one, two) = (breaches(&plain), breaches(&other));
        proptest::prop_assert_eq!(one.len(), two.len());
        for (a, b) in one.iter().zip(&two) {
            proptest::prop_assert_eq!((a.kind, a.sizes, a.edge, a.deepest), (b.kind, b.sizes, b.edge, b.deepest));
            proptest::prop_assert!((a.depth - b.depth).abs() < 1e-9);
        }
    }
}

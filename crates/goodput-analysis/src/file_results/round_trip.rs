//! The model of rows with one operation at a time: t(block) = fixed + block / rate. With one operation in
//! flight a block's time is a round trip, the service at both ends, and its bytes at some rate. The fit to
//! the mean times of two or more block sizes weighs each by the inverse square of its time. (Hockney 1994,
//! "The communication challenge for MPP", Parallel Computing 20:389–398.)

use super::rows::BenchmarkResultWithTrials;
use crate::descriptive_statistics::median;
use goodput_model::file::FileDirection;
use goodput_model::summary::FileOperationTimeModel;

const FITS: f64 = 25.0;

/// One for each place and direction with two or more block sizes at one operation at a time.
pub(super) fn fit_round_trip_models(rows: &[BenchmarkResultWithTrials<'_>]) -> Vec<FileOperationTimeModel> {
    let mut keys: Vec<(&str, FileDirection)> = Vec::new();
    let single = |r: &&BenchmarkResultWithTrials<'_>| r.row.queue == 1 && r.row.threads == 1;
    for row in rows.iter().filter(single) {
        let key = (row.row.place.as_str(), row.row.way);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let of_key = |(place, way): (&str, FileDirection)| {
        let theirs: Vec<&BenchmarkResultWithTrials<'_>> =
            rows.iter().filter(single).filter(|r| r.row.place == place && r.row.way == way).collect();
        model(place, way, &theirs)
    };
    keys.into_iter().filter_map(of_key).collect()
}

fn model(
    place: &str,
    way: FileDirection,
    rows: &[&BenchmarkResultWithTrials<'_>],
) -> Option<FileOperationTimeModel> {
    // The reciprocal of the rate of operations includes the client's own time.
    let points: Vec<(f64, f64)> = rows
        .iter()
        .filter(|r| r.row.iops.median > 0.0)
        .map(|r| (r.row.block_bytes as f64, 1e9 / r.row.iops.median))
        .collect();
    let (fixed, per_byte) = fit(&points)?;
    let rate_bps = Some(8e9 / per_byte).filter(|rate| rate.is_finite())?;
    let error =
        points.iter().map(|(b, t)| ((fixed + b * per_byte) / t - 1.0).abs() * 100.0).fold(0.0, f64::max);
    if error > FITS {
        return None;
    }
    let seen: Vec<f64> = rows
        .iter()
        .flat_map(|r| &r.trials)
        .filter_map(|t| t.file.round_trip_ns)
        .map(|ns| ns as f64)
        .collect();
    // A round trip longer than a whole operation belongs to something else.
    let round_trip = median(&seen).filter(|rtt| *rtt <= fixed);
    let mut blocks: Vec<u64> = rows.iter().map(|r| r.row.block_bytes).collect();
    blocks.sort_unstable();
    blocks.dedup();
    Some(FileOperationTimeModel {
        place: place.to_string(),
        way,
        blocks,
        fixed_ns: fixed,
        round_trip_ns: round_trip,
        service_ns: round_trip.map(|rtt| fixed - rtt),
        rate_bps,
        error_percent: error,
    })
}

/// Fixed time and time per byte, in ns; `None` for fewer than two sizes or where one is not positive.
fn fit(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let (mut w, mut wx, mut wy, mut wxx, mut wxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (x, y) in points {
        let weight = 1.0 / (y * y);
        w += weight;
        wx += weight * x;
        wy += weight * y;
        wxx += weight * x * x;
        wxy += weight * x * y;
    }
    let spread = w * wxx - wx * wx;
    // Zero for one size only, up to rounding.
    if spread <= 1e-12 * w * wxx {
        return None;
    }
    let slope = (w * wxy - wx * wy) / spread;
    let fixed = (wy - slope * wx) / w;
    (fixed > 0.0 && slope > 0.0 && fixed.is_finite() && slope.is_finite()).then_some((fixed, slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_come_back_from_times_made_of_them() {
        let made = |b: f64| (b, 200_000.0 + 8.0 * b);
        for times in
            [&[made(4_096.0), made(1_048_576.0)][..], &[4_096.0, 524_288.0, 1_048_576.0].map(made)[..]]
        {
            let (fixed, slope) = fit(times).unwrap();
            assert!((fixed / 200_000.0 - 1.0).abs() < 1e-9 && (slope / 8.0 - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn what_is_no_such_model_has_no_constants() {
        assert_eq!((fit(&[]), fit(&[(4_096.0, 1_000.0)])), (None, None));
        assert_eq!(fit(&[(4_096.0, 1_000.0), (4_096.0, 1_100.0)]), None);
        assert_eq!(fit(&[(4_096.0, 1_000.0), (8_192.0, 500.0)]), None);
    }
}

//! Offset and drift between two clocks, from the series `clock` of the connecting end.

use super::{ProbeAnalysis, TrialMeasurement, find_series};
use crate::medium_limit::TrafficDirections;
use goodput_model::probe::clock::Clock;
use goodput_model::probe::clock::result::{ClockDifference, ClockResult, ClockSample};
use goodput_model::run_comparison::ComparedQuantity;
use goodput_model::summary::{ProbeResult, TheoreticalGoodputLimit};
use goodput_model::trial::{EndpointReport, EndpointRole};
use goodput_model::{Message, Trial};

impl ProbeAnalysis for Clock {
    fn measure_trial(&self, trial: &Trial, _: &TheoreticalGoodputLimit) -> TrialMeasurement {
        let Some(end) = trial.endpoint_report(EndpointRole::Connect) else {
            return TrialMeasurement::default();
        };
        let clock = difference(end);
        let result = clock.map(|clock| ProbeResult::Clock(ClockResult { clock: Some(clock) }));
        TrialMeasurement { elapsed_ns: end.window.elapsed().0, result, ..TrialMeasurement::default() }
    }

    fn traffic_directions(&self, _: &Trial) -> Result<TrafficDirections, &'static str> {
        Err("a clock difference is no rate")
    }

    fn primary_metric(&self) -> &'static str {
        "clock.offset_ns"
    }

    fn compared_quantities(&self) -> &'static [ComparedQuantity] {
        &[]
    }

    fn describe_settings(&self) -> Message {
        "clock".into()
    }
}

fn difference(end: &EndpointReport) -> Option<ClockDifference> {
    let series = find_series(end, "clock")?;
    let column = |name| series.column(name);
    let (at, offset, error) = (column("at_ns")?, column("offset_ns")?, column("error_ns")?);
    let unsigned = |value: i64| u64::try_from(value).unwrap_or(0);
    let intervals: Vec<ClockSample> = at
        .iter()
        .zip(offset)
        .zip(error)
        .map(|((at, offset), error)| ClockSample {
            at_ns: unsigned(*at),
            offset_ns: *offset,
            error_ns: unsigned(*error),
        })
        .collect();
    let best = *best(&intervals)?;
    let drift = drift(&intervals);
    Some(ClockDifference {
        offset_ns: best.offset_ns,
        error_ns: best.error_ns,
        drift_ppm: drift.map(|d| d.ppm),
        drift_error_ppm: drift.map(|d| d.error_ppm),
        is_steady: drift.is_none_or(|drift| intervals.iter().all(|sample| drift.explains(&best, sample))),
        round_trip_ns: unsigned(column("round_trip_ns")?.iter().copied().min()?),
        samples: intervals.len() as u64,
        intervals,
    })
}

/// The sample with the least error, the first of equals.
fn best(samples: &[ClockSample]) -> Option<&ClockSample> {
    samples.iter().min_by_key(|sample| sample.error_ns)
}

#[derive(Clone, Copy)]
struct Drift {
    ppm: f64,
    error_ppm: f64,
}

/// Between the best sample of the first third and that of the last third: what both errors allow bounds the drift.
fn drift(samples: &[ClockSample]) -> Option<Drift> {
    let third = samples.len() / 3;
    let (first, last) = (best(&samples[..third])?, best(&samples[samples.len() - third..])?);
    let elapsed = last.at_ns.checked_sub(first.at_ns).filter(|elapsed| *elapsed > 0)? as f64;
    let change = (i128::from(last.offset_ns) - i128::from(first.offset_ns)) as f64;
    let error = (first.error_ns + last.error_ns) as f64;
    Some(Drift { ppm: change * 1e6 / elapsed, error_ppm: error * 1e6 / elapsed })
}

impl Drift {
    /// True where this drift, within its error, leads from one sample to the other.
    fn explains(self, from: &ClockSample, to: &ClockSample) -> bool {
        let elapsed = to.at_ns as f64 - from.at_ns as f64;
        let change = (i128::from(to.offset_ns) - i128::from(from.offset_ns)) as f64;
        let allowed = (from.error_ns + to.error_ns) as f64 + self.error_ppm * 1e-6 * elapsed.abs();
        (change - self.ppm * 1e-6 * elapsed).abs() <= allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::Series;
    use goodput_model::trial::EndpointReport;

    /// 100 samples in 10 s; the clock is 2 ms ahead and gains `ppm`, and is set by `step` in the middle.
    fn of(ppm: f64, step: i64) -> ClockDifference {
        let at: Vec<i64> = (0..100).map(|n| n * 100_000_000).collect();
        let set = |at: i64| if at > 5_000_000_000 { step } else { 0 };
        let offset = at.iter().map(|at| 2_000_000 + (*at as f64 * ppm * 1e-6) as i64 + set(*at)).collect();
        let error = (0..100).map(|n| 5_000 + n % 7 * 1_000).collect();
        let round_trip = ("round_trip_ns", vec![10_000; 100]);
        let columns = vec![("at_ns", at), ("offset_ns", offset), ("error_ns", error), round_trip];
        let mut end = EndpointReport::empty(EndpointRole::Connect, "a");
        end.series.push(Series::new("clock", columns));
        difference(&end).unwrap()
    }

    #[test]
    fn a_constant_drift_is_found_within_its_bounds() {
        for ppm in [-40.0, 0.0, 0.5, 200.0] {
            let found = of(ppm, 0);
            let (drift, error) = (found.drift_ppm.unwrap(), found.drift_error_ppm.unwrap());
            assert!((drift - ppm).abs() <= error && error < 3.0, "{ppm}: {drift} ± {error}");
            assert!(found.is_steady && found.samples == 100);
            assert_eq!((found.offset_ns, found.error_ns), (2_000_000, 5_000));
        }
    }

    #[test]
    fn a_clock_that_was_set_is_not_steady_and_too_few_samples_have_no_drift() {
        assert!(!of(1.0, 10_000_000).is_steady);
        assert!(drift(&[]).is_none());
        let one = ClockSample { at_ns: 0, offset_ns: 1, error_ns: 1 };
        assert!(drift(&[one, one]).is_none());
    }
}

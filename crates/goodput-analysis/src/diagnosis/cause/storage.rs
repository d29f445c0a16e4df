//! Storage at the end of a copy: it reads or writes no more, so the same copy is faster to or from the memory of that
//! host; and where storage handles each block k times, which the network carries once, goodput is 1/k, or less where
//! a disk seeks between them. A host whose CPU writes the files may look the same: it is not suspected then.

use super::{CauseModel, Prediction, Suspicion, goodput};
use crate::diagnosis::Observation;
use goodput_model::MessageArg;
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::percent_arg;

pub(super) const STORAGE: CauseModel = CauseModel { cause: LimitCause::Storage, suspect, predict };

/// Every copy to storage may be limited by it.
const LEVEL: f64 = 0.9;
/// Less is what the file system costs where the network limits.
pub(in crate::diagnosis) const FASTER: (f64, f64) = (1.15, 1e6);
/// Each block twice, and four times. The start and the flush are no part of the model.
const HALVED: (f64, f64) = (0.3, 0.62);
const QUARTERED: (f64, f64) = (0.1, 0.33);
/// The disk is idle, or a CPU is full.
const IDLE: f64 = 0.3;
const FULL: f64 = 0.75;

fn suspect(seen: &Observation) -> Suspicion {
    let Some(storage) = &seen.storage else { return Suspicion::default() };
    let idle = storage.busy.is_some_and(|busy| busy < IDLE);
    if idle || [&seen.sender, &seen.receiver].iter().any(|end| end.cpu_load() >= FULL) {
        return Suspicion::default();
    }
    let percent = |share: Option<f64>| -> MessageArg {
        share.map_or_else(|| message!(path_figure_unknown).into(), |share| percent_arg(share * 100.0))
    };
    let (busy, waited) = (percent(storage.busy), percent(storage.waited));
    Suspicion::new(LEVEL, message!(cause_storage_sign { host: &storage.host, busy, waited }))
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![
        goodput(InterventionKind::MemoryTarget, 1.0, FASTER),
        goodput(InterventionKind::Storage, 0.5, HALVED),
        goodput(InterventionKind::Storage, 0.25, QUARTERED),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::{
        DiagnosisTrial, EndObservation, MOST_STORAGE_PASSES, StorageObservation, diagnose,
    };
    use InterventionKind::{Baseline, MemoryTarget, Scout, Sham, Storage};
    use goodput_model::diagnosis::{Diagnosis, DiagnosisVerdict, Intervention, SuspectState};

    /// Goodput relative to the baseline.
    type Path = fn(InterventionKind, f64) -> f64;

    /// Equal trials differ by a few per cent.
    fn diagnosed(ratio: Path) -> Diagnosis {
        let trial = |(kind, dose): (InterventionKind, f64), block: u32| {
            let noise = 1.0 + 0.01 * (f64::from((block * 5 + kind as u32 * 3) % 4) - 1.5);
            let storage = StorageObservation { host: "b".into(), busy: None, waited: Some(0.95) };
            let observation = Observation {
                goodput_bps: 2e8 * ratio(kind, dose) * noise,
                storage: Some(storage),
                ..Observation::default()
            };
            DiagnosisTrial { intervention: Intervention::new(kind, dose).in_block(block), observation }
        };
        let changes = [(Baseline, 1.0), (Sham, 1.0), (MemoryTarget, 1.0), (Storage, 0.5), (Storage, 0.25)];
        let mut trials = vec![trial((Scout, 1.0), 0)];
        trials.extend((1..=3).flat_map(|block| changes.map(|change| trial(change, block))));
        diagnose(&trials).unwrap()
    }

    fn state(found: &Diagnosis) -> SuspectState {
        assert_eq!(found.suspects.len(), 1, "a copy has no other suspect");
        found.suspects[0].state
    }

    #[test]
    fn a_file_to_be_read_is_prepared_for_every_dose() {
        let passes = predict(&Observation::default()).into_iter().map(|p| 1.0 / p.intervention.dose);
        assert_eq!(passes.fold(1.0, f64::max), f64::from(MOST_STORAGE_PASSES));
    }

    #[test]
    fn storage_that_limits_is_named() {
        let found = diagnosed(|kind, dose| if kind == MemoryTarget { 20.0 } else { dose });
        assert_eq!((found.verdict, &*found.causes), (DiagnosisVerdict::Named, &[LimitCause::Storage][..]));
        let words = "disk of b busy not known, copy waiting for disk and network 95.0 %";
        assert!(found.suspects[0].evidence[0].ends_with(words), "{:?}", found.suspects[0].evidence);
    }

    #[test]
    fn storage_with_headroom_is_excluded() {
        let paths: [Path; 3] = [
            // The network limits.
            |_, _| 1.0,
            // The disk follows soon.
            |kind, dose| if kind == Storage { (1.4 * dose).min(1.0) } else { 1.0 },
            // Each block waits for both.
            |kind, dose| match kind {
                MemoryTarget => 2.0,
                Storage => 2.0 / (1.0 + 1.0 / dose),
                _ => 1.0,
            },
        ];
        for ratio in paths {
            let found = diagnosed(ratio);
            assert_eq!((found.verdict, state(&found)), (DiagnosisVerdict::NotProven, SuspectState::Excluded));
        }
    }

    #[test]
    fn only_where_memory_is_as_slow_it_is_said_not_to_limit() {
        let paths: [(Path, bool); 2] = [
            (|_, _| 1.0, true),
            (
                |kind, dose| match kind {
                    MemoryTarget => 3.0,
                    Storage => (2.0 * dose).min(1.0),
                    _ => 1.0,
                },
                false,
            ),
        ];
        for (ratio, expected) in paths {
            let found = diagnosed(ratio);
            assert_eq!(found.sentence.contains("storage is not the limit"), expected, "{}", found.sentence);
        }
    }

    #[test]
    fn an_idle_disk_and_a_full_cpu_are_not_storage() {
        let storage = |busy| Some(StorageObservation { host: "b".into(), busy, waited: None });
        let seen = |busy, running| Observation {
            storage: storage(busy),
            receiver: EndObservation { running, ..EndObservation::default() },
            ..Observation::default()
        };
        assert!(suspect(&seen(Some(0.9), 0.3)).level > 0.0);
        assert_eq!(suspect(&seen(Some(0.05), 0.3)).level, 0.0);
        assert_eq!(suspect(&seen(Some(0.9), 0.9)).level, 0.0);
    }

    #[test]
    fn an_unsteady_path_names_nothing() {
        let found = diagnosed(|kind, dose| match kind {
            MemoryTarget => 20.0,
            Sham => 1.4,
            _ => dose,
        });
        assert_eq!((found.verdict, state(&found)), (DiagnosisVerdict::NotProven, SuspectState::Possible));
    }
}

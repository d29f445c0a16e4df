//! `goodput why HOST:disk`: whether the disk of an agent's host limits a copy. Copies that are not recorded find a size
//! for the trials, unless one was typed.

use super::super::measurement::{Measurement, MeasurementContext};
use super::super::peer_session::PeerSession;
use super::super::trial_sequence::build_copy_diagnosis;
use super::run_file_step::{run_auxiliary, run_with_prepared_files};
use super::{cleaning, hosts};
use crate::args::why::CopyDiagnosis;
use crate::exit::ExitStatus;
use crate::failure::{self, Failure};
use crate::lab_exec;
use crate::screen::ProgressScreen;
use goodput_analysis::diagnosis::{MOST_STORAGE_PASSES, apply_to_copy};
use goodput_control::{CancelFlag, Session};
use goodput_model::diagnosis::{Intervention, InterventionKind};
use goodput_model::file::{FileDirection, FileLocation, FileWorkload, SinkStorageKind, WORKSPACE_PREFIX};
use goodput_model::trial::EndpointRole;
use goodput_model::{Bytes, File, Message};
use goodput_report::table::cell;
use goodput_words::message;
use std::time::Instant;
use uuid::Uuid;

/// Of a copy with unchanged settings. With more work for the disk it is a multiple.
const COPY_TIME_S: f64 = 1.5;
/// A shorter copy does not show the rate: caches and the start have too large a share.
const MIN_SIZING_TIME_S: f64 = 0.5;
const MIB: u64 = 1 << 20;
const FIRST_SIZE: u64 = 4 * MIB;
const LARGEST_SIZE: u64 = 4 << 30;
/// From one copy to the next.
const MAX_GROWTH: u64 = 16;
/// Of the free space, room for a file.
const FREE_SHARE: u64 = 2 * MOST_STORAGE_PASSES as u64;
/// Of the file: what is in flight must be a small part of it.
const BLOCKS: u64 = 32;
const SMALLEST_BLOCK: u64 = 64 << 10;
const DEPTH: u16 = 8;

pub fn run_copy_diagnosis(order: CopyDiagnosis, words: Vec<String>) -> Result<ExitStatus, Failure> {
    let lab = lab_exec::current_lab();
    let options = &order.options;
    let place = hosts::resolve_target(&order.at.target, lab.as_ref())?;
    let context = MeasurementContext::new(options, lab.as_ref())?;
    let hosts = hosts::resolve_hosts(&order.at, &place, None, lab.as_ref(), &context.registry)?;
    let session = Session::open(&hosts, context.shown.as_ref(), &options.trial_timeouts())
        .map_err(|e| failure::failure_from_control_error("cannot measure", &e))?;
    let screen = ProgressScreen::new(options, None);
    session.version_mismatch_warnings().iter().for_each(|sentence| screen.print_message(sentence));
    let copy = DiagnosedCopy {
        order: &order,
        place: &place,
        clients: session.client_names(),
        workspace: format!("{WORKSPACE_PREFIX}{}", Uuid::now_v7()),
        cancel: &context.cancel,
        cleaning: cleaning(&order.at.target),
        began: Instant::now(),
    };
    let reached = PeerSession::Agents(Box::new(session));
    let mut measurement =
        Measurement::open(&context, &reached, words, screen, None)?.with_file_target(&place);
    let size = match order.size {
        Some(size) => copy.ensure_space(&mut measurement, size),
        None => copy.find_size(&mut measurement),
    };
    if let Some(size) = size {
        copy.diagnose(&mut measurement, size, context.seed);
    }
    // The trials are not counted beforehand: an interrupt is never too late.
    measurement.finish(Some(usize::MAX)).map(|(exit, _)| exit)
}

struct DiagnosedCopy<'a> {
    order: &'a CopyDiagnosis,
    place: &'a FileLocation,
    clients: Vec<String>,
    workspace: String,
    cancel: &'a CancelFlag,
    /// The command that removes a leftover folder.
    cleaning: Message,
    began: Instant,
}

impl DiagnosedCopy<'_> {
    fn file(&self, place: &FileLocation, work: FileWorkload) -> File {
        // A comparison would take time between the trials.
        File::new(self.clients.clone(), place.clone(), self.workspace.clone(), work)
    }

    fn copy(&self, size: Bytes) -> File {
        let block = self.order.block.unwrap_or_else(|| usual_block(size));
        let way = self.order.way;
        self.file(self.place, FileWorkload::Copy { way, size, block, depth: DEPTH, local: None })
    }

    /// What makes a place ready for the copy, and what removes it again.
    fn preparation(&self, place: &FileLocation, size: Bytes, storage_passes: u16) -> (File, File) {
        let file = (self.order.way == FileDirection::Read).then_some(size);
        let prepare = self.file(place, FileWorkload::Prepare { file });
        (File { storage_passes, ..prepare }, self.file(place, FileWorkload::Remove))
    }

    /// A typed size must fit as often as the disk has to store it. `None` after a failure or an interrupt.
    fn ensure_space(&self, measurement: &mut Measurement<'_>, size: Bytes) -> Option<Bytes> {
        let (_, free) = self.time_copy(measurement, Bytes(FIRST_SIZE))?;
        let needed = size.0.saturating_mul(MOST_STORAGE_PASSES.into());
        let Some(free) = free.filter(|free| free.0 < needed) else { return Some(size) };
        let (count, [size, free]) = (MOST_STORAGE_PASSES, [size, free].map(cell::size_setting));
        let failure = Failure::new(ExitStatus::CannotMeasure, "the disk has too little space")
            .with_cause(message!(error_files_needed { count, size, free }))
            .with_hint("type a smaller --size, or leave it out");
        measurement.trouble = Some(failure);
        None
    }

    /// `None` after a failure or an interrupt.
    fn find_size(&self, measurement: &mut Measurement<'_>) -> Option<Bytes> {
        let mut size = FIRST_SIZE;
        loop {
            let (elapsed_s, free) = self.time_copy(measurement, Bytes(size))?;
            let largest = free.map_or(LARGEST_SIZE, |free| (free.0 / FREE_SHARE).min(LARGEST_SIZE));
            match next_size(size, elapsed_s, largest) {
                Sizing::Found(size) => return Some(Bytes(size)),
                Sizing::Again(next) => size = next,
            }
        }
    }

    /// In seconds, with the free space of the disk.
    fn time_copy(&self, measurement: &mut Measurement<'_>, size: Bytes) -> Option<(f64, Option<Bytes>)> {
        let (prepare, remove) = self.preparation(self.place, size, 1);
        let (prepare, remove) = ([prepare], [remove]);
        let scout = Intervention::new(InterventionKind::Scout, 1.0);
        let copy = apply_to_copy(&self.copy(size), scout);
        let mut made = None;
        run_with_prepared_files(
            measurement,
            (&prepare, &remove),
            self.cancel,
            &self.cleaning,
            |measurement| match run_auxiliary(measurement, &copy, self.cancel) {
                Ok(trial) => made = Some(trial),
                Err(failure) => measurement.trouble = Some(failure),
            },
        );
        let trial = made.filter(|_| measurement.trouble.is_none() && !self.cancel.is_cancelled())?;
        let end = trial.endpoint_report(EndpointRole::Connect)?;
        let free = end.file.as_ref().and_then(|report| report.facts.free);
        Some((end.window.elapsed().0 as f64 / 1e9, free))
    }

    fn diagnose(&self, measurement: &mut Measurement<'_>, size: Bytes, seed: u64) {
        // What is read several times is prepared as often; what is written is made by the copy.
        let passes = match self.order.way {
            FileDirection::Read => MOST_STORAGE_PASSES,
            FileDirection::Write => 1,
        };
        let memory = FileLocation::Sink { sink: SinkStorageKind::Null };
        let places = [(self.place, passes), (&memory, 1)];
        let steps = places.map(|(place, passes)| self.preparation(place, size, passes));
        let (prepare, remove): (Vec<File>, Vec<File>) = steps.into_iter().unzip();
        let mut trials = build_copy_diagnosis(self.copy(size), self.order.budget, seed, self.began);
        run_with_prepared_files(
            measurement,
            (&prepare, &remove),
            self.cancel,
            &self.cleaning,
            |measurement| {
                if !self.cancel.is_cancelled() {
                    measurement.run_trial_sequence(&mut *trials);
                }
            },
        );
    }
}

#[derive(Debug, PartialEq)]
enum Sizing {
    /// The next copy has this size.
    Again(u64),
    Found(u64),
}

/// After a copy of this size took so long.
fn next_size(size: u64, elapsed_s: f64, largest: u64) -> Sizing {
    let wanted = (size as f64 * COPY_TIME_S / elapsed_s.max(1e-6)) as u64;
    let possible = wanted.min(largest);
    if elapsed_s >= MIN_SIZING_TIME_S || possible <= size {
        return Sizing::Found((possible / MIB * MIB).max(MIB));
    }
    Sizing::Again(possible.min(size.saturating_mul(MAX_GROWTH)))
}

/// A power of two.
fn usual_block(size: Bytes) -> Bytes {
    Bytes(1 << (size.0 / BLOCKS).clamp(SMALLEST_BLOCK, MIB).ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copies at this rate, in bytes a second.
    fn found(rate: f64, free: u64) -> (u64, u32) {
        let (mut size, mut copies) = (FIRST_SIZE, 0);
        loop {
            copies += 1;
            match next_size(size, size as f64 / rate, free / FREE_SHARE) {
                Sizing::Found(size) => return (size, copies),
                Sizing::Again(next) => size = next,
            }
        }
    }

    #[test]
    fn a_copy_takes_the_time_of_a_trial_whatever_the_rate() {
        for rate in [5e6, 60e6, 1.2e9] {
            let (size, copies) = found(rate, 1 << 50);
            let time_s = size as f64 / rate;
            assert!((1.2..=1.5).contains(&time_s) && copies <= 4, "{rate}: {time_s} s after {copies}");
        }
        assert_eq!(found(1e11, LARGEST_SIZE * FREE_SHARE).0, LARGEST_SIZE);
        assert_eq!(found(1e4, 1 << 50), (MIB, 1), "a very slow disk");
        assert_eq!(found(1e9, 100 * MIB * FREE_SHARE).0, 100 * MIB, "a small disk");
    }

    #[test]
    fn what_is_in_flight_is_a_small_part_of_the_file() {
        for (size, block) in [(MIB, 64 << 10), (8 * MIB, 256 << 10), (100 * MIB, MIB), (LARGEST_SIZE, MIB)] {
            assert_eq!(usual_block(Bytes(size)), Bytes(block), "{size}");
        }
    }
}

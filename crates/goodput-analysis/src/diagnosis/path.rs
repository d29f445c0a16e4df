//! The path of the data as a row of elements: how much of each the transfer used, and which of them limits.

use super::{EndObservation, Observation};
use goodput_model::Message;
use goodput_model::diagnosis::{LimitCause, PathElement, PathElementKind};
use goodput_model::probe::TransferDirection;
use goodput_words::message;
use goodput_words::message_argument::{percent_arg, quantity_arg};
use goodput_words::number_format::format_rate;

/// From the sending to the receiving application.
pub(super) fn path_elements(seen: &Observation, causes: &[LimitCause]) -> Vec<PathElement> {
    let element = |kind: PathElementKind| {
        let use_percent = used_share(seen, kind).filter(|share| share.is_finite()).map(|share| share * 100.0);
        PathElement {
            kind,
            figure: figure(seen, kind, use_percent),
            use_percent,
            limits: causes.iter().any(|cause| element_of(*cause) == kind),
        }
    };
    let storage = seen.storage.as_ref().map(|_| PathElementKind::Storage);
    let is_read = seen.settings.direction == TransferDirection::Receive;
    let between = PathElementKind::ALL.into_iter().filter(|kind| *kind != PathElementKind::Storage);
    let kinds = storage.filter(|_| is_read).into_iter().chain(between).chain(storage.filter(|_| !is_read));
    kinds.map(element).collect()
}

/// Where a cause limits.
fn element_of(cause: LimitCause) -> PathElementKind {
    match cause {
        LimitCause::SenderCpu | LimitCause::ApplicationLimited => PathElementKind::SenderCpu,
        LimitCause::SendBuffer => PathElementKind::SendBuffer,
        LimitCause::ReceiveWindow => PathElementKind::ReceiveBuffer,
        LimitCause::ReceiverCpu | LimitCause::Softirq | LimitCause::ReceiverDrops => {
            PathElementKind::ReceiverCpu
        }
        LimitCause::Storage => PathElementKind::Storage,
        LimitCause::Medium
        | LimitCause::Loss
        | LimitCause::Shaper
        | LimitCause::Policer
        | LimitCause::PerFlowCap
        | LimitCause::PerPacketCost
        | LimitCause::SenderQueueDrops
        | LimitCause::SharedBus
        | LimitCause::HalfDuplex
        | LimitCause::Reordering
        | LimitCause::MtuBlackHole
        | LimitCause::OptionsStripped
        | LimitCause::StartUp => PathElementKind::Link,
    }
}

fn used_share(seen: &Observation, kind: PathElementKind) -> Option<f64> {
    // Without the kernel's account of the connections nothing is known of their buffers.
    let of_buffer = |share: f64| (seen.busy_share > 0.0).then_some(share);
    match kind {
        PathElementKind::SenderCpu => used_cpu(&seen.sender),
        PathElementKind::SendBuffer => of_buffer(seen.send_buffer_share),
        PathElementKind::Link => seen.limit_share,
        PathElementKind::ReceiveBuffer => of_buffer(seen.receive_window_share),
        PathElementKind::ReceiverCpu => used_cpu(&seen.receiver),
        PathElementKind::Storage => seen.storage.as_ref()?.busy,
    }
}

/// `None` if the times of the measuring threads are not known.
fn used_cpu(end: &EndObservation) -> Option<f64> {
    Some(end.cpu_load()).filter(|load| *load > 0.0)
}

fn figure(seen: &Observation, kind: PathElementKind, use_percent: Option<f64>) -> Message {
    let rate = || quantity_arg(seen.goodput_bps, "bit/s", format_rate(seen.goodput_bps as u64));
    match (kind, use_percent.map(percent_arg)) {
        (PathElementKind::Link, Some(percent)) => message!(path_figure_link { rate: rate(), percent }),
        (PathElementKind::Link, None) => message!(path_figure_rate { rate: rate() }),
        (_, None) => message!(path_figure_unknown),
        (PathElementKind::SendBuffer | PathElementKind::ReceiveBuffer, Some(percent)) => {
            message!(path_figure_buffer { percent })
        }
        (PathElementKind::SenderCpu | PathElementKind::ReceiverCpu, Some(percent)) => {
            message!(path_figure_cpu { percent })
        }
        (PathElementKind::Storage, Some(percent)) => message!(path_figure_storage { percent }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::StorageObservation;
    use super::*;
    use goodput_model::probe::Stream;

    fn seen() -> Observation {
        let end = |running| EndObservation { running, waiting: 0.02, ..EndObservation::default() };
        Observation {
            goodput_bps: 9.4e8,
            busy_share: 1.0,
            send_buffer_share: 0.01,
            receive_window_share: 0.9,
            sender: end(0.1),
            receiver: end(0.3),
            ..Observation::default()
        }
    }

    fn limiting(causes: &[LimitCause]) -> Vec<PathElementKind> {
        path_elements(&seen(), causes).iter().filter(|e| e.limits).map(|e| e.kind).collect()
    }

    #[test]
    fn every_element_has_its_figure_and_the_limiting_one_is_marked() {
        let path = path_elements(&seen(), &[LimitCause::ReceiveWindow]);
        let texts: Vec<&str> = path.iter().map(|e| e.figure.as_str()).collect();
        assert_eq!(texts, ["busy 12.0 %", "full 1.0 %", "940.0 Mbit/s", "full 90.0 %", "busy 32.0 %"]);
        let limits: Vec<bool> = path.iter().map(|e| e.limits).collect();
        assert_eq!(limits, [false, false, false, true, false]);
        assert_eq!((path[2].use_percent, path[3].use_percent), (None, Some(90.0)));
    }

    #[test]
    fn a_link_is_compared_with_the_limit_of_a_known_medium() {
        let known = Observation { limit_share: Some(0.998), ..seen() };
        let link = &path_elements(&known, &[])[2];
        assert_eq!(link.figure, "940.0 Mbit/s, 99.8 % of the medium's limit");
        assert_eq!(link.use_percent, Some(99.8));
    }

    #[test]
    fn what_was_not_observed_is_not_known() {
        let blind = Observation { goodput_bps: 9.4e8, ..Observation::default() };
        let path = path_elements(&blind, &[]);
        assert!(path.iter().all(|e| e.use_percent.is_none() && !e.limits));
        assert_eq!((path[0].figure.as_str(), path[1].figure.as_str()), ("not known", "not known"));
    }

    #[test]
    fn storage_is_where_a_copy_begins_or_ends() {
        let copy = |direction: TransferDirection, busy: Option<f64>| {
            let storage = Some(StorageObservation { busy, ..StorageObservation::default() });
            let settings = Stream { direction, ..Stream::default() };
            path_elements(&Observation { settings, storage, ..seen() }, &[LimitCause::Storage])
        };
        let written = copy(TransferDirection::Send, Some(0.97));
        let last = &written[5];
        assert_eq!((last.kind, last.limits), (PathElementKind::Storage, true));
        assert_eq!((last.figure.as_str(), last.use_percent), ("busy 97.0 %", Some(97.0)));
        let read = copy(TransferDirection::Receive, None);
        assert_eq!((read.len(), read[0].kind, read[0].limits), (6, PathElementKind::Storage, true));
        assert_eq!((read[0].figure.as_str(), read[0].use_percent), ("not known", None));
    }

    #[test]
    fn every_cause_of_the_path_has_an_element() {
        for cause in LimitCause::ALL {
            let expected = usize::from(cause != LimitCause::Storage);
            assert_eq!(limiting(&[cause]).len(), expected, "{cause:?}");
        }
        let tie = [LimitCause::SenderCpu, LimitCause::Loss];
        assert_eq!(limiting(&tie), [PathElementKind::SenderCpu, PathElementKind::Link]);
    }
}

//! Counts of a measuring thread at the window's edges. The thread records them at its first clock reading
//! after the edge, because a supervisor may be late among hundreds of busy threads.

use super::parameters::LoadWindow;
use crate::time::thread_cpu_ns;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CounterSnapshot {
    pub bytes: u64,
    pub calls: u64,
    pub requests: u64,
    pub cpu_ns: u64,
}

impl CounterSnapshot {
    pub fn take(bytes: u64, calls: u64, requests: u64) -> CounterSnapshot {
        CounterSnapshot { bytes, calls, requests, cpu_ns: thread_cpu_ns() }
    }
}

pub(super) struct WindowEdgeSnapshots {
    next: u64,
    t0: Option<CounterSnapshot>,
    t1: Option<CounterSnapshot>,
}

impl WindowEdgeSnapshots {
    pub fn new(span: &LoadWindow) -> WindowEdgeSnapshots {
        WindowEdgeSnapshots { next: span.t0, t0: None, t1: None }
    }

    /// When [`Edges::cross`] must be called.
    #[inline(always)]
    pub fn next_edge_ns(&self) -> u64 {
        self.next
    }

    /// The clock shows `now`; `before` held until then.
    #[cold]
    pub fn record_edge(&mut self, span: &LoadWindow, now: u64, before: CounterSnapshot) {
        if now >= span.t0 {
            self.t0.get_or_insert(before);
            self.next = span.end_ns();
        }
        if now >= span.end_ns() {
            self.t1.get_or_insert(before);
            self.next = u64::MAX;
        }
    }

    /// A thread without a reading since an edge uses its final counts.
    pub fn start_and_end_snapshots(&self, end: CounterSnapshot) -> (CounterSnapshot, CounterSnapshot) {
        (self.t0.unwrap_or(end), self.t1.unwrap_or(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::load::Load;

    #[test]
    fn each_edge_is_marked_once() {
        let span = LoadWindow::new(100, 200, &Load::default());
        let mark = |bytes| CounterSnapshot { bytes, ..CounterSnapshot::default() };
        let mut edges = WindowEdgeSnapshots::new(&span);
        assert_eq!((edges.next_edge_ns(), edges.start_and_end_snapshots(mark(9))), (100, (mark(9), mark(9))));
        edges.record_edge(&span, 99, mark(1));
        edges.record_edge(&span, 100, mark(2));
        assert_eq!((edges.next_edge_ns(), edges.start_and_end_snapshots(mark(9))), (200, (mark(2), mark(9))));
        edges.record_edge(&span, 199, mark(3));
        edges.record_edge(&span, 205, mark(4));
        edges.record_edge(&span, 300, mark(5));
        assert_eq!(
            (edges.next_edge_ns(), edges.start_and_end_snapshots(mark(9))),
            (u64::MAX, (mark(2), mark(4)))
        );
        let mut edges = WindowEdgeSnapshots::new(&span);
        edges.record_edge(&span, 900, mark(7));
        assert_eq!(edges.start_and_end_snapshots(mark(9)), (mark(7), mark(7)));
    }
}

//! Counts of a measuring thread at the window's edges. The thread records them at its first clock reading
//! after the edge, because a supervisor may be late among hundreds of busy threads.

use super::parameters::Span;
use crate::time::thread_cpu_ns;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Mark {
    pub bytes: u64,
    pub calls: u64,
    pub requests: u64,
    pub cpu_ns: u64,
}

impl Mark {
    pub fn now(bytes: u64, calls: u64, requests: u64) -> Mark {
        Mark { bytes, calls, requests, cpu_ns: thread_cpu_ns() }
    }
}

pub(super) struct Edges {
    next: u64,
    t0: Option<Mark>,
    t1: Option<Mark>,
}

impl Edges {
    pub fn new(span: &Span) -> Edges {
        Edges { next: span.t0, t0: None, t1: None }
    }

    /// When [`Edges::cross`] must be called.
    #[inline(always)]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The clock shows `now`; `before` held until then.
    #[cold]
    pub fn cross(&mut self, span: &Span, now: u64, before: Mark) {
        if now >= span.t0 {
            self.t0.get_or_insert(before);
            self.next = span.t1();
        }
        if now >= span.t1() {
            self.t1.get_or_insert(before);
            self.next = u64::MAX;
        }
    }

    /// A thread without a reading since an edge uses its final counts.
    pub fn marks(&self, end: Mark) -> (Mark, Mark) {
        (self.t0.unwrap_or(end), self.t1.unwrap_or(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::load::Load;

    #[test]
    fn each_edge_is_marked_once() {
        let span = Span::new(100, 200, &Load::default());
        let mark = |bytes| Mark { bytes, ..Mark::default() };
        let mut edges = Edges::new(&span);
        assert_eq!((edges.next(), edges.marks(mark(9))), (100, (mark(9), mark(9))));
        edges.cross(&span, 99, mark(1));
        edges.cross(&span, 100, mark(2));
        assert_eq!((edges.next(), edges.marks(mark(9))), (200, (mark(2), mark(9))));
        edges.cross(&span, 199, mark(3));
        edges.cross(&span, 205, mark(4));
        edges.cross(&span, 300, mark(5));
        assert_eq!((edges.next(), edges.marks(mark(9))), (u64::MAX, (mark(2), mark(4))));
        let mut edges = Edges::new(&span);
        edges.cross(&span, 900, mark(7));
        assert_eq!(edges.marks(mark(9)), (mark(7), mark(7)));
    }
}

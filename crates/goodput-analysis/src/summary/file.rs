//! Work on files: what all clients moved in the window, and how fast.

use super::Measured;
use goodput_model::Trial;

pub(super) fn measure(trial: &Trial) -> Measured {
    let elapsed_ns = trial.ends.iter().map(|end| end.window.elapsed().0).max().unwrap_or(0);
    let reports = || trial.ends.iter().filter_map(|end| end.file.as_deref());
    if reports().next().is_none() {
        return Measured { elapsed_ns, ..Measured::default() };
    }
    let bytes: u64 = reports().map(|r| r.bytes_read.saturating_add(r.bytes_written)).sum();
    Measured {
        elapsed_ns,
        bytes: Some(bytes),
        goodput_bps: (elapsed_ns > 0).then(|| (bytes as f64 * 8e9 / elapsed_ns as f64) as u64),
        ..Measured::default()
    }
}

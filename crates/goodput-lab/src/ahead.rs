//! Real-time priority for the process that coordinates a measurement in a lab and takes no part in it.
//!
//! All hosts of a lab share this machine's CPUs. At normal priority the coordinator's messages waited two seconds behind
//! eighty busy threads, which is as long as a dead coordinator is given. SCHED_RR at the lowest priority (sched(7)) avoids
//! that; the kernel keeps a twentieth of the time for others. The coordinator moves no data and uses a few per cent of a
//! CPU.

use crate::sys;
use std::io;

/// Gives this process, and the threads that it starts later, priority over the other hosts of the lab.
///
/// # Errors
/// Without CAP_SYS_NICE. The process keeps its normal priority.
pub fn go_ahead() -> io::Result<()> {
    sys::round_robin()
}

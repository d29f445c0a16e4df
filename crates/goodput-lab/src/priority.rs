//! Real-time priority for the process that coordinates a measurement in a lab. All hosts of a lab share this
//! machine's CPUs: at normal priority the coordinator's messages waited two seconds behind eighty busy
//! threads, the timeout for a dead coordinator. SCHED_RR at the lowest priority (sched(7)) avoids that; the
//! kernel reserves a twentieth of the time for others.

use crate::sys;
use std::io;

/// Also for threads started later. Fails without CAP_SYS_NICE; the process then keeps its normal priority.
pub fn raise_priority() -> io::Result<()> {
    sys::set_round_robin_scheduling()
}

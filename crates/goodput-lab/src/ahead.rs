//! The seat of whoever gives a lab's orders: a host that has no part in what is measured.
//!
//! On one machine it shares its CPUs with clients that use all of them. A host of its own would hear and say its few
//! words at once; here they would wait behind eighty busy threads, for two seconds as measured, which is as long as a
//! dead coordinator is given. So at such a seat the program goes before everybody else, by the scheduler's real-time
//! class (sched(7), SCHED_RR at the lowest priority; the kernel keeps a twentieth of the time for the others). It
//! moves no data and uses a few per cent of a CPU.

use crate::sys;
use std::io;

/// This process and the threads that it starts from now on go before those of the lab's other hosts.
///
/// # Errors
/// Where this user may not (without CAP_SYS_NICE): it is then scheduled like everybody else.
pub fn go_ahead() -> io::Result<()> {
    sys::round_robin()
}

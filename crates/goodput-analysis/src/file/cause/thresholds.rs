//! Thresholds for saturated resources, in per cent. Reasons: `docs/methods/file.md`, "What limits a copy".

/// Of the network's limit. A copy never reaches all of it, because the network is idle at its beginning and
/// end.
pub const WIRE: f64 = 90.0;
/// Likewise: any other resource could gain no more than the rest.
pub const WIRE_END: f64 = 95.0;
pub const WIRE_NEAR: f64 = 80.0;
/// A rate above the network's limit by this factor came from a cache.
pub const IMPOSSIBLE: f64 = 1.02;

/// Of all of a host's CPUs. Less than the 95 % of other probes, because CPUs are idle at the beginning and
/// the end of a copy.
pub const CPU: f64 = 92.0;
pub const CPU_END: f64 = 98.0;
pub const BUSIEST: f64 = crate::finding::SATURATED_PERCENT;
/// Nearly: of all CPUs.
pub const CPU_NEAR: f64 = 85.0;
/// Nearly: of the busiest one.
pub const BUSIEST_NEAR: f64 = 90.0;
/// Of one CPU: least work of the copy's threads and the network's soft interrupts, for a saturated CPU to be
/// the copy's.
pub const OWN_WORK: f64 = 90.0;
/// Of one CPU: more is the work of several threads.
pub const ONE_CPUS_WORK: f64 = 130.0;
pub const OWN_THREADS: f64 = 50.0;
/// Of a host's busy time: the copy's own part, for a saturated client to be named.
pub const OWN_SHARE: f64 = 50.0;

pub const QUOTA: f64 = 90.0;
pub const THROTTLED: f64 = 50.0;
pub const QUOTA_END: f64 = 97.0;
pub const QUOTA_NEAR: f64 = 80.0;
/// Throttled periods, where the time used is not counted.
pub const THROTTLED_ALONE: f64 = 90.0;

pub const DISK: f64 = 90.0;
pub const DISK_END: f64 = 95.0;
pub const DISK_NEAR: f64 = 80.0;
pub const BUSY: f64 = 90.0;
pub const BUSY_NEAR: f64 = 75.0;
/// A busy disk that is faster than this alone is not saturated: it may serve several requests at once.
pub const BUSY_AND_FAST: f64 = 70.0;
/// Of a copy's time spent in the flush.
pub const FLUSH: f64 = 50.0;
pub const FLUSH_NEAR: f64 = 15.0;
/// From this part on, the time until a copy was accepted represents all of it: no disk behind it can be
/// slower by more than the rest.
pub const ACCEPTED: f64 = 100.0 - FLUSH_NEAR;
/// Of one CPU's time: iowait on the server.
pub const IOWAIT: f64 = 80.0;
pub const IOWAIT_NEAR: f64 = 50.0;
/// Of the payload that passed the disk.
pub const MOVED: f64 = 80.0;
/// Least time that a copy waits for a place with a slow disk.
pub const PLACE_WAIT: f64 = 80.0;
/// Least time that a copy waits for a disk that limits it.
pub const MIN_WAIT: f64 = 30.0;
/// A copy that waited longer for its own disk was not limited by what is behind it.
pub const OTHER_WAIT: f64 = 60.0;
/// Waits for a client's disk that explain nothing.
pub const LITTLE_WAIT: f64 = 10.0;

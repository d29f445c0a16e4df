//! Thresholds for saturated resources, in per cent. Reasons: `docs/methods/file.md`, "What limits a copy".

/// Of the network's limit. A copy never reaches all of it: the network is idle at its start and end.
pub const WIRE_SATURATED_PERCENT: f64 = 90.0;
/// Likewise: any other resource could gain no more than the rest.
pub const WIRE_LIMITING_PERCENT: f64 = 95.0;
pub const WIRE_NEARLY_SATURATED_PERCENT: f64 = 80.0;
/// A rate above the network's limit by this factor came from a cache.
pub const IMPOSSIBLE_RATE_FACTOR: f64 = 1.02;

/// Of all a host's CPUs. Less than the 95 % of other probes, as they are idle at a copy's start and end.
pub const CPU_SATURATED_PERCENT: f64 = 92.0;
pub const CPU_LIMITING_PERCENT: f64 = 98.0;
pub const BUSIEST_CPU_SATURATED_PERCENT: f64 = crate::finding::MIN_SATURATED_CPU_PERCENT;
/// Nearly: of all CPUs.
pub const CPU_NEARLY_SATURATED_PERCENT: f64 = 85.0;
/// Nearly: of the busiest one.
pub const BUSIEST_CPU_NEARLY_SATURATED_PERCENT: f64 = 90.0;
/// Of one CPU: least work of the copy's threads and network softirqs for a saturated CPU to be the copy's.
pub const MIN_COPY_AND_SOFTIRQ_CPU_PERCENT: f64 = 90.0;
/// Of one CPU: more is the work of several threads.
pub const MAX_SINGLE_THREAD_CPU_PERCENT: f64 = 130.0;
pub const MIN_COPY_THREADS_CPU_PERCENT: f64 = 50.0;
/// Of a host's busy time: the copy's own part, for a saturated client to be named.
pub const MIN_COPY_CPU_SHARE_PERCENT: f64 = 50.0;

pub const CPU_QUOTA_SATURATED_PERCENT: f64 = 90.0;
pub const MIN_THROTTLED_PERIODS_PERCENT: f64 = 50.0;
pub const CPU_QUOTA_LIMITING_PERCENT: f64 = 97.0;
pub const CPU_QUOTA_NEARLY_SATURATED_PERCENT: f64 = 80.0;
/// Throttled periods, where the time used is not counted.
pub const MIN_THROTTLED_PERIODS_IF_USAGE_UNKNOWN: f64 = 90.0;

pub const DISK_RATE_SATURATED_PERCENT: f64 = 90.0;
pub const DISK_RATE_LIMITING_PERCENT: f64 = 95.0;
pub const DISK_RATE_NEARLY_SATURATED_PERCENT: f64 = 80.0;
pub const DISK_BUSY_SATURATED_PERCENT: f64 = 90.0;
pub const DISK_BUSY_NEARLY_SATURATED_PERCENT: f64 = 75.0;
/// A busy disk that is faster than this alone is not saturated: it may serve several requests at once.
pub const DISK_RATE_SATURATED_WHILE_BUSY_PERCENT: f64 = 70.0;
/// Of a copy's time spent in the flush.
pub const FLUSH_TIME_SATURATED_PERCENT: f64 = 50.0;
pub const FLUSH_TIME_NEARLY_SATURATED_PERCENT: f64 = 15.0;
/// From this part on, the time until a copy was accepted represents all of it: no disk behind it can be
/// slower by more than the rest.
pub const MIN_DATA_PHASE_TIME_PERCENT: f64 = 100.0 - FLUSH_TIME_NEARLY_SATURATED_PERCENT;
/// Of one CPU's time: iowait on the server.
pub const IOWAIT_SATURATED_PERCENT: f64 = 80.0;
pub const IOWAIT_NEARLY_SATURATED_PERCENT: f64 = 50.0;
/// Of the payload that passed the disk.
pub const MIN_PAYLOAD_THROUGH_DISK_PERCENT: f64 = 80.0;
/// Least time that a copy waits for a place with a slow disk.
pub const MIN_REMOTE_DISK_WAIT_PERCENT: f64 = 80.0;
/// Least time that a copy waits for a disk that limits it.
pub const MIN_LIMITING_DISK_WAIT_PERCENT: f64 = 30.0;
/// A copy that waited longer for its own disk was not limited by what is behind it.
pub const MAX_LOCAL_DISK_WAIT_PERCENT: f64 = 60.0;
/// Waits for a client's disk that explain nothing.
pub const MAX_NEGLIGIBLE_DISK_WAIT_PERCENT: f64 = 10.0;

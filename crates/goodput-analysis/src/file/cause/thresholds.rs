//! Where a resource counts as nearly and as wholly used, in per cent. Reasons: `docs/methods/file.md`, "What limits a copy".

/// Of what the wire allows: above it nothing else explains a rate so near to the arithmetic limit. A copy has a beginning
/// and an end at which the wire is empty, so it never reaches all of it.
pub const WIRE: f64 = 90.0;
/// Likewise: whatever else is busy, no more than the rest could be gained anywhere else.
pub const WIRE_END: f64 = 95.0;
pub const WIRE_NEAR: f64 = 80.0;
/// More than the wire allows by this factor was not on the wire: a cache answered.
pub const IMPOSSIBLE: f64 = 1.02;

/// Busy, of all of a host's CPUs. Less than the 95 % of the other probes, because at the beginning and the end of a copy
/// they rest, and because no other resource may be near its end.
pub const CPU: f64 = 92.0;
pub const CPU_END: f64 = 98.0;
pub const BUSIEST: f64 = crate::finding::SATURATED_PERCENT;
/// Nearly: of all CPUs.
pub const CPU_NEAR: f64 = 85.0;
/// Nearly: of the busiest one.
pub const BUSIEST_NEAR: f64 = 90.0;
/// Of one CPU, what the copy's own threads and the network's soft interrupts must come to before one full CPU among several
/// is the copy's.
pub const OWN_WORK: f64 = 90.0;
/// Of one CPU: more than this is the work of several threads, of which one CPU says nothing.
pub const ONE_CPUS_WORK: f64 = 130.0;
pub const OWN_THREADS: f64 = 50.0;
/// Of a host's busy time, what must be the copy's own before a full client is named.
pub const OWN_SHARE: f64 = 50.0;

pub const QUOTA: f64 = 90.0;
/// Of its periods, those in which work had to wait.
pub const THROTTLED: f64 = 50.0;
pub const QUOTA_END: f64 = 97.0;
pub const QUOTA_NEAR: f64 = 80.0;
/// Of the periods, where the time used is not counted.
pub const THROTTLED_ALONE: f64 = 90.0;

pub const DISK: f64 = 90.0;
pub const DISK_END: f64 = 95.0;
pub const DISK_NEAR: f64 = 80.0;
pub const BUSY: f64 = 90.0;
pub const BUSY_NEAR: f64 = 75.0;
/// A busy disk that alone does more than this much better is not at its end: it may serve several requests at once.
pub const BUSY_AND_FAST: f64 = 70.0;
/// Of a copy's time, that its flush took: then most of the time is the disk's.
pub const FLUSH: f64 = 50.0;
pub const FLUSH_NEAR: f64 = 15.0;
/// From this part of the time on, what happened until a copy was accepted speaks for all of it: no disk behind it can be
/// slower by more than the rest.
pub const ACCEPTED: f64 = 100.0 - FLUSH_NEAR;
/// Of one CPU's time, that somebody on the server waited for a disk while it had nothing else to do.
pub const IOWAIT: f64 = 80.0;
pub const IOWAIT_NEAR: f64 = 50.0;
/// Of the payload, that passed the disk.
pub const MOVED: f64 = 80.0;
/// Of the time, that a copy must have waited for the place before its disk is looked for there.
pub const PLACE_WAIT: f64 = 80.0;
/// Of the time, that a copy must have waited for a disk at least that limits it.
pub const LEAST_WAIT: f64 = 30.0;
/// Of the time: a copy that waited longer for its own disk was not held up by what lies behind it.
pub const OTHER_WAIT: f64 = 60.0;
/// Of the time: waits for a disk of the client that explain nothing.
pub const LITTLE_WAIT: f64 = 10.0;

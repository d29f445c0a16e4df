//! Descriptions of the method for the end of each page.

use crate::plan::Part;

pub const COMMON: &str = "\
Two network namespaces, one plain veth pair; no block of trials begins while anything else takes more than a tenth of a
CPU. Receiver or server on CPU 0, sender or client on CPU 1, by `taskset` for every program alike. The order of the
trials was fixed beforehand: first each peer against itself, unless said otherwise below, then rounds in which all
programs of a block run once, the order turned round each time. Every trial is kept; none is run again. Ratios are ours over the peer's of the same round.
The resolution is the farthest that the bootstrap 95 % interval of the peer's ratio to itself reaches from 1.

A bound at 1 holds unless the 95 % interval of the median ratio lies wholly on the wrong side. Another bound holds if the
median is on its right side and the interval does not reach past it by more than the resolution. A resolution coarser
than the margin is \"not decided\".";

pub fn of(part: Part) -> &'static str {
    match part {
        Part::Stream => STREAM,
        Part::Pingpong => PINGPONG,
        Part::Request => REQUEST,
        Part::Datagram => DATAGRAM,
        Part::File => FILE,
    }
}

const STREAM: &str = "\
- Goodput is what the receiver counted; iperf3: `sum_received`. Windows are 1 s, the shortest that iperf3 has. This
  program and the raw loop have 200 ms of warm-up before; the peers have none, or none under 1 s.
- CPU a byte: busy time of the whole machine (elapsed − idle − iowait − steal, less the share that is busy without load)
  over the span in which the middle nine tenths of the bytes arrived, from outside, for every program alike.
- Of several peers, the one with the best median in the rounds with us counts: of the raw loop's three read sizes, and of
  iperf3, nuttcp and riperf3. The read size of these three is the message size.
- The resolution is each run of the peer against its next one. nuttcp cannot choose the congestion control.
- The raw loop makes one blocking `send` or `recv` a call and nothing else, as netperf does. Its buffers begin on a page, as
  this program's and iperf3's do (`docs/methods/stream.md`, \"Buffers\").
- Beside the claims: `--receive-coalescing 50us` against the default of this program.";

const PINGPONG: &str = "\
- The compat sweep has 100 round trips a loop at every size on both sides, so that a sweep takes seconds; the native
  sweep is held against NPtcp as it comes. Wall time is the whole command's. For the wall time the peer against itself is
  each of its sweeps against its next; for the spread, every other of its sweeps against the rest.
- Sweeps of the claims have both ends on CPU 1: apart, most of the time is the waking of an idle CPU, which on a virtual
  machine drifts by a tenth within minutes and hides the programs' own difference. Compat on two CPUs stands beside.
- Coverage: the share of the sizes whose 95 % interval holds the median of the other sweeps, pooled over sweeps that
  follow each other at once; its interval resamples sweeps. That median is uncertain itself, so a true 95 % shows a
  little lower; and where the machine's own speed changes between sweeps, no interval of one sweep can know of it.
- Brought to one speed: each sweep's times divided by one number of its own, how slow it was as a whole (the median over the
  sizes of its time over the others'). What is then missing is the intervals' own; what comes back was the machine's.
- Against a sweep 1, 2, … later (one takes some 13 s): the share of the sizes at which the 95 % interval of the
  difference of both, put together of theirs (MOVER), holds 0; each sweep stands in one pair. Intervals that are too
  narrow in themselves show that with the next sweep; what they lose with the distance is the machine's own change.";

const REQUEST: &str = "\
- sockperf and qperf tell half round trips: sockperf's `--full-rtt` and twice qperf's figure are used. qperf's is a mean.";

const FILE: &str = "\
- Both hosts have a file system in memory (tmpfs) at `/srv` of their own; A has on it a file that is a loop device with
  ext4, at `/srv/disk`.
- Over SMB: Samba's `smbd` in B, its share in memory, both programs through the same file `smb.conf` with its defaults for
  signing and encryption. smbclient puts a file that lies in memory and gets it to `/dev/null`; its own figures are used,
  in KiB/s over the time of the transfer. Ours is a copy from and to memory: written is the rate until the last write was
  accepted.
- dbench's load: Debian's load file by one client, in a folder in memory, 8 s after 2 s that are not counted. dbench counts
  what was asked of a read, not what came. User CPU: of all processes and threads of the program, from `/proc/PID/stat`,
  over the span from 60 % to 90 % of its run, by the bytes of that span (from the rate) and the load file's operations a
  byte, for both alike.
- Without files: `tbench_srv` and tbench, and the same bytes between two agents.
- Drive mark: fio and this program on the same ext4, both with direct I/O and io_uring, 1 s a row, a file of 256 MiB, one
  thread. The margin of a row is 3 % or, where that is wider, the resolution; \"compared with\" shows
  which.";

const DATAGRAM: &str = "\
- Datagrams a second are what the receiver counted in its window of 1 s, the shortest that iperf3 has; iperf3: the bytes
  its receiver read (`sum_received`) over its time. This program and the raw loop have 200 ms of warm-up before.
- iperf3 3.12 has one system call a datagram; so has this program with `--plain`. \"With offload against without\" sets
  UDP_SEGMENT and UDP_GRO against iperf3's single calls: it says what offload is worth, not which loop is tighter.
- The raw loop with header is the ceiling: UDP_SEGMENT and UDP_GRO with the buffers, batches, receive buffer and naps of
  this program, the same 16-byte header written into and read from every datagram, and no account, ring of sequences,
  intervals or supervision. Without header it is the second ceiling: what the kernel passes when nobody looks.
- CPU a datagram: busy time of the whole machine (elapsed − idle − iowait − steal, less the share that is busy without
  load) over the span in which the middle nine tenths of the bytes arrived, by the datagrams received, from outside, for
  every program alike. What was sent and dropped is paid for by what was received.
- 10,000 datagrams a second, 1448 B, bursts as by default, window of 2 s. CPU of the sending program: its process' CPU
  clock (all threads, the control connection's too) over the middle nine tenths of the bytes, as a share of one CPU. Beside it
  everything that ran on that CPU, from its idle clock, which moves in steps of 10 ms. Rate error: what the receiver
  counted in its window against the rate asked, without sign. These have no peer: such a bound holds if the whole
  bootstrap 95 % interval of the median over the trials lies within it.";

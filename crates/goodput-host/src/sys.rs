//! System calls missing from the standard library: clocks, tick length, driver name and statistics,
//! hypervisor signature. The only unsafe code of this crate.

use crate::HostError;
use crate::netlink::{parse_integer, parse_string};
use goodput_model::host::inventory::Driver;
use socket2::{Domain, Socket, Type};
use std::os::fd::AsRawFd;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PosixClock {
    Monotonic,
    /// CLOCK_PROCESS_CPUTIME_ID: all threads, including ended ones.
    Process,
    /// CLOCK_THREAD_CPUTIME_ID.
    Thread,
}

pub(crate) fn clock_ns(clock: PosixClock) -> Result<u64, HostError> {
    let (id, call) = match clock {
        PosixClock::Monotonic => (libc::CLOCK_MONOTONIC, "clock_gettime(CLOCK_MONOTONIC)"),
        PosixClock::Process => (libc::CLOCK_PROCESS_CPUTIME_ID, "clock_gettime(CLOCK_PROCESS_CPUTIME_ID)"),
        PosixClock::Thread => (libc::CLOCK_THREAD_CPUTIME_ID, "clock_gettime(CLOCK_THREAD_CPUTIME_ID)"),
    };
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `t` is a live, writable timespec; the call writes nothing else and keeps no pointer.
    if unsafe { libc::clock_gettime(id, &mut t) } != 0 {
        return Err(HostError::Call { call, cause: std::io::Error::last_os_error() });
    }
    Ok(t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64)
}

/// Blocks from this size go back to the kernel when they are freed.
const LARGE_BLOCK_BYTES: libc::c_int = 128 << 10;
/// Free memory between blocks in use stays, in each arena.
const MAX_ARENAS: libc::c_int = 2;

/// For processes that run for months: by default glibc raises the size from which a freed block goes back to the
/// kernel, and keeps such blocks in up to eight arenas for each CPU (mallopt(3)).
pub fn bound_unused_memory() {
    #[cfg(target_env = "gnu")]
    for (parameter, value) in [(libc::M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES), (libc::M_ARENA_MAX, MAX_ARENAS)] {
        // SAFETY: takes two numbers and touches no memory of ours; a refusal leaves the default.
        unsafe { libc::mallopt(parameter, value) };
    }
}

/// Returns freed memory to the kernel, in the middle of an arena too (malloc_trim(3)). Takes about a millisecond.
pub fn release_unused_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: takes a number and only touches memory that is not in use.
    unsafe {
        libc::malloc_trim(0);
    }
}

pub(crate) fn effective_user_id() -> u32 {
    // SAFETY: takes nothing, returns a number, and cannot fail.
    unsafe { libc::geteuid() }
}

/// Ticks per second in the kernel's files, `sysconf(3)`.
pub(crate) fn clock_ticks_per_second() -> Result<u32, HostError> {
    // SAFETY: takes a number, returns a number, touches no memory of ours.
    let hz = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    u32::try_from(hz).ok().filter(|hz| (1..=1_000_000_000).contains(hz)).ok_or_else(|| HostError::Call {
        call: "sysconf(_SC_CLK_TCK)",
        cause: std::io::ErrorKind::InvalidData.into(),
    })
}

/// `struct ethtool_drvinfo` of linux/ethtool.h.
#[repr(C)]
struct DriverInfo {
    command: u32,
    driver: [u8; 32],
    version: [u8; 32],
    firmware: [u8; 32],
    bus: [u8; 32],
    rom: [u8; 32],
    reserved: [u8; 12],
    counts: [u32; 5],
}

/// An ethtool request without netlink equivalent, in the network namespace of `socket`, which may be any.
///
/// # Safety
/// `data` points to what the command reads and writes, as large as the kernel may make its answer.
unsafe fn ethtool(
    socket: &Socket,
    interface: &str,
    call: &'static str,
    data: *mut libc::c_char,
) -> Result<(), HostError> {
    const SIOCETHTOOL: libc::Ioctl = 0x8946;
    let failed = |cause| HostError::Call { call, cause };
    // SAFETY: `ifreq` is a struct of integers and a union of pointers and integers, for which all zeros are valid.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    // The last byte stays zero and terminates the name.
    if interface.len() >= request.ifr_name.len() {
        return Err(failed(std::io::ErrorKind::InvalidInput.into()));
    }
    for (place, byte) in request.ifr_name.iter_mut().zip(interface.bytes()) {
        *place = byte as libc::c_char;
    }
    request.ifr_ifru.ifru_data = data;
    // SAFETY: the descriptor is open as long as `socket` lives; the kernel reads `request`, and writes to where
    // `ifru_data` points, which is large enough as the caller promises; it keeps no pointer.
    if unsafe { libc::ioctl(socket.as_raw_fd(), SIOCETHTOOL, &raw mut request) } != 0 {
        return Err(failed(std::io::Error::last_os_error()));
    }
    Ok(())
}

fn driver_info(socket: &Socket, interface: &str) -> Result<DriverInfo, HostError> {
    const ETHTOOL_GDRVINFO: u32 = 3;
    let mut info = DriverInfo {
        command: ETHTOOL_GDRVINFO,
        driver: [0; 32],
        version: [0; 32],
        firmware: [0; 32],
        bus: [0; 32],
        rom: [0; 32],
        reserved: [0; 12],
        counts: [0; 5],
    };
    // SAFETY: the kernel writes `struct ethtool_drvinfo`, and `info` is a live value of that layout.
    unsafe { ethtool(socket, interface, "ioctl(ETHTOOL_GDRVINFO)", (&raw mut info).cast())? };
    Ok(info)
}

/// ETHTOOL_GDRVINFO.
pub(crate) fn query_driver(socket: &Socket, interface: &str) -> Result<Driver, HostError> {
    let info = driver_info(socket, interface)?;
    Ok(Driver {
        name: parse_string(&info.driver),
        version: parse_string(&info.version),
        firmware: parse_string(&info.firmware),
        bus: parse_string(&info.bus),
    })
}

/// Far more than any driver has: some thousands with a hundred queues.
const MAX_STATISTICS: usize = 1 << 16;

/// `n_stats` of ETHTOOL_GDRVINFO.
pub(crate) fn driver_statistics_count(socket: &Socket, interface: &str) -> Result<usize, HostError> {
    let count = driver_info(socket, interface)?.counts[1] as usize;
    if count > MAX_STATISTICS {
        return Err(HostError::NotAvailable { what: "so many statistics of a driver" });
    }
    Ok(count)
}

/// ETHTOOL_GSTRINGS of ETH_SS_STATS. `count` is from [`driver_statistics_count`]; a changed number is an error.
pub(crate) fn driver_statistics_names(
    socket: &Socket,
    interface: &str,
    count: usize,
) -> Result<Vec<String>, HostError> {
    const ETHTOOL_GSTRINGS: u32 = 0x1b;
    const ETH_SS_STATS: u32 = 1;
    /// `ETH_GSTRING_LEN`.
    const NAME: usize = 32;
    let request = [ETHTOOL_GSTRINGS, ETH_SS_STATS, count as u32];
    let names = driver_list(socket, interface, "ioctl(ETHTOOL_GSTRINGS)", &request, NAME)?;
    Ok(names.chunks_exact(NAME).map(parse_string).collect())
}

/// ETHTOOL_GSTATS, in the order of [`driver_statistics_names`].
pub(crate) fn driver_statistics(
    socket: &Socket,
    interface: &str,
    count: usize,
) -> Result<Vec<u64>, HostError> {
    const ETHTOOL_GSTATS: u32 = 0x1d;
    let request = [ETHTOOL_GSTATS, count as u32];
    let values = driver_list(socket, interface, "ioctl(ETHTOOL_GSTATS)", &request, size_of::<u64>())?;
    Ok(values.chunks_exact(size_of::<u64>()).filter_map(parse_integer).collect())
}

/// Items of `size` bytes, as many as the last word of the request says.
fn driver_list(
    socket: &Socket,
    interface: &str,
    call: &'static str,
    request: &[u32],
    size: usize,
) -> Result<Vec<u8>, HostError> {
    let header = size_of_val(request);
    // Untouched zeroed memory costs no page.
    let mut answer = vec![0u8; header + 2 * MAX_STATISTICS * size];
    for (place, word) in answer.chunks_exact_mut(4).zip(request) {
        place.copy_from_slice(&word.to_ne_bytes());
    }
    // SAFETY: the kernel writes the words and as many items as the driver has now. It had as many as the last word says
    // a moment ago, which is at most MAX_STATISTICS, and there is room for twice that; newer kernels write nothing but
    // that many.
    unsafe { ethtool(socket, interface, call, answer.as_mut_ptr().cast())? };
    let count = request.last().map_or(0, |count| *count);
    if parse_integer(&answer[header - 4..header]) != Some(count) {
        return Err(HostError::NotAvailable { what: "a driver's statistics whose number changes" });
    }
    Ok(answer[header..header + count as usize * size].to_vec())
}

/// Of the calling thread (SO_NETNS_COOKIE, Linux 5.14): unique per boot, unlike the number of
/// `/proc/self/ns/net`.
pub(crate) fn network_namespace_cookie() -> Result<u64, HostError> {
    const SO_NETNS_COOKIE: libc::c_int = 71;
    let failed = |cause| HostError::Call { call: "getsockopt(SO_NETNS_COOKIE)", cause };
    let socket = Socket::new(Domain::UNIX, Type::DGRAM, None).map_err(failed)?;
    let mut cookie = 0u64;
    let mut length = size_of::<u64>() as libc::socklen_t;
    // SAFETY: the descriptor is open as long as `socket` lives; the kernel writes at most `length` bytes to `cookie`, which
    // has as many, and keeps no pointer.
    let done = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            SO_NETNS_COOKIE,
            (&raw mut cookie).cast(),
            &raw mut length,
        )
    };
    if done != 0 || length as usize != size_of::<u64>() {
        return Err(failed(std::io::Error::last_os_error()));
    }
    Ok(cookie)
}

/// The 12-character vendor signature from CPUID leaf 0x4000_0000, valid if the CPU flag `hypervisor` is set.
/// `None` on other architectures.
pub(crate) fn hypervisor_signature() -> Option<String> {
    #[cfg(target_arch = "x86_64")]
    {
        // Safe in newer compilers, unsafe in older ones.
        #[allow(unused_unsafe)]
        // SAFETY: every x86-64 CPU has CPUID; it reads no memory and any leaf may be asked for.
        let leaf = unsafe { std::arch::x86_64::__cpuid(0x4000_0000) };
        let bytes = [leaf.ebx, leaf.ecx, leaf.edx].map(u32::to_le_bytes).concat();
        let signature = parse_string(&bytes).trim().to_string();
        (!signature.is_empty() && signature.chars().all(|c| c.is_ascii_graphic() || c == ' '))
            .then_some(signature)
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_layout_is_kept() {
        assert_eq!(size_of::<DriverInfo>(), 196);
    }

    #[test]
    fn a_driver_names_as_many_statistics_as_it_has_and_a_missing_interface_has_none() {
        let socket = Socket::new(Domain::IPV4, Type::DGRAM, None).unwrap();
        assert!(query_driver(&socket, "no-such-thing").is_err());
        assert!(query_driver(&socket, "a-name-that-is-too-long").is_err());
        assert!(driver_statistics_count(&socket, "no-such-thing").is_err());
        // Loopback has none.
        assert!(matches!(driver_statistics_count(&socket, "lo"), Ok(0) | Err(_)));
        let Ok(known) = query_driver(&socket, "eth0") else { return };
        assert!(!known.name.is_empty());
        let Ok(count @ 1..) = driver_statistics_count(&socket, "eth0") else { return };
        let names = driver_statistics_names(&socket, "eth0", count).unwrap();
        assert_eq!((names.len(), driver_statistics(&socket, "eth0", count).unwrap().len()), (count, count));
        assert!(names.iter().all(|n| !n.is_empty()), "{names:?}");
        assert!(driver_statistics(&socket, "eth0", count + 1).is_err(), "another number is noticed");
    }
}

//! The system calls that the standard library does not offer: clocks, the length of a tick, a driver's name, and
//! the hypervisor's signature.
//!
//! The only unsafe code of this crate.

use crate::HostError;
use goodput_model::host::inventory::Driver;

/// The clocks read here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// CLOCK_MONOTONIC, the clock of every window.
    Monotonic,
    /// CLOCK_PROCESS_CPUTIME_ID: user and system time of all threads, those that ended included.
    Process,
    /// CLOCK_THREAD_CPUTIME_ID: user and system time of the calling thread.
    Thread,
}

/// A clock's reading in ns.
#[cfg(target_os = "linux")]
pub(crate) fn clock_ns(clock: Clock) -> Result<u64, HostError> {
    let (id, call) = match clock {
        Clock::Monotonic => (libc::CLOCK_MONOTONIC, "clock_gettime(CLOCK_MONOTONIC)"),
        Clock::Process => (libc::CLOCK_PROCESS_CPUTIME_ID, "clock_gettime(CLOCK_PROCESS_CPUTIME_ID)"),
        Clock::Thread => (libc::CLOCK_THREAD_CPUTIME_ID, "clock_gettime(CLOCK_THREAD_CPUTIME_ID)"),
    };
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `t` is a live, writable timespec; the call writes nothing else and keeps no pointer.
    if unsafe { libc::clock_gettime(id, &mut t) } != 0 {
        return Err(HostError::Call { call, source: std::io::Error::last_os_error() });
    }
    Ok(t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64)
}

/// USER_HZ: the ticks a second in which the kernel's files count, `sysconf(3)`.
#[cfg(target_os = "linux")]
pub(crate) fn user_hz() -> Result<u32, HostError> {
    // SAFETY: takes a number, returns a number, touches no memory of ours.
    let hz = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    u32::try_from(hz).ok().filter(|hz| (1..=1_000_000_000).contains(hz)).ok_or_else(|| HostError::Call {
        call: "sysconf(_SC_CLK_TCK)",
        source: std::io::Error::from(std::io::ErrorKind::InvalidData),
    })
}

/// There is no portable account to compare with.
#[cfg(not(target_os = "linux"))]
pub(crate) fn clock_ns(_: Clock) -> Result<u64, HostError> {
    Err(HostError::NotAvailable { what: "CPU time" })
}

/// There is no portable account to compare with.
#[cfg(not(target_os = "linux"))]
pub(crate) fn user_hz() -> Result<u32, HostError> {
    Err(HostError::NotAvailable { what: "the kernel's tick" })
}

/// `struct ethtool_drvinfo` of linux/ethtool.h.
#[cfg(target_os = "linux")]
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

/// What the driver of an interface says of itself: ETHTOOL_GDRVINFO, which ethtool's netlink does not offer. `socket`
/// may be any socket; its network namespace is the one that counts.
#[cfg(target_os = "linux")]
pub(crate) fn driver(socket: &socket2::Socket, interface: &str) -> Result<Driver, HostError> {
    use std::os::fd::AsRawFd;
    const SIOCETHTOOL: libc::Ioctl = 0x8946;
    const ETHTOOL_GDRVINFO: u32 = 3;
    let failed = |source| HostError::Call { call: "ioctl(ETHTOOL_GDRVINFO)", source };
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
    // SAFETY: `ifreq` is a struct of integers and a union of pointers and integers, for which all zeros are valid.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    // The last byte stays zero: the name ends there at the latest.
    if interface.len() >= request.ifr_name.len() {
        return Err(failed(std::io::Error::from(std::io::ErrorKind::InvalidInput)));
    }
    for (place, byte) in request.ifr_name.iter_mut().zip(interface.bytes()) {
        *place = byte as libc::c_char;
    }
    request.ifr_ifru.ifru_data = (&raw mut info).cast();
    // SAFETY: the descriptor is open as long as `socket` lives; the kernel reads `request`, and writes at most
    // `struct ethtool_drvinfo` to where `ifru_data` points, which is a live value of that layout; it keeps no pointer.
    if unsafe { libc::ioctl(socket.as_raw_fd(), SIOCETHTOOL, &raw mut request) } != 0 {
        return Err(failed(std::io::Error::last_os_error()));
    }
    let text = |bytes: &[u8]| crate::netlink::text(bytes);
    Ok(Driver {
        name: text(&info.driver),
        version: text(&info.version),
        firmware: text(&info.firmware),
        bus: text(&info.bus),
    })
}

/// There is no such question elsewhere.
#[cfg(not(target_os = "linux"))]
pub(crate) fn driver(_: &socket2::Socket, _: &str) -> Result<Driver, HostError> {
    Err(HostError::NotAvailable { what: "an interface's driver" })
}

/// The twelve characters by which a hypervisor names itself to its guests: leaf 0x4000_0000 of CPUID, which exists
/// where the CPU flag `hypervisor` is set. `None` on other instruction sets.
pub(crate) fn hypervisor_signature() -> Option<String> {
    #[cfg(target_arch = "x86_64")]
    {
        // Newer compilers know this instruction as safe on this architecture, older ones do not.
        #[allow(unused_unsafe)]
        // SAFETY: every x86-64 CPU has CPUID; it reads no memory and any leaf may be asked for.
        let leaf = unsafe { std::arch::x86_64::__cpuid(0x4000_0000) };
        let bytes = [leaf.ebx, leaf.ecx, leaf.edx].map(u32::to_le_bytes).concat();
        let signature = crate::netlink::text(&bytes).trim().to_string();
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
    fn clocks_do_not_run_backwards() {
        for clock in [Clock::Monotonic, Clock::Process, Clock::Thread] {
            let a = clock_ns(clock).unwrap();
            let b = clock_ns(clock).unwrap();
            assert!(b >= a, "{clock:?}");
        }
    }

    #[test]
    fn a_thread_is_part_of_its_process() {
        let thread = clock_ns(Clock::Thread).unwrap();
        assert!(clock_ns(Clock::Process).unwrap() >= thread);
    }

    #[test]
    fn the_kernels_layout_is_kept() {
        assert_eq!(size_of::<DriverInfo>(), 196);
    }

    #[test]
    fn an_interface_that_is_not_there_has_no_driver() {
        use socket2::{Domain, Socket, Type};
        let socket = Socket::new(Domain::IPV4, Type::DGRAM, None).unwrap();
        assert!(driver(&socket, "no-such-thing").is_err());
        assert!(driver(&socket, "a-name-that-is-too-long").is_err());
        if let Ok(known) = driver(&socket, "eth0") {
            assert!(!known.name.is_empty());
        }
    }

    #[test]
    fn a_tick_has_a_length() {
        assert!(user_hz().unwrap() >= 1);
    }
}

//! System calls that no safe crate offers, each with a safe wrapper: the crate's only unsafe code.

use nix::errno::Errno;
use nix::sched::{CloneFlags, CpuSet, sched_getaffinity, sched_setaffinity, setns};
use nix::sys::prctl;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, setsockopt, socket, sockopt};
use nix::unistd::{ForkResult, Pid, chdir};
use std::fs::File;
use std::io;
use std::mem;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The caller must ensure that the process has one thread; otherwise the child could find a lock held for
/// ever.
pub(crate) fn fork() -> io::Result<ForkResult> {
    // SAFETY: the process has one thread (the caller checked), so the child's memory is whole.
    Ok(unsafe { nix::unistd::fork() }?)
}

/// For a forked process: runs no exit handlers.
pub(crate) fn exit_immediately(code: i32) -> ! {
    // SAFETY: _exit takes an integer and does not come back.
    unsafe { libc::_exit(code) }
}

/// Remains valid for this process even when its number is reused (Linux 5.3).
pub(crate) fn pidfd_open(pid: i32) -> io::Result<OwnedFd> {
    // SAFETY: pidfd_open takes two integers and touches no memory.
    let fd = Errno::result(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) })?;
    // SAFETY: the call succeeded, so this is a new descriptor that nobody else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

pub(crate) fn pidfd_signal(pidfd: BorrowedFd<'_>, signal: i32) -> io::Result<()> {
    let none: *const libc::siginfo_t = std::ptr::null();
    // SAFETY: a null siginfo is allowed and means the same as kill(2).
    let sent = unsafe { libc::syscall(libc::SYS_pidfd_send_signal, pidfd.as_raw_fd(), signal, none, 0) };
    Ok(Errno::result(sent).map(drop)?)
}

pub(crate) fn allowed_cpus() -> io::Result<Vec<u32>> {
    let set = sched_getaffinity(Pid::from_raw(0))?;
    let is_set = |cpu: &u32| set.is_set(*cpu as usize).unwrap_or(false);
    Ok((0..CpuSet::count() as u32).filter(is_set).collect())
}

/// `None` for an empty set.
fn set_of(cpus: &[u32]) -> Option<CpuSet> {
    let mut set = CpuSet::new();
    cpus.iter().for_each(|cpu| {
        let _ = set.set(*cpu as usize);
    });
    (!cpus.is_empty()).then_some(set)
}

pub(crate) fn set_cpu_affinity(cpus: &[u32]) -> io::Result<()> {
    if let Some(cpus) = set_of(cpus) {
        sched_setaffinity(Pid::from_raw(0), &cpus)?;
    }
    Ok(())
}

/// SCHED_RR at the lowest priority (sched(7)), also for threads started later: a relay, and the process that
/// coordinates a measurement in a lab. All hosts of a lab share this machine's CPUs: at normal priority the
/// coordinator's messages waited two seconds behind eighty busy threads, the timeout for a dead coordinator.
/// The kernel reserves a twentieth of the time for others. Fails without CAP_SYS_NICE.
pub fn set_round_robin_scheduling() -> io::Result<()> {
    let parameters = libc::sched_param { sched_priority: 1 };
    // SAFETY: the structure lives through the call, which only reads it; 0 is the calling thread.
    let set = unsafe { libc::sched_setscheduler(0, libc::SCHED_RR, &parameters) };
    Ok(Errno::result(set).map(drop)?)
}

#[derive(Default)]
pub(crate) struct ProcessSetup {
    /// By their `cgroup.procs`.
    pub groups: Vec<File>,
    pub namespaces: Vec<(File, CloneFlags)>,
    /// Working folder; entering a mount namespace moves to its root. Ignored when it does not exist.
    pub folder: Option<std::ffi::CString>,
    /// Empty for all.
    pub cpus: Vec<u32>,
    pub dies_with_parent: bool,
}

pub(crate) fn set_pre_exec(command: &mut Command, start: ProcessSetup) {
    let cpus = set_of(&start.cpus);
    let act = move || {
        if let Some(cpus) = &cpus {
            sched_setaffinity(Pid::from_raw(0), cpus)?;
        }
        for group in &start.groups {
            // 0 is the writing process (Documentation/admin-guide/cgroup-v1/cgroups.rst).
            nix::unistd::write(group, b"0")?;
        }
        for (namespace, kind) in &start.namespaces {
            setns(namespace, *kind)?;
        }
        if let Some(folder) = &start.folder {
            // A failure leaves "/".
            let _ = chdir(folder.as_c_str());
        }
        if start.dies_with_parent {
            let _ = prctl::set_pdeathsig(Signal::SIGKILL);
        }
        // The parent may wait with signals blocked; the command must not inherit that.
        SigSet::empty().thread_set_mask()?;
        Ok(())
    };
    // SAFETY: the closure makes system calls only; it allocates nothing and takes no lock.
    unsafe { command.pre_exec(act) };
}

/// Get and set commands of the ethtool ioctl (linux/ethtool.h).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offload {
    get: u32,
    set: u32,
}

impl Offload {
    pub(crate) const TSO: Offload = Offload { get: 0x1e, set: 0x1f };
    pub(crate) const GSO: Offload = Offload { get: 0x23, set: 0x24 };
    pub(crate) const GRO: Offload = Offload { get: 0x2b, set: 0x2c };
    pub(crate) const CHECKSUM: Offload = Offload { get: 0x16, set: 0x17 };
}

#[repr(C)]
struct EthtoolValue {
    command: u32,
    data: u32,
}

fn request(interface: &str) -> io::Result<libc::ifreq> {
    // SAFETY: ifreq is plain data, all zeros is a valid value: an empty name and no pointer.
    let mut request: libc::ifreq = unsafe { mem::zeroed() };
    if interface.len() >= request.ifr_name.len() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    for (to, from) in request.ifr_name.iter_mut().zip(interface.bytes()) {
        *to = from as libc::c_char;
    }
    Ok(request)
}

/// Returns the value as the kernel left it.
fn ethtool(socket: impl AsFd, interface: &str, command: u32, data: u32) -> io::Result<u32> {
    let mut value = EthtoolValue { command, data };
    let mut request = request(interface)?;
    request.ifr_ifru.ifru_data = (&raw mut value).cast();
    // SAFETY: both structures have the kernel's layout and outlive the call; the commands used read or
    // write exactly one ethtool_value.
    Errno::result(unsafe { libc::ioctl(socket.as_fd().as_raw_fd(), libc::SIOCETHTOOL, &mut request) })?;
    Ok(value.data)
}

pub(crate) fn offload_enabled(socket: impl AsFd, interface: &str, which: Offload) -> io::Result<bool> {
    ethtool(socket, interface, which.get, 0).map(|on| on != 0)
}

pub(crate) fn disable_offload(socket: impl AsFd, interface: &str, which: Offload) -> io::Result<()> {
    ethtool(socket, interface, which.set, 0).map(drop)
}

pub(crate) fn interface_mtu(socket: impl AsFd, interface: &str) -> io::Result<u32> {
    let mut request = request(interface)?;
    // SAFETY: SIOCGIFMTU reads the name and writes ifru_mtu of a structure that outlives the call.
    Errno::result(unsafe { libc::ioctl(socket.as_fd().as_raw_fd(), libc::SIOCGIFMTU, &mut request) })?;
    // SAFETY: after success the kernel has filled this member; any bits are a valid integer.
    Ok(unsafe { request.ifr_ifru.ifru_mtu } as u32)
}

/// packet(7) options that libc does not have everywhere.
const PACKET_STATISTICS: libc::c_int = 6;
const PACKET_IGNORE_OUTGOING: libc::c_int = 23;
/// Unread frames: 2,000 with the kernel's overhead.
const FRAMES_ROOM: usize = 8 << 20;

/// Receives every frame of an interface, and sends complete frames.
pub(crate) fn open_packet_socket(interface: &str) -> io::Result<OwnedFd> {
    let index = nix::net::if_::if_nametoindex(interface)?;
    // Without a protocol it receives nothing before it is bound.
    let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
    let socket = socket(AddressFamily::Packet, SockType::Raw, flags, None)?;
    let fd = socket.as_raw_fd();
    let on: libc::c_int = 1;
    // SAFETY: the option is an int, which outlives the call; the length is its own.
    let set = unsafe {
        let (value, length) = ((&raw const on).cast(), mem::size_of_val(&on) as libc::socklen_t);
        libc::setsockopt(fd, libc::SOL_PACKET, PACKET_IGNORE_OUTGOING, value, length)
    };
    Errno::result(set)?;
    // Only root may exceed net.core.rmem_max.
    if setsockopt(&socket, sockopt::RcvBufForce, &FRAMES_ROOM).is_err() {
        setsockopt(&socket, sockopt::RcvBuf, &FRAMES_ROOM)?;
    }
    // SAFETY: sockaddr_ll is plain data, all zeros is a valid value.
    let mut address: libc::sockaddr_ll = unsafe { mem::zeroed() };
    address.sll_family = libc::AF_PACKET as libc::c_ushort;
    address.sll_protocol = (libc::ETH_P_ALL as u16).to_be();
    address.sll_ifindex = index as libc::c_int;
    let length = mem::size_of_val(&address) as libc::socklen_t;
    // SAFETY: the address has the kernel's layout and this length, and outlives the call, which only reads it.
    Errno::result(unsafe { libc::bind(fd, (&raw const address).cast(), length) })?;
    Ok(socket)
}

/// Since the last call.
pub(crate) fn take_packet_drop_count(socket: impl AsFd) -> io::Result<u64> {
    // struct tpacket_stats: packets, and drops among them.
    let mut counts = [0u32; 2];
    let mut length = mem::size_of_val(&counts) as libc::socklen_t;
    let fd = socket.as_fd().as_raw_fd();
    // SAFETY: both pointers are to live values, and the kernel writes at most `length` bytes of the first.
    let got = unsafe {
        let value = (&raw mut counts).cast();
        libc::getsockopt(fd, libc::SOL_PACKET, PACKET_STATISTICS, value, &raw mut length)
    };
    Errno::result(got)?;
    Ok(counts[1].into())
}

/// struct loop_info64 and struct loop_config (linux/loop.h), as far as used.
#[repr(C)]
struct LoopConfig {
    backing: u32,
    block_size: u32,
    places: [u64; 5],
    numbers: [u32; 3],
    flags: u32,
    /// Names, key, initial values, reserved.
    rest: [u64; 20 + 2 + 8],
}

const LOOP_CONFIGURE: libc::c_ulong = 0x4C0A;
const LOOP_CTL_ADD: libc::c_ulong = 0x4C80;
const LOOP_CTL_REMOVE: libc::c_ulong = 0x4C81;
const LOOP_CTL_GET_FREE: libc::c_ulong = 0x4C82;
const LO_FLAGS_AUTOCLEAR: u32 = 4;
const LO_FLAGS_DIRECT_IO: u32 = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoopDeviceIoMode {
    PageCache,
    Direct,
}

/// The device releases the file when it is no longer open or mounted.
pub(crate) fn configure_loop_device(
    device: &File,
    backing: &File,
    through: LoopDeviceIoMode,
) -> io::Result<()> {
    let direct = if through == LoopDeviceIoMode::Direct { LO_FLAGS_DIRECT_IO } else { 0 };
    let config = LoopConfig {
        backing: backing.as_raw_fd() as u32,
        block_size: 0,
        places: [0; 5],
        numbers: [0; 3],
        flags: LO_FLAGS_AUTOCLEAR | direct,
        rest: [0; 30],
    };
    // SAFETY: the structure has the kernel's layout and length, and outlives the call, which only reads it.
    let set = unsafe { libc::ioctl(device.as_raw_fd(), LOOP_CONFIGURE as _, &raw const config) };
    Ok(Errno::result(set).map(drop)?)
}

/// Returns the kernel's number.
fn loop_control(control: &File, request: libc::c_ulong, number: u32) -> io::Result<u32> {
    // SAFETY: these requests take an integer and touch no memory.
    let found = unsafe { libc::ioctl(control.as_raw_fd(), request as _, libc::c_ulong::from(number)) };
    Ok(Errno::result(found)? as u32)
}

pub(crate) fn get_free_loop_number(control: &File) -> io::Result<u32> {
    loop_control(control, LOOP_CTL_GET_FREE, 0)
}

pub(crate) fn add_loop_device(control: &File, number: u32) -> io::Result<()> {
    loop_control(control, LOOP_CTL_ADD, number).map(drop)
}

/// Busy while it is configured or open.
pub(crate) fn remove_loop_device(control: &File, number: u32) -> io::Result<()> {
    loop_control(control, LOOP_CTL_REMOVE, number).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::UdpSocket;

    #[test]
    fn the_loop_structure_is_as_long_as_the_kernels() {
        assert_eq!(mem::size_of::<LoopConfig>(), 304);
        assert_eq!(mem::offset_of!(LoopConfig, flags), 8 + 52);
    }

    #[test]
    fn loopback_has_an_mtu() {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        assert!(interface_mtu(&socket, "lo").unwrap() >= 1500);
        assert!(interface_mtu(&socket, "no-such-link").is_err());
        assert!(interface_mtu(&socket, "a-name-that-is-far-too-long").is_err());
        offload_enabled(&socket, "lo", Offload::GRO).unwrap();
    }
}

//! Coming in: the portmapper, the mount service, who we are (RFC 1833; RFC 1813, 5; RFC 5531, 8.2).

use crate::wire::{Fault, PATIENCE, tcp};
use crate::{Trouble, runtime};
use nfs3_client::io::{AsyncRead, AsyncWrite};
use nfs3_client::nfs3_types::mount::{self, dirpath, mountstat3};
use nfs3_client::nfs3_types::nfs3::{self, nfs_fh3};
use nfs3_client::nfs3_types::portmap::{IPPROTO_TCP, PMAP_PORT};
use nfs3_client::nfs3_types::rpc::{auth_unix, opaque_auth};
use nfs3_client::nfs3_types::xdr_codec::Opaque;
use nfs3_client::{MountClient, MountError, PortmapError, PortmapperClient, RpcError};
use socket2::{Domain, Protocol, Socket, Type};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs};

/// Where to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Whereto {
    pub(super) host: String,
    pub(super) port: Option<u16>,
    pub(super) mount_port: Option<u16>,
    pub(super) export: String,
}

/// A connection to the NFS service, and the handle of the export's root.
pub(super) struct Entered {
    pub(super) stream: TcpStream,
    pub(super) root: nfs_fh3,
    pub(super) credential: opaque_auth<'static>,
}

/// Servers that export `secure` (exports(5)) hear only those who call from one of these ports, which take a
/// privilege.
const PRIVILEGED: std::ops::RangeInclusive<u16> = 700..=1023;

pub(super) fn enter(to: &Whereto) -> Result<Entered, Fault> {
    let credential = credential();
    let (mount_port, port) = ports(to)?;
    let stream = dial(&to.host, mount_port)?;
    let mut service = MountClient::new_with_auth(Steady(stream), credential.clone(), opaque_auth::default());
    let path = dirpath(Opaque::owned(to.export.clone().into_bytes()));
    let mounted = in_time(service.mnt(path))?.map_err(|error| match error {
        MountError::Denied(status) => refused(status, &to.export),
        MountError::Rpc(error) => told(&error),
    })?;
    let stream = dial(&to.host, port)?;
    Ok(Entered { stream, root: nfs_fh3 { data: mounted.fhandle.0 }, credential })
}

/// The ports of the mount and the NFS service.
fn ports(to: &Whereto) -> Result<(u16, u16), Fault> {
    if let (Some(mount_port), Some(port)) = (to.mount_port, to.port) {
        return Ok((mount_port, port));
    }
    let mut portmapper = PortmapperClient::new(Steady(tcp::dial(&to.host, PMAP_PORT, PATIENCE)?));
    let mut ask = |known: Option<u16>, program, version| -> Result<u16, Fault> {
        if let Some(port) = known {
            return Ok(port);
        }
        in_time(portmapper.getport(program, version, IPPROTO_TCP))?.map_err(|error| match error {
            PortmapError::Rpc(error) => told(&error),
            other => Fault::new(Trouble::NotSupported, format!("the portmapper: {other}")),
        })
    };
    let mount_port = ask(to.mount_port, mount::PROGRAM, mount::VERSION)?;
    Ok((mount_port, ask(to.port, nfs3::PROGRAM, nfs3::VERSION)?))
}

fn in_time<T>(work: impl Future<Output = T>) -> Result<T, Fault> {
    let done = runtime::run(PATIENCE, work).map_err(|error| Fault::socket(&error))?;
    done.ok_or_else(|| Fault::gone("the server did not answer in time"))
}

fn told(error: &RpcError) -> Fault {
    match error {
        RpcError::Auth(_) => Fault::new(Trouble::LogOn, error.to_string()),
        RpcError::Io(error) => Fault::socket(error),
        _ => Fault::gone(error.to_string()),
    }
}

fn refused(status: mountstat3, export: &str) -> Fault {
    let why = format!("the server does not let {export} be mounted from here ({status})");
    let trouble = match status {
        mountstat3::MNT3ERR_NOENT | mountstat3::MNT3ERR_NOTDIR => Trouble::PathNotFound,
        mountstat3::MNT3ERR_PERM | mountstat3::MNT3ERR_ACCES => Trouble::LogOn,
        _ => Trouble::Other,
    };
    Fault::new(trouble, why)
}

/// Connects from a privileged port where the system lets us, else from any.
fn dial(host: &str, port: u16) -> Result<TcpStream, Fault> {
    let addresses: Vec<SocketAddr> = (host, port)
        .to_socket_addrs()
        .map_err(|error| Fault::gone(format!("{host} has no address: {error}")))?
        .collect();
    for address in addresses {
        for local in PRIVILEGED.rev() {
            match from_port(address, local) {
                Ok(stream) => {
                    tcp::prepare(&stream).map_err(|error| Fault::socket(&error))?;
                    return Ok(stream);
                }
                // Taken, or still remembered by the other end.
                Err(error) if matches!(error.kind(), ErrorKind::AddrInUse | ErrorKind::AddrNotAvailable) => {}
                // No privilege, or nobody there: what dialing says from any port is the better message.
                Err(_) => break,
            }
        }
    }
    tcp::dial(host, port, PATIENCE)
}

fn from_port(to: SocketAddr, local: u16) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::for_address(to), Type::STREAM, Some(Protocol::TCP))?;
    let any =
        if to.is_ipv4() { IpAddr::V4(Ipv4Addr::UNSPECIFIED) } else { IpAddr::V6(Ipv6Addr::UNSPECIFIED) };
    socket.bind(&SocketAddr::new(any, local).into())?;
    socket.connect_timeout(&to.into(), PATIENCE)?;
    Ok(socket.into())
}

/// The user and the groups of this process, as the kernel's own client would say them (proc_pid_status(5)).
fn credential() -> opaque_auth<'static> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let numbers = |field: &str| -> Vec<u32> {
        let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default();
        line.split_ascii_whitespace().filter_map(|number| number.parse().ok()).collect()
    };
    let nobody = 65_534;
    // Real, effective, saved, and that of the file system.
    let of = |field| numbers(field).get(3).copied().unwrap_or(nobody);
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let mut gids = numbers("Groups:");
    // AUTH_SYS has room for sixteen.
    gids.truncate(16);
    opaque_auth::auth_unix(&auth_unix {
        stamp: std::process::id(),
        machinename: Opaque::owned(host.trim().as_bytes().to_vec()),
        uid: of("Uid:"),
        gid: of("Gid:"),
        gids,
    })
}

/// A socket for the library. Its calls block, each for as long as the connection's patience at the most.
struct Steady(TcpStream);

impl AsyncRead for Steady {
    async fn async_read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // The library would ask a closed connection for ever.
        match patiently(|| self.0.read(buffer))? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            read => Ok(read),
        }
    }
}

impl AsyncWrite for Steady {
    async fn async_write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        patiently(|| self.0.write(buffer))
    }
}

/// The socket gives every call back after a tick.
fn patiently(mut call: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    let by = crate::wire::Deadline::after(PATIENCE);
    loop {
        match call() {
            Err(error) if crate::wire::inlet::is_tick(error.kind()) && !by.has_passed() => {}
            other => return other,
        }
    }
}

//! Connections to an export by the `nfs3_client` library, which makes one call at a time on each; so there
//! are as many as calls in flight, as with the kernel's `nconnect` (`docs/decisions/libraries.md`).

use super::status;
use crate::fault::Fault;
use crate::runtime::Runtime;
use crate::tcp::{self, PATIENCE};
use crate::{FileErrorKind, RelPath};
use nfs3_client::io::{AsyncRead, AsyncWrite};
use nfs3_client::net::Connector;
use nfs3_client::nfs3_types::mount::mountstat3;
use nfs3_client::nfs3_types::nfs3::{Nfs3Result, nfs_fh3, stable_how};
use nfs3_client::nfs3_types::rpc::{auth_unix, opaque_auth};
use nfs3_client::nfs3_types::xdr_codec::Opaque;
use nfs3_client::{
    ConnectError, MountError, Nfs3Client, Nfs3Connection, Nfs3ConnectionBuilder, PortmapError, RpcError,
};
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Export {
    pub(super) host: String,
    pub(super) port: Option<u16>,
    pub(super) mount_port: Option<u16>,
    pub(super) export: String,
}

impl Export {
    pub(super) fn name(&self, below: &[&str]) -> String {
        let parts = std::iter::once(self.export.trim_matches('/')).chain(below.iter().copied());
        let path: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        format!("nfs://{}/{}", self.host, path.join("/"))
    }
}

pub(super) type Client = Nfs3Client<Stream>;

pub(super) struct Connections {
    pub(super) to: Export,
    pub(super) runtime: Arc<Runtime>,
    idle: Mutex<Vec<Client>>,
    opened: AtomicU16,
    requests: AtomicU64,
    pub(super) durability: Durability,
}

impl Connections {
    pub(super) fn open(to: Export) -> Result<(Connections, nfs_fh3), Fault> {
        let runtime = Runtime::new()?;
        let connection = runtime.run(PATIENCE, mount(&to))??;
        let root = connection.root_nfs_fh3();
        let connections = Connections {
            to,
            runtime: Arc::new(runtime),
            idle: Mutex::new(vec![connection.into_nfs3_client()]),
            opened: AtomicU16::new(1),
            requests: AtomicU64::new(0),
            durability: Durability::default(),
        };
        Ok((connections, root))
    }

    pub(super) fn opened(&self) -> u16 {
        self.opened.load(Ordering::Relaxed)
    }

    pub(super) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Client>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An idle connection, to be returned by [`Connections::finish`]. A call dropped before its reply closes
    /// its connection.
    pub(super) async fn client(&self) -> Result<Client, Fault> {
        let idle = self.idle().pop();
        match idle {
            Some(client) => Ok(client),
            None => {
                let connection = mount(&self.to).await?;
                self.opened.fetch_add(1, Ordering::Relaxed);
                Ok(connection.into_nfs3_client())
            }
        }
    }

    pub(super) fn finish<T, E>(
        &self,
        client: Client,
        reply: Result<Nfs3Result<T, E>, RpcError>,
    ) -> Result<T, Fault> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        if reply.as_ref().err().is_none_or(RpcError::is_connection_reusable) {
            self.idle().push(client);
        }
        status::done(reply.map_err(|error| fault(&error))?)
    }

    pub(super) fn call<T, E>(
        &self,
        patience: Duration,
        call: impl AsyncFnOnce(&mut Client) -> Result<Nfs3Result<T, E>, RpcError>,
    ) -> Result<T, Fault> {
        self.runtime.run(patience, async {
            let mut client = self.client().await?;
            let reply = call(&mut client).await;
            self.finish(client, reply)
        })?
    }

    pub(super) fn name(&self, base: &str, path: &RelPath) -> String {
        self.to.name(&[base, path.as_str()])
    }
}

/// Detects data loss: unstable writes become durable by COMMIT unless the server restarted meanwhile, which
/// changes its verifier (RFC 1813, 3.3.7 and 3.3.21).
#[derive(Default)]
pub(super) struct Durability {
    verifier: Mutex<Option<[u8; 8]>>,
    restarted: AtomicBool,
    unstable: AtomicBool,
}

impl Durability {
    pub(super) fn verify(&self, verifier: [u8; 8]) {
        let mut known = self.verifier.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_some_and(|known| known != verifier) {
            self.restarted.store(true, Ordering::Relaxed);
        }
        *known = Some(verifier);
    }

    pub(super) fn committed(&self, how: stable_how) {
        if how != stable_how::FILE_SYNC {
            self.unstable.store(true, Ordering::Relaxed);
        }
    }

    /// True once per restart of the server.
    pub(super) fn has_restarted(&self) -> bool {
        self.restarted.swap(false, Ordering::Relaxed)
    }

    /// False while the server writes through.
    pub(super) fn needs_commit(&self) -> bool {
        self.unstable.load(Ordering::Relaxed)
    }
}

/// Tries a privileged port first: `secure` exports (exports(5)) require it.
async fn mount(to: &Export) -> Result<Nfs3Connection<Stream>, Fault> {
    let addresses = (to.host.as_str(), to.port.unwrap_or_default()).to_socket_addrs();
    let addresses = addresses.map_err(|error| Fault::gone(format!("{} has no address: {error}", to.host)))?;
    let mut failed = Fault::gone(format!("{} has no address", to.host));
    for (address, privileged) in addresses.flat_map(|address| [(address, true), (address, false)]) {
        let host = address.ip().to_string();
        let mut builder = Nfs3ConnectionBuilder::new(Dial(address), host, &to.export)
            .credential(credential())
            .connect_from_privileged_port(privileged);
        if let Some(port) = to.mount_port {
            builder = builder.mount_port(port);
        }
        if let Some(port) = to.port {
            builder = builder.nfs3_port(port);
        }
        failed = match builder.mount().await {
            Ok(connection) => return Ok(connection),
            Err(ConnectError::Io(error)) => Fault::gone(format!("{} does not answer: {error}", address.ip())),
            Err(error) => return Err(refused(error, &to.export)),
        };
    }
    Err(failed)
}

fn refused(error: ConnectError, export: &str) -> Fault {
    let status = match error {
        ConnectError::Io(error) => return Fault::socket(&error),
        ConnectError::Portmap(PortmapError::Rpc(error)) | ConnectError::Mount(MountError::Rpc(error)) => {
            return fault(&error);
        }
        ConnectError::Portmap(other) => {
            return Fault::new(FileErrorKind::NotSupported, format!("the portmapper: {other}"));
        }
        ConnectError::Mount(MountError::Denied(status)) => status,
    };
    let why = format!("the server does not let {export} be mounted from here ({status})");
    let trouble = match status {
        mountstat3::MNT3ERR_NOENT | mountstat3::MNT3ERR_NOTDIR => FileErrorKind::PathNotFound,
        mountstat3::MNT3ERR_PERM | mountstat3::MNT3ERR_ACCES => FileErrorKind::LogOn,
        _ => FileErrorKind::Other,
    };
    Fault::new(trouble, why)
}

fn fault(error: &RpcError) -> Fault {
    match error {
        RpcError::Auth(_) => Fault::new(FileErrorKind::LogOn, error.to_string()),
        RpcError::Io(error) => Fault::socket(error),
        RpcError::ProgUnavail | RpcError::ProgMismatch { .. } | RpcError::ProcUnavail => {
            Fault::new(FileErrorKind::NotSupported, format!("the server refuses the call: {error}"))
        }
        _ => Fault::nonsense(error.to_string()),
    }
}

/// Effective user and groups of this process, as the kernel's client sends them (proc_pid_status(5)).
fn credential() -> opaque_auth<'static> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let numbers = |field: &str| -> Vec<u32> {
        let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default();
        line.split_ascii_whitespace().filter_map(|number| number.parse().ok()).collect()
    };
    let nobody = 65_534;
    // Real, effective, saved, file system.
    let of = |field| numbers(field).get(3).copied().unwrap_or(nobody);
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let mut gids = numbers("Groups:");
    // AUTH_SYS allows sixteen groups.
    gids.truncate(16);
    opaque_auth::auth_unix(&auth_unix {
        stamp: std::process::id(),
        machinename: Opaque::owned(host.trim().as_bytes().to_vec()),
        uid: of("Uid:"),
        gid: of("Gid:"),
        gids,
    })
}

/// Replaces the library's connector, which supports only IPv4 and sets neither TCP_NODELAY nor keepalive.
struct Dial(SocketAddr);

impl Dial {
    async fn dial(&self, port: u16, local: Option<u16>) -> io::Result<Stream> {
        let mut to = self.0;
        to.set_port(port);
        let (socket, any) = match to {
            SocketAddr::V4(_) => (TcpSocket::new_v4()?, "0.0.0.0:0"),
            SocketAddr::V6(_) => (TcpSocket::new_v6()?, "[::]:0"),
        };
        if let (Some(local), Ok(mut from)) = (local, any.parse::<SocketAddr>()) {
            from.set_port(local);
            socket.bind(from)?;
        }
        let stream = socket.connect(to).await?;
        tcp::detect_dead_hosts(&stream)?;
        Ok(Stream(stream))
    }
}

impl Connector for Dial {
    type Connection = Stream;

    async fn connect(&self, to: SocketAddr) -> io::Result<Stream> {
        self.dial(to.port(), None).await
    }

    async fn connect_with_port(&self, to: SocketAddr, local: u16) -> io::Result<Stream> {
        self.dial(to.port(), Some(local)).await.map_err(|error| match error.kind() {
            // TIME_WAIT: the library tries the next port.
            ErrorKind::AddrNotAvailable => ErrorKind::AddrInUse.into(),
            _ => error,
        })
    }
}

/// Replaces the library's wrapper, which reads a closed connection forever.
pub(super) struct Stream(TcpStream);

impl AsyncRead for Stream {
    async fn async_read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            read => Ok(read),
        }
    }
}

impl AsyncWrite for Stream {
    async fn async_write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.0.write(buffer).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_verifier_means_that_the_server_has_restarted() {
        let durability = Durability::default();
        durability.verify([1; 8]);
        durability.verify([1; 8]);
        assert!(!durability.has_restarted());
        durability.verify([2; 8]);
        assert!(durability.has_restarted());
        assert!(!durability.has_restarted());
    }
}

//! Connections to an export by the `nfs3_client` library, which makes one call at a time on each; so there
//! are as many as calls in flight, as with the kernel's `nconnect` (`docs/decisions/libraries.md`).

use super::record_length::RecordLengths;
use super::status;
use crate::operation_error::OperationError;
use crate::runtime::TokioRuntime;
use crate::tcp::{self, RESPONSE_TIMEOUT, ServerAddresses};
use crate::{FileErrorKind, RelPath, locked};
use goodput_words::{ErrorMessage, message};
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
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NfsExport {
    pub(super) host: String,
    pub(super) addresses: ServerAddresses,
    pub(super) port: Option<u16>,
    pub(super) mount_port: Option<u16>,
    pub(super) export: String,
}

impl NfsExport {
    pub(super) fn display_url(&self, below: &[&str]) -> String {
        let parts = std::iter::once(self.export.trim_matches('/')).chain(below.iter().copied());
        let path: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        format!("nfs://{}/{}", self.host, path.join("/"))
    }
}

pub(super) type NfsClient = Nfs3Client<NfsTcpStream>;

pub(super) struct NfsConnectionPool {
    pub(super) to: NfsExport,
    pub(super) runtime: Arc<TokioRuntime>,
    idle: Mutex<Vec<NfsClient>>,
    opened: AtomicU16,
    requests: AtomicU64,
    pub(super) durability: WriteVerifier,
}

impl NfsConnectionPool {
    pub(super) fn open(to: NfsExport) -> Result<(NfsConnectionPool, nfs_fh3), OperationError> {
        let runtime = TokioRuntime::new()?;
        let connection = runtime.block_on_with_timeout(RESPONSE_TIMEOUT, mount(&to))??;
        let root = connection.root_nfs_fh3();
        let connections = NfsConnectionPool {
            to,
            runtime: Arc::new(runtime),
            idle: Mutex::new(vec![connection.into_nfs3_client()]),
            opened: AtomicU16::new(1),
            requests: AtomicU64::new(0),
            durability: WriteVerifier::default(),
        };
        Ok((connections, root))
    }

    pub(super) fn opened_count(&self) -> u16 {
        self.opened.load(Ordering::Relaxed)
    }

    pub(super) fn request_count(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// An idle connection, for [`NfsConnectionPool::finish`]. A call dropped before its reply closes its own.
    pub(super) async fn take_client(&self) -> Result<NfsClient, OperationError> {
        let idle = locked(&self.idle).pop();
        match idle {
            Some(client) => Ok(client),
            None => {
                let connection = mount(&self.to).await?;
                self.opened.fetch_add(1, Ordering::Relaxed);
                Ok(connection.into_nfs3_client())
            }
        }
    }

    pub(super) fn return_client<T, E>(
        &self,
        client: NfsClient,
        reply: Result<Nfs3Result<T, E>, RpcError>,
    ) -> Result<T, OperationError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        if reply.as_ref().err().is_none_or(is_in_step) {
            locked(&self.idle).push(client);
        }
        status::into_result(reply.map_err(|error| fault(&error))?)
    }

    pub(super) fn run_call<T, E>(
        &self,
        patience: Duration,
        call: impl AsyncFnOnce(&mut NfsClient) -> Result<Nfs3Result<T, E>, RpcError>,
    ) -> Result<T, OperationError> {
        self.runtime.block_on_with_timeout(patience, async {
            let mut client = self.take_client().await?;
            let reply = call(&mut client).await;
            self.return_client(client, reply)
        })?
    }

    pub(super) fn display_url(&self, base: &str, path: &RelPath) -> String {
        self.to.display_url(&[base, path.as_str()])
    }
}

/// Detects data loss: unstable writes become durable by COMMIT unless the server restarted meanwhile, which
/// changes its verifier (RFC 1813, 3.3.7 and 3.3.21).
#[derive(Default)]
pub(super) struct WriteVerifier {
    verifier: Mutex<Option<[u8; 8]>>,
    restarted: AtomicBool,
    unstable: AtomicBool,
}

impl WriteVerifier {
    pub(super) fn check_verifier(&self, verifier: [u8; 8]) {
        let mut known = locked(&self.verifier);
        if known.is_some_and(|known| known != verifier) {
            self.restarted.store(true, Ordering::Relaxed);
        }
        *known = Some(verifier);
    }

    pub(super) fn record_write_stability(&self, how: stable_how) {
        if how != stable_how::FILE_SYNC {
            self.unstable.store(true, Ordering::Relaxed);
        }
    }

    /// True once per restart of the server.
    pub(super) fn take_restart_flag(&self) -> bool {
        self.restarted.swap(false, Ordering::Relaxed)
    }

    /// False while the server writes through.
    pub(super) fn needs_commit(&self) -> bool {
        self.unstable.load(Ordering::Relaxed)
    }
}

/// Tries a privileged port first: `secure` exports (exports(5)) require it.
async fn mount(to: &NfsExport) -> Result<Nfs3Connection<NfsTcpStream>, OperationError> {
    let mut failed = None;
    for (address, privileged) in to.addresses.iter().flat_map(|address| [(address, true), (address, false)]) {
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
            Err(ConnectError::Io(error)) => {
                let address = address.ip().to_string();
                let why = message!(cause_place_does_not_answer { address, why: error.message() });
                Some(OperationError::connection_lost(why))
            }
            Err(error) => return Err(refused(error, &to.export)),
        };
    }
    Err(failed.unwrap_or_else(|| {
        OperationError::connection_lost(message!(cause_place_no_address { host: &to.host }))
    }))
}

fn refused(error: ConnectError, export: &str) -> OperationError {
    let status = match error {
        ConnectError::Io(error) => return OperationError::from_socket_error(&error),
        ConnectError::Portmap(PortmapError::Rpc(error)) | ConnectError::Mount(MountError::Rpc(error)) => {
            return fault(&error);
        }
        ConnectError::Portmap(other) => {
            let why = message!(cause_place_portmapper { why: other.to_string() });
            return OperationError::new(FileErrorKind::NotSupported, why);
        }
        ConnectError::Mount(MountError::Denied(status)) => status,
    };
    let why = message!(part_place_not_mounted { export, status: status.to_string() });
    let trouble = match status {
        mountstat3::MNT3ERR_NOENT | mountstat3::MNT3ERR_NOTDIR => FileErrorKind::PathNotFound,
        mountstat3::MNT3ERR_PERM | mountstat3::MNT3ERR_ACCES => FileErrorKind::LogOn,
        _ => FileErrorKind::Other,
    };
    OperationError::new(trouble, why)
}

/// Whether the next reply on the connection belongs to the next call. After a reply to another call, or one that
/// makes no sense, the library only knows where the next begins.
fn is_in_step(error: &RpcError) -> bool {
    error.is_connection_reusable() && fault(error).trouble != FileErrorKind::Gone
}

fn fault(error: &RpcError) -> OperationError {
    match error {
        RpcError::Auth(_) => OperationError::new(FileErrorKind::LogOn, error.to_string()),
        RpcError::Io(error) => OperationError::from_socket_error(error),
        RpcError::ProgUnavail | RpcError::ProgMismatch { .. } | RpcError::ProcUnavail => {
            let why = message!(cause_place_call_refused { why: error.to_string() });
            OperationError::new(FileErrorKind::NotSupported, why)
        }
        _ => OperationError::protocol_violation(error.to_string()),
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
    async fn dial(&self, port: u16, local: Option<u16>) -> io::Result<NfsTcpStream> {
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
        tcp::set_keepalive_options(&stream)?;
        Ok(NfsTcpStream { stream, records: RecordLengths::default() })
    }
}

impl Connector for Dial {
    type Connection = NfsTcpStream;

    async fn connect(&self, to: SocketAddr) -> io::Result<NfsTcpStream> {
        self.dial(to.port(), None).await
    }

    async fn connect_with_port(&self, to: SocketAddr, local: u16) -> io::Result<NfsTcpStream> {
        self.dial(to.port(), Some(local)).await.map_err(|error| match error.kind() {
            // TIME_WAIT: the library tries the next port.
            ErrorKind::AddrNotAvailable => ErrorKind::AddrInUse.into(),
            _ => error,
        })
    }
}

/// Replaces the library's wrapper, which reads a closed connection forever.
pub(super) struct NfsTcpStream {
    stream: TcpStream,
    records: RecordLengths,
}

impl AsyncRead for NfsTcpStream {
    async fn async_read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.stream.read(buffer).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            read => self.records.check_received(&buffer[..read]).map(|()| read),
        }
    }
}

impl AsyncWrite for NfsTcpStream {
    async fn async_write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.stream.write(buffer).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_verifier_means_that_the_server_has_restarted() {
        let durability = WriteVerifier::default();
        durability.check_verifier([1; 8]);
        durability.check_verifier([1; 8]);
        assert!(!durability.take_restart_flag());
        durability.check_verifier([2; 8]);
        assert!(durability.take_restart_flag());
        assert!(!durability.take_restart_flag());
    }
}

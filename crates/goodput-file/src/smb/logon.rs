//! Logs on: connection, dialect, session and share. The library does this on our socket and returns the
//! parameters for later messages.

use super::message::{FRAME_PREFIX_BYTES, HEADER_BYTES, read_u16_at};
use super::status;
use crate::operation_error::OperationError;
use crate::runtime::TokioRuntime;
use crate::tcp::{RESPONSE_TIMEOUT, ServerAddresses};
use crate::{FileErrorKind, locked};
use goodput_words::message;
use smb2::client::{Connection, NegotiatedParams, Session};
use smb2::crypto::kdf::PreauthHasher;
use smb2::msg::tree_connect::{TreeConnectRequest, TreeConnectRequestFlags, TreeConnectResponse};
use smb2::pack::{ReadCursor, Unpack};
use smb2::transport::{TransportReceive, TransportSend};
use smb2::types::flags::{Capabilities, FileAccessMask, ShareFlags};
use smb2::types::{Command, TreeId};
use std::future::Future;
use std::io;
use std::net::TcpStream;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use tokio::net::TcpStream as Socket;
use zeroize::Zeroizing;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShareAddress {
    pub(super) host: String,
    pub(super) addresses: ServerAddresses,
    pub(super) domain: Option<String>,
    pub(super) user: Option<String>,
    pub(super) share: String,
}

pub(super) struct LogonResult {
    pub(super) stream: TcpStream,
    pub(super) params: NegotiatedParams,
    pub(super) session: Session,
    pub(super) tree: u32,
    pub(super) encrypted: bool,
    pub(super) writable: bool,
    pub(super) next_number: u64,
    pub(super) credits: u16,
}

pub(super) fn log_on(
    to: &ShareAddress,
    password: Option<&Zeroizing<String>>,
) -> Result<LogonResult, OperationError> {
    let stream = to.addresses.connect()?;
    let ours = stream.try_clone().and_then(|ours| ours.set_nonblocking(true).map(|()| ours));
    let ours = ours.map_err(|error| OperationError::from_socket_error(&error))?;
    let entered = TokioRuntime::new()?
        .block_on_with_timeout(RESPONSE_TIMEOUT, connect_transport(ours, to, password))??;
    // Both descriptors share the socket's flag.
    stream.set_nonblocking(false).map_err(|error| OperationError::from_socket_error(&error))?;
    Ok(LogonResult { stream, ..entered })
}

async fn connect_transport(
    stream: TcpStream,
    to: &ShareAddress,
    password: Option<&Zeroizing<String>>,
) -> Result<LogonResult, OperationError> {
    let stream_after = stream.try_clone().map_err(|error| OperationError::from_socket_error(&error))?;
    let socket = Socket::from_std(stream).map_err(|error| OperationError::from_socket_error(&error))?;
    let ends = Arc::new(SharedTransport { socket, agreed: Mutex::new(PreauthHasher::new()) });
    let (sender, receiver) = (TransportHalf(Arc::clone(&ends)), TransportHalf(Arc::clone(&ends)));
    let mut connection = Connection::from_transport(Box::new(sender), Box::new(receiver), to.host.clone());
    // Compression would change the payload's size.
    connection.set_compression_requested(false);
    connection.set_response_timeout(Some(RESPONSE_TIMEOUT));
    connection.negotiate().await.map_err(fault_of)?;
    // The hash of the bytes sent, because keys are derived from it.
    connection.with_preauth_hasher_mut(|hasher| hasher.clone_from(&locked(&ends.agreed)));
    let params =
        connection.params().ok_or_else(|| OperationError::protocol_violation("no dialect was agreed"))?;
    let (user, domain) = (to.user.as_deref().unwrap_or(""), to.domain.as_deref().unwrap_or(""));
    let password = password.map_or("", |password| password.as_str());
    let session = Session::setup(&mut connection, user, password, domain).await.map_err(fault_of)?;

    let path = format!(r"\\{}\{}", to.host, to.share);
    let request = TreeConnectRequest { flags: TreeConnectRequestFlags::default(), path };
    let reply = connection.execute(Command::TreeConnect, &request, None).await.map_err(fault_of)?;
    if reply.header.status.0 != 0 {
        return Err(status::error_from_status(reply.header.status.0));
    }
    let share = TreeConnectResponse::unpack(&mut ReadCursor::new(&reply.body)).map_err(fault_of)?;
    let Some(TreeId(tree)) = reply.header.tree_id else {
        return Err(OperationError::protocol_violation("a share without a number"));
    };
    Ok(LogonResult {
        stream: stream_after,
        encrypted: session.should_encrypt || share.share_flags.contains(ShareFlags::ENCRYPT_DATA),
        // FILE_WRITE_DATA is FILE_ADD_FILE for a folder (MS-SMB2 2.2.13.1.2).
        writable: share.maximal_access & FileAccessMask::FILE_WRITE_DATA != 0,
        tree,
        session,
        next_number: connection.next_message_id(),
        credits: connection.credits(),
        params,
    })
}

fn fault_of(error: smb2::Error) -> OperationError {
    match (&error, error.status()) {
        (smb2::Error::GuestSessionRefused { .. } | smb2::Error::Auth { .. }, _) => {
            OperationError::new(FileErrorKind::LogOn, error.to_string())
        }
        (_, Some(status)) => status::error_from_status(status.0),
        (smb2::Error::Disconnected | smb2::Error::Io(_), None) => {
            OperationError::connection_lost(message!(cause_place_login_connection { why: error.to_string() }))
        }
        _ => OperationError::connection_lost(error.to_string()),
    }
}

/// The library's socket. Adds the encryption capability to NEGOTIATE, where the library sends only ciphers:
/// servers before 3.1.1, and Samba with mandatory encryption, require it (MS-SMB2 2.2.3).
struct SharedTransport {
    socket: Socket,
    /// Hash of NEGOTIATE and its response as transmitted.
    agreed: Mutex<PreauthHasher>,
}

impl SharedTransport {
    fn amended(&self, data: &[u8]) -> Vec<u8> {
        let mut message = (data.len() as u32).to_be_bytes().to_vec();
        message.extend_from_slice(data);
        if is_negotiate(data)
            && let Some(capabilities) = message.get_mut(FRAME_PREFIX_BYTES + HEADER_BYTES + 8)
        {
            *capabilities |= Capabilities::ENCRYPTION as u8;
            locked(&self.agreed).update(&message[FRAME_PREFIX_BYTES..]);
        }
        message
    }
}

fn is_negotiate(message: &[u8]) -> bool {
    read_u16_at(message, 12) == Some(Command::Negotiate.into())
}

/// One direction. Not a tokio half, which shuts the socket down on drop.
struct TransportHalf(Arc<SharedTransport>);

impl TransportSend for TransportHalf {
    fn send<'life0, 'life1, 'async_trait>(
        &'life0 self,
        data: &'life1 [u8],
    ) -> Pin<Box<dyn Future<Output = smb2::Result<()>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        'life1: 'async_trait,
        Self: 'async_trait,
    {
        Box::pin(async move {
            let message = self.0.amended(data);
            let mut rest = message.as_slice();
            while !rest.is_empty() {
                self.0.socket.writable().await?;
                match self.0.socket.try_write(rest) {
                    Ok(sent) => rest = &rest[sent..],
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Ok(())
        })
    }
}

impl TransportReceive for TransportHalf {
    fn receive<'life0, 'async_trait>(
        &'life0 self,
    ) -> Pin<Box<dyn Future<Output = smb2::Result<Vec<u8>>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        Self: 'async_trait,
    {
        Box::pin(async move {
            // A socket that is always readable never yields, and the deadline would never be checked.
            tokio::task::yield_now().await;
            let mut length = [0; 4];
            fill(&self.0.socket, &mut length).await?;
            // MS-SMB2 2.1: a zero byte and 24 bits of length.
            let mut message = vec![0; (u32::from_be_bytes(length) & 0xFF_FFFF) as usize];
            fill(&self.0.socket, &mut message).await?;
            if is_negotiate(&message) {
                locked(&self.0.agreed).update(&message);
            }
            Ok(message)
        })
    }
}

async fn fill(socket: &Socket, mut target: &mut [u8]) -> smb2::Result<()> {
    while !target.is_empty() {
        socket.readable().await?;
        match socket.try_read(target) {
            Ok(0) => return Err(smb2::Error::Disconnected),
            Ok(read) => target = &mut target[read..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::{Ipv4Addr, TcpListener};
    use std::time::Duration;

    #[test]
    fn a_server_that_never_stops_talking_does_not_stop_the_deadline() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut theirs, _) = listener.accept().unwrap();
        ours.set_nonblocking(true).unwrap();
        // Empty messages.
        let talks = std::thread::spawn(move || while theirs.write_all(&[0; 1 << 16]).is_ok() {});
        let listens = async {
            let socket = Socket::from_std(ours).unwrap();
            let ends = SharedTransport { socket, agreed: Mutex::new(PreauthHasher::new()) };
            let half = TransportHalf(Arc::new(ends));
            while half.receive().await.is_ok() {}
        };
        let runtime = TokioRuntime::new().unwrap();
        let ended = runtime.block_on_with_timeout(Duration::from_millis(100), listens);
        assert_eq!(ended.unwrap_err().trouble, FileErrorKind::Gone);
        talks.join().unwrap();
    }
}

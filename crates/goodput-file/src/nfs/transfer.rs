//! Reads and writes a file (RFC 1813, 3.3.6 and 3.3.7) in calls within the server's limits.

use super::connection::NfsConnectionPool;
use super::status;
use crate::operation_error::OperationError;
use nfs3_client::nfs3_types::nfs3::{READ3args, WRITE3args, nfs_fh3, nfsstat3, stable_how};
use nfs3_client::nfs3_types::xdr_codec::Opaque;

/// Reads up to the end of the file; `most` bytes per call.
pub(super) async fn read_file(
    connections: &NfsConnectionPool,
    file: &nfs_fh3,
    offset: u64,
    buffer: &mut [u8],
    most: usize,
) -> Result<usize, OperationError> {
    let mut moved = 0;
    while moved < buffer.len() {
        let part = (buffer.len() - moved).min(most);
        let count = u32::try_from(part).unwrap_or(u32::MAX);
        let arguments = READ3args { file: file.clone(), offset: offset + moved as u64, count };
        let mut client = connections.take_client().await?;
        let reply = client.read(&arguments).await;
        let reply = connections.return_client(client, reply)?;
        let data = reply.data.as_ref();
        let Some(target) = buffer[moved..moved + part].get_mut(..data.len()) else {
            return Err(OperationError::protocol_violation("the payload of a read does not fit"));
        };
        target.copy_from_slice(data);
        moved += data.len();
        if reply.eof || data.is_empty() {
            break;
        }
    }
    Ok(moved)
}

/// Writes all data without making it durable; `most` bytes per call.
pub(super) async fn write_file_unstable(
    connections: &NfsConnectionPool,
    file: &nfs_fh3,
    offset: u64,
    data: &[u8],
    most: usize,
) -> Result<usize, OperationError> {
    let mut moved = 0;
    while moved < data.len() {
        let part = &data[moved..data.len().min(moved + most)];
        let arguments = WRITE3args {
            file: file.clone(),
            offset: offset + moved as u64,
            count: u32::try_from(part.len()).unwrap_or(u32::MAX),
            stable: stable_how::UNSTABLE,
            data: Opaque::borrowed(part),
        };
        let mut client = connections.take_client().await?;
        let reply = client.write(&arguments).await;
        let done = connections.return_client(client, reply)?;
        connections.durability.check_verifier(done.verf.0);
        connections.durability.record_write_stability(done.committed);
        if done.count == 0 {
            return Err(status::error_from_status(nfsstat3::NFS3ERR_NOSPC));
        }
        let count = done.count as usize;
        if count > part.len() {
            return Err(OperationError::overstated_write(count, part.len()));
        }
        moved += count;
    }
    Ok(moved)
}

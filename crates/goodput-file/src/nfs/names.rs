//! Lists a folder (RFC 1813, 3.3.17). The protocol has no patterns; they are matched here.

use super::connection::NfsConnectionPool;
use super::folder_handles::{LookupResult, lookup_name};
use super::state;
use crate::operation_error::OperationError;
use crate::tcp::RESPONSE_TIMEOUT;
use crate::wildcard::WildcardPattern;
use crate::{FileErrorKind, FolderEntry};
use nfs3_client::nfs3_types::nfs3::{Nfs3Option, READDIRPLUS3args, cookieverf3, entryplus3, nfs_fh3};

/// Bytes of names, and in total, per reply.
const NAMES: u32 = 16 << 10;
const REPLY: u32 = 64 << 10;

/// Matching names in the server's order. Names that are not UTF-8 are skipped.
pub(super) fn find_folder_entries(
    connections: &NfsConnectionPool,
    folder: &nfs_fh3,
    pattern: &str,
    most: Option<usize>,
) -> Result<Vec<FolderEntry>, OperationError> {
    let mut pattern = WildcardPattern::new(pattern);
    let most = most.unwrap_or(usize::MAX);
    let (mut cookie, mut cookieverf) = (0, cookieverf3::default());
    let (mut found, mut received) = (Vec::new(), 0);
    loop {
        let dir = folder.clone();
        let arguments = READDIRPLUS3args { dir, cookie, cookieverf, dircount: NAMES, maxcount: REPLY };
        let page =
            connections.run_call(RESPONSE_TIMEOUT, async |client| client.readdirplus(&arguments).await)?;
        cookieverf = page.cookieverf;
        let entries = page.reply.entries.into_inner();
        let Some(last) = entries.last().map(|entry| entry.cookie) else { return Ok(found) };
        for entry in entries {
            let name: &[u8] = entry.name.as_ref();
            received += size_of::<FolderEntry>() + name.len();
            let Ok(name) = std::str::from_utf8(name).map(str::to_string) else { continue };
            if matches!(name.as_str(), "." | "..") || !pattern.matches(&name) {
                continue;
            }
            found.extend(known(connections, folder, name, entry)?);
            if found.len() >= most {
                return Ok(found);
            }
        }
        if page.reply.eof || last == cookie {
            return Ok(found);
        }
        OperationError::check_listing(received)?;
        cookie = last;
    }
}

/// Attributes of a name; `None` when it was removed meanwhile.
fn known(
    connections: &NfsConnectionPool,
    folder: &nfs_fh3,
    name: String,
    entry: entryplus3<'_>,
) -> Result<Option<FolderEntry>, OperationError> {
    let found = match (entry.name_attributes, entry.name_handle) {
        (Nfs3Option::Some(attributes), Nfs3Option::Some(handle)) => LookupResult { handle, attributes },
        _ => match lookup_name(connections, folder, &name) {
            Ok(found) => found,
            Err(fault) if fault.trouble == FileErrorKind::NotFound => return Ok(None),
            Err(fault) => return Err(fault),
        },
    };
    Ok(Some(FolderEntry { status: state(&found.attributes), name }))
}

//! Names and contents of an in-memory sink.

use super::storage::SinkError;
use crate::locked;
use goodput_model::file::{FileErrorKind, FileStatus};
use goodput_words::message;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

pub(super) const CHUNK_BYTES: u64 = 64 << 10;
pub(super) const MAX_TREE_ENTRIES: usize = 1 << 20;

pub(super) struct MemoryBudget {
    pub limit: u64,
    taken: AtomicU64,
}

impl MemoryBudget {
    pub fn new(limit: u64) -> Arc<MemoryBudget> {
        Arc::new(MemoryBudget { limit, taken: AtomicU64::new(0) })
    }

    pub fn used_bytes(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    fn take(&self) -> Result<(), SinkError> {
        let room = |taken: u64| (taken + CHUNK_BYTES <= self.limit).then_some(taken + CHUNK_BYTES);
        let taken = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, room);
        taken.map(drop).map_err(|_| {
            let limit = (self.limit >> 20).to_string();
            SinkError::new(FileErrorKind::Full, message!(error_probe_sink_memory_full { limit }))
        })
    }
}

pub(super) struct FileContent {
    length: AtomicU64,
    pieces: RwLock<BTreeMap<u64, Box<[u8]>>>,
    locks: Mutex<Vec<Locked>>,
    ledger: Arc<MemoryBudget>,
    /// False for a file of which only the length is stored.
    pub kept: bool,
}

struct Locked {
    handle: u64,
    from: u64,
    to: u64,
}

impl FileContent {
    pub fn new(ledger: &Arc<MemoryBudget>, kept: bool) -> Arc<FileContent> {
        Arc::new(FileContent {
            length: AtomicU64::new(0),
            pieces: RwLock::default(),
            locks: Mutex::default(),
            ledger: ledger.clone(),
            kept,
        })
    }

    pub fn length(&self) -> u64 {
        self.length.load(Ordering::Acquire)
    }

    pub fn file_stat(&self) -> FileStatus {
        let pieces = self.pieces.read().unwrap_or_else(PoisonError::into_inner).len() as u64;
        FileStatus { length: self.length(), allocated: Some(pieces * CHUNK_BYTES), folder: false }
    }

    pub fn readable_length(&self, asked: usize, offset: u64) -> usize {
        let left = self.length().saturating_sub(offset);
        usize::try_from(left).unwrap_or(usize::MAX).min(asked)
    }

    pub fn extend_length(&self, length: usize, offset: u64) {
        self.length.fetch_max(offset.saturating_add(length as u64), Ordering::AcqRel);
    }

    pub fn write_at(&self, mut data: &[u8], mut offset: u64) -> Result<(), SinkError> {
        let end = offset.saturating_add(data.len() as u64);
        let mut pieces = self.pieces.write().unwrap_or_else(PoisonError::into_inner);
        while !data.is_empty() {
            let (number, at) = (offset / CHUNK_BYTES, (offset % CHUNK_BYTES) as usize);
            let part = data.len().min(CHUNK_BYTES as usize - at);
            match pieces.entry(number) {
                Entry::Occupied(there) => there.into_mut()[at..at + part].copy_from_slice(&data[..part]),
                Entry::Vacant(place) => {
                    self.ledger.take()?;
                    place.insert(fresh(&data[..part], at));
                }
            }
            data = &data[part..];
            offset += part as u64;
        }
        self.length.fetch_max(end, Ordering::AcqRel);
        Ok(())
    }

    pub fn read_at(&self, mut into: &mut [u8], mut offset: u64) {
        let pieces = self.pieces.read().unwrap_or_else(PoisonError::into_inner);
        while !into.is_empty() {
            let (number, at) = (offset / CHUNK_BYTES, (offset % CHUNK_BYTES) as usize);
            let part = into.len().min(CHUNK_BYTES as usize - at);
            let (now, rest) = into.split_at_mut(part);
            match pieces.get(&number) {
                Some(piece) => now.copy_from_slice(&piece[at..at + part]),
                None => now.fill(0),
            }
            into = rest;
            offset += part as u64;
        }
    }

    pub fn truncate(&self) {
        let mut pieces = self.pieces.write().unwrap_or_else(PoisonError::into_inner);
        self.give_back(pieces.len());
        pieces.clear();
        self.length.store(0, Ordering::Release);
    }

    fn give_back(&self, pieces: usize) {
        self.ledger.taken.fetch_sub(pieces as u64 * CHUNK_BYTES, Ordering::Relaxed);
    }

    pub fn lock_range(&self, handle: u64, from: u64, length: u64) -> Result<(), SinkError> {
        let to = from.saturating_add(length);
        let mut locks = locked(&self.locks);
        if locks.iter().any(|l| l.handle != handle && l.from < to && from < l.to) {
            return Err(SinkError::new(
                FileErrorKind::Locked,
                "somebody else has locked some of these bytes",
            ));
        }
        locks.push(Locked { handle, from, to });
        Ok(())
    }

    pub fn unlock_range(&self, handle: u64, from: u64, length: u64) -> Result<(), SinkError> {
        let to = from.saturating_add(length);
        let mut locks = locked(&self.locks);
        let at = locks.iter().position(|l| (l.handle, l.from, l.to) == (handle, from, to));
        let at = at.ok_or_else(|| SinkError::new(FileErrorKind::Other, "these bytes are not locked"))?;
        locks.swap_remove(at);
        Ok(())
    }

    pub fn unlock_all(&self, handle: u64) {
        locked(&self.locks).retain(|l| l.handle != handle);
    }
}

/// A new piece; not zeroed when it is overwritten completely.
fn fresh(data: &[u8], at: usize) -> Box<[u8]> {
    if data.len() == CHUNK_BYTES as usize {
        return data.into();
    }
    let mut piece = vec![0; CHUNK_BYTES as usize].into_boxed_slice();
    piece[at..at + data.len()].copy_from_slice(data);
    piece
}

impl Drop for FileContent {
    fn drop(&mut self) {
        let pieces = self.pieces.get_mut().unwrap_or_else(PoisonError::into_inner).len();
        self.give_back(pieces);
    }
}

#[derive(Clone)]
pub(super) enum TreeNode {
    Folder,
    File(Arc<FileContent>),
}

impl TreeNode {
    pub fn file_stat(&self) -> FileStatus {
        match self {
            TreeNode::Folder => FileStatus { folder: true, ..FileStatus::default() },
            TreeNode::File(content) => content.file_stat(),
        }
    }
}

#[derive(Default)]
pub(super) struct FileTree(BTreeMap<String, TreeNode>);

pub(super) fn missing(path: &str) -> SinkError {
    SinkError::new(FileErrorKind::NotFound, message!(error_probe_sink_missing { path: quoted(path) }))
}

pub(super) fn exists(path: &str) -> SinkError {
    SinkError::new(FileErrorKind::Exists, message!(error_probe_sink_exists { path: quoted(path) }))
}

pub(super) fn is_folder(path: &str) -> SinkError {
    SinkError::new(FileErrorKind::IsFolder, message!(error_probe_sink_is_folder { path: quoted(path) }))
}

pub(super) fn is_file(path: &str) -> SinkError {
    SinkError::new(FileErrorKind::NotFolder, message!(error_probe_sink_is_file { path: quoted(path) }))
}

fn quoted(path: &str) -> String {
    format!("{path:?}")
}

impl FileTree {
    pub fn get_node(&self, path: &str) -> Result<TreeNode, SinkError> {
        self.find_node(path)?.ok_or_else(|| missing(path))
    }

    /// `None` where its folder does not have it.
    pub fn find_node(&self, path: &str) -> Result<Option<TreeNode>, SinkError> {
        if path.is_empty() {
            return Ok(Some(TreeNode::Folder));
        }
        if let Some(node) = self.0.get(path) {
            return Ok(Some(node.clone()));
        }
        self.above(path).map(|()| None)
    }

    fn above(&self, path: &str) -> Result<(), SinkError> {
        let Some((folder, _)) = path.rsplit_once('/') else { return Ok(()) };
        match self.0.get(folder) {
            Some(TreeNode::Folder) => Ok(()),
            _ => {
                let why = message!(error_probe_sink_missing_folder { path: quoted(folder) });
                Err(SinkError::new(FileErrorKind::PathNotFound, why))
            }
        }
    }

    pub fn add_node(&mut self, path: &str, node: TreeNode) -> Result<(), SinkError> {
        self.above(path)?;
        if path.is_empty() || self.0.contains_key(path) {
            return Err(exists(path));
        }
        if self.0.len() >= MAX_TREE_ENTRIES {
            let why = message!(error_probe_sink_names_full { most: MAX_TREE_ENTRIES.to_string() });
            return Err(SinkError::new(FileErrorKind::Full, why));
        }
        self.0.insert(path.to_string(), node);
        Ok(())
    }

    pub fn remove_file(&mut self, path: &str) -> Result<(), SinkError> {
        match self.get_node(path)? {
            TreeNode::File(_) => drop(self.0.remove(path)),
            TreeNode::Folder => return Err(is_folder(path)),
        }
        Ok(())
    }

    /// The workspace itself stays until the sink ends.
    pub fn remove_folder(&mut self, path: &str) -> Result<(), SinkError> {
        match self.get_node(path)? {
            TreeNode::File(_) => Err(is_file(path)),
            TreeNode::Folder if self.descendants(path).next().is_some() => {
                let why = message!(error_probe_sink_not_empty { path: quoted(path) });
                Err(SinkError::new(FileErrorKind::NotEmpty, why))
            }
            TreeNode::Folder => {
                self.0.remove(path);
                Ok(())
            }
        }
    }

    /// The new name must not exist, nor be below the old one.
    pub fn rename(&mut self, from: &str, to: &str) -> Result<(), SinkError> {
        let node = self.get_node(from)?;
        self.above(to)?;
        let inside = to.strip_prefix(from).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if to.is_empty() || from.is_empty() || (inside && to != from) {
            let why = message!(error_probe_sink_rename { from: quoted(from), to: quoted(to) });
            return Err(SinkError::new(FileErrorKind::Denied, why));
        }
        if self.0.contains_key(to) {
            return Err(exists(to));
        }
        let moved: Vec<String> = self.descendants(from).map(|(name, _)| name.to_string()).collect();
        for old in moved {
            if let Some(node) = self.0.remove(&old) {
                self.0.insert(format!("{to}{}", &old[from.len()..]), node);
            }
        }
        self.0.remove(from);
        self.0.insert(to.to_string(), node);
        Ok(())
    }

    /// All descendants of a folder, by full path.
    pub fn descendants<'a>(
        &'a self,
        folder: &str,
    ) -> impl Iterator<Item = (&'a str, &'a TreeNode)> + use<'a> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let from = self.0.range(prefix.clone()..);
        from.take_while(move |(name, _)| name.starts_with(&prefix)).map(|(name, node)| (name.as_str(), node))
    }
}

//! In-memory sinks: one with a size limit, one that stores only names and lengths.

use super::storage::{SinkError, SinkStorage};
use super::tree::{self, FileContent, FileTree, MemoryBudget, TreeNode};
use crate::locked;
use goodput_model::file::{
    CreateDisposition, DiskSpace, FileErrorKind, FileOpenOptions, FileStatus, FolderEntry,
    WORKSPACE_MARKER_FILE,
};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

pub type DataGeneratorFn = Box<dyn Fn(u64, &mut [u8]) + Send + Sync>;
pub type PatternMatcherFn = fn(&str) -> Box<dyn FnMut(&str) -> bool>;

const ENDLESS: u64 = 1 << 60;
const MARKER_ROOM: u64 = 1 << 20;

pub struct MemorySink {
    /// Generates read data in a sink that stores nothing; `None` stores.
    fill: Option<DataGeneratorFn>,
    matcher: PatternMatcherFn,
    ledger: Arc<MemoryBudget>,
    tree: Mutex<FileTree>,
    open: RwLock<HashMap<u64, TreeNode>>,
    next: AtomicU64,
}

impl MemorySink {
    /// Stores up to `limit` bytes.
    pub fn with_size_limit(limit: u64, matcher: PatternMatcherFn) -> MemorySink {
        MemorySink::new(None, MemoryBudget::new(limit), matcher)
    }

    /// Stores names, lengths and the workspace's marker; `fill` generates other data.
    pub fn with_generated_data(fill: DataGeneratorFn, matcher: PatternMatcherFn) -> MemorySink {
        MemorySink::new(Some(fill), MemoryBudget::new(MARKER_ROOM), matcher)
    }

    fn new(
        fill: Option<DataGeneratorFn>,
        ledger: Arc<MemoryBudget>,
        matcher: PatternMatcherFn,
    ) -> MemorySink {
        let (tree, open) = (Mutex::default(), RwLock::default());
        MemorySink { fill, matcher, ledger, tree, open, next: AtomicU64::new(1) }
    }

    fn node(&self, handle: u64) -> Result<TreeNode, SinkError> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.get(&handle)
            .cloned()
            .ok_or_else(|| SinkError::new(FileErrorKind::Other, "this file is not open"))
    }

    fn file(&self, handle: u64) -> Result<Arc<FileContent>, SinkError> {
        match self.node(handle)? {
            TreeNode::File(content) => Ok(content),
            TreeNode::Folder => Err(SinkError::new(FileErrorKind::IsFolder, "this is a folder")),
        }
    }

    fn reach(&self, path: &str, how: &FileOpenOptions) -> Result<TreeNode, SinkError> {
        let mut tree = locked(&self.tree);
        match (tree.find_node(path)?, how.disposition) {
            (Some(_), CreateDisposition::Create) => Err(tree::exists(path)),
            (Some(TreeNode::Folder), _) if how.file => Err(tree::is_folder(path)),
            (Some(TreeNode::Folder), CreateDisposition::Open | CreateDisposition::OpenIf) => {
                Ok(TreeNode::Folder)
            }
            (Some(TreeNode::Folder), _) => Err(tree::is_folder(path)),
            (Some(TreeNode::File(_)), _) if how.folder => Err(tree::is_file(path)),
            (Some(TreeNode::File(content)), disposition) => {
                if !matches!(disposition, CreateDisposition::Open | CreateDisposition::OpenIf) {
                    content.truncate();
                }
                Ok(TreeNode::File(content))
            }
            (None, CreateDisposition::Open | CreateDisposition::Overwrite) => Err(tree::missing(path)),
            (None, _) => {
                let kept = self.fill.is_none() || path == WORKSPACE_MARKER_FILE;
                let file = || TreeNode::File(FileContent::new(&self.ledger, kept));
                let node = if how.folder { TreeNode::Folder } else { file() };
                tree.add_node(path, node.clone())?;
                Ok(node)
            }
        }
    }
}

impl SinkStorage for MemorySink {
    fn may_wait_for_device(&self) -> bool {
        false
    }

    fn open(&self, path: &str, how: FileOpenOptions) -> Result<u64, SinkError> {
        let node = self.reach(path, &how)?;
        let handle = self.next.fetch_add(1, Ordering::Relaxed);
        self.open.write().unwrap_or_else(PoisonError::into_inner).insert(handle, node);
        Ok(handle)
    }

    fn close(&self, handle: u64) -> Result<(), SinkError> {
        if let TreeNode::File(content) = self.node(handle)? {
            content.unlock_all(handle);
        }
        self.open.write().unwrap_or_else(PoisonError::into_inner).remove(&handle);
        Ok(())
    }

    fn read_at(&self, handle: u64, into: &mut [u8], offset: u64) -> Result<usize, SinkError> {
        let content = self.file(handle)?;
        let there = content.readable_length(into.len(), offset);
        match &self.fill {
            Some(fill) if !content.kept => fill(offset, &mut into[..there]),
            _ => content.read_at(&mut into[..there], offset),
        }
        Ok(there)
    }

    fn write_at(&self, handle: u64, data: &[u8], offset: u64) -> Result<(), SinkError> {
        let content = self.file(handle)?;
        if !content.kept {
            content.extend_length(data.len(), offset);
            return Ok(());
        }
        content.write_at(data, offset)
    }

    fn flush(&self, handle: u64) -> Result<(), SinkError> {
        self.node(handle).map(drop)
    }

    fn stat_path(&self, path: &str) -> Result<FileStatus, SinkError> {
        Ok(locked(&self.tree).get_node(path)?.file_stat())
    }

    fn stat_handle(&self, handle: u64) -> Result<FileStatus, SinkError> {
        Ok(self.node(handle)?.file_stat())
    }

    fn set_times_to_now(&self, handle: u64) -> Result<(), SinkError> {
        self.node(handle).map(drop)
    }

    fn storage_space(&self) -> Result<DiskSpace, SinkError> {
        if self.fill.is_some() {
            return Ok(DiskSpace { total: ENDLESS, free: ENDLESS });
        }
        let limit = self.ledger.limit;
        Ok(DiskSpace { total: limit, free: limit.saturating_sub(self.ledger.used_bytes()) })
    }

    fn list_matching_entries(
        &self,
        folder: &str,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<FolderEntry>, SinkError> {
        let tree = locked(&self.tree);
        if !matches!(tree.get_node(folder)?, TreeNode::Folder) {
            return Err(tree::is_file(folder));
        }
        let skip = if folder.is_empty() { 0 } else { folder.len() + 1 };
        let mut matches = (self.matcher)(pattern);
        let here = tree.descendants(folder).filter_map(|(path, node)| {
            let name = &path[skip..];
            (!name.contains('/') && matches(name))
                .then(|| FolderEntry { name: name.to_string(), status: node.file_stat() })
        });
        Ok(here.take(most.unwrap_or(usize::MAX)).collect())
    }

    fn make_folder(&self, path: &str) -> Result<(), SinkError> {
        locked(&self.tree).add_node(path, TreeNode::Folder)
    }

    fn remove_folder(&self, path: &str) -> Result<(), SinkError> {
        locked(&self.tree).remove_folder(path)
    }

    fn remove_file(&self, path: &str) -> Result<(), SinkError> {
        locked(&self.tree).remove_file(path)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), SinkError> {
        locked(&self.tree).rename(from, to)
    }

    fn lock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkError> {
        self.file(handle)?.lock_range(handle, offset, length)
    }

    fn unlock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkError> {
        self.file(handle)?.unlock_range(handle, offset, length)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::CHUNK_BYTES;
    use super::*;

    fn matcher(pattern: &str) -> Box<dyn FnMut(&str) -> bool> {
        let end = pattern.trim_start_matches('*').to_string();
        Box::new(move |name| name.ends_with(&end))
    }

    fn how(disposition: CreateDisposition) -> FileOpenOptions {
        FileOpenOptions { disposition, folder: false, file: true, read_only: false, direct: false }
    }

    fn code<T: std::fmt::Debug>(result: Result<T, SinkError>) -> FileErrorKind {
        result.unwrap_err().code
    }

    /// With an open file `a`.
    fn memory_with_file(limit: u64) -> (MemorySink, u64) {
        let memory = MemorySink::with_size_limit(limit, matcher);
        let file = memory.open("a", how(CreateDisposition::Create)).unwrap();
        (memory, file)
    }

    #[test]
    fn what_is_written_is_read_and_memory_is_given_back() {
        let (memory, file) = memory_with_file(4 * CHUNK_BYTES);
        let data: Vec<u8> = (0..2 * CHUNK_BYTES as usize).map(|i| (i * 7 % 251) as u8).collect();
        memory.write_at(file, &data, 100).unwrap();
        let mut back = vec![9; data.len() + 500];
        assert_eq!(memory.read_at(file, &mut back, 0).unwrap(), data.len() + 100);
        assert!(back[..100].iter().all(|b| *b == 0) && back[100..100 + data.len()] == data[..]);
        assert_eq!(memory.read_at(file, &mut back, 1 << 40).unwrap(), 0);
        assert_eq!(memory.storage_space().unwrap().free, CHUNK_BYTES);
        let full = memory.write_at(file, &data, 3 * CHUNK_BYTES).unwrap_err();
        assert!(full.code == FileErrorKind::Full && full.why.contains("HOST:disk"), "{full:?}");
        memory.remove_file("a").unwrap();
        let length = memory.stat_handle(file).unwrap().length;
        assert_eq!(length, data.len() as u64 + 100, "as long as it is open");
        memory.close(file).unwrap();
        assert_eq!(memory.storage_space().unwrap().free, 4 * CHUNK_BYTES);
        assert_eq!(code(memory.read_at(file, &mut back, 0)), FileErrorKind::Other);

        let (memory, file) = memory_with_file(CHUNK_BYTES);
        memory.write_at(file, b"x", 1 << 50).unwrap();
        assert_eq!(memory.stat_path("a").unwrap().length, (1 << 50) + 1);
        assert_eq!(memory.storage_space().unwrap().free, 0, "a write far away takes only what it writes");
    }

    #[test]
    fn dispositions_and_kinds() {
        use CreateDisposition::{Create, Open, OpenIf, Overwrite};
        let memory = MemorySink::with_size_limit(1 << 20, matcher);
        let open = |path, disposition| memory.open(path, how(disposition));
        let length = || memory.stat_path("d/a").unwrap().length;
        assert_eq!(code(open("a", Open)), FileErrorKind::NotFound);
        assert_eq!(code(open("d/a", OpenIf)), FileErrorKind::PathNotFound);
        memory.make_folder("d").unwrap();
        assert_eq!(code(memory.make_folder("d")), FileErrorKind::Exists);
        memory.write_at(open("d/a", OpenIf).unwrap(), b"abc", 0).unwrap();
        assert_eq!(code(open("d/a", Create)), FileErrorKind::Exists);
        assert_eq!(code(open("d", Open)), FileErrorKind::IsFolder);
        for (disposition, expected) in [(Open, 3), (Overwrite, 0)] {
            open("d/a", disposition).unwrap();
            assert_eq!(length(), expected);
        }
        assert_eq!(code(memory.remove_folder("d")), FileErrorKind::NotEmpty);
        assert_eq!(code(memory.remove_file("d")), FileErrorKind::IsFolder);
    }

    #[test]
    fn folders_are_renamed_with_all_that_is_below() {
        let memory = MemorySink::with_size_limit(1 << 20, matcher);
        for folder in ["d", "d/e", "d2"] {
            memory.make_folder(folder).unwrap();
        }
        for file in ["d/e/x.txt", "d/y.doc"] {
            memory.open(file, how(CreateDisposition::Create)).unwrap();
        }
        assert_eq!(code(memory.rename("d", "d2")), FileErrorKind::Exists);
        assert_eq!(code(memory.rename("d", "d/e/f")), FileErrorKind::Denied);
        memory.rename("d", "f").unwrap();
        let names = |folder, pattern| {
            let found = memory.list_matching_entries(folder, pattern, None).unwrap();
            found.into_iter().map(|entry| entry.name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!([names("", "*"), names("f", "*")], ["d2 f", "e y.doc"]);
        assert_eq!([names("f/e", "*.txt"), names("f", "*.txt")], ["x.txt", ""]);
        assert_eq!(memory.list_matching_entries("f", "*", Some(1)).unwrap().len(), 1);
        assert_eq!(code(memory.stat_path("d/y.doc")), FileErrorKind::PathNotFound);
    }

    #[test]
    fn locks_are_of_one_handle_and_go_with_it() {
        let (memory, a) = memory_with_file(1 << 20);
        let b = memory.open("a", how(CreateDisposition::Open)).unwrap();
        memory.lock_range(a, 0, 10).unwrap();
        assert_eq!(code(memory.lock_range(b, 9, 1)), FileErrorKind::Locked);
        memory.lock_range(b, 10, 1).unwrap();
        assert_eq!(code(memory.unlock_range(b, 0, 10)), FileErrorKind::Other);
        memory.close(a).unwrap();
        memory.lock_range(b, 0, 10).unwrap();
    }

    #[test]
    fn nothing_is_kept_by_null_but_lengths_and_what_is_read_is_made_up() {
        let fill: DataGeneratorFn = Box::new(|offset, into| {
            into.iter_mut().zip(offset..).for_each(|(byte, at)| *byte = at as u8);
        });
        let null = MemorySink::with_generated_data(fill, matcher);
        let file = null.open("a", how(CreateDisposition::Create)).unwrap();
        null.write_at(file, &[7; 1000], 0).unwrap();
        let mut back = [0; 2000];
        assert_eq!((null.read_at(file, &mut back, 990).unwrap(), &back[..3]), (10, &[222, 223, 224][..]));
        assert_eq!(null.stat_path("a").unwrap().length, 1000);
        let marker = null.open(WORKSPACE_MARKER_FILE, how(CreateDisposition::Create)).unwrap();
        null.write_at(marker, b"ours", 0).unwrap();
        assert_eq!((null.read_at(marker, &mut back, 0).unwrap(), &back[..4]), (4, &b"ours"[..]));
    }
}

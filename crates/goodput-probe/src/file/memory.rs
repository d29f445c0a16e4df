//! In-memory sinks: one with a size limit, one that stores only names and lengths.

use super::storage::{Code, Fault, How, Named, Room, SinkStorage, Stat};
use super::tree::{FileContent, Ledger, Node, Tree};
use goodput_model::file::{CreateDisposition, WORKSPACE_MARKER_FILE};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

pub type Fill = Box<dyn Fn(u64, &mut [u8]) + Send + Sync>;
pub type Matcher = fn(&str) -> Box<dyn FnMut(&str) -> bool>;

const ENDLESS: u64 = 1 << 60;
const MARKER_ROOM: u64 = 1 << 20;

pub struct Memory {
    /// Generates read data in a sink that stores nothing; `None` stores.
    fill: Option<Fill>,
    matcher: Matcher,
    ledger: Arc<Ledger>,
    tree: Mutex<Tree>,
    open: RwLock<HashMap<u64, Node>>,
    next: AtomicU64,
}

impl Memory {
    /// Stores up to `limit` bytes.
    pub fn keeping(limit: u64, matcher: Matcher) -> Memory {
        Memory::new(None, Ledger::new(limit), matcher)
    }

    /// Stores names, lengths and the workspace's marker; `fill` generates other data.
    pub fn null(fill: Fill, matcher: Matcher) -> Memory {
        Memory::new(Some(fill), Ledger::new(MARKER_ROOM), matcher)
    }

    fn new(fill: Option<Fill>, ledger: Arc<Ledger>, matcher: Matcher) -> Memory {
        let (tree, open) = (Mutex::default(), RwLock::default());
        Memory { fill, matcher, ledger, tree, open, next: AtomicU64::new(1) }
    }

    fn tree(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn node(&self, handle: u64) -> Result<Node, Fault> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.get(&handle).cloned().ok_or_else(|| Fault::new(Code::Other, "this file is not open"))
    }

    fn file(&self, handle: u64) -> Result<Arc<FileContent>, Fault> {
        match self.node(handle)? {
            Node::File(content) => Ok(content),
            Node::Folder => Err(Fault::new(Code::IsFolder, "this is a folder")),
        }
    }

    fn reach(&self, path: &str, how: &How) -> Result<Node, Fault> {
        let mut tree = self.tree();
        let found = tree.get(path);
        let exists = || Fault::new(Code::Exists, format!("{path:?} exists"));
        match (found, how.disposition) {
            (Ok(_), CreateDisposition::Create) => Err(exists()),
            (Ok(Node::Folder), _) if how.file => {
                Err(Fault::new(Code::IsFolder, format!("{path:?} is a folder")))
            }
            (Ok(Node::Folder), CreateDisposition::Open | CreateDisposition::OpenIf) => Ok(Node::Folder),
            (Ok(Node::Folder), _) => Err(Fault::new(Code::IsFolder, format!("{path:?} is a folder"))),
            (Ok(Node::File(_)), _) if how.folder => {
                Err(Fault::new(Code::NotFolder, format!("{path:?} is a file")))
            }
            (Ok(Node::File(content)), disposition) => {
                if !matches!(disposition, CreateDisposition::Open | CreateDisposition::OpenIf) {
                    content.empty();
                }
                Ok(Node::File(content))
            }
            (Err(e), CreateDisposition::Open | CreateDisposition::Overwrite) => Err(e),
            (Err(e), _) if e.code != Code::NotFound => Err(e),
            (Err(_), _) => {
                let kept = self.fill.is_none() || path == WORKSPACE_MARKER_FILE;
                let file = || Node::File(FileContent::new(&self.ledger, kept));
                let node = if how.folder { Node::Folder } else { file() };
                tree.add(path, node.clone())?;
                Ok(node)
            }
        }
    }
}

impl SinkStorage for Memory {
    fn waits(&self) -> bool {
        false
    }

    fn open(&self, path: &str, how: How) -> Result<u64, Fault> {
        let node = self.reach(path, &how)?;
        let handle = self.next.fetch_add(1, Ordering::Relaxed);
        self.open.write().unwrap_or_else(PoisonError::into_inner).insert(handle, node);
        Ok(handle)
    }

    fn close(&self, handle: u64) -> Result<(), Fault> {
        if let Node::File(content) = self.node(handle)? {
            content.unlock_all(handle);
        }
        self.open.write().unwrap_or_else(PoisonError::into_inner).remove(&handle);
        Ok(())
    }

    fn read_at(&self, handle: u64, into: &mut [u8], offset: u64) -> Result<usize, Fault> {
        let content = self.file(handle)?;
        let there = content.within(into.len(), offset);
        match &self.fill {
            Some(fill) if !content.kept => fill(offset, &mut into[..there]),
            _ => content.read(&mut into[..there], offset),
        }
        Ok(there)
    }

    fn write_at(&self, handle: u64, data: &[u8], offset: u64) -> Result<(), Fault> {
        let content = self.file(handle)?;
        if !content.kept {
            content.note(data.len(), offset);
            return Ok(());
        }
        content.write(data, offset)
    }

    fn flush(&self, handle: u64) -> Result<(), Fault> {
        self.node(handle).map(drop)
    }

    fn query(&self, path: &str) -> Result<Stat, Fault> {
        Ok(self.tree().get(path)?.stat())
    }

    fn query_open(&self, handle: u64) -> Result<Stat, Fault> {
        Ok(self.node(handle)?.stat())
    }

    fn touch(&self, handle: u64) -> Result<(), Fault> {
        self.node(handle).map(drop)
    }

    fn room(&self) -> Result<Room, Fault> {
        if self.fill.is_some() {
            return Ok(Room { total: ENDLESS, free: ENDLESS });
        }
        let limit = self.ledger.limit;
        Ok(Room { total: limit, free: limit.saturating_sub(self.ledger.taken()) })
    }

    fn find(&self, folder: &str, pattern: &str, most: Option<usize>) -> Result<Vec<Named>, Fault> {
        let tree = self.tree();
        if !matches!(tree.get(folder)?, Node::Folder) {
            return Err(Fault::new(Code::NotFolder, format!("{folder:?} is a file")));
        }
        let skip = if folder.is_empty() { 0 } else { folder.len() + 1 };
        let mut matches = (self.matcher)(pattern);
        let here = tree.below(folder).filter_map(|(path, node)| {
            let name = &path[skip..];
            (!name.contains('/') && matches(name))
                .then(|| Named { name: name.to_string(), stat: node.stat() })
        });
        Ok(here.take(most.unwrap_or(usize::MAX)).collect())
    }

    fn make_folder(&self, path: &str) -> Result<(), Fault> {
        self.tree().add(path, Node::Folder)
    }

    fn remove_folder(&self, path: &str) -> Result<(), Fault> {
        self.tree().remove_folder(path)
    }

    fn remove_file(&self, path: &str) -> Result<(), Fault> {
        self.tree().remove_file(path)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Fault> {
        self.tree().rename(from, to)
    }

    fn lock(&self, handle: u64, offset: u64, length: u64) -> Result<(), Fault> {
        self.file(handle)?.lock(handle, offset, length)
    }

    fn unlock(&self, handle: u64, offset: u64, length: u64) -> Result<(), Fault> {
        self.file(handle)?.unlock(handle, offset, length)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::PIECE;
    use super::*;

    fn matcher(pattern: &str) -> Box<dyn FnMut(&str) -> bool> {
        let end = pattern.trim_start_matches('*').to_string();
        Box::new(move |name| name.ends_with(&end))
    }

    fn how(disposition: CreateDisposition) -> How {
        How { disposition, folder: false, file: true, read_only: false, direct: false }
    }

    fn code<T: std::fmt::Debug>(result: Result<T, Fault>) -> Code {
        result.unwrap_err().code
    }

    #[test]
    fn what_is_written_is_read_and_memory_is_given_back() {
        let memory = Memory::keeping(4 * PIECE, matcher);
        let file = memory.open("a", how(CreateDisposition::Create)).unwrap();
        let data: Vec<u8> = (0..2 * PIECE as usize).map(|i| (i * 7 % 251) as u8).collect();
        memory.write_at(file, &data, 100).unwrap();
        let mut back = vec![9; data.len() + 500];
        assert_eq!(memory.read_at(file, &mut back, 0).unwrap(), data.len() + 100);
        assert!(back[..100].iter().all(|b| *b == 0) && back[100..100 + data.len()] == data[..]);
        assert_eq!(memory.read_at(file, &mut back, 1 << 40).unwrap(), 0);
        assert_eq!(memory.room().unwrap().free, PIECE);
        let full = memory.write_at(file, &data, 3 * PIECE).unwrap_err();
        assert!(full.code == Code::Full && full.why.contains("HOST:disk"), "{full:?}");
        memory.remove_file("a").unwrap();
        assert_eq!(memory.query_open(file).unwrap().length, data.len() as u64 + 100, "as long as it is open");
        memory.close(file).unwrap();
        assert_eq!(memory.room().unwrap().free, 4 * PIECE);
        assert_eq!(code(memory.read_at(file, &mut back, 0)), Code::Other);
    }

    #[test]
    fn a_write_far_away_takes_only_what_it_writes() {
        let memory = Memory::keeping(PIECE, matcher);
        let file = memory.open("a", how(CreateDisposition::Create)).unwrap();
        memory.write_at(file, b"x", 1 << 50).unwrap();
        assert_eq!(memory.query("a").unwrap().length, (1 << 50) + 1);
        assert_eq!(memory.room().unwrap().free, 0);
    }

    #[test]
    fn dispositions_and_kinds() {
        let memory = Memory::keeping(1 << 20, matcher);
        assert_eq!(code(memory.open("a", how(CreateDisposition::Open))), Code::NotFound);
        assert_eq!(code(memory.open("d/a", how(CreateDisposition::OpenIf))), Code::PathNotFound);
        memory.make_folder("d").unwrap();
        assert_eq!(code(memory.make_folder("d")), Code::Exists);
        let file = memory.open("d/a", how(CreateDisposition::OpenIf)).unwrap();
        memory.write_at(file, b"abc", 0).unwrap();
        assert_eq!(code(memory.open("d/a", how(CreateDisposition::Create))), Code::Exists);
        assert_eq!(code(memory.open("d", how(CreateDisposition::Open))), Code::IsFolder);
        memory.open("d/a", how(CreateDisposition::Open)).unwrap();
        assert_eq!(memory.query("d/a").unwrap().length, 3);
        memory.open("d/a", how(CreateDisposition::Overwrite)).unwrap();
        assert_eq!(memory.query("d/a").unwrap().length, 0);
        assert_eq!(code(memory.remove_folder("d")), Code::NotEmpty);
        assert_eq!(code(memory.remove_file("d")), Code::IsFolder);
    }

    #[test]
    fn folders_are_renamed_with_all_that_is_below() {
        let memory = Memory::keeping(1 << 20, matcher);
        for folder in ["d", "d/e", "d2"] {
            memory.make_folder(folder).unwrap();
        }
        memory.open("d/e/x.txt", how(CreateDisposition::Create)).unwrap();
        memory.open("d/y.doc", how(CreateDisposition::Create)).unwrap();
        assert_eq!(code(memory.rename("d", "d2")), Code::Exists);
        assert_eq!(code(memory.rename("d", "d/e/f")), Code::Denied);
        memory.rename("d", "f").unwrap();
        let names = |folder: &str, pattern: &str| -> Vec<String> {
            memory.find(folder, pattern, None).unwrap().into_iter().map(|n| n.name).collect()
        };
        assert_eq!(
            (names("", "*"), names("f", "*")),
            (vec!["d2".into(), "f".into()], vec!["e".into(), "y.doc".into()])
        );
        assert_eq!((names("f/e", "*.txt").len(), names("f", "*.txt").len()), (1, 0));
        assert_eq!(memory.find("f", "*", Some(1)).unwrap().len(), 1);
        assert_eq!(code(memory.query("d/y.doc")), Code::PathNotFound);
    }

    #[test]
    fn locks_are_of_one_handle_and_go_with_it() {
        let memory = Memory::keeping(1 << 20, matcher);
        let (a, b) = (
            memory.open("a", how(CreateDisposition::OpenIf)),
            memory.open("a", how(CreateDisposition::OpenIf)),
        );
        let (a, b) = (a.unwrap(), b.unwrap());
        memory.lock(a, 0, 10).unwrap();
        assert_eq!(code(memory.lock(b, 9, 1)), Code::Locked);
        memory.lock(b, 10, 1).unwrap();
        assert_eq!(code(memory.unlock(b, 0, 10)), Code::Other);
        memory.close(a).unwrap();
        memory.lock(b, 0, 10).unwrap();
    }

    #[test]
    fn nothing_is_kept_by_null_but_lengths_and_what_is_read_is_made_up() {
        let fill: Fill = Box::new(|offset, into| {
            into.iter_mut().zip(offset..).for_each(|(byte, at)| *byte = at as u8);
        });
        let null = Memory::null(fill, matcher);
        let file = null.open("a", how(CreateDisposition::Create)).unwrap();
        null.write_at(file, &[7; 1000], 0).unwrap();
        let mut back = [0; 2000];
        assert_eq!(null.read_at(file, &mut back, 990).unwrap(), 10);
        assert_eq!(back[..3], [222, 223, 224]);
        assert_eq!(null.query("a").unwrap().length, 1000);
        let marker = null.open(WORKSPACE_MARKER_FILE, how(CreateDisposition::Create)).unwrap();
        null.write_at(marker, b"ours", 0).unwrap();
        assert_eq!((null.read_at(marker, &mut back, 0).unwrap(), &back[..4]), (4, &b"ours"[..]));
    }
}

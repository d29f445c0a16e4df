//! Keeps in-memory sinks between trials, until the workspace is removed or unused for [`SINK_EXPIRY`].

use super::convert_errors::to_file_error;
use super::storage::{incompressible_fill, smb_pattern_matcher};
use crate::locked;
use goodput_file::workspace::WorkspaceMarker;
use goodput_file::{FileError, FileErrorKind, FileOpenOptions};
use goodput_model::file::WORKSPACE_MARKER_FILE;
use goodput_probe::file::{MemorySink, SinkError, SinkStorage};
use goodput_words::message;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// Idle time after which an abandoned sink is freed.
const SINK_EXPIRY: Duration = Duration::from_secs(600);
const POLL_INTERVAL: Duration = Duration::from_secs(15);
/// Assumed where the kernel does not report available memory.
const SPARE: u64 = 1 << 30;

#[derive(Default)]
pub(crate) struct SinkStore(Arc<Mutex<State>>);

/// Workspaces of one run at several places share a name.
type Key = (String, SinkKind);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SinkKind {
    Null,
    Memory,
}

#[derive(Default)]
struct State {
    kept: HashMap<Key, StoredSink>,
    sweeping: bool,
}

struct StoredSink {
    memory: Arc<MemorySink>,
    used: Instant,
}

impl SinkStore {
    /// Fails with [`FileErrorKind::Exists`].
    pub fn create(&self, workspace: &str, kind: SinkKind) -> Result<Arc<MemorySink>, FileError> {
        let mut state = locked(&self.0);
        state.sweep();
        let key = (workspace.to_string(), kind);
        if state.kept.contains_key(&key) {
            let what = message!(part_sink_make_in_memory { workspace });
            return Err(FileError::with_reason(what, FileErrorKind::Exists, "it already exists"));
        }
        let memory = match kind {
            SinkKind::Memory => MemorySink::with_size_limit(spare() / 2, smb_pattern_matcher),
            SinkKind::Null => MemorySink::with_generated_data(incompressible_fill(), smb_pattern_matcher),
        };
        mark(&memory, workspace)?;
        let memory = Arc::new(memory);
        state.kept.insert(key, StoredSink { memory: memory.clone(), used: Instant::now() });
        self.sweep_later(&mut state);
        Ok(memory)
    }

    /// Fails with [`FileErrorKind::NotFound`].
    pub fn get(&self, workspace: &str, kind: SinkKind) -> Result<Arc<MemorySink>, FileError> {
        let mut state = locked(&self.0);
        let kept = state.kept.get_mut(&(workspace.to_string(), kind));
        let kept = kept.ok_or_else(|| {
            let why = "this agent does not have it (any more): it keeps it until it ends, or for ten minutes after the \
                       last trial";
            let what = message!(part_sink_open_in_memory { workspace });
            FileError::with_reason(what, FileErrorKind::NotFound, why)
        })?;
        kept.used = Instant::now();
        Ok(kept.memory.clone())
    }

    pub fn remove(&self, workspace: &str, kind: SinkKind) {
        locked(&self.0).kept.remove(&(workspace.to_string(), kind));
    }

    /// Frees memory even without another trial. Without a thread, the next trial frees it.
    fn sweep_later(&self, state: &mut State) {
        if state.sweeping {
            return;
        }
        let sink_store: Weak<Mutex<State>> = Arc::downgrade(&self.0);
        let sweep = move || {
            while let Some(sink_store) = sink_store.upgrade() {
                let mut state = locked(&sink_store);
                state.sweep();
                state.sweeping = !state.kept.is_empty();
                if !state.sweeping {
                    return;
                }
                drop(state);
                drop(sink_store);
                thread::sleep(POLL_INTERVAL);
            }
        };
        state.sweeping = thread::Builder::new().name("goodput-shelf".into()).spawn(sweep).is_ok();
    }
}

impl State {
    /// Sinks of a running trial are kept.
    fn sweep(&mut self) {
        self.kept.retain(|_, kept| {
            if Arc::strong_count(&kept.memory) > 1 {
                kept.used = Instant::now();
            }
            kept.used.elapsed() < SINK_EXPIRY
        });
    }
}

/// Writes the ownership marker, the same as in a folder, because the same work removes both.
fn mark(memory: &MemorySink, workspace: &str) -> Result<(), FileError> {
    let text = WorkspaceMarker::for_this_process(workspace).to_json()?;
    let written = memory.open(WORKSPACE_MARKER_FILE, FileOpenOptions::NEW_FILE).and_then(|file| {
        memory.write_at(file, text.as_bytes(), 0)?;
        memory.close(file)
    });
    written.map_err(|e: SinkError| to_file_error(message!(part_sink_mark { workspace }), e))
}

/// Available memory (proc_meminfo(5), MemAvailable).
fn spare() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    available(&text).unwrap_or(SPARE)
}

fn available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6";

    #[test]
    fn a_workspace_is_made_once_found_again_and_forgotten() {
        for (kind, other) in [(SinkKind::Memory, SinkKind::Null), (SinkKind::Null, SinkKind::Memory)] {
            let sink_store = SinkStore::default();
            assert_eq!(sink_store.get(NAME, kind).err().unwrap().trouble, FileErrorKind::NotFound);
            let made = sink_store.create(NAME, kind).unwrap();
            assert_eq!(sink_store.create(NAME, kind).err().unwrap().trouble, FileErrorKind::Exists);
            assert!(Arc::ptr_eq(&made, &sink_store.get(NAME, kind).unwrap()));
            // The same name at another place.
            assert_eq!(sink_store.get(NAME, other).err().unwrap().trouble, FileErrorKind::NotFound);
            sink_store.create(NAME, other).unwrap();
            // The marker is kept even where data is not.
            let open = FileOpenOptions::EXISTING_FILE;
            let mut text = vec![0; 4096];
            let read = made.read_at(made.open(WORKSPACE_MARKER_FILE, open).unwrap(), &mut text, 0).unwrap();
            assert!(String::from_utf8_lossy(&text[..read]).contains(NAME));
            sink_store.remove(NAME, kind);
            assert!(sink_store.get(NAME, kind).is_err() && sink_store.get(NAME, other).is_ok());
        }
    }

    #[test]
    fn what_the_kernel_says_of_memory_is_read() {
        let text = "MemTotal:        4000 kB\nMemFree:  1 kB\nMemAvailable:    3000 kB\n";
        assert_eq!(available(text), Some(3_072_000));
        assert_eq!(available("MemTotal: 1 kB"), None);
        assert!(spare() > 1 << 20);
    }
}

//! Table of a share's open files.

use crate::{ErrorText, FileError, FileErrorKind, FileHandle, attempt};
use std::sync::{Arc, PoisonError, RwLock};

/// A handle consists of slot and generation, so a stale handle does not refer to a newer file.
#[derive(Debug)]
pub(crate) struct OpenFileTable<T>(RwLock<Table<T>>);

#[derive(Debug)]
struct Table<T> {
    places: Vec<(u32, Option<Arc<T>>)>,
    free: Vec<u32>,
}

impl<T> OpenFileTable<T> {
    pub(crate) fn new() -> Self {
        Self(RwLock::new(Table { places: Vec::new(), free: Vec::new() }))
    }

    pub(crate) fn add(&self, file: T) -> FileHandle {
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let file = Some(Arc::new(file));
        let at = match table.free.pop() {
            Some(at) => {
                let place = &mut table.places[at as usize];
                *place = (place.0.wrapping_add(1), file);
                at
            }
            None => {
                table.places.push((0, file));
                (table.places.len() - 1) as u32
            }
        };
        FileHandle(u64::from(table.places[at as usize].0) << 32 | u64::from(at))
    }

    pub(crate) fn get(&self, handle: FileHandle) -> Result<Arc<T>, FileError> {
        let table = self.0.read().unwrap_or_else(PoisonError::into_inner);
        match table.places.get(handle.0 as u32 as usize) {
            Some((times, Some(file))) if u64::from(*times) == handle.0 >> 32 => Ok(file.clone()),
            _ => Err(unknown(handle)),
        }
    }

    pub(crate) fn remove(&self, handle: FileHandle) -> Result<Arc<T>, FileError> {
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let at = handle.0 as u32;
        let file = match table.places.get_mut(at as usize) {
            Some((times, file)) if u64::from(*times) == handle.0 >> 32 => file.take(),
            _ => None,
        };
        let file = file.ok_or_else(|| unknown(handle))?;
        table.free.push(at);
        Ok(file)
    }
}

fn unknown(handle: FileHandle) -> FileError {
    let why = "no file is open under this number";
    let what = ErrorText::of(attempt::use_handle, format!("{:#x}", handle.0));
    FileError::with_reason(what, FileErrorKind::Other, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_handle_is_not_its_successor() {
        let files = OpenFileTable::new();
        let [first, other] = ["a", "b"].map(|name| files.add(name));
        assert_eq!(*files.get(first).unwrap(), "a");
        files.remove(first).unwrap();
        let next = files.add("c");
        assert_ne!(first, next);
        assert_eq!((first.0 as u32, *files.get(next).unwrap()), (next.0 as u32, "c"));
        for stale in [first, FileHandle(99), FileHandle(u64::MAX)] {
            assert!(files.get(stale).is_err() && files.remove(stale).is_err());
        }
        assert_eq!(*files.get(other).unwrap(), "b");
    }
}

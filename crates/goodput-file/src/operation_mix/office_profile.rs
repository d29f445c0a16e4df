//! The built-in office profile, generated from a seed. The same seed always gives the same load.
//!
//! A player first makes its folders and about 14 MB of files: 24 documents (20 to 200 KB), 16 sheets (10 to 120 KB),
//! 6 presentations (200 to 900 KB), a mail store (4 MB), 16 notes (up to 8 KB). Then it does 1,000 things, drawn at random:
//!
//! | of 100 | what | calls |
//! |---:|---|---|
//! | 24 | looks into a folder | query of the folder, a look for its settings (not there), one or two listings, queries of 2 to 6 files |
//! | 24 | opens a file | queries, a look for the owner's lock (not there), open, head, then all of it in 60 KiB reads or 3 to 8 reads of 4 KiB here and there, close |
//! | 8 | looks for what is not there | query and open that fail |
//! | 14 | saves a document | a look for the owner's lock (not there), writes a temporary file in pieces up to 60 KiB, flush, times, close; the old one is renamed, the new one takes its name, the old one is removed |
//! | 16 | works in the mail store | open, lock, 5 to 12 reads of 4 KiB, 1 to 4 writes of 512 B to 4 KiB, flush, unlock, close |
//! | 8 | writes a note and removes another | create, one small write, times, close, query, remove |
//! | 4 | copies a file | reads and writes in turn, close, close |
//! | 2 | asks for the free space | query of the file system |
//!
//! At the end all of it is removed. About six calls of ten carry no data, and about one of eleven is meant to fail, which is
//! the shape of the captures of office programs that dbench plays (64 of 100 and 13 of 100 in the one it comes with); sizes
//! are those that such programs use: 4 KiB and 60 KiB, small odd ones at the beginning of files.

use goodput_analysis::random::SplitMix64;
use goodput_model::file::{
    CreateDisposition, CreateOptions, DbenchLoadFile, ExpectedOpStatus, FileOp, ScheduledFileOp,
};
use std::collections::HashMap;

const OFFICE_OPERATIONS: usize = 1_000;
const CHUNK: u32 = 61_440;
const PAGE: u32 = 4_096;
const MAIL: u32 = 4 << 20;
const NOTES: usize = 32;

const MISSING: ExpectedOpStatus = ExpectedOpStatus::Status(0xC000_0034);
const FOLDER: CreateOptions = CreateOptions(0x1);
const FILE: CreateOptions = CreateOptions(0x40);

/// Information levels (MS-FSCC): basic, all, and the directory listing.
const BASIC: u32 = 1_004;
const ALL: u32 = 1_018;
const LISTING: u32 = 260;
const SIZE: u32 = 1_003;

pub fn generate_office_load(seed: u64) -> DbenchLoadFile {
    let mut day = OfficeSession::new(seed);
    day.make();
    for _ in 0..OFFICE_OPERATIONS {
        day.deed();
    }
    let root = day.path(HOME);
    day.well(FileOp::Deltree { path: root });
    day.load
}

const HOME: &str = "clients/client1";

#[derive(Clone)]
struct OfficeDocument {
    folder: &'static str,
    name: String,
    size: u32,
}

impl OfficeDocument {
    fn path(&self) -> String {
        format!("{HOME}/{}/{}", self.folder, self.name)
    }
}

struct OfficeSession {
    random: SplitMix64,
    load: DbenchLoadFile,
    known: HashMap<String, u32>,
    papers: Vec<OfficeDocument>,
    notes: [bool; NOTES],
    open: Vec<bool>,
}

const FOLDERS: [(&str, &str); 5] =
    [("Documents", "doc"), ("Sheets", "xls"), ("Slides", "ppt"), ("Notes", "txt"), ("Mail", "pst")];

impl OfficeSession {
    fn new(seed: u64) -> OfficeSession {
        OfficeSession {
            random: SplitMix64::new(seed),
            load: DbenchLoadFile::default(),
            known: HashMap::new(),
            papers: Vec::new(),
            notes: [false; NOTES],
            open: Vec::new(),
        }
    }

    fn make(&mut self) {
        self.folder("clients", CreateDisposition::OpenIf);
        self.folder(HOME, CreateDisposition::Create);
        for (folder, _) in FOLDERS {
            self.folder(&format!("{HOME}/{folder}"), CreateDisposition::Create);
        }
        for (folder, count, least, most) in [
            ("Documents", 24, 20_000, 200_000),
            ("Sheets", 16, 10_000, 120_000),
            ("Slides", 6, 200_000, 900_000),
        ] {
            let kind = FOLDERS.iter().find(|(name, _)| *name == folder).map_or("", |(_, kind)| kind);
            for number in 1..=count {
                let size = self.between(least, most);
                let paper = OfficeDocument {
                    folder,
                    name: format!("{} {number:02}.{kind}", &folder[..folder.len() - 1]),
                    size,
                };
                self.write_whole(&paper.path(), size, false);
                self.papers.push(paper);
            }
        }
        self.write_whole(&format!("{HOME}/Mail/store.pst"), MAIL, true);
        for number in 0..NOTES / 2 {
            self.write_note(number);
        }
    }

    fn deed(&mut self) {
        match self.random.next_below(100) {
            0..24 => self.browse(),
            24..48 => self.read_paper(),
            48..56 => self.miss(),
            56..70 => self.save(),
            70..86 => self.mail(),
            86..94 => self.note(),
            94..98 => self.copy(),
            _ => self.well(FileOp::QueryFs { level: SIZE }),
        }
    }

    fn browse(&mut self) {
        let (folder, kind) = FOLDERS[self.random.next_below(FOLDERS.len())];
        self.query(&format!("{HOME}/{folder}"), BASIC, ExpectedOpStatus::Success);
        self.query(&format!("{HOME}/{folder}/desktop.ini"), BASIC, MISSING);
        let there = self.there(folder);
        // A listing includes `.` and `..`.
        self.find(&format!("{HOME}/{folder}/*"), there.len() as u32 + 2);
        if self.random.next_below(2) == 0 {
            self.find(&format!("{HOME}/{folder}/*.{kind}"), there.len() as u32);
        }
        for _ in 0..self.between(2, 6) {
            let path = there[self.random.next_below(there.len())].clone();
            self.query(&path, ALL, ExpectedOpStatus::Success);
        }
    }

    fn read_paper(&mut self) {
        let paper = self.papers[self.random.next_below(self.papers.len())].clone();
        let path = paper.path();
        self.query(&path, BASIC, ExpectedOpStatus::Success);
        self.look_for_owner(&paper);
        let handle = self.create(&path, FILE, CreateDisposition::Open, ExpectedOpStatus::Success);
        self.well(FileOp::QueryFile { handle, level: ALL });
        self.read(handle, 0, 512, paper.size);
        if self.random.next_below(2) == 0 {
            self.read_from(handle, 0, paper.size);
        } else {
            for _ in 0..self.between(3, 8) {
                let page = self.random.next_below((paper.size / PAGE) as usize + 1) as u32;
                self.read(handle, page * PAGE, PAGE, paper.size);
            }
        }
        self.close(handle);
    }

    /// Looks for the lock file of an open document; there is none.
    fn look_for_owner(&mut self, paper: &OfficeDocument) {
        let lock = format!("{HOME}/{}/~${}", paper.folder, paper.name);
        self.create(&lock, FILE, CreateDisposition::Open, MISSING);
    }

    fn miss(&mut self) {
        let (folder, kind) = FOLDERS[self.random.next_below(FOLDERS.len())];
        let path = format!("{HOME}/{folder}/template {}.{kind}", self.random.next_below(4));
        self.query(&path, BASIC, MISSING);
        self.create(&path, FILE, CreateDisposition::Open, MISSING);
    }

    fn save(&mut self) {
        let number = self.random.next_below(self.papers.len());
        let (folder, path) = (self.papers[number].folder, self.papers[number].path());
        // The size varies by up to an eighth, within the initial allocation.
        let size = self.papers[number].size;
        let size = self.between(size - size / 8, size + size / 8).clamp(10_000, 1_000_000);
        let (temporary, old) =
            (format!("{HOME}/{folder}/~WRD0001.tmp"), format!("{HOME}/{folder}/~WRL0002.tmp"));
        self.query(&path, BASIC, ExpectedOpStatus::Success);
        let paper = self.papers[number].clone();
        self.look_for_owner(&paper);
        self.query(&temporary, BASIC, MISSING);
        self.write_whole(&temporary, size, true);
        let (from, to) = (self.path(&path), self.path(&old));
        self.well(FileOp::Rename { from, to });
        let from = self.path(&temporary);
        let to = self.path(&path);
        self.well(FileOp::Rename { from, to });
        self.query(&path, ALL, ExpectedOpStatus::Success);
        let path = self.path(&old);
        self.well(FileOp::Unlink { path });
        self.papers[number].size = size;
    }

    fn mail(&mut self) {
        let handle = self.create(
            &format!("{HOME}/Mail/store.pst"),
            FILE,
            CreateDisposition::Open,
            ExpectedOpStatus::Success,
        );
        self.well(FileOp::QueryFile { handle, level: ALL });
        let page = self.random.next_below((MAIL / PAGE) as usize) as u64 * u64::from(PAGE);
        self.well(FileOp::Lock { handle, offset: page, size: u64::from(PAGE) });
        for _ in 0..self.between(5, 12) {
            let page = self.random.next_below((MAIL / PAGE) as usize) as u32;
            self.read(handle, page * PAGE, PAGE, MAIL);
        }
        for _ in 0..self.between(1, 4) {
            let size = self.between(1, 8) * 512;
            let offset = self.random.next_below(((MAIL - size) / 512) as usize) as u64 * 512;
            self.well(FileOp::Write { handle, offset, size, actual: size });
        }
        self.well(FileOp::Flush { handle });
        self.well(FileOp::Unlock { handle, offset: page, size: u64::from(PAGE) });
        self.close(handle);
    }

    fn note(&mut self) {
        let (there, absent): (Vec<usize>, Vec<usize>) = (0..NOTES).partition(|n| self.notes[*n]);
        let (goes, comes) =
            (there[self.random.next_below(there.len())], absent[self.random.next_below(absent.len())]);
        self.write_note(comes);
        let path = note(goes);
        self.query(&path, BASIC, ExpectedOpStatus::Success);
        let path = self.path(&path);
        self.well(FileOp::Unlink { path });
        self.notes[goes] = false;
    }

    fn copy(&mut self) {
        let paper = self.papers[self.random.next_below(self.papers.len())].clone();
        let copy = format!("{HOME}/{}/Copy of a file", paper.folder);
        let from = self.create(&paper.path(), FILE, CreateDisposition::Open, ExpectedOpStatus::Success);
        let to = self.create(&copy, FILE, CreateDisposition::OverwriteIf, ExpectedOpStatus::Success);
        self.well(FileOp::QueryFile { handle: from, level: ALL });
        for offset in (0..paper.size).step_by(CHUNK as usize) {
            self.read(from, offset, CHUNK, paper.size);
            let size = CHUNK.min(paper.size - offset);
            self.well(FileOp::Write { handle: to, offset: u64::from(offset), size, actual: size });
        }
        self.well(FileOp::SetFile { handle: to, level: BASIC });
        self.close(to);
        self.close(from);
        let path = self.path(&copy);
        self.well(FileOp::Unlink { path });
    }

    fn write_note(&mut self, number: usize) {
        let size = self.between(100, 8_000);
        let path = note(number);
        let handle = self.create(&path, FILE, CreateDisposition::Create, ExpectedOpStatus::Success);
        self.well(FileOp::Write { handle, offset: 0, size, actual: size });
        self.well(FileOp::SetFile { handle, level: BASIC });
        self.close(handle);
        self.notes[number] = true;
    }

    fn write_whole(&mut self, path: &str, size: u32, durable: bool) {
        let handle = self.create(path, FILE, CreateDisposition::Create, ExpectedOpStatus::Success);
        let head = 512.min(size);
        self.well(FileOp::Write { handle, offset: 0, size: head, actual: head });
        let mut offset = head;
        while offset < size {
            let piece = CHUNK.min(size - offset);
            self.well(FileOp::Write { handle, offset: u64::from(offset), size: piece, actual: piece });
            offset += piece;
        }
        if durable {
            self.well(FileOp::Flush { handle });
        }
        self.well(FileOp::SetFile { handle, level: BASIC });
        self.close(handle);
    }

    fn read_from(&mut self, handle: u32, from: u32, size: u32) {
        (from..size).step_by(CHUNK as usize).for_each(|offset| self.read(handle, offset, CHUNK, size));
    }

    fn read(&mut self, handle: u32, offset: u32, size: u32, of: u32) {
        let actual = size.min(of.saturating_sub(offset));
        self.well(FileOp::Read { handle, offset: u64::from(offset), size, actual });
    }

    fn folder(&mut self, path: &str, disposition: CreateDisposition) {
        let handle = self.create(path, FOLDER, disposition, ExpectedOpStatus::Success);
        self.close(handle);
    }

    fn create(
        &mut self,
        path: &str,
        options: CreateOptions,
        disposition: CreateDisposition,
        expect: ExpectedOpStatus,
    ) -> u32 {
        let path = self.path(path);
        let handle = self.open.iter().position(|open| !open).unwrap_or(self.open.len());
        if handle == self.open.len() {
            self.open.push(false);
            self.load.handles += 1;
        }
        self.open[handle] = expect == ExpectedOpStatus::Success;
        let handle = handle as u32;
        self.push(FileOp::Create { path, options, disposition, handle }, expect);
        handle
    }

    fn close(&mut self, handle: u32) {
        self.open[handle as usize] = false;
        self.well(FileOp::Close { handle });
    }

    fn query(&mut self, path: &str, level: u32, expect: ExpectedOpStatus) {
        let path = self.path(path);
        self.push(FileOp::QueryPath { path, level }, expect);
    }

    fn find(&mut self, path: &str, count: u32) {
        let path = self.path(path);
        self.well(FileOp::Find { path, level: LISTING, max: 1_366, count });
    }

    fn well(&mut self, op: FileOp) {
        self.push(op, ExpectedOpStatus::Success);
    }

    fn push(&mut self, op: FileOp, expect: ExpectedOpStatus) {
        let line = self.load.ops.len() as u32 + 1;
        self.load.ops.push(ScheduledFileOp { at: None, op, expect, line });
    }

    fn path(&mut self, path: &str) -> u32 {
        let next = self.load.paths.len() as u32;
        *self.known.entry(path.to_string()).or_insert_with(|| {
            self.load.paths.push(path.to_string());
            next
        })
    }

    fn there(&self, folder: &str) -> Vec<String> {
        match folder {
            "Notes" => (0..NOTES).filter(|number| self.notes[*number]).map(note).collect(),
            "Mail" => vec![format!("{HOME}/Mail/store.pst")],
            _ => {
                self.papers.iter().filter(|paper| paper.folder == folder).map(OfficeDocument::path).collect()
            }
        }
    }

    fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.random.next_below((most - least) as usize + 1) as u32
    }
}

fn note(number: usize) -> String {
    format!("{HOME}/Notes/note {number:02}.txt")
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::file::FileOpClass;

    #[test]
    fn the_shape_is_the_documented_one_and_comes_from_the_seed() {
        for seed in [1, 7, 99] {
            let load = generate_office_load(seed);
            assert_eq!(load, generate_office_load(seed));
            assert_ne!(load.ops, generate_office_load(seed + 1).ops);
            let ops = load.ops.len() as f64;
            let share = |of: fn(&&ScheduledFileOp) -> bool| load.ops.iter().filter(of).count() as f64 / ops;
            let metadata = share(|op| !matches!(op.op.class(), Some(FileOpClass::Read | FileOpClass::Write)));
            let failing = share(|op| op.expect != ExpectedOpStatus::Success);
            assert!((0.57..0.63).contains(&metadata), "seed {seed}: {metadata} of the calls carry no data");
            assert!((0.06..0.12).contains(&failing), "seed {seed}: {failing} of the calls are to fail");
            assert!((8_000.0..16_000.0).contains(&ops), "seed {seed}: {ops} calls");
            let moved: u64 = load.ops.iter().map(|op| op.op.payload_bytes().0).sum();
            assert!((50_000_000..150_000_000).contains(&moved), "seed {seed}: {moved} bytes");
            let footprint = super::super::check::required_disk_bytes(&load);
            assert!((9_000_000..22_000_000).contains(&footprint), "seed {seed}: {footprint} bytes on disk");
            assert!(load.handles <= 3);
        }
    }
}

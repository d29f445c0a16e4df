//! Tests on real file systems. Tests that mount use a [`stage`].

mod kill;
mod lanes;
mod mounts;
mod names;
pub mod stage;
mod traps;

use crate::trials as trials_of;
use goodput_file::Share;
use goodput_file::location::{WorkspaceOpenMode, open_workspace_at_location};
use goodput_model::file::FileLocation;
use libtest_mimic::Trial;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

pub use kill::be_worker;

/// Tests by the name of their function.
macro_rules! stories {
    ($($module:ident::{$($name:ident),*})*) => {
        &[$($((stringify!($name), $module::$name as fn())),*),*]
    };
}

const STORIES: &[(&str, fn())] = stories! {
    names::{dispositions_are_those_of_smb, operations_are_those_of_every_share, names_are_found_and_counted,
        a_lock_is_one_handles_alone, bytes_come_back_as_they_were_written,
        what_vanishes_is_said_and_not_waited_for}
    traps::{no_link_leads_out, a_file_with_a_second_name_is_not_written, pipes_and_sockets_are_refused_at_once,
        only_what_carries_our_mark_is_cleaned, a_workspace_is_made_once}
    lanes::{what_was_written_is_read, a_lane_refuses_what_it_cannot_do}
    mounts::{a_disks_cache_is_looked_into}
    kill::{after_fifty_kills_nothing_is_left}
};

const MOUNTING: &[(&str, fn())] = stories! {
    traps::{another_mount_is_not_entered}
    mounts::{a_full_disk_is_said, without_room_for_a_marker, what_may_only_be_read_is_said,
        memory_has_nothing_to_pass_by}
};

const EXT4: &[(&str, fn())] = stories! { mounts::{direct_access_is_proved_on_ext4} };
const CONTAINER: &[(&str, fn())] = stories! { kill::{who_lives_in_a_container_is_not_dead} };

pub fn trials() -> Vec<Trial> {
    let mounts = stage::why_no_mounts();
    let loops = mounts.clone().or_else(stage::why_no_loop_devices);
    let containers = stage::why_no_containers();
    let groups = [(STORIES, None), (MOUNTING, mounts), (EXT4, loops), (CONTAINER, containers)];
    let trials = |(stories, without)| trials_of("folder", stories, without, crate::run_here);
    groups.into_iter().flat_map(trials).collect()
}

fn workspace_name() -> String {
    static LAST: AtomicU32 = AtomicU32::new(0);
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    format!(".goodput-{:08x}-0000-7000-8000-{number:012x}", std::process::id())
}

fn place(folder: &Path) -> FileLocation {
    FileLocation::Folder { path: folder.to_str().unwrap().to_string() }
}

fn made(folder: &Path) -> (Box<dyn Share>, String) {
    let name = workspace_name();
    (open_workspace_at_location(&place(folder), &name, WorkspaceOpenMode::Make).unwrap(), name)
}

fn fresh() -> (tempfile::TempDir, Box<dyn Share>, String) {
    let dir = tempfile::tempdir().unwrap();
    let (share, name) = made(dir.path());
    (dir, share, name)
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.below(256) as u8).collect()
    }
}

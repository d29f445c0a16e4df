//! Tests on real file systems. Tests that mount use a [`stage`].

mod caches;
mod full;
mod kill;
mod lanes;
mod names;
mod speed;
pub mod stage;
mod traps;

use crate::trials as trials_of;
use goodput_file::Share;
use goodput_file::location::{WorkspaceMode, open_location};
use goodput_model::file::FileLocation;
use libtest_mimic::Trial;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

pub use kill::be_worker;

const STORIES: &[(&str, fn())] = &[
    ("dispositions_are_those_of_smb", names::dispositions_are_those_of_smb),
    ("operations_are_those_of_every_share", names::operations_are_those_of_every_share),
    ("names_are_found_and_counted", names::names_are_found_and_counted),
    ("a_lock_is_one_handles_alone", names::a_lock_is_one_handles_alone),
    ("bytes_come_back_as_they_were_written", names::bytes_come_back_as_they_were_written),
    ("what_vanishes_is_said_and_not_waited_for", names::what_vanishes_is_said_and_not_waited_for),
    ("facts_name_the_engine_and_the_file_system", names::facts_name_the_engine_and_the_file_system),
    ("no_link_leads_out", traps::no_link_leads_out),
    ("a_file_with_a_second_name_is_not_written", traps::a_file_with_a_second_name_is_not_written),
    ("pipes_and_sockets_are_refused_at_once", traps::pipes_and_sockets_are_refused_at_once),
    ("only_what_carries_our_mark_is_cleaned", traps::only_what_carries_our_mark_is_cleaned),
    ("a_workspace_is_made_once", traps::a_workspace_is_made_once),
    ("what_was_written_is_read", lanes::what_was_written_is_read),
    ("the_odd_end_of_a_file_is_whole", lanes::the_odd_end_of_a_file_is_whole),
    ("a_lane_refuses_what_it_cannot_do", lanes::a_lane_refuses_what_it_cannot_do),
    ("a_lane_works_on_another_thread", lanes::a_lane_works_on_another_thread),
    ("a_disks_cache_is_looked_into", caches::a_disks_cache_is_looked_into),
    ("after_fifty_kills_nothing_is_left", kill::after_fifty_kills_nothing_is_left),
];

const MOUNTING: &[(&str, fn())] = &[
    ("another_mount_is_not_entered", traps::another_mount_inside_is_not_entered),
    ("a_full_disk_is_said", full::a_full_disk_is_said_and_nothing_is_left),
    ("without_room_for_a_marker", full::without_room_for_a_marker),
    ("what_may_only_be_read_is_said", full::what_may_only_be_read_is_said),
    ("memory_has_nothing_to_pass_by", caches::memory_says_that_there_is_nothing_to_pass_by),
];

pub fn trials() -> Vec<Trial> {
    let container: &[(&str, fn())] =
        &[("who_lives_in_a_container_is_not_dead", kill::who_lives_in_a_container_is_not_dead)];
    let ext4: &[(&str, fn())] =
        &[("direct_access_is_proved_on_ext4", caches::direct_access_is_proved_on_ext4)];
    let slow: &[(&str, fn())] =
        &[("random_reads_are_as_many_as_fios", speed::random_reads_are_as_many_as_fios)];
    let mounts = stage::why_no_mounts();
    let loops = mounts.clone().or_else(stage::why_no_loop_devices);
    let long = Some("a minute and a gigabyte; for a machine that does nothing else, with fio".to_string());
    let groups = [
        (STORIES, None),
        (MOUNTING, mounts),
        (ext4, loops),
        (container, stage::why_no_containers()),
        (slow, long),
    ];
    groups
        .into_iter()
        .flat_map(|(stories, without)| trials_of("folder", stories, without, crate::told))
        .collect()
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
    (open_location(&place(folder), &name, WorkspaceMode::Make).unwrap(), name)
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

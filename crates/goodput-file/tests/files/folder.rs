//! Tests on real file systems. Tests that mount use a [`stage`].

mod caches;
mod full;
mod kill;
mod lanes;
mod names;
mod speed;
pub mod stage;
mod traps;

use goodput_file::place::{Opening, open_place};
use goodput_file::{Open, RelPath, Share};
use goodput_model::file::{Disposition, Place};
use libtest_mimic::Trial;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

pub use kill::be_worker;

const STORIES: &[(&str, fn())] = &[
    ("dispositions_are_those_of_smb", names::dispositions_are_those_of_smb),
    ("folders_and_files_are_told_apart", names::folders_and_files_are_told_apart),
    ("a_new_name_replaces_nothing", names::a_new_name_replaces_nothing),
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
    ("what_was_written_is_read", lanes::what_was_written_is_read_by_both_engines_direct_and_not),
    ("the_odd_end_of_a_file_is_whole", lanes::the_odd_end_of_a_file_is_whole),
    (
        "a_lane_refuses_what_it_cannot_do",
        lanes::a_lane_refuses_what_it_cannot_do_and_waits_no_longer_than_allowed,
    ),
    ("a_lane_works_on_another_thread", lanes::a_lane_works_on_another_thread_than_it_was_made_on),
    ("a_disks_cache_is_looked_into", caches::a_disks_cache_is_looked_into),
    (
        "after_fifty_kills_nothing_is_left",
        kill::after_fifty_kills_nothing_of_ours_is_left_and_nothing_of_theirs_changed,
    ),
];

const MOUNTING: &[(&str, fn())] = &[
    ("another_mount_is_not_entered", traps::another_mount_inside_is_not_entered),
    ("a_full_disk_is_said", full::a_full_disk_is_said_and_nothing_is_left),
    (
        "without_room_for_a_marker_there_is_no_workspace",
        full::without_room_for_a_marker_there_is_no_workspace,
    ),
    ("what_may_only_be_read_is_said", full::what_may_only_be_read_is_said),
    ("memory_has_nothing_to_pass_by", caches::memory_says_that_there_is_nothing_to_pass_by),
];

pub fn trials() -> Vec<Trial> {
    let container = [(
        "who_lives_in_a_container_is_not_dead",
        kill::who_lives_in_a_container_is_not_taken_for_dead as fn(),
    )];
    let ext4 = [("direct_access_is_proved_on_ext4", caches::direct_access_is_proved_on_ext4 as fn())];
    let slow = [("random_reads_are_as_many_as_fios", speed::random_reads_are_as_many_as_fios as fn())];
    let group = |stories: &[(&'static str, fn())], without: Option<String>| -> Vec<Trial> {
        stories.iter().map(|(name, story)| trial(name, *story, without.as_deref())).collect()
    };
    let mounts = stage::why_no_mounts();
    let loops = mounts.clone().or_else(stage::why_no_loop_devices);
    let long = Some("a minute and a gigabyte; for a machine that does nothing else, with fio".to_string());
    let all = [
        group(STORIES, None),
        group(MOUNTING, mounts),
        group(&ext4, loops),
        group(&container, stage::why_no_containers()),
        group(&slow, long),
    ];
    all.into_iter().flatten().collect()
}

fn trial(name: &str, story: fn(), without: Option<&str>) -> Trial {
    let name = match without {
        Some(reason) => format!("folder_{name} (skipped: {reason})"),
        None => format!("folder_{name}"),
    };
    let tell = move || {
        story();
        Ok(())
    };
    Trial::test(name, tell).with_ignored_flag(without.is_some())
}

fn workspace_name() -> String {
    static LAST: AtomicU32 = AtomicU32::new(0);
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    format!(".goodput-{:08x}-0000-7000-8000-{number:012x}", std::process::id())
}

fn place(folder: &Path) -> Place {
    Place::Folder { path: folder.to_str().unwrap().to_string() }
}

fn made(folder: &Path) -> (Box<dyn Share>, String) {
    let name = workspace_name();
    (open_place(&place(folder), &name, Opening::Make).unwrap(), name)
}

const fn how(disposition: Disposition) -> Open {
    Open { disposition, folder: false, file: true, read_only: false, direct: false }
}

fn path(text: &str) -> RelPath {
    RelPath::parse(text).unwrap()
}

fn write(share: &dyn Share, name: &str, data: &[u8]) {
    let file = share.open(&path(name), how(Disposition::Create)).unwrap();
    share.write_at(file, data, 0).unwrap();
    share.close(file).unwrap();
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

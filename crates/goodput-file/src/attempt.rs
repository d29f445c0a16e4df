//! What was tried, as errors say it: `read smb://nas/media/test`.

use goodput_words::{Message, message};

pub type Attempt = fn(&str) -> Message;

macro_rules! attempts {
    ($($name:ident $key:ident,)*) => {
        $(
            pub fn $name(place: &str) -> Message {
                message!($key { place })
            }
        )*
    };
}

attempts! {
    open part_attempt_open,
    open_folder part_attempt_open_folder,
    open_share part_attempt_open_share,
    close part_attempt_close,
    read part_attempt_read,
    write part_attempt_write,
    read_or_write part_attempt_read_or_write,
    flush part_attempt_flush,
    look_at part_attempt_look_at,
    set_times part_attempt_set_times,
    ask_free_space part_attempt_ask_free_space,
    look_for_room part_attempt_look_for_room,
    list part_attempt_list,
    make part_attempt_make,
    make_folder part_attempt_make_folder,
    empty_folder part_attempt_empty_folder,
    remove_folder part_attempt_remove_folder,
    remove part_attempt_remove,
    rename part_attempt_rename,
    remove_or_rename part_attempt_remove_or_rename,
    lock part_attempt_lock,
    unlock part_attempt_unlock,
    drop_cache part_attempt_drop_cache,
    write_back part_attempt_write_back,
    wait_for part_attempt_wait_for,
    work_on part_attempt_work_on,
    work_in part_attempt_work_in,
    use_name part_attempt_use_name,
    use_path part_attempt_use_path,
    use_handle part_attempt_use_handle,
    find part_attempt_find,
    find_path part_attempt_find_path,
    find_handle part_attempt_find_handle,
    find_open_handle part_attempt_find_open_handle,
    play_path part_attempt_play_path,
    take_workspace part_attempt_take_workspace,
    read_password part_attempt_read_password,
    take_password part_attempt_take_password,
}

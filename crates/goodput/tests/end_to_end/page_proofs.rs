//! Long tests of the page beside measurements (`make prove`).

mod live_updates;

pub use live_updates::do_not_disturb;

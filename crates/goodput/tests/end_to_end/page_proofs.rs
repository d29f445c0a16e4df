//! What is promised of the page beside measurements, in its long form: many minutes, `make prove`.

mod live_updates;

pub use live_updates::do_not_disturb;

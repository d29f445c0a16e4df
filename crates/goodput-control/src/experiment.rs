//! Executes experiments: sets the levels of each cell, measures it, and records every step before the next.
//! `goodput-experiment` chooses the next cell; two traits set levels and run lines.

pub mod level_setter;
pub mod measuring;
mod streak;
pub mod walk;

pub use level_setter::{Change, LevelSetter};
pub use measuring::{Measured, Measuring};
pub use walk::{Ended, News, Walk, WalkError, Walked, now, set_on_hosts, walk};

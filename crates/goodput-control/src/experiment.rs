//! Walks an experiment: puts the levels of each cell in place, has it measured, and writes every step down before the
//! next begins. Which cell comes next is decided by `goodput-experiment`; how a level comes about and how a line is
//! measured, by the two traits that the front data_listener implements.

pub mod level_setter;
pub mod measuring;
mod streak;
pub mod walk;

pub use level_setter::{Change, LevelSetter};
pub use measuring::{Measured, Measuring};
pub use walk::{Ended, News, Walk, WalkError, Walked, now, set_on_hosts, walk};

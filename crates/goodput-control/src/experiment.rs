//! Walks an experiment: puts the levels of each cell in place, has it measured, and writes every step down before the
//! next begins. Which cell comes next is decided by `goodput-experiment`; how a level comes about and how a line is
//! measured, by the two traits that the front door implements.

pub mod hands;
pub mod measuring;
mod streak;
pub mod walk;

pub use hands::{Change, Hands};
pub use measuring::{Measured, Measuring};
pub use walk::{Ended, News, Walk, WalkError, Walked, now, set_by_hands, walk};

//! The long proofs of the probe `file`, over a lab with a real Samba server: causes that were planted are named, and what
//! jumbo frames change is told from what they do not. Half an hour.

mod causes;
mod mtu;

pub use causes::{named, one_of_each};
pub use mtu::jumbo_frames;

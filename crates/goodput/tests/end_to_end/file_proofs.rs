//! File work on a real Samba server (half an hour): named causes of slowness, and the effect of jumbo frames.

mod causes;
mod mtu;

pub use causes::named;
pub use mtu::jumbo_frames;

//! Long tests of file work on a real Samba server: named causes of slowness.

mod causes;

pub use causes::named;

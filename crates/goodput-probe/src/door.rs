//! The data port: accepts connections, checks their opening, hands them to the trial that expects them.

/// An open data port.
pub struct Door {}
/// A place in the door's book for one trial's connections.
pub struct Expected {}

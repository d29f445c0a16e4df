//! Errors of knobs.

/// Each is one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KnobError {
    #[error("there is no knob {typed:?}; type {hint}")]
    Unknown { typed: String, hint: String },
    #[error("{knob} does not take {value:?}; type {hint}")]
    Value { knob: String, value: String, hint: String },
    #[error("{knob} is only read back, not set")]
    ReadOnly { knob: String },
    #[error("{knob} belongs to an interface, and {why}; name one of {known}")]
    Interface { knob: String, why: String, known: String },
    /// It may reset the control connection's link.
    #[error("{knob} of {interface} is not set: {why}")]
    ControlPath { knob: String, interface: String, why: String },
    #[error("{setting} is not to be had here: {why}")]
    NotHere { setting: String, why: String },
    #[error("{setting} is gone: {why}")]
    Gone { setting: String, why: String },
    #[error("{setting} was not set to {value}: {why}")]
    Refused { setting: String, value: String, why: String },
    /// The system accepted it with another effect.
    #[error("{setting} was set to {asked} and is {obtained}")]
    NotTaken { setting: String, asked: String, obtained: String },
    /// Another owner has set it through this program.
    #[error("{setting} is held by {owner}; it is free once that has ended")]
    Held { setting: String, owner: String },
    /// The original value cannot be recorded, so nothing is changed.
    #[error("nothing is set, because the journal {file} cannot be used: {why}")]
    Journal { file: String, why: String },
}

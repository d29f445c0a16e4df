//! What can go wrong with a knob.

/// Why a knob was not read, set or put back; each is one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KnobError {
    /// There is no such knob.
    #[error("there is no knob {typed:?}; type {hint}")]
    Unknown {
        /// What was typed.
        typed: String,
        /// What there is.
        hint: String,
    },
    /// It does not take this value.
    #[error("{knob} does not take {value:?}; type {hint}")]
    Value {
        /// The knob's name.
        knob: String,
        /// What was typed.
        value: String,
        /// What it takes.
        hint: String,
    },
    /// It is only read.
    #[error("{knob} is only read back, not set")]
    ReadOnly {
        /// The knob's name.
        knob: String,
    },
    /// It belongs to an interface, and which one is not known.
    #[error("{knob} belongs to an interface, and {why}; name one of {known}")]
    Interface {
        /// The knob's name.
        knob: String,
        /// Why it is not known.
        why: String,
        /// Interfaces that there are.
        known: String,
    },
    /// It may reset the link that the orders come by.
    #[error("{knob} of {interface} is not set: {why}")]
    ControlPath {
        /// The knob's name.
        knob: String,
        /// The interface.
        interface: String,
        /// Why.
        why: String,
    },
    /// This host does not have it.
    #[error("{setting} is not to be had here: {why}")]
    NotHere {
        /// The setting.
        setting: String,
        /// Why.
        why: String,
    },
    /// What it was set on is gone, and the setting with it.
    #[error("{setting} is gone: {why}")]
    Gone {
        /// The setting.
        setting: String,
        /// Why.
        why: String,
    },
    /// The system refused.
    #[error("{setting} was not set to {value}: {why}")]
    Refused {
        /// The setting.
        setting: String,
        /// What was asked.
        value: String,
        /// What the system said.
        why: String,
    },
    /// The system took it and did something else.
    #[error("{setting} was set to {asked} and is {obtained}")]
    NotTaken {
        /// The setting.
        setting: String,
        /// What was asked.
        asked: String,
        /// What is there now.
        obtained: String,
    },
    /// Somebody else has set it through this program.
    #[error("{setting} is held by {owner}; it is free once that has ended")]
    Held {
        /// The setting.
        setting: String,
        /// Who.
        owner: String,
    },
    /// What was there before cannot be written down, so nothing is changed.
    #[error("nothing is set, because the journal {file} cannot be used: {why}")]
    Journal {
        /// The journal.
        file: String,
        /// Why.
        why: String,
    },
}

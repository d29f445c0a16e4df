//! Errors of knobs.

use goodput_words::{Message, error_messages, message};

/// Each is one sentence.
#[derive(Debug, Clone, PartialEq)]
pub enum KnobError {
    Unknown {
        typed: String,
        hint: Message,
    },
    Value {
        knob: String,
        value: String,
        hint: Message,
    },
    ReadOnly {
        knob: String,
    },
    Interface {
        knob: String,
        why: Message,
        known: Message,
    },
    /// It may reset the control connection's link.
    ControlPath {
        knob: String,
        interface: String,
        why: Message,
    },
    NotHere {
        setting: String,
        why: Message,
    },
    Gone {
        setting: String,
        why: Message,
    },
    Refused {
        setting: String,
        value: String,
        why: Message,
    },
    /// The system accepted it with another effect.
    NotTaken {
        setting: String,
        asked: String,
        obtained: String,
    },
    /// Another owner has set it through this program.
    Held {
        setting: String,
        owner: String,
    },
    /// The original value cannot be recorded, so nothing is changed.
    Journal {
        file: String,
        why: Message,
    },
}

error_messages! {
    KnobError {
        KnobError::Unknown { typed, hint } =>
            message!(error_knob_unknown { typed: format!("{typed:?}"), hint }),
        KnobError::Value { knob, value, hint } =>
            message!(error_knob_value { knob, value: format!("{value:?}"), hint }),
        KnobError::ReadOnly { knob } => message!(error_knob_read_only { knob }),
        KnobError::Interface { knob, why, known } => message!(error_knob_interface { knob, why, known }),
        KnobError::ControlPath { knob, interface, why } =>
            message!(error_knob_control_path { knob, interface, why }),
        KnobError::NotHere { setting, why } => message!(error_knob_not_here { setting, why }),
        KnobError::Gone { setting, why } => message!(error_knob_gone { setting, why }),
        KnobError::Refused { setting, value, why } => message!(error_knob_refused { setting, value, why }),
        KnobError::NotTaken { setting, asked, obtained } =>
            message!(error_knob_not_taken { setting, asked, obtained }),
        KnobError::Held { setting, owner } => message!(error_knob_held { setting, owner }),
        KnobError::Journal { file, why } => message!(error_knob_journal { file: Message::from(file), why }),
    }
}

//! The exit codes. Scripts rely on them: a code never changes its meaning.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    Done = 0,
    /// Measured, but a requirement failed: the result has a finding of severity "error".
    RequirementFailed = 1,
    /// The arguments are invalid.
    Usage = 2,
    /// A host could not be reached: name, port, key or protocol.
    Unreachable = 3,
    /// Reached, but unable to measure: permission, missing kernel feature, full disk.
    CannotMeasure = 4,
    /// A trial failed; its data is stored.
    BrokeOff = 5,
    /// Ctrl-C; the data is stored.
    Interrupted = 130,
}

/// In order, as the help prints it.
pub const EXIT_STATUS_MEANINGS: &[(ExitStatus, &str)] = &[
    (ExitStatus::Done, "done"),
    (ExitStatus::RequirementFailed, "measured, but a requirement failed (a finding of severity \"error\")"),
    (ExitStatus::Usage, "the arguments cannot be understood or do not fit together"),
    (ExitStatus::Unreachable, "a host could not be reached (name, port, key or protocol)"),
    (ExitStatus::CannotMeasure, "cannot measure here (permission, missing kernel feature, full disk)"),
    (ExitStatus::BrokeOff, "a trial was aborted; what was measured until then is stored"),
    (ExitStatus::Interrupted, "interrupted; what was measured until then is stored"),
];

impl ExitStatus {
    pub fn code(self) -> u8 {
        self as u8
    }
}

pub fn format_exit_statuses() -> String {
    let mut text = String::from("Exit codes:\n");
    for (exit, meaning) in EXIT_STATUS_MEANINGS {
        text.push_str(&format!("{:>5}  {meaning}\n", exit.code()));
    }
    text
}

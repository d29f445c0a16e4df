//! Our own arguments, even if some are invalid: what follows `--`, and the command of `lab exec`, is not ours.

use std::ffi::OsString;

pub fn args_before_wrapped_command(args: &[OsString]) -> impl Iterator<Item = &OsString> {
    let foreign = args.windows(2).position(|w| w[0] == "lab" && w[1] == "exec");
    args[..foreign.unwrap_or(args.len())].iter().take_while(|arg| *arg != "--")
}

pub fn has_option(args: &[OsString], option: &str) -> bool {
    args_before_wrapped_command(args).any(|arg| arg == option)
}

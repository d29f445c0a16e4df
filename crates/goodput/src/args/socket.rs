//! Socket options as typed on the command line.

use super::value::{self, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_model::probe::SocketOptions;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedSocket {
    /// Congestion control on both ends, for example cubic [default: the kernel's]
    #[arg(long, value_name = "NAME")]
    congestion: Option<String>,
    /// Send buffer on both ends [default: the kernel's autotuning]
    #[arg(long, value_name = "SIZE")]
    send_buffer: Option<String>,
    /// Receive buffer on both ends [default: the kernel's autotuning]
    #[arg(long, value_name = "SIZE")]
    receive_buffer: Option<String>,
    /// TCP_NODELAY on or off
    #[arg(long, value_name = "on|off", num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    no_delay: Option<String>,
}

impl TypedSocket {
    /// What is meant; what was not typed stays as in `defaults`.
    pub fn meaning(self, defaults: SocketOptions) -> Result<SocketOptions, Failure> {
        let buffer = |option: &str, typed: Option<String>| {
            typed.map(|t| value::quantity(option, &t, &value::SIZE)).transpose()
        };
        Ok(SocketOptions {
            send_buffer: buffer("--send-buffer", self.send_buffer)?.or(defaults.send_buffer),
            receive_buffer: buffer("--receive-buffer", self.receive_buffer)?.or(defaults.receive_buffer),
            congestion: self.congestion.map(|t| congestion(&t)).transpose()?.or(defaults.congestion),
            no_delay: self
                .no_delay
                .map(|t| value::word("--no-delay", &t, &[("on", true), ("off", false)]))
                .transpose()?
                .or(defaults.no_delay),
            pacing: defaults.pacing,
        })
    }
}

/// The kernel's names are at most 15 bytes (TCP_CA_NAME_MAX with its zero byte is 16).
pub fn congestion(typed: &str) -> Result<String, Failure> {
    let plain = typed.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if plain && (1..=15).contains(&typed.len()) {
        return Ok(typed.to_string());
    }
    Err(Failure::usage(format!("--congestion {} is refused", shown(typed)))
        .because("a congestion control's name is 1 to 15 letters, digits, _ and -")
        .try_this("type a name from: sysctl net.ipv4.tcp_available_congestion_control"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_kernels() {
        assert_eq!(congestion("cubic"), Ok("cubic".into()));
        for bad in ["", "a b", "0123456789abcdef", "кубик"] {
            assert!(congestion(bad).is_err(), "{bad}");
        }
    }
}

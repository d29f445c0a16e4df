//! Socket options.

use super::SOCKET_HELP_HEADING;
use super::value_parsers::{self, ON_OFF_CHOICES, ValueError};
use clap::Args;
use goodput_model::Bytes;
use goodput_model::probe::SocketOptions;

#[derive(Debug, Args)]
pub struct SocketArgs {
    /// Congestion control algorithm on both hosts, for example cubic [default: set by the kernel]
    #[arg(long, value_name = "NAME", value_parser = parse_congestion_control, help_heading = SOCKET_HELP_HEADING, hide_short_help = true)]
    congestion: Option<String>,
    /// Socket send buffer size on both hosts [default: kernel autotuning]
    #[arg(long, value_name = "SIZE", value_parser = value_parsers::MESSAGE_SIZE_RANGE, help_heading = SOCKET_HELP_HEADING, hide_short_help = true)]
    send_buffer: Option<Bytes>,
    /// Socket receive buffer size on both hosts [default: kernel autotuning]
    #[arg(long, value_name = "SIZE", value_parser = value_parsers::MESSAGE_SIZE_RANGE, help_heading = SOCKET_HELP_HEADING, hide_short_help = true)]
    receive_buffer: Option<Bytes>,
    /// Set TCP_NODELAY on or off (on disables Nagle's algorithm)
    #[arg(long, value_name = "on|off", num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    #[arg(value_parser = ON_OFF_CHOICES, help_heading = SOCKET_HELP_HEADING, hide_short_help = true)]
    no_delay: Option<bool>,
    /// Maximum TCP segment size in bytes (TCP_MAXSEG) [default: from the path MTU]
    #[arg(long, value_name = "SIZE", value_parser = value_parsers::SEGMENT_SIZE_RANGE, help_heading = SOCKET_HELP_HEADING, hide_short_help = true)]
    segment_size: Option<Bytes>,
}

impl SocketArgs {
    pub fn with_defaults(self, defaults: SocketOptions) -> SocketOptions {
        SocketOptions {
            send_buffer: self.send_buffer.or(defaults.send_buffer),
            receive_buffer: self.receive_buffer.or(defaults.receive_buffer),
            congestion: self.congestion.or(defaults.congestion),
            no_delay: self.no_delay.or(defaults.no_delay),
            pacing: defaults.pacing,
            segment_size: self
                .segment_size
                .and_then(|size| u32::try_from(size.0).ok())
                .or(defaults.segment_size),
        }
    }
}

/// The kernel's names are at most 15 bytes (TCP_CA_NAME_MAX with its zero byte is 16).
pub fn parse_congestion_control(typed: &str) -> Result<String, ValueError> {
    let plain = typed.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if plain && (1..=15).contains(&typed.len()) {
        return Ok(typed.to_string());
    }
    Err(ValueError::new(
        "a congestion control's name is 1 to 15 letters, digits, _ and -",
        "type a name from: sysctl net.ipv4.tcp_available_congestion_control",
    ))
}

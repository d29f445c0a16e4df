//! An agent without a key listens on loopback only.

use crate::stage::Home;
use crate::{CommandOutput, must};

/// Loopback as `/proc/net/tcp` writes it.
const LOOPBACK: &str = "0100007F";
const LISTEN: &str = "0A";

pub fn without_a_key() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    must!(agent.notice.contains("no lab key"), "{}", agent.notice);
    let (v4, v6) = (
        std::fs::read_to_string("/proc/net/tcp")?,
        std::fs::read_to_string("/proc/net/tcp6").unwrap_or_default(),
    );
    for port in [agent.port, agent.data_port] {
        let listening: Vec<String> = v4
            .lines()
            .chain(v6.lines())
            .filter_map(|l| {
                let words: Vec<&str> = l.split_whitespace().collect();
                let (address, at) = words.get(1)?.split_once(':')?;
                (at == format!("{port:04X}") && words.get(3) == Some(&LISTEN)).then(|| address.to_string())
            })
            .collect();
        must!(listening == [LOOPBACK], "port {port} listens on {listening:?}");
    }
    let refused = home.line("agent --bind 0.0.0.0 --port 45303 --data-port 45304").ended(2)?;
    must!(refused.stderr.contains("goodput key new"), "{}", refused.stderr);
    Ok(())
}

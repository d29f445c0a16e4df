// MODIFIED: this file is not in zenoh-link-tls 1.10.2 (see ../README.md). It is under the licence of the crate.
//
//! Who is let into a TLS handshake, and how many at once.
//!
//! A stranger costs a listener something from the moment that TCP has connected: a descriptor, and the state of a
//! handshake that he need not go on with. So there is a bound on the handshakes under way; when it is reached, the
//! oldest one of whoever has most of them makes room. A host that comes once and goes on is not the one.

use std::{
    collections::{HashMap, VecDeque},
    net::{IpAddr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::AbortHandle,
    time::timeout,
};
use zenoh_protocol::core::endpoint::Config;
use zenoh_result::{zerror, ZResult};

/// Key of an endpoint: ranges of addresses, `10.0.0.0/24,fd00::/8`, from which connections are taken; all without it.
const ACCEPT_FROM: &str = "accept_from";
/// Key of an endpoint: handshakes under way at the most.
const HANDSHAKES: &str = "tls_handshakes";
const HANDSHAKES_DEFAULT: usize = 1024;

/// A TLS alert, fatal, access_denied (RFC 8446, section 6): the one word that is said to whoever may not come in.
const ACCESS_DENIED: [u8; 7] = [21, 3, 3, 0, 2, 2, 49];
/// How long somebody who may not come in has to take note of that.
const REFUSAL: Duration = Duration::from_secs(1);

/// What a listener was told about whom to let in.
#[derive(Clone, Debug)]
pub(crate) struct Admission {
    from: Option<Vec<(IpAddr, u8)>>,
    pub(crate) most: usize,
}

impl Admission {
    pub(crate) fn new(config: &Config<'_>) -> ZResult<Admission> {
        let from = config.get(ACCEPT_FROM).map(ranges).transpose()?;
        let most: usize = match config.get(HANDSHAKES) {
            Some(number) => number
                .parse()
                .ok()
                .filter(|n| *n > 0)
                .ok_or_else(|| zerror!("Unknown number of handshakes: {number}"))?,
            None => HANDSHAKES_DEFAULT,
        };
        // When no file is left nothing is accepted any more, so nobody would make room.
        let most = open_files().map_or(most, |files| most.min(files / 2).max(1));
        Ok(Admission { from, most })
    }

    pub(crate) fn admits(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let within = |(base, bits): &(IpAddr, u8)| first_bits(address, *bits) == first_bits(*base, *bits);
        match &self.from {
            Some(ranges) => ranges.iter().any(within),
            None => true,
        }
    }
}

/// How many files this process may have open (proc_pid_limits(5)); `None` where that is not limited or not known.
fn open_files() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let values = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    values.split_whitespace().next()?.parse().ok()
}

fn ranges(text: &str) -> ZResult<Vec<(IpAddr, u8)>> {
    let range = |text: &str| {
        let (address, bits) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
        let address: IpAddr = address.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Some(most), |b| b.parse().ok())?;
        (bits <= most).then_some((address, bits))
    };
    text.split(',')
        .filter(|part| !part.is_empty())
        .map(|part| range(part).ok_or_else(|| zerror!("Unknown range of addresses: {part}").into()))
        .collect()
}

/// An address with all but its first bits zero, and its family.
fn first_bits(address: IpAddr, bits: u8) -> (bool, u128) {
    let (value, width) = match address {
        IpAddr::V4(ip) => (u128::from(u32::from(ip)), 32),
        IpAddr::V6(ip) => (u128::from(ip), 128),
    };
    let rest = u32::from(width - bits.min(width));
    let kept = value.checked_shr(rest).unwrap_or(0);
    (address.is_ipv4(), kept.checked_shl(rest).unwrap_or(0))
}

/// Tells somebody who may not come in that it is so, and waits until he has read it: what he has sent would else make
/// the kernel reset the connection and take the word back.
pub(crate) async fn refuse(mut stream: TcpStream) {
    let farewell = async {
        stream.write_all(&ACCESS_DENIED).await?;
        stream.shutdown().await?;
        let mut bytes = [0; 512];
        while stream.read(&mut bytes).await? > 0 {}
        Ok::<(), std::io::Error>(())
    };
    let _ = timeout(REFUSAL, farewell).await;
}

/// The handshakes under way, the oldest first.
pub(crate) struct Pending {
    most: usize,
    tasks: VecDeque<(IpAddr, AbortHandle)>,
}

impl Pending {
    pub(crate) fn new(most: usize) -> Pending {
        Pending {
            most,
            tasks: VecDeque::new(),
        }
    }

    /// Notes one more, and makes room when there are too many.
    pub(crate) fn push(&mut self, from: SocketAddr, task: AbortHandle) {
        self.tasks.push_back((origin(from.ip()), task));
        if self.tasks.len() > self.most {
            self.tasks.retain(|(_, task)| !task.is_finished());
        }
        if self.tasks.len() > self.most {
            if let Some(at) = surplus(self.tasks.iter().map(|(from, _)| *from)) {
                if let Some((_, task)) = self.tasks.remove(at) {
                    task.abort();
                }
            }
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.tasks.iter().for_each(|(_, task)| task.abort());
    }
}

/// Whom an address belongs to: one host has a /64 of IPv6 for itself.
fn origin(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from(u128::from(ip) >> 64 << 64).into(),
        v4 => v4,
    }
}

/// The place of the oldest of whoever has most.
fn surplus(from: impl Iterator<Item = IpAddr> + Clone) -> Option<usize> {
    let mut count: HashMap<IpAddr, usize> = HashMap::new();
    for address in from.clone() {
        *count.entry(address).or_default() += 1;
    }
    let most = *count.values().max()?;
    from.into_iter().position(|address| count[&address] == most)
}

//! Limits connections without an opening, which each hold a descriptor and a thread. Beyond the limit, the
//! oldest connection of the address with the most is closed, so strangers displace each other, not the trial.

use crate::locked;
use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr, Shutdown, TcpStream};
use std::sync::{Arc, Mutex};

pub const MAX_PENDING_CONNECTIONS: usize = 256;

#[derive(Default)]
pub struct PendingConnections {
    list: Mutex<List>,
}

#[derive(Default)]
struct List {
    next: u64,
    waiting: VecDeque<Waiting>,
}

struct Waiting {
    number: u64,
    origin: IpAddr,
    stream: Arc<TcpStream>,
}

impl PendingConnections {
    pub fn add_connection(&self, from: IpAddr, stream: TcpStream) -> (u64, Arc<TcpStream>) {
        let stream = Arc::new(stream);
        let mut list = locked(&self.list);
        let number = list.next;
        list.next += 1;
        list.waiting.push_back(Waiting { number, origin: origin(from), stream: stream.clone() });
        if list.waiting.len() > MAX_PENDING_CONNECTIONS
            && let Some(at) = surplus(list.waiting.iter().map(|w| w.origin))
            && let Some(out) = list.waiting.remove(at)
        {
            let _ = out.stream.shutdown(Shutdown::Both);
        }
        (number, stream)
    }

    pub fn remove_connection(&self, number: u64) -> bool {
        let mut list = locked(&self.list);
        let at = list.waiting.iter().position(|w| w.number == number);
        at.and_then(|at| list.waiting.remove(at)).is_some()
    }
}

/// Groups addresses: one host has an IPv6 /64 (RFC 4291, section 2.5.1).
fn origin(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from((u128::from(ip) >> 64) << 64).into(),
        v4 => v4,
    }
}

fn surplus(from: impl Iterator<Item = IpAddr> + Clone) -> Option<usize> {
    let mut count: HashMap<IpAddr, usize> = HashMap::new();
    for address in from.clone() {
        *count.entry(address).or_default() += 1;
    }
    let most = *count.values().max()?;
    from.into_iter().position(|address| count.get(&address) == Some(&most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::net::{Ipv4Addr, TcpListener};

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn whoever_has_most_makes_room() {
        let from = ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.2"].map(ip);
        assert_eq!(surplus(from.into_iter()), Some(1));
        assert_eq!(surplus(from[..3].iter().copied()), Some(0), "among equals the oldest");
        assert_eq!(surplus([].into_iter()), None);
        assert_eq!(origin(ip("fd00::1:2:3:4")), origin(ip("fd00::5")));
        assert_ne!(origin(ip("fd00::1")), origin(ip("fd00:0:0:1::1")));
        assert_eq!(origin(ip("::ffff:10.0.0.1")), ip("10.0.0.1"));
    }

    #[test]
    fn a_list_that_is_full_puts_out_a_stranger_and_not_the_newcomer() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let at = listener.local_addr().unwrap();
        let openings = PendingConnections::default();
        let connect = |from: &str| {
            let client = TcpStream::connect(at).unwrap();
            (client, openings.add_connection(ip(from), listener.accept().unwrap().0).0)
        };
        let strangers: Vec<_> = (0..MAX_PENDING_CONNECTIONS).map(|_| connect("10.0.0.66")).collect();
        let good = connect("10.0.0.1");
        let mut first = &strangers[0].0;
        assert_eq!(first.read(&mut [0]).unwrap(), 0, "the oldest stranger hears the end");
        let left = [strangers[0].1, strangers[1].1, good.1].map(|id| openings.remove_connection(id));
        assert_eq!(left, [false, true, true]);
    }
}

//! The outgoing interface for an address, by rtnetlink (RTM_GETROUTE).

use crate::HostError;
use crate::netlink::{NLM_F_REQUEST, NetlinkSocket, encode_attribute, find_attribute, parse_integer};
use std::net::IpAddr;

const RTM_GETROUTE: u16 = 26;
/// `struct rtmsg`.
const HEADER: usize = 12;
const RTA_DST: u16 = 1;
const RTA_OIF: u16 = 4;

/// `None` for a route without an interface. Own addresses use loopback.
pub(crate) fn outgoing_interface(netlink: &mut NetlinkSocket, to: IpAddr) -> Result<Option<u32>, HostError> {
    let answer = netlink.request("RTM_GETROUTE", RTM_GETROUTE, NLM_F_REQUEST, &question(to))?;
    Ok(answer.first().and_then(|payload| parse(payload)))
}

fn question(to: IpAddr) -> Vec<u8> {
    let mut body = vec![0; HEADER];
    let address = match to.to_canonical() {
        IpAddr::V4(v4) => {
            (body[0], body[1]) = (2, 32);
            v4.octets().to_vec()
        }
        IpAddr::V6(v6) => {
            (body[0], body[1]) = (10, 128);
            v6.octets().to_vec()
        }
    };
    body.extend(encode_attribute(RTA_DST, &address));
    body
}

pub(crate) fn parse(payload: &[u8]) -> Option<u32> {
    parse_integer(find_attribute(payload.get(HEADER..)?, RTA_OIF)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_asked_for_as_it_is_and_the_answer_names_its_interface() {
        let q = question("::ffff:127.0.0.1".parse().unwrap());
        assert_eq!((q[0], q[1], q.len(), &q[16..]), (2, 32, 20, &[127, 0, 0, 1][..]));
        assert_eq!(question("fe80::1".parse().unwrap()).len(), 32);
        let mut payload = vec![0; HEADER];
        payload.extend(encode_attribute(RTA_DST, &[10, 0, 0, 1]));
        assert_eq!(parse(&payload), None);
        payload.extend(encode_attribute(RTA_OIF, &7u32.to_ne_bytes()));
        assert_eq!((parse(&payload), parse(&[])), (Some(7), None));
    }
}

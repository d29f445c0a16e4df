//! What a switch does not pass: rules of nftables at the ports of a bridge, for a link that loses frames or takes no long
//! ones. Behind the sender's counters and before the receiver's, so the loss is the path's; nobody is told.

use crate::topology::Way;
use std::fmt::Write;

/// The rules of a link, for `nft` in the switches' namespace; `ports` are the bridge's, one a host. Empty where all
/// frames pass.
pub(crate) fn rules(link: usize, way: &Way, ports: &[&str]) -> String {
    let mut text = String::new();
    if !way.drops() || ports.is_empty() {
        return text;
    }
    let set = format!("{{ {} }}", ports.iter().map(|p| format!("\"{p}\"")).collect::<Vec<_>>().join(", "));
    // Writing to a String cannot fail.
    let _ = writeln!(text, "table bridge goodput_lab_{link} {{\nchain passing {{");
    let _ = writeln!(text, "type filter hook forward priority 0;");
    if let Some(most) = way.silent_mtu {
        // The length is that of the IP packet: at this hook the Ethernet header stands before the data.
        let _ = writeln!(text, "oifname {set} meta length > {most} counter drop");
    }
    if way.loss.0 > 0 {
        let _ = writeln!(text, "oifname {set} numgen random mod 1000000 < {} counter drop", way.loss.0);
    }
    text.push_str("}\n}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Loss;

    #[test]
    fn a_link_that_passes_all_has_no_rules() {
        assert_eq!(rules(0, &Way::default(), &["p0-0", "p0-1"]), "");
    }

    #[test]
    fn long_frames_and_a_share_of_the_others_are_dropped() {
        let way = Way { loss: Loss(500), silent_mtu: Some(1500), ..Way::default() };
        let text = rules(3, &way, &["p3-0", "p3-1"]);
        assert!(text.contains("oifname { \"p3-0\", \"p3-1\" } meta length > 1500 counter drop\n"), "{text}");
        assert!(text.contains("numgen random mod 1000000 < 500 counter drop\n"), "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}

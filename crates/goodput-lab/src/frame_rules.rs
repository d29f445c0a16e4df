//! nftables rules at a bridge's ports that lose frames or drop long ones: neither end's counters show it.

use crate::topology::LinkImpairments;
use std::fmt::Write;

/// For `nft` in the switches' namespace; `ports` are the bridge's, one per host. Empty where all frames pass.
pub(crate) fn nft_drop_rules(link: usize, way: &LinkImpairments, ports: &[&str]) -> String {
    let mut text = String::new();
    if !way.drops_frames() || ports.is_empty() {
        return text;
    }
    let set = format!("{{ {} }}", ports.iter().map(|p| format!("\"{p}\"")).collect::<Vec<_>>().join(", "));
    let _ = writeln!(text, "table bridge goodput_lab_{link} {{\nchain passing {{");
    let _ = writeln!(text, "type filter hook forward priority 0;");
    if let Some(most) = way.silent_mtu {
        // At this hook `meta length` is that of the IP packet.
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
    use crate::topology::LossRate;

    #[test]
    fn long_frames_and_a_share_of_the_others_are_dropped() {
        assert_eq!(nft_drop_rules(0, &LinkImpairments::default(), &["p0-0", "p0-1"]), "");
        let (loss, silent_mtu) = (LossRate(500), Some(1500));
        let way = LinkImpairments { loss, silent_mtu, ..LinkImpairments::default() };
        let text = nft_drop_rules(3, &way, &["p3-0", "p3-1"]);
        assert!(text.contains("oifname { \"p3-0\", \"p3-1\" } meta length > 1500 counter drop\n"), "{text}");
        assert!(text.contains("numgen random mod 1000000 < 500 counter drop\n"), "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}

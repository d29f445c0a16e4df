//! Cases of links with a medium, impairments or a bus.

use crate::case::{address, echo, mbit, raise, same, take_down};
use crate::stage::Stage;
use crate::witness::eventually;
use goodput_lab::{StopLabOutcome, Topology};

fn topology(host: &str, link: &str) -> Topology {
    let text = format!("[[host]]\nname='a'\n{host}\n[[host]]\nname='b'\n[[link]]\nhosts=['a','b']\n{link}\n");
    Topology::from_toml(&text).unwrap()
}

pub fn relayed(stage: &Stage) -> Result<(), String> {
    let lab = raise(stage, topology("", "medium='10base-t'"))?;
    let link = &lab.links[0];
    let relay = link.relay.clone().ok_or("no relay in the state")?;
    same("the relay runs", relay.process.is_running(), true)?;
    same("half duplex", link.medium.as_ref().map(|m| m.half_duplex), Some(true))?;
    for end in &link.ends {
        same("the offloads", end.offloads.obtained, end.offloads.asked)?;
        same("shaped", end.shape.obtained.is_some(), end.host.is_some())?;
    }
    echo(stage, &lab, &[("a", "b"), ("b", "a")])?;
    let mbit = mbit(stage, &lab, "a", "b")?;
    if !(3.0..=9.2).contains(&mbit) {
        return Err(format!("{mbit} Mbit/s on a hub whose arithmetic says 9.15"));
    }
    let written = || {
        let counted = relay.counters().ok_or("no record")?;
        let access = counted.access.ok_or("no access")?;
        println!("{mbit:.2} Mbit/s; {counted:?}");
        same("frames", counted.frames > 1_000, true)?;
        same("collisions and deferrals", access.collisions > 10 && access.deferred > 10, true)?;
        same("lost by the relay", counted.dropped.overrun, 0)
    };
    eventually(written)?;
    let told = stage.said(&lab, "a", &["sh", "-c", "cat $GOODPUT_LAB_RELAYS"])?;
    same("a host reads its relay's record", told.contains("10base-t half duplex"), true)?;
    take_down(stage, &lab, StopLabOutcome::Stopped)?;
    eventually(|| same("the relay runs", relay.process.is_running(), false))
}

pub fn dropped(stage: &Stage) -> Result<(), String> {
    if std::process::Command::new("nft").arg("--version").output().is_err() {
        println!("not looked at: nftables is not installed");
        return Ok(());
    }
    for more in ["", "delay='1ms'\n"] {
        let lab = raise(stage, topology("", &format!("{more}silent_mtu=1000")))?;
        same("a relay", lab.links[0].relay.is_some(), !more.is_empty())?;
        let to = address(&lab, "a", "b");
        same("a packet of 1000 bytes", stage.guest(&lab, "a", &["answered", &to, "1000"])?, "true".into())?;
        same("one of 1001", stage.guest(&lab, "a", &["answered", &to, "1001"])?, "false".into())?;
        take_down(stage, &lab, StopLabOutcome::Stopped)?;
    }
    Ok(())
}

pub fn a_bus(stage: &Stage) -> Result<(), String> {
    let lab = raise(stage, topology("bus='20Mbit'", "rate='100Mbit'"))?;
    let bus = lab.hosts[0].bus.clone().ok_or("no bus in the state")?;
    same("its rate", bus.shape.obtained.map(|s| s.rate.0), Some(20_000_000))?;
    for (from, to) in [("a", "b"), ("b", "a")] {
        let push = || mbit(stage, &lab, from, to);
        // 1448 of 1514 bytes of a frame: 19.13, less acknowledgements. A delayed receiver also counts queued
        // data, so only repeated excess fails.
        let mut rates = vec![push()?];
        while !rates.last().is_some_and(|mbit| (8.0..=19.4).contains(mbit)) {
            if rates.len() == 3 {
                return Err(format!("{rates:?} Mbit/s over a bus of 20"));
            }
            rates.push(push()?);
        }
    }
    take_down(stage, &lab, StopLabOutcome::Stopped)
}

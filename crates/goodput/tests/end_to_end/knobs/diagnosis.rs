//! `goodput why --allow-knob`: a host setting as an intervention, restored after each trial.

use super::beside;
use crate::stage::*;

const SETTING: &str = "/proc/sys/net/ipv4/tcp_rmem";
const LIMITED: &str = "4096 131072 262144";
const SAID: &str = "b: net.ipv4.tcp_rmem was 4096 131072 262144, set to 4096 131072 1048576 and restored";

fn in_host_b(lab: &Lab) -> Result<String, Failed> {
    let text = lab.exec("b", ["cat", SETTING])?;
    Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

pub fn only_with_permission() -> CommandOutput {
    let lab = Lab::up("why", &["--rate", "1Gbit", "--delay", "10ms"])?;
    let set = format!("echo {LIMITED} > {SETTING}");
    lab.exec("b", ["sh", "-c", set.as_str()])?;
    let _agent = beside(&lab.home, &lab, "b")?;
    let line = format!("why {} --from {} --port 6303", lab.host("b"), lab.host("a"));
    // An agent begins its journal with the first order to set something.
    let journal = lab.home.path().join("spool/knobs.journal");
    let ran = lab.home.line(&format!("{line} --budget 20s")).ended(0)?;
    must!(!journal.exists() && !ran.stderr.contains("set to"), "{}", ran.stderr);
    undisturbed(2, || {
        let ran = lab.home.line(&format!("{line} --allow-knob")).ended(0)?;
        must!(ran.stderr.matches(SAID).count() >= 3, "{}", ran.stderr);
        must!(in_host_b(&lab)? == LIMITED, "not restored");
        must!(fs::read(&journal)?.is_empty(), "something is still in the journal");
        let diagnosis = &lab.home.json("show")?["diagnosis"];
        must!(diagnosis["verdict"] == "named", "{diagnosis}");
        must!(diagnosis["causes"] == json!(["receive-window"]), "{diagnosis}");
        let effects = list(&diagnosis["suspects"]).iter().flat_map(|suspect| list(&suspect["effects"]));
        let of_setting = |e: &&Value| e["intervention"] == "receive_buffer_setting" && e["agrees"] == true;
        must!(effects.filter(of_setting).count() == 1, "{diagnosis}");
        Ok(())
    })
}

//! Interrupted and killed commands: `goodput file clean` removes our files and no others.

use super::canaries::Canaries;
use crate::stage::*;

pub fn interrupted() -> CommandOutput {
    let home = Home::new();
    let (folder, local) = (Canaries::sing(&home, "theirs", 20)?, Canaries::sing(&home, "here", 20)?);
    let words = format!("file disk {} --size 4MiB --time 400ms --repeat 20 --json", folder.word());
    let running = home.start_line(&words);
    std::thread::sleep(Duration::from_millis(2_500));
    running.signal("INT");
    let ran = running.end();
    must!(ran.took < Duration::from_secs(10), "took {:?}", ran.took);
    let document = ran.ended(130)?.json()?;
    must!(number(&document, "/bytes")? > 0, "{document}");
    folder.unharmed()?;
    let words =
        format!("file copy {} --local {} --size 64MiB --repeat 20 --json", folder.word(), local.word());
    let running = home.start_line(&words);
    std::thread::sleep(Duration::from_millis(60));
    running.signal("TERM");
    let ran = running.end();
    // The signal may arrive before its handler is installed.
    must!(ran.code() == 130 || ran.status.code().is_none(), "{:?} {} {}", ran.status, ran.stdout, ran.stderr);
    folder.unharmed()?;
    local.unharmed()
}

/// At random moments: fifty kills and 1,000 foreign files with GOODPUT_PROVE.
pub fn killed() -> CommandOutput {
    let (kills, canaries) = if proving() { (50, 1_000) } else { (8, 200) };
    let home = Home::new();
    let (folder, local) = (Canaries::sing(&home, "theirs", canaries)?, Canaries::sing(&home, "here", 50)?);
    let mut left = 0;
    // SplitMix64's constant: irregular moments, reproducible.
    let mut moment = 0x9E37_79B9_7F4A_7C15u64;
    for kill in 0..kills {
        let work = match kill % 3 {
            0 => format!("copy {} --local {} --size 16MiB --repeat 50", folder.word(), local.word()),
            1 => format!("disk {} --size 8MiB --time 100ms --repeat 50", folder.word()),
            _ => format!("replay office {} --clients 2 --time 2s", folder.word()),
        };
        let words = format!("file {work} --json --no-save");
        let running = home.start_line(&words);
        moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_millis(20 + (moment >> 33) % 1_200));
        running.signal("KILL");
        drop(running.end());
        left += folder.workspaces()?.len() + local.workspaces()?.len();
        for at in [&folder, &local] {
            let cleaned = home.line(&format!("file clean {} --json", at.word())).ended(0)?.json()?;
            must!(list(&cleaned["folders"]).iter().all(|found| found["state"] == "removed"), "{cleaned}");
            at.unharmed()?;
        }
    }
    must!(left > 0, "no kill of {kills} left anything: the story tells nothing");
    Ok(())
}

/// Foreign and active workspaces stay; listing removes nothing.
pub fn only_ours() -> CommandOutput {
    const THEIRS: &str = ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6";
    let home = Home::new();
    home.file(&format!("theirs/{THEIRS}/thesis.txt"), "not ours")?;
    let folder = Canaries::sing(&home, "theirs", 20)?;
    let clean = |more: &str| home.line(&format!("file clean {} --json {more}", folder.word()));
    let found = |ran: ProcessRun, code: i32, name: &str, state: &str| -> CommandOutput {
        let document = ran.ended(code)?.json()?;
        let found = list(&document["folders"]).iter().find(|f| f["name"] == name);
        must!(found.is_some_and(|f| f["state"] == state), "{name}: not {state} in {document}");
        Ok(())
    };
    // A folder without our mark.
    found(clean(""), 0, THEIRS, "foreign")?;
    found(clean(&format!("--workspace {THEIRS}")), 4, THEIRS, "foreign")?;
    folder.unharmed()?;
    clean("--workspace .goodput-nothing").refused(2, &["there is no folder"])?;

    let words = format!("file disk {} --size 4MiB --time 300ms --repeat 50 --no-save --json", folder.word());
    let running = home.start_line(&words);
    let ours = loop {
        let mine = |w: &PathBuf| !w.ends_with(THEIRS) && w.join("test").exists();
        if let Some(found) = folder.workspaces()?.into_iter().find(mine) {
            break found;
        }
        must!(!stat(running.pid()).is_empty(), "it ended");
        std::thread::sleep(Duration::from_millis(5));
    };
    let name = ours.file_name().and_then(|n| n.to_str()).ok_or("no name")?.to_string();
    found(clean(""), 0, &name, "alive")?;
    running.signal("KILL");
    drop(running.end());
    found(clean("--list"), 0, &name, "dead")?;
    must!(ours.exists(), "only listed");
    // A backup copy has its mark but not its name.
    let copy = folder.folder().join(".goodput-0199c3a1-2b3c-7d4e-8f50-000000000000");
    fs::create_dir(&copy)?;
    fs::copy(ours.join("goodput-workspace.json"), copy.join("goodput-workspace.json"))?;
    fs::write(copy.join("theirs.txt"), "a backup")?;
    let text = home.line(&format!("file clean {}", folder.word())).ended(0)?.stdout;
    must!(text.contains("removed") && text.contains("left alone"), "{text}");
    must!(!ours.exists(), "ours is still there: {text}");
    must!(fs::read_to_string(copy.join("theirs.txt"))? == "a backup", "the copy was touched: {text}");
    fs::remove_dir_all(&copy)?;
    folder.unharmed()
}

//! A compat sweep measures NetPIPE's 103 sizes and writes NetPIPE's format.

use crate::stage::Home;
use crate::{CommandOutput, must};

pub fn np_out() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let file = home.path().join("np.out");
    let more = format!("--compat --repeats 4 --np-out {} --json", file.display());
    let result = home.line(&agent.probe("pingpong", &more)).measured()?;
    let points = result["points"].as_array().ok_or("no points")?;
    must!(points.len() == 103, "{} percentage points", points.len());
    must!(points[102]["size_bytes"] == 786_435, "{}", points[102]);
    let text = std::fs::read_to_string(&file)?;
    must!(text.lines().count() == 103, "{text}");
    for (line, point) in text.lines().zip(points) {
        let words: Vec<f64> = line.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        must!(words.len() == 3, "{line}");
        let (size, mibit, seconds) = (words[0], words[1], words[2]);
        must!(Some(size) == point["size_bytes"].as_f64(), "{line}: {point}");
        // NetPIPE's "Mbps" is 2^20 bit/s of the one-way time; both columns are rounded.
        let again = size * 8.0 / seconds / f64::from(1 << 20);
        must!((mibit - again).abs() <= again * 0.01 + 0.01, "{line}: {again}");
    }
    let exported = home.line("export last --format netpipe").ended(0)?;
    must!(exported.stdout == text, "{}", exported.stdout);
    Ok(())
}

//! `goodput file` as a contender.

use crate::contender::{Load, MIX_SECONDS, MixAt, ROW_TIME, Reading};
use crate::files;
use crate::network::Host;
use crate::peer::words;
use crate::peers::{LOAD_FILE, ROWS};
use serde_json::Value;

pub fn server(load: &Load) -> Option<(Vec<String>, u16)> {
    match load {
        Load::Share { .. } => Some(files::server()),
        Load::Mix { at: MixAt::Folder } | Load::Drive { .. } => Some((Vec::new(), 0)),
        _ => None,
    }
}

pub fn client(load: &Load, program: &str, key: &str) -> Option<Vec<String>> {
    let time = |seconds: u64| format!("{seconds}s");
    let mut client = words([program, "file"]);
    match load {
        Load::Share { bytes } => {
            let target = format!("smb://{}@{}/{}", files::USER, Host::B.address(), files::SHARE);
            client.extend(words(["copy", &target, "--password-file", files::PASSWORD_FILE]));
            client.extend(words(["--size", &format!("{bytes}B"), "--repeat", "1"]));
        }
        Load::Mix { at } => {
            client.extend(words(["replay", LOAD_FILE]));
            match at {
                MixAt::Folder => client.push(files::FOLDER.into()),
                MixAt::Net => {
                    client.extend(words([&Host::B.address().to_string(), "--net-only", "--key-file", key]));
                }
            }
            let (window, warm_up) = (time(MIX_SECONDS.0), time(MIX_SECONDS.1));
            client.extend(words(["--time", &window, "--warm-up", &warm_up]));
        }
        Load::Drive { bytes } => {
            let size = format!("{bytes}B");
            client.extend(words(["disk", files::DISK, "--profile", "cdm8", "--size", &size, "--time"]));
            client.extend(words([ROW_TIME, "--order", "read-write", "--repeat", "1"]));
        }
        _ => return None,
    }
    client.extend(words(["--json", "--no-save"]));
    Some(client)
}

pub fn read(load: &Load, document: &Value) -> Option<Result<Reading, &'static str>> {
    let run = &document["file_run"];
    let list = |name: &str| run[name].as_array().cloned().unwrap_or_default();
    Some(match load {
        Load::Share { .. } => {
            let copies = list("copies");
            let of = |way: &str, figure: &str| {
                let copy = copies.iter().find(|c| c["kind"] == "copy" && c["way"] == way)?;
                copy[figure]["median"].as_f64()
            };
            match (of("write", "accepted_bps"), of("read", "rate_bps")) {
                (Some(written), Some(read)) => {
                    Ok(Reading { written_bps: Some(written), read_bps: Some(read), ..Reading::default() })
                }
                _ => Err("file_run.copies[] with accepted_bps and rate_bps"),
            }
        }
        Load::Mix { .. } => {
            let rate = run.pointer("/mixes/0/points/0/rate_bps/median").and_then(Value::as_f64);
            rate.map(|bps| Reading { mix_bps: Some(bps), ..Reading::default() })
                .ok_or("file_run.mixes[].points[].rate_bps")
        }
        Load::Drive { .. } => {
            let rows = list("rows");
            let of = |name: &str| {
                let is = |row: &&Value| {
                    row["name"]
                        .as_str()
                        .zip(row["way"].as_str())
                        .is_some_and(|(n, w)| format!("{n} {w}") == name)
                };
                rows.iter().find(is)?["rate_bps"]["median"].as_f64()
            };
            let rows: Option<_> =
                ROWS.iter().map(|row| Some((row.name.to_string(), of(row.name)?))).collect();
            rows.map(|rows| Reading { rows, ..Reading::default() }).ok_or("file_run.rows[] of every name")
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn types_each_kind_of_work() {
        let typed = |load| client(&load, "goodput", "key").unwrap().join(" ");
        let copied = "goodput file copy smb://root@10.77.0.2/share --password-file /srv/password \
                      --size 600000000B --repeat 1 --json --no-save";
        assert_eq!(typed(Load::Share { bytes: 600_000_000 }), copied);
        let replayed = "goodput file replay /usr/share/dbench/client.txt 10.77.0.2 --net-only --key-file key \
                        --time 8s --warm-up 2s --json --no-save";
        assert_eq!(typed(Load::Mix { at: MixAt::Net }), replayed);
        assert!(client(&Load::Request { size: 14, spin: false }, "goodput", "key").is_none());
    }

    #[test]
    fn reads_the_fields_of_the_contract() {
        let copy = |way: &str| json!({ "kind": "copy", "way": way, "rate_bps": { "median": 8.0 }, "accepted_bps": { "median": 9.0 } });
        let document = json!({ "file_run": {
            "copies": [{ "kind": "local_alone", "way": "read", "rate_bps": { "median": 1.0 } }, copy("write"), copy("read")],
            "mixes": [{ "points": [{ "rate_bps": { "median": 5.0 } }] }],
            "rows": ROWS.iter().map(|row| {
                let (name, way) = row.name.rsplit_once(' ').unwrap();
                json!({ "name": name, "way": way, "rate_bps": { "median": 3.0 } })
            }).collect::<Vec<_>>(),
        }});
        let share = read(&Load::Share { bytes: 1 }, &document).unwrap().unwrap();
        assert_eq!((share.written_bps, share.read_bps), (Some(9.0), Some(8.0)));
        let mix = read(&Load::Mix { at: MixAt::Folder }, &document).unwrap().unwrap();
        assert_eq!(mix.mix_bps, Some(5.0));
        assert_eq!(read(&Load::Drive { bytes: 1 }, &document).unwrap().unwrap().rows.len(), 8);
        assert!(read(&Load::Drive { bytes: 1 }, &json!({})).unwrap().is_err());
        assert!(read(&Load::Request { size: 14, spin: false }, &document).is_none());
    }
}

//! Files of the part `file`: a Samba configuration and share in host B, a source file and a loop device with
//! ext4 in host A, all in the hosts' own `/srv` in memory.

use crate::contender::Reading;
use crate::error::BenchError;
use crate::network::{Host, Network};
use goodput_model::file::SMB_PORT;

/// Version of this preparation, for the state's fingerprint.
pub const VERSION: u32 = 2;
/// Debian's load file: 458,344 operations move 2,488,062,937 bytes.
pub const OPERATIONS_PER_BYTE: f64 = 458_344.0 / 2_488_062_937.0;
pub const SOURCE: &str = "/srv/source";
pub const FOLDER: &str = "/srv/mix";
pub const DISK: &str = "/srv/disk";
/// Fully allocated, little more than one file: its place in memory changes the read rate by a third, so every
/// trial's file must have the same place.
const DISK_BYTES: u64 = 360 << 20;
pub const USER: &str = "root";
pub const SHARE: &str = "share";
const CONFIGURATION: &str = "/srv/samba/smb.conf";
pub const PASSWORD_FILE: &str = "/srv/password";
pub const CREDENTIALS: &str = "/srv/credentials";

pub fn server() -> (Vec<String>, u16) {
    let words = ["smbd", "--foreground", "--no-process-group", "--configfile", CONFIGURATION];
    (words.map(String::from).into(), SMB_PORT)
}

pub fn prepare(network: &Network) -> Result<(), BenchError> {
    let configuration = format!(
        "[global]\nserver role = standalone server\nload printers = no\nprinting = bsd\ndisable spoolss = yes\n\
         passdb backend = tdbsam:/srv/samba/passdb.tdb\nprivate dir = /srv/samba\nstate directory = /srv/samba\n\
         cache directory = /srv/samba\nlock directory = /srv/samba\npid directory = /srv/samba\n\
         ncalrpc dir = /srv/samba/ncalrpc\nlog file = /srv/samba/log\n[{SHARE}]\npath = /srv/{SHARE}\nread only = no\n"
    );
    let on_b = format!(
        "mkdir -p /srv/samba /srv/{SHARE} && cat > {CONFIGURATION} <<'END'\n{configuration}END\n\
         printf 'bench\\nbench\\n' | pdbedit -s {CONFIGURATION} -t -a -u {USER} >/dev/null"
    );
    network.run_in(Host::B, "sh", &["-c", &on_b])?;
    let on_a = format!(
        "set -e; mkdir -p {FOLDER} {DISK}; umask 077; printf bench > {PASSWORD_FILE}; \
         printf 'username={USER}\\npassword=bench\\n' > {CREDENTIALS}; head -c 600000000 /dev/urandom > {SOURCE}; \
         head -c {DISK_BYTES} /dev/zero > /srv/disk.img; \
         mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0,nodiscard /srv/disk.img; \
         mount -o loop,noatime /srv/disk.img {DISK}"
    );
    network.run_in(Host::A, "sh", &["-c", &on_a]).map(drop)
}

pub fn told(reading: &Reading) -> String {
    let mb = |bps: Option<f64>| bps.map_or("–".into(), |bps| format!("{:.0} MB/s", bps / 8e6));
    match (reading.written_bps, reading.mix_bps) {
        (Some(_), _) => format!("{} written, {} read", mb(reading.written_bps), mb(reading.read_bps)),
        (_, Some(_)) => {
            let user =
                reading.user_ns_per_operation.map(|ns| format!(", {:.2} µs of user CPU each", ns / 1e3));
            format!("{}{}", mb(reading.mix_bps), user.unwrap_or_default())
        }
        _ => {
            let rows = reading.rows.iter().map(|(name, bps)| format!("{name} {}", mb(Some(*bps))));
            rows.collect::<Vec<_>>().join(", ")
        }
    }
}

//! `unfsd` on loopback, exporting a folder for temporary files.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub struct Unfsd {
    child: Child,
    folder: TempDir,
    pub port: u16,
}

/// Why there can be none here.
pub fn why_none() -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).chain(["/usr/sbin", "/sbin"].map(PathBuf::from));
    let there = places.any(|place| place.join("unfsd").is_file());
    (!there).then(|| "unfsd is not installed".into())
}

impl Unfsd {
    pub fn start() -> Unfsd {
        let folder = tempfile::Builder::new().prefix("unfsd-").tempdir_in("/dev/shm").unwrap();
        fs::create_dir(folder.path().join("export")).unwrap();
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let exports = folder.path().join("exports");
        let export = folder.path().join("export");
        let options = "(rw,no_root_squash,insecure)";
        fs::write(&exports, format!("{} 127.0.0.1{options}\n", export.display())).unwrap();
        let text = port.to_string();
        let log = fs::File::create(folder.path().join("log")).unwrap();
        // Neither registered nor in the background; killed with this process.
        let child = Command::new("setpriv")
            .args([
                "--pdeathsig",
                "KILL",
                "unfsd",
                "-d",
                "-p",
                "-t",
                "-l",
                "127.0.0.1",
                "-n",
                &text,
                "-m",
                &text,
                "-e",
            ])
            .arg(exports)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let server = Unfsd { child, folder, port };
        let began = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(10), "{}", server.log());
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    pub fn folder(&self) -> PathBuf {
        self.folder.path().join("export")
    }

    pub fn export(&self) -> String {
        self.folder().to_string_lossy().into_owned()
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Unfsd {
    fn drop(&mut self) {
        self.kill();
    }
}

//! Kernel messages between two instants, from `/dev/kmsg` (non-blocking). The log is the whole kernel's, also
//! in containers. With `kernel.dmesg_restrict` it needs CAP_SYSLOG.

use crate::HostError;
use goodput_model::host::counters::{KernelMessage, KernelMessages};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;

const FILE: &str = "/dev/kmsg";
const MOST: usize = 100;
/// Limit for one window.
const READ_AT_MOST: u64 = 10_000;
/// CONSOLE_EXT_LOG_MAX: the longest record.
const RECORD: usize = 8192;

pub(crate) struct KernelLogReader {
    file: File,
}

impl KernelLogReader {
    pub(crate) fn open() -> Result<KernelLogReader, HostError> {
        let failed = |cause| HostError::Read { file: FILE, cause };
        let opened = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(FILE);
        let mut file = opened.map_err(failed)?;
        // To the end: Documentation/ABI/testing/dev-kmsg.
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(KernelLogReader { file })
    }

    pub(crate) fn read_new_messages(mut self) -> Result<KernelMessages, HostError> {
        let mut all = KernelMessages::default();
        let mut record = vec![0; RECORD];
        for _ in 0..READ_AT_MOST {
            match self.file.read(&mut record) {
                Ok(0) => break,
                Ok(length) => match parse(&String::from_utf8_lossy(&record[..length])) {
                    Some(message) if all.messages.len() < MOST => all.messages.push(message),
                    _ => all.left_out += 1,
                },
                Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                // Records were overwritten; reading continues at the oldest.
                Err(e) if e.kind() == ErrorKind::BrokenPipe => all.left_out += 1,
                Err(cause) => return Err(HostError::Read { file: FILE, cause }),
            }
        }
        Ok(all)
    }
}

/// `<level and facility>,<number>,<time in µs>,<flags>…;<text>` and property lines.
pub(crate) fn parse(record: &str) -> Option<KernelMessage> {
    let (head, text) = record.split_once(';')?;
    let mut fields = head.split(',');
    let level = fields.next()?.parse::<u32>().ok()?;
    let at_us = fields.nth(1)?.parse().ok()?;
    Some(KernelMessage {
        at_us,
        level: (level & 7) as u8,
        text: text.lines().next().unwrap_or("").to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn facility_and_properties_are_not_part_of_a_record() {
        let record = "6,2274,3261926540,-;br0: port 3(p0-2) entered disabled state\n";
        let message = parse(record).unwrap();
        assert_eq!((message.at_us, message.level), (3_261_926_540, 6));
        assert_eq!(message.text, "br0: port 3(p0-2) entered disabled state");
        let message = parse("12,7,99,c,caller=T1;link is down\n SUBSYSTEM=net\n DEVICE=n2\n").unwrap();
        assert_eq!((message.level, message.text.as_str()), (4, "link is down"));
        assert!(parse("no record").is_none() && parse("6,x;text").is_none());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_log_that_is_open_is_read_without_waiting() {
        // Without permission there is a reason.
        match KernelLogReader::open() {
            Ok(log) => assert!(log.read_new_messages().unwrap().messages.len() <= MOST),
            Err(e) => assert!(e.to_string().starts_with("cannot read /dev/kmsg: ")),
        }
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in ".{0,200}") {
            let _ = parse(&text);
        }
    }
}

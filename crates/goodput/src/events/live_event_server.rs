//! Live samples of a typed command for the page of its store, over a socket beside the runs
//! ([`goodput_store::live`]).
//!
//! A watcher changes nothing: agents get no extra requests, so there is no CPU of hosts. The terminal's
//! thread writes lines, only while somebody is connected.

use super::live_sample::LiveSampler;
use goodput_control::ViewerFlag;
use goodput_model::event::{EndpointLiveProgress, LiveProgress};
use goodput_model::event_line::EventLine;
use goodput_model::{Event, RunId};
use goodput_store::live_socket::LiveSocket;
use std::path::Path;
use std::time::{Duration, Instant};

/// Interval of checks for a new watcher.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub struct LiveEventServer {
    offer: LiveSocket,
    run: RunId,
    renamed: Option<(String, String)>,
    live_sample: LiveSampler,
    viewer_flag: ViewerFlag,
    looked: Option<Instant>,
}

impl LiveEventServer {
    /// `None` if the socket cannot be opened; the measurement continues.
    pub fn open(
        folder: &Path,
        run: RunId,
        renamed: Option<(String, String)>,
        viewer_flag: ViewerFlag,
    ) -> Option<LiveEventServer> {
        let offer = LiveSocket::open(folder.parent()?, run).ok()?;
        Some(LiveEventServer {
            offer,
            run,
            renamed,
            live_sample: LiveSampler::default(),
            viewer_flag,
            looked: None,
        })
    }

    pub fn publish_event(&mut self, event: &Event) {
        match event {
            Event::TrialStarted { trial, probe } => {
                self.live_sample = LiveSampler::new(Some(self.run), *trial, probe, self.renamed.clone());
            }
            Event::Live(_) if self.is_due(Instant::now()) => {
                self.viewer_flag.set_has_viewers(self.offer.accept_readers())
            }
            Event::LiveEnds { whole, ends } => self.tell(whole, ends),
            _ => {}
        }
    }

    fn is_due(&mut self, now: Instant) -> bool {
        let due = self.looked.is_none_or(|at| now.saturating_duration_since(at) >= POLL_INTERVAL);
        if due {
            self.looked = Some(now);
        }
        due
    }

    fn tell(&mut self, whole: &LiveProgress, ends: &[EndpointLiveProgress]) {
        let Some(mut line) = self.live_sample.build_endpoints_sample(whole, ends) else { return };
        // Hosts are reported only for their CPU.
        line.hosts.clear();
        let Ok(mut text) = serde_json::to_vec(&EventLine::Live(line)) else { return };
        text.push(b'\n');
        self.offer.send_line(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::live_sample::tests::end;
    use goodput_model::trial::EndpointRole;
    use goodput_model::{Probe, Stream, TrialId};
    use serde_json::Value;
    use std::io::{BufRead, BufReader};
    use std::os::unix::net::UnixStream;

    fn live(bytes: u64) -> LiveProgress {
        let elapsed_ns = Some(bytes);
        LiveProgress { trial: TrialId(1), done: None, elapsed_ns, bytes, operations: 0, busy_percent: None }
    }

    #[test]
    fn glimpses_are_made_for_those_who_look_on() {
        let root = tempfile::tempdir().unwrap();
        let run = RunId("01930000-0000-7000-8000-00000000aaaa".parse().unwrap());
        let viewer_flag = ViewerFlag::default();
        let renamed = Some(("10.0.0.2".to_string(), "b".to_string()));
        let folder = root.path().join(run.to_string());
        let mut offered = LiveEventServer::open(&folder, run, renamed, viewer_flag.clone()).unwrap();
        let probe = Probe::Stream(Stream::default());
        offered.publish_event(&Event::TrialStarted { trial: TrialId(7), probe });
        offered.publish_event(&Event::Live(live(1)));
        assert!(!viewer_flag.has_viewers());
        let socket = root.path().join(goodput_store::live_socket::LIVE_SOCKET_FOLDER).join(run.to_string());
        let mut reader = BufReader::new(UnixStream::connect(socket).unwrap());
        // Skips the interval of 100 ms.
        offered.looked = None;
        offered.publish_event(&Event::Live(live(2)));
        assert!(viewer_flag.has_viewers());
        let near = end(EndpointRole::Connect, "a", false, live(3));
        let ends = vec![near, end(EndpointRole::Listen, "10.0.0.2", true, live(3))];
        offered.publish_event(&Event::LiveEnds { whole: live(3), ends });
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        assert!(told["event"] == "live" && told["trial"] == 7 && told["run"] == run.to_string(), "{told}");
        let flows = serde_json::json!([{"from": "a", "to": "b", "bytes": 3, "goodput_bps": null}]);
        assert!(told["flows"] == flows && told["hosts"] == serde_json::json!([]), "{told}");
        drop(reader);
        offered.live_sample =
            LiveSampler::new(Some(run), TrialId(8), &Probe::Stream(Stream::default()), None);
        offered.publish_event(&Event::LiveEnds { whole: live(4), ends: Vec::new() });
        offered.looked = None;
        offered.publish_event(&Event::Live(live(5)));
        assert!(!viewer_flag.has_viewers(), "who has gone is not told anything more");
    }

    #[test]
    fn where_there_can_be_no_socket_there_is_none() {
        let run = RunId("01930000-0000-7000-8000-00000000aaaa".parse().unwrap());
        let folder = Path::new("/proc/no-place").join(run.to_string());
        assert!(LiveEventServer::open(&folder, run, None, ViewerFlag::default()).is_none());
    }
}

//! The journal's format: one line of JSON per event, durable **before** the announced action. Pure. After a
//! crash any prefix tells what to restore ([`read`]): a setting is open from the line with its original value
//! until its closing line. A torn last line was never durable, so its action did not happen.

use goodput_words::{Message, error_messages, message};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum JournalLine<S> {
    Intent {
        id: u64,
        owner: String,
        setting: S,
        boot: String,
        /// Namespace cookie; `None` for settings outside namespaces, or if unknown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        namespace: Option<u64>,
        old: String,
        asked: String,
    },
    Change {
        id: u64,
        asked: String,
    },
    Obtained {
        id: u64,
        value: String,
    },
    /// Nothing to restore.
    Closed {
        id: u64,
        /// Why it was not restored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
}

/// A change to be restored.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingRestore<S> {
    pub id: u64,
    /// Empty once its owner is gone.
    pub owner: String,
    pub setting: S,
    pub boot: String,
    pub namespace: Option<u64>,
    pub old: String,
    pub asked: String,
    /// Value after the change; `None` if not recorded, so the change may not have happened.
    pub obtained: Option<String>,
}

/// Another version, or damaged.
#[derive(Debug, Clone, PartialEq)]
pub struct JournalParseError {
    pub line: usize,
    pub why: Message,
}

error_messages! {
    JournalParseError {
        JournalParseError { line, why } => message!(error_knob_journal_line { line: line.to_string(), why }),
    }
}

pub fn encode_line<S: Serialize>(line: &JournalLine<S>) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    Ok(bytes)
}

pub fn trim_partial_line(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    &bytes[..end]
}

/// Open entries in their order.
pub fn parse_pending_restores<S: DeserializeOwned>(
    bytes: &[u8],
) -> Result<Vec<PendingRestore<S>>, JournalParseError> {
    let mut open: Vec<PendingRestore<S>> = Vec::new();
    for (number, text) in
        trim_partial_line(bytes).split(|b| *b == b'\n').enumerate().filter(|(_, t)| !t.is_empty())
    {
        let damaged = |why: Message| JournalParseError { line: number + 1, why };
        let line: JournalLine<S> = serde_json::from_slice(text).map_err(|e| damaged(e.to_string().into()))?;
        apply_journal_line(&mut open, line).map_err(damaged)?;
    }
    Ok(open)
}

pub(super) fn apply_journal_line<S>(
    open: &mut Vec<PendingRestore<S>>,
    line: JournalLine<S>,
) -> Result<(), Message> {
    let at = |open: &[PendingRestore<S>], id: u64| {
        let missing = || message!(cause_knob_journal_no_entry { entry: id.to_string() });
        open.iter().position(|e| e.id == id).ok_or_else(missing)
    };
    match line {
        JournalLine::Intent { id, owner, setting, boot, namespace, old, asked } => {
            open.push(PendingRestore { id, owner, setting, boot, namespace, old, asked, obtained: None });
        }
        JournalLine::Change { id, asked } => {
            let at = at(open, id)?;
            (open[at].asked, open[at].obtained) = (asked, None);
        }
        JournalLine::Obtained { id, value } => {
            let at = at(open, id)?;
            open[at].obtained = Some(value);
        }
        JournalLine::Closed { id, .. } => {
            let at = at(open, id)?;
            open.remove(at);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn intent(id: u64, setting: &str) -> JournalLine<String> {
        JournalLine::Intent {
            id,
            owner: "a".into(),
            setting: setting.into(),
            boot: "b".into(),
            namespace: Some(7),
            old: "1500".into(),
            asked: "9000".into(),
        }
    }

    fn text(lines: &[JournalLine<String>]) -> Vec<u8> {
        lines.iter().flat_map(|l| encode_line(l).unwrap()).collect()
    }

    #[test]
    fn lines_read_as_documented() {
        let line = String::from_utf8(encode_line(&intent(1, "mtu")).unwrap()).unwrap();
        assert_eq!(
            line,
            "{\"event\":\"intent\",\"id\":1,\"owner\":\"a\",\"setting\":\"mtu\",\"boot\":\"b\",\"namespace\":7,\
             \"old\":\"1500\",\"asked\":\"9000\"}\n"
        );
    }

    #[test]
    fn an_entry_is_open_until_it_is_closed() {
        let obtained = JournalLine::Obtained { id: 1, value: "9000".into() };
        let change = JournalLine::Change { id: 1, asked: "1400".into() };
        let closed = JournalLine::Closed { id: 1, why: None };
        let all = [intent(1, "mtu"), obtained, intent(2, "gro"), change, closed];
        let open = |n: usize| parse_pending_restores::<String>(&text(&all[..n])).unwrap();
        assert_eq!((open(1).len(), open(1)[0].obtained.clone()), (1, None));
        assert_eq!(open(2)[0].obtained.as_deref(), Some("9000"));
        assert_eq!(open(3).iter().map(|e| e.id).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((open(4)[0].asked.as_str(), open(4)[0].obtained.clone()), ("1400", None));
        assert_eq!(open(5).iter().map(|e| e.setting.as_str()).collect::<Vec<_>>(), ["gro"]);
    }

    #[test]
    fn a_torn_line_was_never_written_and_a_strange_one_is_told() {
        let mut bytes = text(&[intent(1, "mtu")]);
        let end = bytes.len();
        bytes.extend(b"{\"event\":\"clos");
        assert_eq!(trim_partial_line(&bytes).len(), end);
        assert_eq!(parse_pending_restores::<String>(&bytes).unwrap().len(), 1);
        bytes.extend(b"\n");
        assert_eq!(parse_pending_restores::<String>(&bytes).unwrap_err().line, 2);
        assert!(parse_pending_restores::<String>(b"{\"event\":\"closed\",\"id\":9}\n").is_err());
        assert_eq!(parse_pending_restores::<String>(b"").unwrap(), []);
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = parse_pending_restores::<String>(&bytes);
        }
    }
}

//! Under `--events`: questions go to standard output, answers come from standard input, one line each.

use crate::events;
use goodput_control::CancelFlag;
use goodput_model::Message;
use goodput_model::event_line::{EventLine, ManualStepAnswer, ManualStepQuestion};
use goodput_words::message;
use std::cell::{Cell, OnceCell};
use std::io::BufRead;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Poll interval for an interrupt.
const LOOK_EVERY: Duration = Duration::from_millis(200);

#[derive(Default)]
pub struct OperatorAnswers {
    /// Lines of standard input since the first question.
    lines: OnceCell<Receiver<ManualStepAnswer>>,
    asked: Cell<u32>,
}

impl OperatorAnswers {
    /// Asks and waits without a time limit; an error if nobody can answer or an interrupt arrives.
    pub fn ask_and_wait(&self, question: ManualStepQuestion, cancel: &CancelFlag) -> Result<String, Message> {
        let lines = self.lines.get_or_init(|| listening(std::io::BufReader::new(std::io::stdin())));
        self.asked.set(self.asked.get() + 1);
        let id = self.asked.get().to_string();
        events::write_event_line(&EventLine::Ask(ManualStepQuestion { id: id.clone(), ..question }));
        let answer = awaited(lines, &id, cancel);
        events::write_event_line(&EventLine::Answered { id });
        answer
    }
}

/// Reads lines on a thread that ends with the input.
fn listening(mut from: impl BufRead + Send + 'static) -> Receiver<ManualStepAnswer> {
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        while matches!(from.read_line(&mut line), Ok(1..)) {
            if let Ok(answer) = serde_json::from_str(&line)
                && tell.send(answer).is_err()
            {
                return;
            }
            line.clear();
        }
    });
    told
}

/// Late answers to earlier questions are dropped.
fn awaited(lines: &Receiver<ManualStepAnswer>, id: &str, cancel: &CancelFlag) -> Result<String, Message> {
    loop {
        if cancel.is_cancelled() {
            return Err(message!(error_operator_interrupted));
        }
        match lines.recv_timeout(LOOK_EVERY) {
            Ok(answer) if answer.prompt == id => return Ok(answer.answer),
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(message!(error_operator_gone));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn an_answer_is_for_its_own_question() {
        let typed =
            "no json\n{\"prompt\":\"1\",\"answer\":\"done\"}\n{\"prompt\":\"2\",\"answer\":\"skip\"}\n";
        let lines = listening(Cursor::new(typed));
        let cancel = CancelFlag::default();
        assert_eq!(awaited(&lines, "2", &cancel), Ok("skip".to_string()));
        assert!(awaited(&lines, "3", &cancel).unwrap_err().contains("nobody is there"));
    }

    #[test]
    fn an_end_that_is_asked_for_ends_the_wait() {
        let (_open, lines) = channel();
        let cancel = CancelFlag::default();
        cancel.cancel();
        assert!(awaited(&lines, "1", &cancel).unwrap_err().contains("interrupted"));
    }
}

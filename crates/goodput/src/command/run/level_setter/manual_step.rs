//! The operator: asked on the terminal, or through the program that started this one.

use super::PrintLineFn;
use super::answers::OperatorAnswers;
use crate::args::run::RunArgs;
use goodput_control::CancelFlag;
use goodput_model::Message;
use goodput_model::event_line::{ManualStepAnswer, ManualStepQuestion};
use goodput_words::{ErrorMessage, message};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::io::{self, BufRead, IsTerminal};
use std::os::fd::AsFd;

/// Poll interval for an interrupt, in ms.
const LOOK_MS: u16 = 200;

pub struct Operator {
    /// Only verify, never ask.
    pub yes: bool,
    pub say: PrintLineFn,
    pub cancel: CancelFlag,
    /// `None` is the terminal.
    pub answers: Option<OperatorAnswers>,
}

impl Operator {
    pub fn new(order: &RunArgs, say: PrintLineFn, cancel: &CancelFlag) -> Operator {
        let answers = order.events.then(OperatorAnswers::default);
        Operator { yes: order.yes, say, cancel: cancel.clone(), answers }
    }

    /// Fails if nobody can be asked; `blind` if only the operator's answer shows the level.
    pub fn check_operator_available(&self, blind: bool) -> Result<(), Message> {
        // Without a terminal the level may still be in place.
        if self.yes && blind { Err(message!(error_manual_level_unverified)) } else { Ok(()) }
    }

    /// Asks once and waits for the answer; `wrong` is what an earlier answer left. Fails if the operator skips
    /// or interrupts.
    pub fn request_level_change(
        &self,
        question: &ManualStepQuestion,
        wrong: Option<&Message>,
    ) -> Result<(), Message> {
        let (factor, level) = (&question.factor, &question.level);
        if self.yes {
            // The first time only the original facts are known.
            return match wrong {
                None => Ok(()),
                Some(why) => Err(message!(error_manual_level_not_in_place { factor, level, why })),
            };
        }
        let typed = match &self.answers {
            Some(answers) => answers.ask_and_wait(question.clone(), &self.cancel)?,
            None => self.ask_on_terminal(question, wrong)?,
        };
        match typed.trim() {
            ManualStepAnswer::SKIP => Err(message!(error_manual_level_skipped { factor, level })),
            // Any other answer means done; the facts are verified in any case.
            _ => Ok(()),
        }
    }

    fn ask_on_terminal(
        &self,
        question: &ManualStepQuestion,
        wrong: Option<&Message>,
    ) -> Result<String, Message> {
        let ManualStepQuestion { factor, level, text, .. } = question;
        let input = io::stdin();
        if !input.is_terminal() || !io::stderr().is_terminal() {
            return Err(message!(error_manual_level_no_terminal { factor, level, text }));
        }
        if let Some(why) = wrong {
            (self.say)(message!(progress_manual_not_yet { why }));
        }
        (self.say)(message!(error_level_why { factor, level, why: text }));
        (self.say)(message!(progress_manual_press_enter));
        self.line(&input)
    }

    fn line(&self, input: &io::Stdin) -> Result<String, Message> {
        let failed = |why: Message| message!(error_terminal_unreadable { why });
        loop {
            if self.cancel.is_cancelled() {
                return Err(message!(error_operator_interrupted));
            }
            let mut wanted = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
            match poll(&mut wanted, PollTimeout::from(LOOK_MS)) {
                Ok(0) | Err(nix::errno::Errno::EINTR) => continue,
                Ok(_) => break,
                Err(e) => return Err(failed(e.to_string().into())),
            }
        }
        let mut line = String::new();
        match input.lock().read_line(&mut line) {
            Ok(0) => Err(message!(error_terminal_closed)),
            Ok(_) => Ok(line),
            Err(e) => Err(failed(e.message())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    fn operator(yes: bool) -> (Operator, Rc<RefCell<Vec<Message>>>) {
        let said = Rc::new(RefCell::new(Vec::new()));
        let keep = said.clone();
        let say: PrintLineFn = Rc::new(move |sentence| keep.borrow_mut().push(sentence));
        (Operator { yes, say, cancel: CancelFlag::default(), answers: None }, said)
    }

    #[test]
    fn with_yes_nobody_is_asked_and_what_is_wrong_is_said() {
        let (operator, said) = operator(true);
        let wrong = Message::from("x is 1 and should be 2");
        let (id, must_show) = (String::new(), Vec::new());
        let (factor, level, text) = ("nic".into(), "b".into(), "swap it".into());
        let swap = ManualStepQuestion { id, factor, level, text, must_show, wrong: None };
        assert_eq!(operator.request_level_change(&swap, None), Ok(()));
        let e = operator.request_level_change(&swap, Some(&wrong)).unwrap_err();
        assert_eq!(e, "nic = b comes about by hand and is not in place: x is 1 and should be 2");
        assert!(said.borrow().is_empty());
        assert_eq!(operator.check_operator_available(false), Ok(()));
        assert!(operator.check_operator_available(true).unwrap_err().contains("verify"));
    }
}

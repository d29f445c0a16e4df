//! The operator: asked on the terminal, or through the program that started this one.

use super::PrintLineFn;
use super::answers::OperatorAnswers;
use crate::args::run::RunArgs;
use goodput_control::CancelFlag;
use goodput_model::event_line::{ManualStepAnswer, ManualStepQuestion};
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
    pub fn check_operator_available(&self, blind: bool) -> Result<(), String> {
        if self.yes && blind {
            return Err("a level by hand without facts to verify cannot be taken for granted by --yes; write verify = … \
                        into the experiment's file, or leave --yes out"
                .into());
        }
        // Without a terminal the level may still be in place.
        Ok(())
    }

    /// Asks once and waits for the answer. Fails if the operator skips or interrupts.
    pub fn request_level_change(&self, question: &ManualStepQuestion, first: bool) -> Result<(), String> {
        let of = format!("{} = {}", question.factor, question.level);
        let wrong = question.wrong.as_deref();
        if self.yes {
            // The first time only the original facts are known.
            if first {
                return Ok(());
            }
            let wrong = wrong.unwrap_or("nothing shows it");
            return Err(format!("{of} comes about by hand and is not in place: {wrong}"));
        }
        let typed = match &self.answers {
            Some(answers) => answers.ask_and_wait(question.clone(), &self.cancel)?,
            None => self.ask_on_terminal(&of, &question.text, wrong)?,
        };
        match typed.trim() {
            ManualStepAnswer::SKIP => Err(format!("{of} was skipped by the operator")),
            // Any other answer means done; the facts are verified in any case.
            _ => Ok(()),
        }
    }

    fn ask_on_terminal(&self, of: &str, question: &str, wrong: Option<&str>) -> Result<String, String> {
        let input = io::stdin();
        if !input.is_terminal() || !io::stderr().is_terminal() {
            return Err(format!(
                "{of} comes about by hand ({question}), and there is no terminal where somebody could be asked; put it in \
                 place beforehand and type --yes"
            ));
        }
        if let Some(wrong) = wrong {
            (self.say)(&format!("not yet: {wrong}"));
        }
        (self.say)(&format!("{of}: {question}"));
        (self.say)("press Enter when it is done, or type skip");
        self.line(&input)
    }

    fn line(&self, input: &io::Stdin) -> Result<String, String> {
        let failed = |e: String| format!("the terminal cannot be read: {e}");
        loop {
            if self.cancel.is_cancelled() {
                return Err("interrupted while waiting for the operator".into());
            }
            let mut wanted = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
            match poll(&mut wanted, PollTimeout::from(LOOK_MS)) {
                Ok(0) | Err(nix::errno::Errno::EINTR) => continue,
                Ok(_) => break,
                Err(e) => return Err(failed(e.to_string())),
            }
        }
        let mut line = String::new();
        match input.lock().read_line(&mut line) {
            Ok(0) => Err("the terminal was closed while the operator was asked".into()),
            Ok(_) => Ok(line),
            Err(e) => Err(failed(e.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    fn operator(yes: bool) -> (Operator, Rc<RefCell<Vec<String>>>) {
        let said = Rc::new(RefCell::new(Vec::new()));
        let keep = said.clone();
        let say: PrintLineFn = Rc::new(move |sentence: &str| keep.borrow_mut().push(sentence.to_string()));
        (Operator { yes, say, cancel: CancelFlag::default(), answers: None }, said)
    }

    #[test]
    fn with_yes_nobody_is_asked_and_what_is_wrong_is_said() {
        let (operator, said) = operator(true);
        let wrong = Some("x is 1 and should be 2".to_string());
        let (factor, level, text) = ("nic".into(), "b".into(), "swap it".into());
        let swap =
            ManualStepQuestion { id: String::new(), factor, level, text, must_show: Vec::new(), wrong };
        assert_eq!(operator.request_level_change(&swap, true), Ok(()));
        let e = operator.request_level_change(&swap, false).unwrap_err();
        assert_eq!(e, "nic = b comes about by hand and is not in place: x is 1 and should be 2");
        assert!(said.borrow().is_empty());
        assert_eq!(operator.check_operator_available(false), Ok(()));
        assert!(operator.check_operator_available(true).unwrap_err().contains("verify"));
    }
}

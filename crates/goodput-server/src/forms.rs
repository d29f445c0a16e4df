//! The measuring commands and options in the API, for the page's forms, with the permissions they need.

use crate::translate::Localize;
use goodput_words::{Message, Translator, message};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// A measuring command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Form {
    /// Its words: `stream`, `file copy`.
    pub command: String,
    /// What it does.
    pub about: String,
    /// What can be given to it, in the order of its help.
    pub options: Vec<FormOption>,
}

/// Something that can be given to a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "FormOption")]
pub struct FormOption {
    /// `--time`; of what is given without a name, how the help calls it: `HOST`.
    pub name: String,
    /// How the help calls its value; `null` for one that has none.
    pub value_name: Option<String>,
    /// What it is for.
    pub help: String,
    /// What holds when it is left out, as the help says it; `null` where it says nothing.
    pub default: Option<String>,
    /// The words that it takes, where these are all.
    pub choices: Vec<String>,
    /// What its value is.
    pub kind: OptionValueKind,
    /// What it belongs to.
    pub group: OptionGroup,
    /// True where the command is refused without it.
    pub required: bool,
    /// True where it may be given more than once.
    pub repeated: bool,
    /// True where its value must be joined to it: `--no-delay=on`.
    pub joined: bool,
    /// What the server must have been started with for it to be taken; `null` where it is always taken.
    pub leave: Option<JobPermission>,
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Kind")]
pub enum OptionValueKind {
    /// There is no value: it is given or not.
    Flag,
    /// One of a few words.
    Choice,
    /// A whole number.
    Number,
    /// Bytes with their unit: `64KiB`.
    Size,
    /// A time with its unit: `10s`.
    Time,
    /// A rate with its unit: `100Mbit`.
    Rate,
    /// A part of a hundred.
    Percent,
    /// A host: address, name, or `lab:NAME`.
    Host,
    /// Values with commas between them.
    List,
    /// A file.
    File,
    /// A folder.
    Folder,
    /// `KEY=VALUE`.
    Label,
    /// Anything else.
    Text,
}

/// What an option belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Group")]
pub enum OptionGroup {
    /// Between whom.
    Hosts,
    /// What is measured.
    Measurement,
    /// What every measuring command has.
    Common,
}

/// Something that a line may ask for and that a page gets only where whoever started the server has said so (`--allow`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Leave")]
pub enum JobPermission {
    /// Write a file, or runs elsewhere than into the store: `--np-out`, `--write-icf`, `--runs`.
    Write,
    /// Work in folders of the server's own machine: `file /mnt/nas`, `--local`.
    Folders,
    /// Read files of the server's own machine that the line names: keys, passwords, configurations.
    Files,
    /// Change settings: an experiment with a knob of `localhost`, the server's own machine; `why --allow-knob`.
    Knobs,
    /// Run commands on hosts: an experiment whose levels are set by commands.
    Commands,
}

impl Localize for Form {
    fn localize(&mut self, words: &Translator) {
        let texts = self.options.iter_mut().map(|option| &mut option.help);
        for text in texts.chain([&mut self.about]) {
            if let Some(said) = words.translate_help(text) {
                *text = said;
            }
        }
    }
}

impl JobPermission {
    pub const ALL: [JobPermission; 5] = [
        JobPermission::Write,
        JobPermission::Folders,
        JobPermission::Files,
        JobPermission::Knobs,
        JobPermission::Commands,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            JobPermission::Write => "write",
            JobPermission::Folders => "folders",
            JobPermission::Files => "files",
            JobPermission::Knobs => "knobs",
            JobPermission::Commands => "commands",
        }
    }

    /// What a command does that needs it.
    pub fn description(self) -> Message {
        match self {
            JobPermission::Write => message!(served_it_writes_files),
            JobPermission::Folders => message!(served_it_works_in_folders),
            JobPermission::Files => message!(served_it_reads_files),
            JobPermission::Knobs => message!(served_it_changes_settings),
            JobPermission::Commands => message!(served_it_runs_commands),
        }
    }
}

impl fmt::Display for JobPermission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for JobPermission {
    type Err = Message;

    fn from_str(word: &str) -> Result<JobPermission, Message> {
        let found = JobPermission::ALL.into_iter().find(|leave| leave.as_str() == word);
        found.ok_or_else(|| {
            let names = JobPermission::ALL.map(JobPermission::as_str).to_vec();
            message!(error_serving_no_permission { word: format!("{word:?}"), names })
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingPermission(pub JobPermission);

pub fn filter_permitted_forms(forms: Vec<Form>, allow: &[JobPermission]) -> Vec<Form> {
    let may = |option: &FormOption| option.leave.is_none_or(|leave| allow.contains(&leave));
    let one = |form: Form| Form { options: form.options.into_iter().filter(may).collect(), ..form };
    forms.into_iter().map(one).collect()
}

/// The first missing permission is the error.
pub fn check_permissions(asked: &[JobPermission], allow: &[JobPermission]) -> Result<(), MissingPermission> {
    match asked.iter().find(|leave| !allow.contains(leave)) {
        None => Ok(()),
        Some(leave) => Err(MissingPermission(*leave)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::translator;
    use goodput_words::Language;

    #[test]
    fn a_form_explains_itself_in_the_readers_language() {
        let about = "Exchanges per sample, of which the one with the minimum RTT is used";
        let mut form = Form { command: "clock".into(), about: about.into(), options: Vec::new() };
        form.localize(translator(Language::English));
        assert_eq!(form.about, about);
        form.localize(translator(Language::Russian));
        assert!(form.about.contains("оборота"), "{}", form.about);
        assert_eq!(form.command, "clock");
    }

    #[test]
    fn what_is_asked_without_leave_is_refused_and_left_out_of_forms() {
        assert_eq!(check_permissions(&[], &[]), Ok(()));
        let asked = [JobPermission::Files, JobPermission::Write];
        assert_eq!(
            check_permissions(&asked, &[JobPermission::Files]),
            Err(MissingPermission(JobPermission::Write))
        );
        assert_eq!(check_permissions(&asked, &JobPermission::ALL), Ok(()));
        let option = |name: &str, leave| FormOption {
            name: name.into(),
            value_name: None,
            help: String::new(),
            default: None,
            choices: Vec::new(),
            kind: OptionValueKind::Flag,
            group: OptionGroup::Common,
            required: false,
            repeated: false,
            joined: false,
            leave,
        };
        let options = vec![option("--shared", None), option("--runs", Some(JobPermission::Write))];
        let forms = vec![Form { command: "stream".into(), about: String::new(), options }];
        let names = |allow: &[JobPermission]| {
            filter_permitted_forms(forms.clone(), allow)[0]
                .options
                .iter()
                .map(|o| o.name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&[]), ["--shared"]);
        assert_eq!(names(&[JobPermission::Write]), ["--shared", "--runs"]);
    }
}

//! A diagram of the path of the data: elements in a row, each with its figure and headroom; those that limit are marked.
//! [`crate::svg`] and the page draw it; the terminal has it as a line.

use crate::display_text::DisplayText;
use goodput_model::Message;
use goodput_model::diagnosis::{Diagnosis, DiagnosisVerdict, PathElement};
use goodput_words::message;
use goodput_words::message_argument::percent_arg;
use goodput_words::typed_message::message_without_args;
use schemars::JsonSchema;
use serde::Serialize;

/// Elements in a row, in the order in which data pass them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PathDiagram {
    /// What it shows, in a few words.
    pub title: DisplayText,
    /// From the sender to the receiver.
    pub elements: Vec<DiagramElement>,
}

/// An element of a path.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DiagramElement {
    /// What it is.
    pub name: DisplayText,
    /// How it is used, in words.
    pub figure: DisplayText,
    /// How much is left, in words; empty where that is not known.
    pub headroom: DisplayText,
    /// How much of it is used, in per cent; `null` where that is not known.
    pub use_percent: Option<f64>,
    /// The word that marks an element that limits; empty for others.
    pub mark: DisplayText,
}

impl PathDiagram {
    /// `None` without a path.
    pub fn from_diagnosis(diagnosis: &Diagnosis) -> Option<PathDiagram> {
        let mark = match diagnosis.verdict {
            DiagnosisVerdict::Tie => message!(path_possible_limit),
            DiagnosisVerdict::Named | DiagnosisVerdict::NotProven => message!(path_limit),
        };
        let headroom = |used: f64| message!(path_headroom { percent: percent_arg((100.0 - used).max(0.0)) });
        let element = |e: &PathElement| DiagramElement {
            name: message_without_args(&format!("path-{}", e.kind.id())).unwrap_or_default().into(),
            figure: (&e.figure).into(),
            headroom: e.use_percent.map(headroom).unwrap_or_default().into(),
            use_percent: e.use_percent,
            mark: if e.limits { mark.clone() } else { Message::default() }.into(),
        };
        let elements: Vec<DiagramElement> = diagnosis.path.iter().map(element).collect();
        (!elements.is_empty()).then(|| PathDiagram { title: message!(path_title).into(), elements })
    }

    /// For a terminal, and for those who cannot see it: `sender CPU busy 12.0 % → [link 94.1 Mbit/s (limit)] → …`.
    pub fn to_line(&self) -> String {
        let of = |e: &DiagramElement| {
            let text = format!("{} {}", e.name, e.figure);
            if e.limits() { format!("[{text} ({})]", e.mark) } else { text }
        };
        self.elements.iter().map(of).collect::<Vec<_>>().join(" → ")
    }

    pub fn translate(&mut self, say: impl Fn(&Message) -> String) {
        let of = |e: &mut DiagramElement| {
            for text in [&mut e.name, &mut e.figure, &mut e.headroom, &mut e.mark] {
                if !text.is_empty() {
                    text.localize(&say);
                }
            }
        };
        self.elements.iter_mut().for_each(of);
        self.title.localize(&say);
    }
}

impl DiagramElement {
    pub fn limits(&self) -> bool {
        !self.mark.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use goodput_model::diagnosis::PathElementKind;

    fn diagram() -> PathDiagram {
        PathDiagram::from_diagnosis(&documents::diagnosis()).unwrap()
    }

    #[test]
    fn the_limiting_element_is_marked_in_words() {
        let line = "sender CPU busy 12.0 % → send buffer full 0.0 % → link 350.2 Mbit/s → \
                    [receive buffer full 96.0 % (limit)] → receiver CPU not known";
        assert_eq!(diagram().to_line(), line);
        let mut tie = documents::diagnosis();
        tie.verdict = DiagnosisVerdict::Tie;
        let tie = PathDiagram::from_diagnosis(&tie).unwrap();
        assert!(tie.to_line().contains("(possible limit)"));
        let none = Diagnosis { path: Vec::new(), ..documents::diagnosis() };
        assert_eq!(PathDiagram::from_diagnosis(&none), None);
    }

    #[test]
    fn storage_is_an_element() {
        let figure = message!(path_figure_storage { percent: percent_arg(97.0) });
        let (kind, use_percent) = (PathElementKind::Storage, Some(97.0));
        let mut copy = Diagnosis { path: Vec::new(), ..documents::diagnosis() };
        copy.path.push(PathElement { kind, figure, use_percent, limits: true });
        let line = PathDiagram::from_diagnosis(&copy).unwrap().to_line();
        assert_eq!(line, "[storage busy 97.0 % (limit)]");
    }

    #[test]
    fn headroom_is_what_is_left_and_texts_are_plain_strings_in_json() {
        let json = serde_json::to_value(diagram()).unwrap();
        assert_eq!(json["title"], "Path of the data");
        let element = |at: usize| &json["elements"][at];
        assert_eq!(
            (&element(3)["headroom"], &element(3)["mark"]),
            (&"headroom 4.0 %".into(), &"limit".into())
        );
        assert_eq!((&element(4)["headroom"], &element(4)["mark"]), (&"".into(), &"".into()));
        assert_eq!(element(4)["use_percent"], serde_json::Value::Null);
    }

    #[test]
    fn every_text_is_translated() {
        let mut said = diagram();
        said.translate(|message| format!("<{message}>"));
        assert!(said.to_line().starts_with("<sender CPU> <busy 12.0 %> → "), "{}", said.to_line());
        assert!(said.to_line().ends_with("<receiver CPU> <not known>"));
        assert_eq!((said.title.as_str(), said.elements[0].mark.as_str()), ("<Path of the data>", ""));
    }
}

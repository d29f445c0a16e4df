//! A type for every English message, with its variables as fields: unknown ones do not compile.

use flate2::{Compression, write::GzEncoder};
use fluent_syntax::ast::{
    Attribute, Entry, Expression, InlineExpression, Pattern, PatternElement, Resource, VariantKey,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::{env, fs};

/// Files with messages that the program constructs.
const FILES: [&str; 6] = ["findings", "conclusions", "diagnosis", "check", "report", "errors"];

/// All that the program reads, with the help.
const EMBEDDED: [&str; 7] = ["report", "findings", "conclusions", "diagnosis", "check", "errors", "help"];
const LANGUAGES: [(&str, &str); 3] = [("English", "en"), ("Japanese", "ja"), ("Russian", "ru")];

type Messages = BTreeMap<String, Pattern<String>>;

fn main() {
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales/en");
    println!("cargo:rerun-if-changed=build.rs");
    let mut all = Messages::new();
    for file in FILES {
        let path = locales.join(format!("{file}.ftl"));
        println!("cargo:rerun-if-changed={}", path.display());
        let source = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let resource = fluent_syntax::parser::parse(source)
            .unwrap_or_else(|(_, errors)| panic!("{}: {errors:?}", path.display()));
        gather(resource, &mut all);
    }
    let mut code = String::new();
    let mut fixed = String::new();
    for (key, pattern) in &all {
        constructor(&mut code, &all, key, pattern);
        let mut names = Vec::new();
        variables(&all, pattern, &mut names);
        if names.is_empty() {
            let _ = writeln!(fixed, "({key:?}, &{}),", pieces(&all, pattern, &names));
        }
    }
    let _ = writeln!(code, "pub(crate) const FIXED: &[(&str, &[TextSegment])] = &[{fixed}];");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("messages.rs"), code).expect("the file of the messages can be written");
    embed(&locales.join(".."), Path::new(&out));
}

/// Fluent files, compressed: together they have more than a megabyte.
fn embed(locales: &Path, out: &Path) {
    let mut arms = String::new();
    for (language, tag) in LANGUAGES {
        let mut all = String::new();
        for file in EMBEDDED {
            let path = locales.join(format!("{tag}/{file}.ftl"));
            println!("cargo:rerun-if-changed={}", path.display());
            let text = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let mut to = GzEncoder::new(Vec::new(), Compression::best());
            to.write_all(&text).expect("memory can be written");
            let to = to.finish().expect("memory can be written");
            let name = format!("{tag}-{file}.gz");
            fs::write(out.join(&name), to).expect("a compressed file can be written");
            let _ = write!(all, "({file:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))), ");
        }
        let _ = writeln!(arms, "Language::{language} => [{all}],");
    }
    let code = format!(
        "fn compressed(language: Language) -> [(&'static str, &'static [u8]); {}] {{ match language {{ {arms} }} }}",
        EMBEDDED.len()
    );
    fs::write(out.join("sources.rs"), code).expect("the file of the sources can be written");
}

fn gather(resource: Resource<String>, all: &mut Messages) {
    for entry in resource.body {
        let Entry::Message(message) = entry else { continue };
        let id = message.id.name;
        for Attribute { id: name, value } in message.attributes {
            assert!(all.insert(format!("{id}.{}", name.name), value).is_none(), "{id}.{} twice", name.name);
        }
        if let Some(value) = message.value {
            assert!(all.insert(id.clone(), value).is_none(), "{id} twice");
        }
    }
}

fn constructor(code: &mut String, all: &Messages, key: &str, pattern: &Pattern<String>) {
    let mut names = Vec::new();
    variables(all, pattern, &mut names);
    let ident = key.replace(['-', '.'], "_");
    let known: BTreeSet<&String> = names.iter().collect();
    assert_eq!(known.len(), names.len(), "{key}");
    let fields: String = names.iter().map(|n| format!("pub {n}: MessageArg, ")).collect();
    let args: String = names.iter().map(|n| format!("m.{n}, ")).collect();
    let bound = if names.is_empty() { "_" } else { "m" };
    let pieces = pieces(all, pattern, &names);
    let _ = writeln!(
        code,
        "pub struct {ident} {{ {fields} }}\n\
         impl From<{ident}> for Message {{ #[inline(never)] fn from({bound}: {ident}) -> Message {{ \
         english(&MessageForm {{ id: {key:?}, names: &{names:?}, segments: &{pieces} }}, &mut [{args}]) }} }}"
    );
}

/// In the order of the English text.
fn variables(all: &Messages, pattern: &Pattern<String>, names: &mut Vec<String>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else { continue };
        match expression {
            Expression::Inline(inline) => inline_variables(all, inline, names),
            Expression::Select { selector, variants } => {
                inline_variables(all, selector, names);
                variants.iter().for_each(|v| variables(all, &v.value, names));
            }
        }
    }
}

fn inline_variables(all: &Messages, inline: &InlineExpression<String>, names: &mut Vec<String>) {
    match inline {
        InlineExpression::VariableReference { id } if !names.contains(&id.name) => {
            names.push(id.name.clone());
        }
        InlineExpression::MessageReference { id, attribute } => {
            variables(all, referred(all, &id.name, attribute.as_ref().map(|a| a.name.as_str())), names);
        }
        _ => {}
    }
}

fn referred<'a>(all: &'a Messages, id: &str, attribute: Option<&str>) -> &'a Pattern<String> {
    let key = attribute.map_or_else(|| id.to_string(), |name| format!("{id}.{name}"));
    all.get(&key).unwrap_or_else(|| panic!("no message {key}"))
}

fn pieces(all: &Messages, pattern: &Pattern<String>, names: &[String]) -> String {
    let each = pattern.elements.iter().map(|element| match element {
        PatternElement::TextElement { value } => format!("TextSegment::Text({value:?}), "),
        PatternElement::Placeable { expression: Expression::Inline(inline) } => piece(all, inline, names),
        PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
            let InlineExpression::VariableReference { id } = selector else {
                panic!("a choice by no variable")
            };
            let forms: String = variants
                .iter()
                .map(|v| {
                    let (VariantKey::Identifier { name: key } | VariantKey::NumberLiteral { value: key }) =
                        &v.key;
                    format!("({key:?}, &{}), ", pieces(all, &v.value, names))
                })
                .collect();
            let default = variants.iter().position(|v| v.default).unwrap_or_default();
            format!("TextSegment::Choice({}, &[{forms}], {default}), ", at(names, &id.name))
        }
    });
    format!("[{}]", each.collect::<String>())
}

fn piece(all: &Messages, inline: &InlineExpression<String>, names: &[String]) -> String {
    match inline {
        InlineExpression::VariableReference { id } => format!("TextSegment::Arg({}), ", at(names, &id.name)),
        InlineExpression::StringLiteral { value } => format!("TextSegment::Text({value:?}), "),
        InlineExpression::MessageReference { id, attribute } => {
            let pattern = referred(all, &id.name, attribute.as_ref().map(|a| a.name.as_str()));
            let own = pieces(all, pattern, names);
            own.trim_start_matches('[').trim_end_matches(']').to_string()
        }
        other => panic!("not used in our messages: {other:?}"),
    }
}

fn at(names: &[String], name: &str) -> usize {
    names.iter().position(|n| n == name).expect("every variable was gathered")
}

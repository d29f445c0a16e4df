//! Escapes foreign text (host names, labels, commands, errors, findings) on output: a host may be called
//! `<script>` or contain an escape sequence.

/// For a terminal: control characters and bidirectional marks become `\u{…}`, line breaks and tabs spaces.
pub fn escape_for_terminal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            c if hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// For XML and HTML text and quoted attributes: [`plain`], then the five special characters.
pub fn escape_for_markup(text: &str) -> String {
    let plain = escape_for_terminal(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    plain.replace('"', "&quot;").replace('\'', "&#39;")
}

/// Controls, direction overrides (Unicode TR36 section 2.4), and the two characters that XML 1.0 forbids.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Width in Latin letters; East Asian characters count twice. Only for the layout of figures.
pub fn text_width_in_letters(text: &str) -> f64 {
    text.chars()
        .map(|c| match u32::from(c) {
            0x0300..=0x036f => 0.0,
            0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff => 1.8,
            0xfe30..=0xfe4f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd => {
                1.8
            }
            _ if matches!(c, 'i' | 'l' | 'j' | 'I' | '.' | ',' | ' ' | ':' | ';' | '|' | '\'') => 0.55,
            _ if matches!(c, 'm' | 'M' | 'w' | 'W' | '%' | '@' | '→' | '⇄' | '↔') => 1.5,
            _ if c.is_uppercase() => 1.2,
            _ => 1.0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_not_repainted() {
        assert_eq!(escape_for_terminal("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(escape_for_terminal("a\nb\u{202e}c"), "a b\\u{202e}c");
        assert_eq!(escape_for_terminal("測定 измерение"), "測定 измерение");
    }

    proptest::proptest! {
        /// Escaped text ends no attribute, begins no tag, and decodes to the same.
        #[test]
        fn markup_is_inert(text in proptest::prelude::any::<String>()) {
            let safe = escape_for_markup(&text);
            for bad in ['<', '>', '"', '\''] {
                proptest::prop_assert!(!safe.contains(bad));
            }
            proptest::prop_assert!(!safe.chars().any(hidden));
            let back = safe.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"")
                .replace("&#39;", "'").replace("&amp;", "&");
            proptest::prop_assert_eq!(back, escape_for_terminal(&text));
        }
    }
}

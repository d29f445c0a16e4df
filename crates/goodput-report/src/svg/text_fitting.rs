//! Fits text by estimated widths, since the reader's fonts are unknown.

use crate::escape;

/// Column width per font size; DejaVu Sans, the widest named font, needs this.
const COLUMN: f64 = 0.6;

pub(super) fn text_width_px(text: &str, size: f64) -> f64 {
    escape::text_width_in_letters(text) * size * COLUMN
}

/// Truncated with an ellipsis.
pub(super) fn truncate_text(text: &str, most: f64, size: f64) -> String {
    if text_width_px(text, size) <= most {
        return text.to_string();
    }
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if text_width_px(&out, size) + size > most {
            break;
        }
    }
    out.push('…');
    out
}

/// At most four lines, broken at spaces.
pub(super) fn wrap_text(text: &str, most: f64, size: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive([' ', ',', '、', '。']) {
        let last = lines.len() - 1;
        if text_width_px(&lines[last], size) + text_width_px(word.trim_end(), size) <= most {
            lines[last].push_str(word);
        } else if lines[last].is_empty() {
            lines[last].push_str(&truncate_text(word, most, size));
        } else {
            lines.push(truncate_text(word, most, size));
        }
    }
    if lines.len() > 4 {
        lines.truncate(4);
        // A truncated word already has an ellipsis.
        if let Some(last) = lines.last_mut().filter(|l| !l.ends_with('…')) {
            *last = truncate_text(&format!("{}…", last.trim_end()), most, size);
        }
    }
    lines.into_iter().map(|l| l.trim_end().to_string()).filter(|l| !l.is_empty()).collect()
}

/// At most three lines, broken after spaces, hyphens and slashes.
pub(super) fn wrap_name(name: &str, most: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for piece in name.split_inclusive([' ', '-', '/', ',', '·']) {
        let last = lines.len() - 1;
        if !lines[last].is_empty()
            && text_width_px(lines[last].as_str(), size) + text_width_px(piece.trim_end(), size) > most
        {
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        lines[last].push_str(piece);
    }
    if lines.len() > 3 {
        let rest = lines.split_off(2).concat();
        lines.push(rest);
    }
    lines.iter().map(|l| truncate_text(l.trim_end(), most, size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_broken_at_their_joints_or_cut_and_sentences_wrapped() {
        assert_eq!(wrap_name("100base-tx", 200.0, 11.0), ["100base-tx"]);
        assert_eq!(wrap_name("windows-nt4-server", 66.0, 11.0), ["windows-", "nt4-server"]);
        let long = wrap_name(&"a-b c/d ".repeat(30), 60.0, 11.0);
        assert!(long.len() == 3 && long[2].ends_with('…'), "{long:?}");
        assert_eq!(truncate_text("short", 100.0, 12.0), "short");
        assert!(truncate_text(&"a-host-name".repeat(15), 100.0, 12.0).ends_with('…'));
        let sentence = "one two three four five six seven eight nine ten";
        let lines = wrap_text(sentence, 100.0, 12.0);
        assert!(lines.len() > 1);
        assert_eq!(lines.join(" "), sentence);
    }

    proptest::proptest! {
        #[test]
        fn every_line_fits(text in ".{0,400}", most in 60.0f64..800.0) {
            for line in wrap_text(&text, most, 11.0) {
                proptest::prop_assert!(text_width_px(&line, 11.0) <= most + 11.0, "{line}");
            }
            proptest::prop_assert!(text_width_px(&truncate_text(&text, most, 12.0), 12.0) <= most + 12.0);
        }
    }
}

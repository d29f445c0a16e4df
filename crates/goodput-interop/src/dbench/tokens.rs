//! Splits a line into words; paths are quoted.

/// dbench looks at no more.
const MAX_WORDS: usize = 19;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    /// A path.
    pub quoted: bool,
}

pub(super) fn tokenize(line: &str) -> Result<Vec<Token<'_>>, &'static str> {
    let mut words = Vec::new();
    let mut rest = line.trim_ascii();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(inner) => {
                let (text, after) = inner.split_once('"').ok_or("a quote is not closed")?;
                if after.starts_with(|c: char| !c.is_ascii_whitespace()) {
                    return Err("something follows a closing quote without a blank");
                }
                (Token { text, quoted: true }, after)
            }
            None => {
                let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
                let (text, after) = rest.split_at(end);
                if text.contains('"') {
                    return Err("a quote stands inside of a word");
                }
                (Token { text, quoted: false }, after)
            }
        };
        if words.len() == MAX_WORDS {
            return Err("it has more than 19 words");
        }
        words.push(word);
        rest = after.trim_ascii_start();
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<&str> {
        tokenize(line).unwrap().iter().map(|w| w.text).collect()
    }

    #[test]
    fn blanks_part_words_and_quotes_hold_them_together() {
        assert_eq!(
            texts("NTCreateX \"\\a b\\c\" 0x40  0x1\t7 NT_STATUS_OK \r\n"),
            ["NTCreateX", "\\a b\\c", "0x40", "0x1", "7", "NT_STATUS_OK"]
        );
        assert!(texts(" \t\r\n").is_empty());
        let words = tokenize("Rename \"\" \"b\"").unwrap();
        assert_eq!(words[1], Token { text: "", quoted: true });
    }

    #[test]
    fn stray_quotes_are_named() {
        for bad in ["a \"b", "a \"b\"c", "a b\"c", "a b\" c"] {
            assert!(tokenize(bad).is_err(), "{bad:?}");
        }
        assert!(tokenize(&"w ".repeat(19)).is_ok());
        assert!(tokenize(&"w ".repeat(20)).is_err());
    }
}

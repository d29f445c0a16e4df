//! Patterns of file names as in SMB: MS-FSA 2.1.4.4.
//!
//! | sign | stands for |
//! |---|---|
//! | `*` | any characters, also none |
//! | `?` | one character |
//! | `<` | any characters, but not the last full stop of the name |
//! | `>` | one character, or none at a full stop or at the end |
//! | `"` | a full stop, or nothing at the end |
//!
//! Clients translate DOS patterns to the last three: `*.` becomes `<"`, for example. `*.*` is everything.

#[derive(Debug, Clone)]
pub struct WildcardPattern {
    signs: Vec<char>,
    /// Active states: one per position, and the end.
    now: Vec<bool>,
    next: Vec<bool>,
    everything: bool,
    plain: bool,
}

impl WildcardPattern {
    pub fn new(text: &str) -> WildcardPattern {
        let signs: Vec<char> = text.chars().map(fold).collect();
        let states = vec![false; signs.len() + 1];
        WildcardPattern {
            everything: matches!(text, "*" | "*.*"),
            plain: !has_wildcard(text),
            now: states.clone(),
            next: states,
            signs,
        }
    }

    /// Takes time proportional to the product of both lengths at most.
    pub fn matches(&mut self, name: &str) -> bool {
        if self.everything {
            return true;
        }
        if self.plain {
            return !self.signs.is_empty() && name.chars().map(fold).eq(self.signs.iter().copied());
        }
        let last_stop = name.rfind('.');
        self.now.fill(false);
        self.now[0] = true;
        for (at, letter) in name.char_indices().map(|(at, c)| (at, fold(c))) {
            self.next.fill(false);
            let stop = letter == '.';
            let mut alive = false;
            // Epsilon transitions: a sign that may match nothing activates the next one.
            for i in 0..self.signs.len() {
                if !self.now[i] {
                    continue;
                }
                let (stays, passes, skips) = match self.signs[i] {
                    '*' => (true, false, true),
                    '<' => (!stop || last_stop != Some(at), false, true),
                    '?' => (false, true, false),
                    '>' => (false, !stop, stop),
                    '"' => (false, stop, false),
                    sign => (false, sign == letter, false),
                };
                self.next[i] |= stays;
                self.next[i + 1] |= passes;
                self.now[i + 1] |= skips;
                alive |= stays || passes || skips;
            }
            if !alive {
                return false;
            }
            std::mem::swap(&mut self.now, &mut self.next);
        }
        // Trailing signs may match nothing.
        let rest = self.signs.iter().rev().take_while(|s| matches!(s, '*' | '<' | '>' | '"')).count();
        self.now[self.signs.len() - rest..].iter().any(|state| *state)
    }
}

pub fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?', '<', '>', '"'])
}

fn fold(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { c.to_lowercase().next().unwrap_or(c) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(pattern: &str, names: &str) -> Vec<bool> {
        let mut pattern = WildcardPattern::new(pattern);
        names.split(' ').map(|name| pattern.matches(name)).collect()
    }

    #[test]
    fn stars_and_question_marks() {
        assert_eq!(held("*", "a a.b .b"), [true, true, true]);
        assert_eq!(held("*.*", "a a.b"), [true, true]);
        assert_eq!(held("*.txt", "a.txt A.TXT a.txt.bak .txt txt"), [true, true, false, true, false]);
        assert_eq!(held("a?c", "abc a.c ac abcd"), [true, true, false, false]);
        // A pattern without signs is a name.
        assert_eq!(held("NEW.PPT", "new.ppt new.pptx"), [true, false]);
        assert_eq!(held("äö", "ÄÖ ao"), [true, false]);
        assert_eq!(held("", ""), [false]);
        assert_eq!(held("a*b*c", "abc axxbyyc acb abcc"), [true, true, false, true]);
    }

    /// The examples of FsRtlIsNameInExpression and their results in DOS.
    #[test]
    fn the_signs_of_dos() {
        // "dir *." lists names without an extension.
        assert_eq!(held("<\"", "README a.txt a.b.c"), [true, false, false]);
        // "dir *.txt": everything before the last full stop.
        assert_eq!(held("<.txt", "a.txt a.b.txt txt"), [true, true, false]);
        // "????????.???" of DOS takes shorter names as well.
        assert_eq!(held(">>>>>>>>\">>>", "a.b longname.ext a toolongname.ext"), [true, true, true, false]);
        assert_eq!(held("a>b", "ab axb axxb"), [false, true, false]);
        assert_eq!(held("a>.b", "a.b ax.b axx.b"), [true, true, false]);
        assert_eq!(held("a\"", "a a. ab"), [true, true, false]);
    }

    #[test]
    fn many_stars_take_no_longer_than_their_product() {
        let mut pattern = WildcardPattern::new(&("a*".repeat(120) + "b"));
        assert!(!pattern.matches(&"a".repeat(255)));
        assert!(pattern.matches(&("a".repeat(254) + "b")));
    }
}

//! The supported languages, and the user's choice.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// The reference language.
    English,
    Japanese,
    Russian,
}

/// Overrides the system's locale.
pub const LANGUAGE_ENV_VARIABLE: &str = "GOODPUT_LANG";

impl Language {
    pub const ALL: [Language; 3] = [Language::English, Language::Japanese, Language::Russian];

    /// BCP 47 tag, also the name of its folder in `locales/`.
    pub fn bcp47_tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
            Language::Russian => "ru",
        }
    }

    /// From a tag or locale: `ru`, `ru-RU`, `ru_RU.UTF-8`. `None` if unsupported.
    pub fn from_tag(tag: &str) -> Option<Language> {
        let first = tag.split(['-', '_', '.', '@']).next().unwrap_or("");
        Language::ALL.into_iter().find(|l| l.bcp47_tag().eq_ignore_ascii_case(first))
    }

    /// The user's language: `--lang`, else `GOODPUT_LANG`, else the first of `LC_ALL`, `LC_MESSAGES` and
    /// `LANG` that is set (POSIX, Environment Variables 8.2). English for unsupported languages and for
    /// locales without UTF-8.
    pub fn from_option_or_env(typed: Option<&str>, variable: impl Fn(&str) -> Option<String>) -> Language {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let wanted = typed.map(str::to_string).or_else(|| set(LANGUAGE_ENV_VARIABLE));
        if let Some(wanted) = wanted {
            return Language::from_tag(&wanted).unwrap_or(Language::English);
        }
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
        locale.filter(|l| takes_utf8(l)).and_then(|l| Language::from_tag(&l)).unwrap_or(Language::English)
    }
}

/// False for a locale with another character set: `ru_RU.KOI8-R`.
fn takes_utf8(locale: &str) -> bool {
    let set = locale.split_once('.').map(|(_, set)| set.split('@').next().unwrap_or(set));
    set.is_none_or(|set| set.replace('-', "").eq_ignore_ascii_case("utf8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(typed: Option<&str>, set: &[(&str, &str)]) -> Language {
        let value = |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, v)| v.to_string());
        Language::from_option_or_env(typed, value)
    }

    #[test]
    fn the_nearer_wish_counts_and_another_character_set_gets_english() {
        let everywhere = [("GOODPUT_LANG", "ja"), ("LC_ALL", "ru_RU.UTF-8"), ("LANG", "en_GB.UTF-8")];
        assert_eq!(chosen(Some("en"), &everywhere), Language::English);
        assert_eq!(chosen(None, &everywhere), Language::Japanese);
        assert_eq!(chosen(None, &everywhere[1..]), Language::Russian);
        assert_eq!(chosen(None, &everywhere[2..]), Language::English);
        assert_eq!(chosen(None, &[("LC_ALL", ""), ("LC_MESSAGES", "ja_JP.utf8")]), Language::Japanese);
        assert_eq!(chosen(None, &[("LC_MESSAGES", "C"), ("LANG", "ru_RU.UTF-8")]), Language::English);
        assert_eq!(chosen(None, &[]), Language::English);
        assert_eq!(chosen(None, &[("LANG", "ru_RU.KOI8-R")]), Language::English);
        assert_eq!(chosen(None, &[("LANG", "ru_RU")]), Language::Russian);
        assert_eq!(chosen(None, &[("LANG", "ja_JP.UTF-8@x")]), Language::Japanese);
    }

    #[test]
    fn tags_of_any_form() {
        for tag in ["ru", "RU", "ru-RU", "ru_RU.UTF-8"] {
            assert_eq!(Language::from_tag(tag), Some(Language::Russian), "{tag}");
        }
        for tag in ["", "de", "C", "POSIX", "russian"] {
            assert_eq!(Language::from_tag(tag), None, "{tag}");
        }
    }
}

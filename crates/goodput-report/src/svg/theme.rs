//! Colours and fonts of the figures, light and dark; the contrast of words is at least 4.5:1, of lines 3:1.

/// Names of fonts that have Latin, Greek and Cyrillic, then Japanese, then whatever the viewer has.
pub(super) const FONTS: &str = "Inter, 'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, 'Liberation Sans', \
    'DejaVu Sans', 'Noto Sans CJK JP', 'Noto Sans JP', 'Hiragino Sans', 'Yu Gothic', Meiryo, sans-serif";

/// How colours are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Follows the reader's colour scheme and is light on paper; carries its own style. For files.
    Adaptive,
    /// The same without the style: the page around it holds [`STYLE`] once.
    Inline,
    /// Fixed light colours, no style.
    Light,
    /// Fixed dark colours, no style.
    Dark,
}

/// What something is drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Background,
    Text,
    Muted,
    Grid,
    Axis,
    Limit,
    /// The curve of this number.
    Curve(usize),
}

/// Variables and classes for [`Theme::Inline`] and [`Theme::Adaptive`].
pub const STYLE: &str = ".gp{--gp-bg:#fff;--gp-text:#1c2128;--gp-muted:#57606a;--gp-grid:#e4e7eb;--gp-axis:#8b949e;\
--gp-limit:#b3261e;--gp-c0:#1b5fb4;--gp-c1:#c4600f;--gp-c2:#17795a;--gp-c3:#8444b5}\
@media (prefers-color-scheme:dark){.gp{--gp-bg:#12161c;--gp-text:#e6edf3;--gp-muted:#a3adb8;--gp-grid:#2a313a;\
--gp-axis:#77818c;--gp-limit:#ff8a80;--gp-c0:#6cb0ff;--gp-c1:#ffa45c;--gp-c2:#5fd0a0;--gp-c3:#cfa2ff}}\
@media print{.gp{--gp-bg:#fff;--gp-text:#1c2128;--gp-muted:#57606a;--gp-grid:#e4e7eb;--gp-axis:#8b949e;\
--gp-limit:#b3261e;--gp-c0:#1b5fb4;--gp-c1:#c4600f;--gp-c2:#17795a;--gp-c3:#8444b5}}\
.gp-f-bg{fill:var(--gp-bg)}.gp-f-text{fill:var(--gp-text)}.gp-f-muted{fill:var(--gp-muted)}\
.gp-f-limit{fill:var(--gp-limit)}.gp-f-c0{fill:var(--gp-c0)}.gp-f-c1{fill:var(--gp-c1)}.gp-f-c2{fill:var(--gp-c2)}\
.gp-f-c3{fill:var(--gp-c3)}.gp-s-grid{stroke:var(--gp-grid)}.gp-s-axis{stroke:var(--gp-axis)}\
.gp-s-text{stroke:var(--gp-text)}.gp-s-limit{stroke:var(--gp-limit)}.gp-s-c0{stroke:var(--gp-c0)}\
.gp-s-c1{stroke:var(--gp-c1)}.gp-s-c2{stroke:var(--gp-c2)}.gp-s-c3{stroke:var(--gp-c3)}.gp-halo{stroke:var(--gp-bg)}";

impl Ink {
    /// The part of the class, the light and the dark colour.
    fn look(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Ink::Background => ("bg", "#ffffff", "#12161c"),
            Ink::Text => ("text", "#1c2128", "#e6edf3"),
            Ink::Muted => ("muted", "#57606a", "#a3adb8"),
            Ink::Grid => ("grid", "#e4e7eb", "#2a313a"),
            Ink::Axis => ("axis", "#8b949e", "#77818c"),
            Ink::Limit => ("limit", "#b3261e", "#ff8a80"),
            Ink::Curve(i) => match i % 4 {
                0 => ("c0", "#1b5fb4", "#6cb0ff"),
                1 => ("c1", "#c4600f", "#ffa45c"),
                2 => ("c2", "#17795a", "#5fd0a0"),
                _ => ("c3", "#8444b5", "#cfa2ff"),
            },
        }
    }
}

impl Theme {
    fn colour(self, ink: Ink) -> &'static str {
        let (_, light, dark) = ink.look();
        if self == Theme::Dark { dark } else { light }
    }

    fn classes(self) -> bool {
        matches!(self, Theme::Adaptive | Theme::Inline)
    }

    /// Attributes that fill with this ink.
    pub(super) fn fill(self, ink: Ink) -> String {
        let class = if self.classes() { format!("class=\"gp-f-{}\" ", ink.look().0) } else { String::new() };
        format!("{class}fill=\"{}\"", self.colour(ink))
    }

    /// Attributes that draw lines with this ink.
    pub(super) fn stroke(self, ink: Ink) -> String {
        let class = if self.classes() { format!("class=\"gp-s-{}\" ", ink.look().0) } else { String::new() };
        format!("{class}stroke=\"{}\"", self.colour(ink))
    }

    /// Attributes that fill with this ink and rim with the background.
    pub(super) fn both(self, ink: Ink) -> String {
        let class =
            if self.classes() { format!("class=\"gp-f-{} gp-halo\" ", ink.look().0) } else { String::new() };
        format!("{class}fill=\"{}\" stroke=\"{}\"", self.colour(ink), self.colour(Ink::Background))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The style and the attributes name the same colours, and words can be read on their background (WCAG 2.1, 1.4.3).
    #[test]
    fn colours_agree_and_contrast() {
        let all = [
            Ink::Text,
            Ink::Muted,
            Ink::Axis,
            Ink::Limit,
            Ink::Curve(0),
            Ink::Curve(1),
            Ink::Curve(2),
            Ink::Curve(3),
        ];
        for ink in all {
            let (name, light, dark) = ink.look();
            assert_eq!(STYLE.matches(&format!("--gp-{name}:{light}")).count(), 2, "{name}");
            assert_eq!(STYLE.matches(&format!("--gp-{name}:{dark}")).count(), 1, "{name}");
            let least = if ink == Ink::Axis { 2.9 } else { 4.0 };
            assert!(contrast(light, "#ffffff") >= least, "{name} {}", contrast(light, "#ffffff"));
            assert!(contrast(dark, "#12161c") >= least, "{name} {}", contrast(dark, "#12161c"));
        }
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let v = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if v <= 0.03928 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }
}

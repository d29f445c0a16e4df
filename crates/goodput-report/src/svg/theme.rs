//! Colours and fonts of figures, light and dark; contrast is at least 4.5:1 for text, 3:1 for lines.

/// Fonts with Latin, Greek and Cyrillic, then Japanese, then the viewer's default.
pub(super) const FONT_FAMILY: &str = "Inter, 'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, 'Liberation Sans', \
    'DejaVu Sans', 'Noto Sans CJK JP', 'Noto Sans JP', 'Hiragino Sans', 'Yu Gothic', Meiryo, sans-serif";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Follows the reader's colour scheme, light in print; contains its style. For files.
    Adaptive,
    /// Without the style: the page contains [`THEME_CSS`].
    Inline,
    /// Fixed light colours, no style.
    Light,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FigureColor {
    Background,
    Text,
    Muted,
    Grid,
    Axis,
    Limit,
    Curve(usize),
}

/// Distinct colours of curves; markers and hatches also distinguish them.
pub const CURVE_COLOR_COUNT: usize = 8;

/// Variables and classes for [`Theme::Inline`] and [`Theme::Adaptive`].
pub const THEME_CSS: &str = ".gp{--gp-bg:#fff;--gp-text:#1c2128;--gp-muted:#57606a;--gp-grid:#e4e7eb;--gp-axis:#8b949e;\
--gp-limit:#b3261e;--gp-c0:#1b5fb4;--gp-c1:#c4600f;--gp-c2:#17795a;--gp-c3:#8444b5;\
--gp-c4:#a5296a;--gp-c5:#6f6200;--gp-c6:#0b6f82;--gp-c7:#4a525c}\
@media (prefers-color-scheme:dark){.gp{--gp-bg:#12161c;--gp-text:#e6edf3;--gp-muted:#a3adb8;--gp-grid:#2a313a;\
--gp-axis:#77818c;--gp-limit:#ff8a80;--gp-c0:#6cb0ff;--gp-c1:#ffa45c;--gp-c2:#5fd0a0;--gp-c3:#cfa2ff;\
--gp-c4:#ff8fc7;--gp-c5:#d9c74a;--gp-c6:#63d3e6;--gp-c7:#c2cad3}}\
@media print{.gp{--gp-bg:#fff;--gp-text:#1c2128;--gp-muted:#57606a;--gp-grid:#e4e7eb;--gp-axis:#8b949e;\
--gp-limit:#b3261e;--gp-c0:#1b5fb4;--gp-c1:#c4600f;--gp-c2:#17795a;--gp-c3:#8444b5;\
--gp-c4:#a5296a;--gp-c5:#6f6200;--gp-c6:#0b6f82;--gp-c7:#4a525c}}\
.gp-f-bg{fill:var(--gp-bg)}.gp-f-text{fill:var(--gp-text)}.gp-f-muted{fill:var(--gp-muted)}\
.gp-f-limit{fill:var(--gp-limit)}.gp-f-c0{fill:var(--gp-c0)}.gp-f-c1{fill:var(--gp-c1)}.gp-f-c2{fill:var(--gp-c2)}\
.gp-f-c3{fill:var(--gp-c3)}.gp-f-c4{fill:var(--gp-c4)}.gp-f-c5{fill:var(--gp-c5)}.gp-f-c6{fill:var(--gp-c6)}\
.gp-f-c7{fill:var(--gp-c7)}.gp-f-axis{fill:var(--gp-axis)}.gp-s-grid{stroke:var(--gp-grid)}.gp-s-axis{stroke:var(--gp-axis)}\
.gp-s-text{stroke:var(--gp-text)}.gp-s-limit{stroke:var(--gp-limit)}.gp-s-c0{stroke:var(--gp-c0)}\
.gp-s-c1{stroke:var(--gp-c1)}.gp-s-c2{stroke:var(--gp-c2)}.gp-s-c3{stroke:var(--gp-c3)}.gp-s-c4{stroke:var(--gp-c4)}\
.gp-s-c5{stroke:var(--gp-c5)}.gp-s-c6{stroke:var(--gp-c6)}.gp-s-c7{stroke:var(--gp-c7)}.gp-s-bg{stroke:var(--gp-bg)}\
.gp-s-muted{stroke:var(--gp-muted)}.gp-halo{stroke:var(--gp-bg)}";

impl FigureColor {
    /// Class suffix, light colour.
    fn look(self) -> (&'static str, &'static str) {
        const CURVES: [(&str, &str); CURVE_COLOR_COUNT] = [
            ("c0", "#1b5fb4"),
            ("c1", "#c4600f"),
            ("c2", "#17795a"),
            ("c3", "#8444b5"),
            ("c4", "#a5296a"),
            ("c5", "#6f6200"),
            ("c6", "#0b6f82"),
            ("c7", "#4a525c"),
        ];
        match self {
            FigureColor::Background => ("bg", "#ffffff"),
            FigureColor::Text => ("text", "#1c2128"),
            FigureColor::Muted => ("muted", "#57606a"),
            FigureColor::Grid => ("grid", "#e4e7eb"),
            FigureColor::Axis => ("axis", "#8b949e"),
            FigureColor::Limit => ("limit", "#b3261e"),
            FigureColor::Curve(i) => CURVES[i % CURVE_COLOR_COUNT],
        }
    }
}

impl Theme {
    fn class(self, classes: &str) -> String {
        match self {
            Theme::Adaptive | Theme::Inline => format!("class=\"{classes}\" "),
            Theme::Light => String::new(),
        }
    }

    pub(super) fn fill_attribute(self, ink: FigureColor) -> String {
        let (name, colour) = ink.look();
        format!("{}fill=\"{colour}\"", self.class(&format!("gp-f-{name}")))
    }

    pub(super) fn stroke_attribute(self, ink: FigureColor) -> String {
        let (name, colour) = ink.look();
        format!("{}stroke=\"{colour}\"", self.class(&format!("gp-s-{name}")))
    }

    pub(super) fn halo_attributes(self, ink: FigureColor) -> String {
        let ((name, colour), (_, halo)) = (ink.look(), FigureColor::Background.look());
        format!("{}fill=\"{colour}\" stroke=\"{halo}\"", self.class(&format!("gp-f-{name} gp-halo")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Style and attributes have the same colours, and text is readable (WCAG 2.1, 1.4.3).
    #[test]
    fn colours_agree_and_contrast() {
        let dark_style = THEME_CSS.split_once("(prefers-color-scheme:dark)").unwrap().1;
        let plain = [FigureColor::Text, FigureColor::Muted, FigureColor::Axis, FigureColor::Limit];
        for ink in plain.into_iter().chain((0..8).map(FigureColor::Curve)) {
            let (name, light) = ink.look();
            assert_eq!(THEME_CSS.matches(&format!("--gp-{name}:{light}")).count(), 2, "{name}");
            let dark = &dark_style.split_once(&format!("--gp-{name}:")).unwrap().1[..7];
            let least = if ink == FigureColor::Axis { 2.9 } else { 4.0 };
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

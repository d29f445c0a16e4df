//! A [`Picture`] as PNG, by resvg from the light form of [`crate::svg`]: resvg has no CSS variables.
//!
//! Without fonts it fails instead of omitting text; missing characters are reported.

use crate::svg::{Picture, Theme};
use goodput_words::{Message, error_messages, message};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, FontResolver, Options, Tree, fontdb};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

#[derive(Debug, Clone)]
pub struct Fonts {
    database: Arc<fontdb::Database>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PngImage {
    pub bytes: Vec<u8>,
    pub width: u32,
    pub height: u32,
    /// Characters that no font has, at least one per affected word, drawn as boxes.
    pub missing: Vec<char>,
}

#[derive(Debug)]
pub enum PngError {
    /// Without a font all text would be missing.
    NoFont {
        figure: String,
    },
    Size {
        figure: String,
        scale: f32,
    },
    Svg {
        figure: String,
        source: usvg::Error,
    },
    Encode {
        figure: String,
        cause: String,
    },
}

error_messages! {
    PngError {
        PngError::NoFont { figure } => message!(error_png_no_font { figure }),
        PngError::Size { figure, scale } => message!(error_png_size { figure, scale: scale.to_string() }),
        PngError::Svg { figure, .. } => message!(error_png_svg { figure }),
        PngError::Encode { figure, cause } => {
            message!(error_png_encode { figure, cause: Message::from(cause) })
        },
    }
    sources { PngError::Svg { source, .. } => source }
}

impl PngError {
    /// Empty without advice.
    pub fn hint(&self) -> Message {
        match self {
            PngError::NoFont { .. } => message!(hint_png_font),
            PngError::Size { .. } => message!(hint_png_scale),
            PngError::Svg { .. } | PngError::Encode { .. } => Message::default(),
        }
    }
}

impl Fonts {
    pub fn load_system_fonts() -> Fonts {
        let mut database = fontdb::Database::new();
        database.load_system_fonts();
        Fonts::set_font_families(database)
    }

    pub fn is_empty(&self) -> bool {
        self.database.is_empty()
    }

    /// Maps generic names to available families: the database's defaults (Arial, Times New Roman) are missing
    /// on most Linux systems, and resvg would omit all text.
    fn set_font_families(mut database: fontdb::Database) -> Fonts {
        let known = |name: &str| {
            database.faces().any(|f| f.families.iter().any(|(family, _)| family.eq_ignore_ascii_case(name)))
        };
        let liked = ["Inter", "Noto Sans", "Liberation Sans", "Arial", "DejaVu Sans"];
        let upright = |f: &&fontdb::FaceInfo| f.style == fontdb::Style::Normal && !f.monospaced;
        let chosen = liked.into_iter().find(|name| known(name)).map(str::to_string).or_else(|| {
            let any = database.faces().find(upright).or_else(|| database.faces().next());
            any.and_then(|f| f.families.first()).map(|(name, _)| name.clone())
        });
        if let Some(name) = chosen {
            database.set_sans_serif_family(name.as_str());
            database.set_serif_family(name);
        }
        Fonts { database: Arc::new(database) }
    }
}

/// `scale` is pixels per SVG unit ([`crate::svg::FIGURE_WIDTH_PX`] units wide). Fails without a font or with an invalid
/// scale.
pub fn render_png(picture: &dyn Picture, fonts: &Fonts, scale: f32) -> Result<PngImage, PngError> {
    let name = || picture.id().to_string();
    if fonts.is_empty() {
        return Err(PngError::NoFont { figure: name() });
    }
    let missing = Arc::new(Mutex::new(BTreeSet::new()));
    let seen = Arc::clone(&missing);
    let fallback = FontResolver::default_fallback_selector();
    let options = Options {
        fontdb: Arc::clone(&fonts.database),
        font_resolver: FontResolver {
            select_font: FontResolver::default_font_selector(),
            select_fallback: Box::new(move |c, used, database| {
                // First upright, proportional sans-serif faces of the same weight, then all.
                let unlike: Vec<fontdb::ID> = unlike(used, database);
                let found = fallback(c, &unlike, database).or_else(|| fallback(c, used, database));
                if found.is_none()
                    && let Ok(mut seen) = seen.lock()
                {
                    seen.insert(c);
                }
                found
            }),
        },
        ..Options::default()
    };
    let tree = Tree::from_str(&picture.to_svg(Theme::Light, "goodput"), &options)
        .map_err(|source| PngError::Svg { figure: name(), source })?;
    let (width, height) = (tree.size().width() * scale, tree.size().height() * scale);
    let valid = |v: f32| v.is_finite() && (1.0..=20_000.0).contains(&v);
    let pixmap = Some((width, height)).filter(|(w, h)| valid(*w) && valid(*h));
    let mut pixmap = pixmap
        .and_then(|(w, h)| Pixmap::new(w.round() as u32, h.round() as u32))
        .ok_or_else(|| PngError::Size { figure: name(), scale })?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    let bytes = pixmap.encode_png().map_err(|e| PngError::Encode { figure: name(), cause: e.to_string() })?;
    let missing = missing.lock().map(|m| m.iter().copied().collect()).unwrap_or_default();
    Ok(PngImage { bytes, width: pixmap.width(), height: pixmap.height(), missing })
}

fn unlike(used: &[fontdb::ID], database: &fontdb::Database) -> Vec<fontdb::ID> {
    let weight = used.first().and_then(|id| database.face(*id)).map(|f| f.weight);
    let odd = |f: &&fontdb::FaceInfo| {
        f.monospaced
            || f.style != fontdb::Style::Normal
            || f.stretch != fontdb::Stretch::Normal
            || Some(f.weight) != weight
            || f.families.iter().any(|(name, _)| name.contains("Serif") || name.contains("Mono"))
    };
    used.iter().copied().chain(database.faces().filter(odd).map(|f| f.id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use crate::figure::Figure;

    fn figure() -> Figure {
        crate::trial_figures(&documents::stream_100(), None)[0].clone()
    }

    #[test]
    fn without_a_font_there_is_an_error_and_no_blank_picture() {
        let none = Fonts::set_font_families(fontdb::Database::new());
        assert!(none.is_empty());
        assert!(matches!(render_png(&figure(), &none, 1.0), Err(PngError::NoFont { .. })));
    }

    #[test]
    fn words_are_drawn_or_named_and_impossible_scales_refused() {
        let fonts = Fonts::load_system_fonts();
        if fonts.is_empty() {
            return;
        }
        for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e6] {
            assert!(matches!(render_png(&figure(), &fonts, bad), Err(PngError::Size { .. })), "{bad}");
        }
        let drawn = render_png(&figure(), &fonts, 1.0).unwrap();
        assert_eq!(&drawn.bytes[..8], b"\x89PNG\r\n\x1a\n");
        // Dark pixels at the title prove that text was drawn.
        let pixmap = Pixmap::decode_png(&drawn.bytes).unwrap();
        let dark = (0..30).flat_map(|y| (0..400).map(move |x| (x, y)));
        let dark = dark.filter(|(x, y)| pixmap.pixel(*x, *y).is_some_and(|p| p.red() < 100)).count();
        assert!(dark > 100, "{dark} dark pixels in the title");
        assert!(drawn.missing.is_empty());
        let odd = Figure { title: "\u{10fffd}".into(), ..figure() };
        assert_eq!(render_png(&odd, &fonts, 0.2).unwrap().missing, ['\u{10fffd}']);
    }
}

//! The one-file report: the page's script and style with one run embedded, without server or network.
//!
//! The front end reads the element [`DATA`] or asks a server. [`crate::html`] has no script.

use crate::escape::escape_for_markup;
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

pub const DATA_ELEMENT_ID: &str = "goodput-data";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageAssets<'a> {
    pub script: &'a str,
    pub style: &'a str,
}

/// `data` is JSON, `{"kind": "run", "run": …}` or `{"kind": "page", "page": …}`; the title is shown until the
/// script has read it.
///
/// The content security policy allows only this script and no requests. No content can end its element early
/// (HTML, section 4.12.1.3).
pub fn render_single_file_report(bundle: &PageAssets<'_>, title: &str, data: &str) -> String {
    let script = within_script(bundle.script);
    let style = bundle.style.replace("</", "<\\/");
    // In JSON this character occurs in strings only, where it may be escaped.
    let data = data.replace('<', "\\u003c");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; \
         style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{}</title>\n<style>{style}</style>\n</head>\n<body>\n<div id=\"app\"></div>\n\
         <noscript><p>This report draws its figures with JavaScript, which is switched off.</p></noscript>\n\
         <script type=\"application/json\" id=\"{DATA_ELEMENT_ID}\">{data}</script>\n\
         <script type=\"module\">{script}</script>\n</body>\n</html>\n",
        BASE64.encode(&Sha256::digest(script.as_bytes())),
        escape_for_markup(title)
    )
}

/// Escapes what would end the script element. In a minified module it occurs only in strings, templates and
/// expressions, which keep their meaning.
fn within_script(script: &str) -> String {
    let mut out = String::with_capacity(script.len() + 64);
    let mut rest = script;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let begins =
            |word: &str| from.get(1..=word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word));
        out.push_str(if begins("/script") || begins("!--") { "\\x3C" } else { "<" });
        rest = &from[1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUNDLE: PageAssets<'static> =
        PageAssets { script: "let a=`<!--`,b='</Script>',c=1<2;", style: "a{color:red}" };

    fn element<'a>(html: &'a str, opening: &str) -> &'a str {
        html.split_once(opening).unwrap().1.split_once("</script>").unwrap().0
    }

    #[test]
    fn nothing_inside_ends_an_element() {
        let data = r#"{"kind":"run","title":"</script><script>alert(1)</script><!--"}"#;
        let html = render_single_file_report(&BUNDLE, "a < b", data);
        assert_eq!(html.matches("<script").count(), 2, "{html}");
        assert_eq!(html.to_lowercase().matches("</script").count(), 2, "{html}");
        assert!(!html[10..].contains("<!--"), "{html}");
        assert!(html.contains("<title>a &lt; b</title>"));
        assert!(html.contains("c=1<2;"), "what is no element stays as it is");
    }

    #[test]
    fn the_run_comes_out_as_it_went_in() {
        let data = r#"{"page":{"title":"<b> & \"c\" \\ é"}}"#;
        let html = render_single_file_report(&BUNDLE, "t", data);
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(element(&html, "goodput-data\">")), read(data));
    }

    #[test]
    fn only_this_script_may_run_and_nothing_is_fetched() {
        let html = render_single_file_report(&BUNDLE, "t", "{}");
        let script = element(&html, "<script type=\"module\">");
        let hash = BASE64.encode(&Sha256::digest(script.as_bytes()));
        assert!(html.contains(&format!("script-src 'sha256-{hash}'")), "{html}");
        assert!(html.contains("default-src 'none'"));
        assert!(!html.contains("src=\"") && !html.contains("http://") && !html.contains("https://"));
    }
}

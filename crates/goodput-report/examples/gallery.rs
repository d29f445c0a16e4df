//! Draws every figure of the test results as SVG and PNG, and the report, into a folder: `cargo run -p
//! goodput-report --example gallery -- FOLDER`.

#[path = "../tests/golden/documents.rs"]
mod documents;

use goodput_report::page::Localizer;
use goodput_report::{figures_across_trials, html, png, svg, trial_figures, view};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let fonts = png::Fonts::load_system_fonts();
    for (name, summary) in documents::all() {
        for f in trial_figures(&summary, None) {
            let stem = format!("{name}-{}", f.id);
            std::fs::write(folder.join(format!("{stem}.svg")), svg::figure_to_svg_file(&f))?;
            let drawn = png::render_png(&f, &fonts, 1.0)?;
            if !drawn.missing.is_empty() {
                println!("{stem}: no font has {:?}", drawn.missing);
            }
            std::fs::write(folder.join(format!("{stem}.png")), drawn.bytes)?;
        }
        let document = goodput_model::summary::ResultDocument {
            schema: goodput_model::summary::RESULT_SCHEMA.into(),
            run: None,
            summary: Some(summary),
            trials: Vec::new(),
            search: None,
            load_curves: None,
            file_run: None,
            diagnosis: None,
            check: None,
            error: None,
        };
        let page = view::build_run_report_page(&document, None, &[]);
        std::fs::write(folder.join(format!("{name}.html")), html::page_to_html(&page, &Localizer::ENGLISH))?;
    }
    for (name, document) in [
        ("load-run", documents::load_run()),
        ("load-cycle", documents::load_cycle()),
        ("file-copies", documents::file_copies()),
        ("file-marks", documents::file_marks()),
        ("file-mixes", documents::file_mixes()),
    ] {
        for f in figures_across_trials(&document) {
            let stem = format!("{name}-{}", f.id);
            std::fs::write(folder.join(format!("{stem}.svg")), svg::figure_to_svg_file(&f))?;
            std::fs::write(folder.join(format!("{stem}.png")), png::render_png(&f, &fonts, 1.0)?.bytes)?;
        }
        let trials: Vec<_> = document.trials.iter().map(documents::trial_of).collect();
        let page = view::build_run_report_page(&document, None, &trials);
        std::fs::write(folder.join(format!("{name}.html")), html::page_to_html(&page, &Localizer::ENGLISH))?;
    }
    let (document, head) = (documents::demo(), documents::head());
    let trials: Vec<_> = document.trials.iter().map(documents::trial_of).collect();
    let page = view::build_run_report_page(&document, Some(&head), &trials);
    std::fs::write(folder.join("report.html"), html::page_to_html(&page, &Localizer::ENGLISH))?;
    Ok(())
}

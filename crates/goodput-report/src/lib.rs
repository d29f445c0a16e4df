//! Results into text, tables, figures, HTML, SVG and PNG.

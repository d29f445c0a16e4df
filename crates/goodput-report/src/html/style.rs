//! The report's style sheet: one column for phone, screen and A4 paper.

pub(super) const PAGE_CSS: &str = "
:root{--bg:#fff;--text:#1c2128;--muted:#57606a;--line:#d8dee4;--soft:#f6f8fa;--note:#1b5fb4;--warning:#9a6700;--error:#b3261e}
@media (prefers-color-scheme:dark){:root{--bg:#12161c;--text:#e6edf3;--muted:#a3adb8;--line:#313943;--soft:#1a2028;
--note:#6cb0ff;--warning:#e3b341;--error:#ff8a80}}
*{box-sizing:border-box}
html{background:var(--bg);color:var(--text)}
body{margin:0;font:15px/1.55 Inter,'Noto Sans','Segoe UI','Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',
'Noto Sans CJK JP','Noto Sans JP','Hiragino Sans','Yu Gothic',Meiryo,sans-serif;overflow-wrap:anywhere}
main{max-width:50rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem}
h2{font-size:1.25rem;line-height:1.3;margin:2.5rem 0 .5rem;padding-top:1.25rem;border-top:1px solid var(--line)}
header h2{font-size:1rem;border:0;padding:0;margin:1.25rem 0 .25rem}
h3{font-size:1rem;margin:1.75rem 0 .4rem}
h4{font-size:.9rem;color:var(--muted);font-weight:600;margin:1.1rem 0 .3rem}
p{margin:.4rem 0}
.headline{font-size:1.1rem;font-weight:600;margin:.3rem 0 .5rem}
.when,p.note{color:var(--muted);font-size:.87rem}
figure{margin:1.25rem 0;border:1px solid var(--line);border-radius:8px;overflow-x:auto}
figure svg{display:block;width:100%;min-width:34rem;height:auto}
.wide{overflow-x:auto}
table{border-collapse:collapse;overflow-wrap:break-word;font-size:.87rem;font-variant-numeric:tabular-nums;line-height:1.4}
th,td{padding:.25rem .9rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);font-weight:400}
th:last-child,td:last-child{padding-right:0}
thead th{font-weight:600;vertical-align:bottom;overflow-wrap:break-word}
tbody th{color:var(--muted)}tbody th:not(.n){min-width:8.5rem}
.n{text-align:right}tbody .n{white-space:nowrap}
tbody th.n{color:var(--text)}
code{font-family:ui-monospace,'Cascadia Mono','DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace;font-size:.92em;
background:var(--soft);padding:.05em .35em;border-radius:4px}
.findings{list-style:none;padding:0;margin:.9rem 0}
.findings li{border-left:4px solid var(--note);background:var(--soft);padding:.5rem .8rem;margin:.5rem 0;border-radius:0 6px 6px 0}
.findings strong{color:var(--note);margin-right:.35em}
.findings .warning{border-color:var(--warning)}.findings .warning strong{color:var(--warning)}
.findings .error{border-color:var(--error)}.findings .error strong{color:var(--error)}
.findings small{color:var(--muted)}
ol.said{counter-reset:said}ol.said li{counter-increment:said}ol.said li::before{content:counter(said) '. ';font-weight:600}
a{color:var(--note)}details{margin-top:.25rem}summary{cursor:pointer;color:var(--muted);font-size:.87rem}
th[rowspan]{background:var(--bg)}td:target,th:target{outline:2px solid var(--note);outline-offset:2px}
.tall{max-height:30rem;overflow:auto;border:1px solid var(--line);border-radius:8px;padding:0 .9rem}
.tall th,.tall td{padding-right:.7rem}.tall td{white-space:nowrap}
.tall thead th{position:sticky;top:0;background:var(--bg)}
@media print{
:root{--bg:#fff;--text:#000;--muted:#444;--line:#bbb;--soft:#fff;--note:#1b5fb4;--warning:#7a5200;--error:#b3261e}
@page{margin:16mm}
body{font-size:10pt}main{max-width:none;padding:0}
section{break-before:page}
h2,h3,h4{break-after:avoid}figure,tr,li{break-inside:avoid}
section:first-of-type{break-before:auto}
.tall{max-height:none;border:0;padding:0}.tall thead th{position:static}
a{color:inherit}details:not([open]){display:none}thead{display:table-header-group}.wide,.tall,figure{overflow:visible}figure{border-radius:0}figure svg{min-width:0}
table{font-size:8.5pt;line-height:1.3}th,td{padding-top:.12rem;padding-bottom:.12rem}
}
";

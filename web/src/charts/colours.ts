// The colours of figures on canvas: read from the page's style, where light and dark are decided.

import { INKS } from "./shape";

export interface Colours {
  background: string;
  text: string;
  muted: string;
  grid: string;
  axis: string;
  limit: string;
  curves: string[];
}

/** The colours as they are now. */
export function colours(of: Element): Colours {
  const style = getComputedStyle(of);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    background: read("--bg"),
    text: read("--text"),
    muted: read("--muted"),
    grid: read("--gp-grid"),
    axis: read("--gp-axis"),
    limit: read("--gp-limit"),
    curves: Array.from({ length: INKS }, (_, i) => read(`--gp-c${i}`)),
  };
}

/** The colour of a curve in SVG and HTML. */
export function ink(curve: number): string {
  return `var(--gp-c${curve % INKS})`;
}

// Colours and dashes of curves on canvas: the eight of app.css, then the same eight broken, so that twenty flows can be told
// apart also by those who see few colours.

/** Patterns in CSS pixels; the first is a whole line. */
export const DASHES: readonly number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

const NAMES = ["--gp-c0", "--gp-c1", "--gp-c2", "--gp-c3", "--gp-c4", "--gp-c5", "--gp-c6", "--gp-c7"];

/** The colours of curves as they are now. `shown` is only there so that an effect follows it. */
export function colours(_shown: "light" | "dark"): string[] {
  const style = getComputedStyle(document.documentElement);
  return NAMES.map((name) => style.getPropertyValue(name).trim());
}

/** The colours of axes as they are now. */
export function ink(_shown: "light" | "dark"): { text: string; line: string } {
  const style = getComputedStyle(document.documentElement);
  return {
    text: style.getPropertyValue("--muted").trim(),
    line: style.getPropertyValue("--gp-grid").trim(),
  };
}

/** What shows the stroke of the curve with this number in a legend: an SVG line's attributes. */
export function stroke(curve: number): { colour: string; dash: string } {
  const dash = DASHES[Math.floor(curve / NAMES.length) % DASHES.length] ?? [];
  return { colour: `var(${NAMES[curve % NAMES.length]})`, dash: dash.join(" ") };
}

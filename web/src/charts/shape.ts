// The mark of each curve, so that curves are told apart without colour: goodput-report/src/svg/markers.rs.

/** Curves that have colours and marks of their own; the next begins again. */
export const INKS = 8;

/** A disc, a square, a diamond, triangles, crosses or an hourglass of about the same weight, as an SVG path. */
export function shape(curve: number, x: number, y: number, r: number): string {
  const n = (v: number) => v.toFixed(1);
  const s = r * 0.9;
  const d = r * 1.3;
  const w = r * 0.9;
  const t = w / 2;
  const a = d - t;
  switch (curve % INKS) {
    case 0:
      return `M${n(x - r)} ${n(y)}a${r} ${r} 0 1 0 ${n(2 * r)} 0a${r} ${r} 0 1 0 ${n(-2 * r)} 0Z`;
    case 1:
      return `M${n(x - s)} ${n(y - s)}h${n(2 * s)}v${n(2 * s)}h${n(-2 * s)}Z`;
    case 2:
      return `M${n(x)} ${n(y - d)}L${n(x + d)} ${n(y)}L${n(x)} ${n(y + d)}L${n(x - d)} ${n(y)}Z`;
    case 3:
      return `M${n(x)} ${n(y - d)}L${n(x + d)} ${n(y + s)}L${n(x - d)} ${n(y + s)}Z`;
    case 4:
      return `M${n(x)} ${n(y + d)}L${n(x + d)} ${n(y - s)}L${n(x - d)} ${n(y - s)}Z`;
    case 5:
      return (
        `M${n(x - t)} ${n(y - d)}h${n(w)}v${n(a)}h${n(a)}v${n(w)}h${n(-a)}v${n(a)}` +
        `h${n(-w)}v${n(-a)}h${n(-a)}v${n(-w)}h${n(a)}Z`
      );
    case 6:
      return `M${n(x - d)} ${n(y - d)}H${n(x + d)}L${n(x - d)} ${n(y + d)}H${n(x + d)}Z`;
    default:
      return `M${n(x - d)} ${n(y - d)}V${n(y + d)}L${n(x + d)} ${n(y - d)}V${n(y + d)}Z`;
  }
}

/** A cross where something was tried and gave nothing. */
export function cross(x: number, y: number, r = 4): string {
  return `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`;
}

// A quantity as somebody types it, in its base unit: bit/s, ns, a second. Units are those of the command line
// (crates/goodput/src/args/value_parsers.rs); a bare K, M or G is no unit, because it can be read in two ways.

const RATES: Readonly<Record<string, number>> = { bit: 1, kbit: 1e3, Mbit: 1e6, Gbit: 1e9 };
const TIMES: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, min: 6e10 };

/** The number in its base unit; `null` for what is none. A plain number stands as it is. */
export function quantity(text: string): number | null {
  const found = /^\s*(-?(?:\d[\d,]*)(?:\.\d+)?)\s*(.*?)\s*$/.exec(text);
  if (found === null) return null;
  const [, digits = "", unit = ""] = found;
  const value = Number(digits.replaceAll(",", ""));
  if (!Number.isFinite(value)) return null;
  if (unit === "" || unit === "/s") return value;
  const scale = RATES[unit.replace(/\/s$/, "")] ?? TIMES[unit];
  return scale === undefined ? null : value * scale;
}

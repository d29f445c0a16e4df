// How a quantity is written for a person, as crates/goodput-words/src/number_format.rs does it: the same rules, held to the same
// examples (fixtures/numbers.json). Used where the page writes numbers itself: axes, the reading at the pointer, live values.

/** Stands where there is no figure. */
export const NONE = "–";

type Units = readonly (readonly [string, number])[];

const RATE: Units = [
  ["bit/s", 1],
  ["kbit/s", 1e3],
  ["Mbit/s", 1e6],
  ["Gbit/s", 1e9],
  ["Tbit/s", 1e12],
  ["Pbit/s", 1e15],
  ["Ebit/s", 1e18],
];
const TIME: Units = [
  ["ns", 1],
  ["µs", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
];
const VOLUME: Units = [
  ["B", 1],
  ["KiB", 2 ** 10],
  ["MiB", 2 ** 20],
  ["GiB", 2 ** 30],
  ["TiB", 2 ** 40],
  ["PiB", 2 ** 50],
  ["EiB", 2 ** 60],
];

/**
 * `value` with this many decimals, exactly as Rust's `{:.n}` has it: the decimal expansion of the number itself, a half to
 * the even digit. `toFixed` takes a half upwards, and gives up at 10^21.
 */
export function fixed(value: number, decimals: number): string {
  if (Math.abs(value) >= 1e21) {
    const whole = BigInt(value).toString();
    return decimals > 0 ? `${whole}.${"0".repeat(decimals)}` : whole;
  }
  const scaled = Math.abs(value) * 10 ** decimals;
  // An exact half: a number of at most decimals + 1 binary places. Only there do the two differ.
  const half = scaled < 2 ** 52 && scaled % 1 === 0.5 && Number.isInteger(value * 2 ** (decimals + 1));
  if (half && Math.floor(scaled) % 2 === 0) {
    return `${value < 0 ? "-" : ""}${(Math.floor(scaled) / 10 ** decimals).toFixed(decimals)}`;
  }
  return value.toFixed(decimals);
}

/** A comma every three digits before the decimal point. */
function group(text: string): string {
  const [whole = "", fraction] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Decimals that leave four significant digits, at most `most`. */
function decimals(value: number, most: number): number {
  const before = value < 1 ? 1 : Math.floor(Math.log10(value)) + 1;
  return Math.min(Math.max(4 - before, 0), most);
}

function lastAt(units: Units, value: number): number {
  for (let at = units.length - 1; at > 0; at--) if (value >= (units[at]?.[1] ?? Infinity)) return at;
  return 0;
}

/** Four significant digits with the unit that the rounded value falls into. */
function scaled(signed: number, units: Units): string {
  if (!Number.isFinite(signed)) return NONE;
  const sign = signed < 0 ? "-" : "";
  const value = Math.abs(signed);
  let at = lastAt(units, value);
  for (;;) {
    const [name, scale] = units[at] ?? ["", 1];
    const shown = value / scale;
    const digits = decimals(shown, 3);
    const rounded = Number(fixed(shown, digits));
    // Rounding up may reach the next unit (999.96 -> 1000), or one more digit (99.996 -> 100.00).
    const next = units[at + 1];
    if (next !== undefined && rounded >= next[1] / scale) {
      at += 1;
      continue;
    }
    return `${sign}${group(fixed(shown, Math.min(decimals(rounded, 3), digits)))} ${name}`;
  }
}

/** A measured rate in bit/s: `941.5 Mbit/s`; whole bits below 1 kbit/s. */
export function rate(bitsPerSecond: number): string {
  if (bitsPerSecond >= 0 && bitsPerSecond < 999.5) return `${fixed(Math.floor(bitsPerSecond + 0.5), 0)} bit/s`;
  return scaled(bitsPerSecond, RATE);
}

/** A rate that somebody asked for, exact: `100 Mbit/s`, `2.5 Gbit/s`, `1,234,567 bit/s`. */
export function rateSetting(bitsPerSecond: number): string {
  return exact(bitsPerSecond, RATE.slice(0, 4));
}

/** A time that somebody asked for, exact: `10 s`, `150 ms`. */
export function timeSetting(ns: number): string {
  return exact(ns, TIME);
}

/** The largest unit that needs at most two decimals. */
function exact(value: number, units: Units): string {
  for (let at = units.length - 1; at >= 0; at--) {
    const [name, scale] = units[at] ?? ["", 1];
    if (value < scale) continue;
    const whole = Math.floor(value / scale);
    const rest = value % scale;
    if (rest === 0) return `${count(whole)} ${name}`;
    const hundredth = Math.max(Math.floor(scale / 100), 1);
    if (rest % hundredth === 0 && scale >= 100) {
      return `${count(whole)}.${String(rest / hundredth).padStart(2, "0").replace(/0+$/, "")} ${name}`;
    }
  }
  return `${count(value)} ${units[0]?.[0] ?? ""}`;
}

/** A message size, always exact: `64 KiB`, `1.5 KiB`, `12,285 B`. */
export function size(bytes: number): string {
  for (let at = VOLUME.length - 1; at > 0; at--) {
    const [name, unit] = VOLUME[at] ?? ["", 1];
    if (bytes >= unit && bytes % (unit / 2) === 0 && Math.floor(bytes / unit) < 10_000) {
      return `${count(Math.floor(bytes / unit))}${bytes % unit === 0 ? "" : ".5"} ${name}`;
    }
  }
  return `${count(bytes)} B`;
}

/** A total that was measured, four significant digits: `112.2 MiB`. An exact one is written as a size. */
export function volume(bytes: number): string {
  if (Number.isInteger(bytes) && bytes >= 0 && bytes < 9e15) {
    const unit = lastAt(VOLUME, bytes);
    const whole = size(bytes);
    if (unit === 0 || whole.endsWith(VOLUME[unit]?.[0] ?? "")) return whole;
  }
  return scaled(bytes, VOLUME);
}

/** A measured time in nanoseconds: `12.31 µs`, `10.00 s`; `312.4 ns` keeps one decimal. */
export function time(ns: number): string {
  if (Number.isFinite(ns) && Math.abs(ns) < 999.95) {
    const text = fixed(ns, 1).replace(/\.0$/, "");
    return `${text === "-0" ? "0" : text} ns`;
  }
  return scaled(ns, TIME);
}

/** A share in per cent, one decimal: `99.9 %`. A negative one keeps its sign, `-0.0` does not. */
export function percent(value: number): string {
  if (!Number.isFinite(value)) return NONE;
  const text = fixed(value, 1);
  return `${group(text === "-0.0" ? "0.0" : text)} %`;
}

/** A count: `45,210`. */
export function count(n: number): string {
  return group(n < 1e21 ? String(n) : BigInt(n).toString());
}

/** Events a second: whole from 1,000 on, else four significant digits: `45,213/s`, `812.4/s`. */
export function perSecond(value: number): string {
  return `${plain(value)}/s`;
}

/** A number without a unit: whole from 1,000 on, else four significant digits. */
export function plain(value: number): string {
  if (!Number.isFinite(value)) return NONE;
  const digits = decimals(Math.abs(value), 3);
  // Rounding up may reach one digit more (9.9997 -> 10.000).
  const rounded = Math.abs(Number(fixed(value, digits)));
  const text = fixed(value, Math.min(decimals(rounded, 3), digits));
  return group(/^-?[0.]*$/.test(text) ? "0" : text);
}

/** A number with exactly this many decimals: `1,234.50`. */
export function grouped(value: number, places: number): string {
  if (!Number.isFinite(value)) return NONE;
  const text = fixed(value, places);
  return group(/^-[0.]*$/.test(text) ? text.slice(1) : text);
}

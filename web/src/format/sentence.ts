// Sentences as they are shown: a number stays on one line with its unit (goodput-report/src/html.rs).

const UNIT =
  "(?:%|B|KiB|MiB|GiB|TiB|bit/s|kbit/s|Mbit/s|Gbit/s|Tbit/s|ns|µs|ms|s|CPUs?)(?![A-Za-z/])";
const JOINED = new RegExp(`(\\d) (?=${UNIT})`, "g");

/** The sentence with unbreakable spaces between numbers and their units. */
export function joined(sentence: string): string {
  return sentence.replace(JOINED, "$1\u00a0");
}

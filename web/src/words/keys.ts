// What a Fluent file holds, read from its text. Used by the tests that hold the languages against each other.

/** Each key of a file (`id`, `id.attribute`) with the variables of its message. */
export function keysOf(source: string): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  let message = "";
  let key = "";
  for (const line of source.split("\n")) {
    if (line.startsWith("#")) continue;
    const begins = /^([A-Za-z][\w-]*) *=(.*)$/.exec(line);
    const attribute = /^ +\.([A-Za-z][\w-]*) *=/.exec(line);
    if (begins) {
      message = key = begins[1] ?? "";
      if ((begins[2] ?? "").trim() !== "") all.set(key, new Set());
    } else if (attribute) {
      key = `${message}.${attribute[1] ?? ""}`;
      all.set(key, new Set());
    }
    for (const [, name] of line.matchAll(/\$([\w-]+)/g)) {
      if (!all.has(key)) all.set(key, new Set());
      all.get(key)?.add(name ?? "");
    }
  }
  return all;
}

/** Keys that code asks for by `t("…")`, and fixed beginnings of those that it puts together (`` t(`job-${state}`) ``). */
export function asked(code: string): { keys: string[]; beginnings: string[] } {
  const keys = [...code.matchAll(/\bt\(\s*(["'])([^"'`$]+)\1/g)].map((m) => m[2] ?? "");
  const beginnings = [...code.matchAll(/\bt\(\s*`([^`$]*)\$\{/g)].map((m) => m[1] ?? "");
  const fixed = [...code.matchAll(/\bt\(\s*`([^`$]*)`/g)].map((m) => m[1] ?? "");
  return { keys: [...keys, ...fixed], beginnings };
}

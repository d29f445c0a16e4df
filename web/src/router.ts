// Addresses within the page: what follows `#`. Pure; the place where the page is stands in place.svelte.ts.

/** Where the page can be. */
export type Route =
  | { kind: "now" }
  | { kind: "hosts"; names: string[] }
  | { kind: "runs"; filter: Record<string, string[]> }
  | { kind: "run"; id: string }
  | { kind: "compare"; runs: string[] }
  | { kind: "experiment"; id: string }
  /** `line`: the words that the form begins with, as a shell writes them. */
  | { kind: "new"; command: string | null; line?: string }
  /** `line`: likewise, of a new schedule. */
  | { kind: "schedule"; id: string | null; line?: string }
  | { kind: "login"; then: string | null }
  | { kind: "unknown"; path: string };

/** The route of an address; `#/` is the first page. Null for an address that names a place within a page (`#cell-3`). */
export function parse(hash: string): Route | null {
  const text = hash.startsWith("#") ? hash.slice(1) : hash;
  if (text !== "" && !text.startsWith("/")) return null;
  const at = text.indexOf("?");
  const path = at < 0 ? text : text.slice(0, at);
  const query = new URLSearchParams(at < 0 ? "" : text.slice(at + 1));
  const parts = path.split("/").filter((p) => p !== "").map(decoded);
  const [first, second] = parts;
  const list = (name: string) => (query.get(name) ?? "").split(",").filter((w) => w !== "");
  const line = (): { line?: string } => (query.has("line") ? { line: query.get("line") ?? "" } : {});
  if (parts.length > 2) return { kind: "unknown", path };
  if (second !== undefined && !["runs", "experiments", "new", "schedule"].includes(first ?? "")) {
    return { kind: "unknown", path };
  }
  switch (first) {
    case undefined:
    case "runs":
      return second === undefined ? { kind: "runs", filter: gathered(query) } : { kind: "run", id: second };
    case "now":
      return { kind: "now" };
    case "hosts":
      return { kind: "hosts", names: list("names") };
    case "compare":
      return { kind: "compare", runs: list("runs") };
    case "experiments":
      return second === undefined ? { kind: "unknown", path } : { kind: "experiment", id: second };
    case "new":
      return { kind: "new", command: second ?? null, ...line() };
    case "schedule":
      return { kind: "schedule", id: second ?? null, ...line() };
    case "login":
      return { kind: "login", then: query.get("then") };
    default:
      return { kind: "unknown", path };
  }
}

/** The address of a route. */
export function href(route: Route): string {
  const c = encodeURIComponent;
  const line = (words: string | undefined) => (words === undefined ? "" : `?line=${c(words)}`);
  switch (route.kind) {
    case "now":
      return "#/now";
    case "hosts":
      return route.names.length === 0 ? "#/hosts" : `#/hosts?names=${route.names.map(c).join(",")}`;
    case "runs": {
      const query = new URLSearchParams();
      for (const [name, values] of Object.entries(route.filter)) {
        for (const value of values) if (value !== "") query.append(name, value);
      }
      const words = query.toString();
      return words === "" ? "#/runs" : `#/runs?${words}`;
    }
    case "run":
      return `#/runs/${c(route.id)}`;
    case "compare":
      return `#/compare?runs=${route.runs.map(c).join(",")}`;
    case "experiment":
      return `#/experiments/${c(route.id)}`;
    case "new":
      return `#/new${route.command === null ? "" : `/${c(route.command)}`}${line(route.line)}`;
    case "schedule":
      return `#/schedule${route.id === null ? "" : `/${c(route.id)}`}${line(route.line)}`;
    case "login":
      return route.then === null ? "#/login" : `#/login?then=${c(route.then)}`;
    case "unknown":
      return `#${route.path}`;
  }
}

function gathered(query: URLSearchParams): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const [name, value] of query) if (value !== "") (all[name] ??= []).push(value);
  return all;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

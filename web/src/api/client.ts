// Questions to the server: JSON there and back, problems as RFC 9457 documents.

import { language, t } from "../words";
import type { Problem } from "./types";

/** What went wrong, in the words of the server where it said any. */
export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.error);
    this.problem = problem;
  }
}

/** What must be sent with every write, and whom to tell that the session has ended. Set by session.svelte.ts. */
export const credentials = {
  csrf: null as string | null,
  ended: () => {},
};

/** Values of a query: what is undefined, null or empty is left out, lists are repeated. */
export type Query = Record<string, string | number | boolean | null | undefined | readonly string[]>;

/** The address of a resource below /api/v1. Relative, so that a proxy may serve the page in a folder of its own. */
export function address(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") search.append(name, String(one));
    }
  }
  const words = search.toString();
  return `api/v1${path}${words === "" ? "" : `?${words}`}`;
}

/** Reads a resource. Throws an ApiError; an abort throws what fetch throws. */
export function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return ask<T>("GET", path, query, undefined, signal);
}

/** Changes something. Throws an ApiError. */
export function send<T>(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<T> {
  return ask<T>(method, path, {}, body);
}

async function ask<T>(method: string, path: string, query: Query, body: unknown, signal?: AbortSignal): Promise<T> {
  // Texts come in the language of the page. An effect that reads follows it, and reads anew when it changes.
  const headers: Record<string, string> = {
    Accept: "application/json, application/problem+json",
    "Accept-Language": language(),
  };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET" && credentials.csrf !== null) headers["X-CSRF-Token"] = credentials.csrf;
  const init: RequestInit = { method, headers, credentials: "same-origin" };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal !== undefined) init.signal = signal;
  const response = await fetch(address(path, query), init).catch((e: unknown) => {
    if (e instanceof DOMException && e.name === "AbortError") throw e;
    throw new ApiError({ status: 0, error: t("server-no-answer"), cause: String(e), hint: null });
  });
  if (!response.ok) {
    const problem = await problemOf(response);
    if (problem.status === 401 && path !== "/session") credentials.ended();
    throw new ApiError(problem);
  }
  const text = await response.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

async function problemOf(response: Response): Promise<Problem> {
  const found: Problem = {
    status: response.status,
    error: `${response.status} ${response.statusText}`.trim(),
    cause: null,
    hint: null,
  };
  try {
    const told = (await response.json()) as Record<string, unknown>;
    const word = (name: string) => (typeof told[name] === "string" ? told[name] : null);
    found.error = word("error") ?? word("title") ?? found.error;
    found.cause = word("cause") ?? word("detail");
    found.hint = word("hint");
  } catch {
    // A proxy's page is no problem document: the status says what there is to say.
  }
  return found;
}

/** Any error as a problem. */
export function problem(e: unknown): Problem {
  if (e instanceof ApiError) return e.problem;
  return { status: 0, error: e instanceof Error ? e.message : String(e), cause: null, hint: null };
}

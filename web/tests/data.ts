// What a server would say, for tests of the page alone. Its forms are those of src/api.

import type { Carried, Facets, RunCard, RunDocument, Session } from "../src/api/types";
import type { Figure, Page } from "../src/api/view";
import { BARS, DOTS, STEPS, SWEEP } from "../src/charts/sample";

export const OPERATOR: Session = {
  role: "operator",
  csrf: "token",
  program: "goodput 0.1.0",
  languages: ["en", "ja", "ru"],
  login: true,
};

export const STRANGER: Session = { ...OPERATOR, role: "none", csrf: null, program: null };

export function card(number: number): RunCard {
  const id = `019a0000-0000-7000-8000-${String(number).padStart(12, "0")}`;
  return {
    id,
    started: new Date(Date.UTC(2026, 0, 1) - number * 60_000).toISOString(),
    command: ["goodput", "stream", `host-${number % 7}`],
    probes: ["stream"],
    hosts: ["here", `host-${number % 7}`],
    labels: number % 5 === 0 ? { card: "x" } : {},
    tags: number % 3 === 0 ? ["baseline"] : [],
    outcome: number % 11 === 0 ? "partial" : "complete",
    trials: 1 + (number % 4),
    figure: { name: "goodput_bps", value: 941.5e6, unit: "bit/s", text: "941.5 Mbit/s" },
    experiment: null,
    bytes: 123_456,
  };
}

export const FACETS: Facets = {
  runs: 10_000,
  probes: [{ value: "stream", runs: 10_000 }],
  hosts: [{ value: "host-1", runs: 1429 }],
  labels: [{ key: "card", values: [{ value: "x", runs: 2000 }] }],
  factors: [
    { name: "cc", levels: [{ value: "bbr", runs: 12 }, { value: "cubic", runs: 12 }] },
    { name: "mtu", levels: [{ value: "1500", runs: 30 }, { value: "9000", runs: 28 }] },
  ],
  tags: [{ value: "baseline", runs: 3334 }],
  experiments: [],
  outcomes: [{ value: "complete", runs: 9090 }],
};

/** A curve of as many points as the server sends at the most. */
const LONG: Figure = {
  ...STEPS,
  id: "long",
  title: "Latency over time",
  curves: [
    {
      ...(STEPS.curves[0] ?? { name: "", style: "line", points: [], band: [], band_name: "" }),
      name: "RTT",
      style: "line",
      points: Array.from({ length: 6000 }, (_, i): [number, number] => [i * 500_000, 4e8 + 3e8 * Math.sin(i / 60)]),
    },
  ],
};

export const PAGE: Page = {
  title: "stream: here → host-1",
  under: ["1 January 2026, goodput 0.1.0"],
  names: ["a", "b"],
  sections: [
    {
      title: "Results",
      blocks: [
        { kind: "lead", text: "here → host-1: 941.5 Mbit/s over 10 s." },
        { kind: "figure", ...STEPS },
        {
          kind: "statements",
          statements: [
            {
              id: "",
              severity: "warning",
              answer: "",
              text: "12 segments were sent again.",
              sure: "",
              evidence: ["12 of 80,123 segments"],
              links: [{ cell: "cell-1", words: "host-1" }],
              more: 0,
              try: "Look at the cable.",
            },
          ],
        },
        {
          kind: "table",
          short: null,
          whole: {
            title: "Hosts at both ends",
            alternative: "CPU of both ends",
            columns: [
              { name: "host", align: "left", unit: null },
              { name: "busy", align: "right", unit: "%" },
            ],
            rows: [
              [{ text: "here" }, { text: "12.0 %", value: 12 }],
              [{ text: "host-1" }, { text: "99.9 %", value: 99.9 }],
              [{ text: "switch" }, { text: "3.0 %", value: 3 }],
            ],
            notes: [],
            heads: 1,
            anchors: [{ row: 1, column: 1, id: "cell-1" }],
          },
        },
      ],
    },
    { title: "Figures", blocks: [SWEEP, BARS, DOTS, LONG].map((figure) => ({ kind: "figure" as const, ...figure })) },
    { title: "About this run", blocks: [{ kind: "text", text: "Measured with goodput." }] },
  ],
};

export const RUN: RunDocument = {
  card: card(1),
  page: PAGE,
  downloads: [
    { form: "json", name: "goodput-1.json", media_type: "application/json" },
    { form: "run.tar.zst", name: "goodput-1.tar.zst", media_type: "application/zstd" },
  ],
};

export const CARRIED: Carried = { kind: "run", run: RUN, texts: { ru: { "/title": "Прогон" } } };

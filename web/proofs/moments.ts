// When a page stands: watched from within it, told in ms since the navigation began.

/** What must stand. */
export type Wanted =
  /** So many rows of the list of runs. */
  | { kind: "rows"; least: number }
  /** So many figures, each with something drawn. */
  | { kind: "figures"; count: number };

export interface Moments {
  /** First contentful paint, as the browser tells it (W3C Paint Timing). */
  first: number;
  /** The frame with everything that was wanted has been painted. */
  content: number;
}

/** What `watch` leaves in the page. */
export interface Watched {
  stood: Promise<Moments>;
}

/** Runs in the page before anything else of it; it must not use anything from outside of itself. */
export function watch(wanted: Wanted): void {
  const isDrawn = (figure: Element): boolean => {
    const canvas = figure.querySelector("canvas");
    if (canvas === null) return figure.querySelector("svg[role=img] path") !== null;
    if (canvas.width === 0 || canvas.height === 0) return false;
    // A look at a small copy: whether any of it is not empty any more.
    const [wide, high] = [64, 32];
    const small = new OffscreenCanvas(wide, high).getContext("2d");
    if (small === null) return false;
    small.drawImage(canvas, 0, 0, wide, high);
    return small.getImageData(0, 0, wide, high).data.some((value) => value !== 0);
  };
  const stands = (): boolean => {
    if (wanted.kind === "rows") return document.querySelectorAll("main ul.runs > li").length >= wanted.least;
    const figures = [...document.querySelectorAll("main figure")];
    return figures.length === wanted.count && figures.every(isDrawn);
  };
  const first = new Promise<number>((told) => {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntriesByName("first-contentful-paint")) told(entry.startTime);
    });
    observer.observe({ type: "paint", buffered: true });
  });
  const content = new Promise<number>((told) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => told(performance.now());
    const look = () => {
      // A frame's callbacks run before it is painted, a message behind it is delivered afterwards.
      if (stands()) port2.postMessage(null);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const stood = Promise.all([first, content]).then(([first, content]) => ({ first, content }));
  (globalThis as unknown as Watched).stood = stood;
}

/** The middle of several values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2;
}

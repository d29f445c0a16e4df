import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Paced } from "./paced";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("acts at once, then once in a span, and once more after the last reason", async () => {
  let times = 0;
  const paced = new Paced(500, async () => {
    times += 1;
  });
  for (let i = 0; i < 5; i++) paced.ask();
  await vi.advanceTimersByTimeAsync(0);
  expect(times).toBe(1);
  await vi.advanceTimersByTimeAsync(499);
  paced.ask();
  expect(times).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(times).toBe(2);
  await vi.advanceTimersByTimeAsync(5000);
  expect(times).toBe(2);
  paced.ask();
  await vi.advanceTimersByTimeAsync(0);
  expect(times).toBe(3);
});

it("does nothing more once it is stopped, and begins anew when asked", async () => {
  let times = 0;
  const paced = new Paced(500, async () => {
    times += 1;
  });
  paced.ask();
  paced.ask();
  await vi.advanceTimersByTimeAsync(0);
  paced.stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(times).toBe(1);
  paced.ask();
  await vi.advanceTimersByTimeAsync(0);
  expect(times).toBe(2);
});

import { expect, test } from "vitest";
import { RequestsPerMinuteCounter } from "#worker/api/request-windows.ts";

const START = 1_800_000_000_000;

test("counts the requests of each key separately, and restarts the count at one after a minute", () => {
  const windows = new RequestsPerMinuteCounter(10);
  expect(windows.count("a", START)).toEqual({ used: 1, secondsLeft: 60 });
  expect(windows.count("a", START + 59_999)).toEqual({ used: 2, secondsLeft: 1 });
  expect(windows.count("b", START + 59_999)).toEqual({ used: 1, secondsLeft: 60 });
  expect(windows.count("a", START + 60_000)).toEqual({ used: 1, secondsLeft: 60 });
});

test("drops the key with the oldest minute if the number of counted keys exceeds the limit", () => {
  const windows = new RequestsPerMinuteCounter(3);
  for (const text of ["a", "b", "c"]) windows.count(text, START);
  windows.count("a", START + 60_000);
  // Key "a" started a new minute, so now "b" is the key with the oldest minute.
  windows.count("c", START + 59_999);
  windows.count("d", START + 59_999);
  expect(["a", "c", "d"].map((text) => windows.count(text, START + 59_999).used)).toEqual([2, 3, 2]);
  expect(windows.count("b", START + 59_999).used).toBe(1);
});

import { afterAll } from "vitest";

// Passes request logs only to tests that need them. Others are printed.
const { log } = console;
console.log = (...logArguments: readonly unknown[]) => {
  if (!String(logArguments[0]).startsWith('{"level":"info"')) log(...logArguments);
};

afterAll(() => {
  console.log = log;
});

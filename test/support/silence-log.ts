import { afterAll } from "vitest";

// Hides request logs except from tests that replace console.log. Prints all other logs.
const { log } = console;
console.log = (...logArguments: readonly unknown[]) => {
  if (!String(logArguments[0]).startsWith('{"level":"info"')) log(...logArguments);
};

afterAll(() => {
  console.log = log;
});

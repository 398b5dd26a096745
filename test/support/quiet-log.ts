import { afterAll } from "vitest";

// That a request was answered is told to the tests that ask for it; on the screen stands what went wrong.
const { log } = console;
console.log = (...logArguments: readonly unknown[]) => {
  if (!String(logArguments[0]).startsWith('{"level":"info"')) log(...logArguments);
};

afterAll(() => {
  console.log = log;
});

import { afterAll } from "vitest";

// That a request was answered is told to the tests that ask for it; on the screen stands what went wrong.
const { log } = console;
console.log = (...said: readonly unknown[]) => {
  if (!String(said[0]).startsWith('{"level":"info"')) log(...said);
};

afterAll(() => {
  console.log = log;
});

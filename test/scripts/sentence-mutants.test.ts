import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findTests } from "#tools/sentence-mutants/find-tests.ts";
import { BROKEN_SENTENCES } from "#tools/sentence-mutants/sentences.ts";

// A release breaks each of these sentences and expects its test to fail.

test("defines each mutated rule by exactly one place in an existing file and at least one test", () => {
  expect(BROKEN_SENTENCES.length).toBeGreaterThanOrEqual(20);
  for (const sentence of BROKEN_SENTENCES) {
    const { file, from, to, statement } = sentence;
    expect(readFileSync(file, "utf8").split(from).length, `${statement}: ${from}`).toBe(2);
    expect(to).not.toBe(from);
    expect(findTests(sentence).length, statement).toBeGreaterThan(0);
  }
});

test("finds the tests of a test.each by the fixed parts of their title", () => {
  const [found] = findTests({
    page: "rules.md: the life of a contract",
    statement: "An unpaid pending booking costs nothing",
  });
  expect(found?.pattern).toBe("calculates the fee of a .* booking with .* paid as .*");
});

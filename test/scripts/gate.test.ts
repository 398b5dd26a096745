import { expect, test } from "vitest";
import { GATE } from "#scripts/test.ts";
import config from "../../vitest.config.ts";

test("every kind of tests is in the gate, once, but for the slow proofs of a release", () => {
  const names = (config.test?.projects ?? []).map((project) => {
    return typeof project === "object" && "test" in project ? project.test?.name : project;
  });
  expect([...GATE.flat(), "release"].sort()).toEqual(names.sort());
});

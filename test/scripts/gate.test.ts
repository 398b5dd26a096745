import { expect, test } from "vitest";
import { GATE, RELEASE } from "#scripts/test.ts";
import config from "../../vitest.config.ts";

test("every kind of tests is in the gate or among the slow proofs of a release, once", () => {
  const names = (config.test?.projects ?? []).map((project) => {
    return typeof project === "object" && "test" in project ? project.test?.name : project;
  });
  expect([...GATE.flat(), ...RELEASE.flat()].sort()).toEqual(names.sort());
});

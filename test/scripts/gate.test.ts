import { expect, test } from "vitest";
import { run } from "#scripts/processes.ts";
import { GATE, getCoverageOptions, RELEASE, runTests } from "#scripts/test.ts";
import config from "../../vitest.config.ts";

test("every kind of tests is in the gate or among the slow proofs of a release, once", () => {
  const names = (config.test?.projects ?? []).map((project) => {
    return typeof project === "object" && "test" in project ? project.test?.name : project;
  });
  expect([...GATE.flat(), ...RELEASE.flat()].sort()).toEqual(names.sort());
});

test("a run of which nothing is heard any more is ended with all that it started", async () => {
  const stalled = await run("sh", ["-c", "echo begun; sleep 600 & sleep 600"], { quiet: true, longestSilence: 500 });
  expect(stalled).toEqual({ exitCode: 137, output: "begun\n", isStalled: true });
  const ended = await run("sh", ["-c", "echo begun"], { quiet: true, longestSilence: 60_000 });
  expect(ended).toEqual({ exitCode: 0, output: "begun\n", isStalled: false });
});

test("a missing test file is a failure", async () => {
  expect(await runTests([["domain"]], ["test/domain/of-nothing.test.ts"])).toBe(1);
});

test("the gate fails if the domain's tests cover too little of it", () => {
  expect(config.test?.coverage?.thresholds).toEqual({
    "worker/domain/**": { lines: expect.toSatisfy((lines) => lines >= 90) },
  });
  const measured = GATE.filter((projects) => getCoverageOptions(projects, []).includes("--coverage"));
  expect(measured).toEqual([["domain"]]);
  expect(getCoverageOptions(["domain"], ["--sequence.shuffle.files"])).not.toEqual([]);
  // Some of the tests cover less.
  expect(getCoverageOptions(["domain"], ["test/domain/dates.test.ts"])).toEqual([]);
});

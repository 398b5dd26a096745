import { expect, test } from "vitest";
import { runCommand } from "#scripts/processes.ts";
import { CHECK_TEST_GROUPS, getCoverageOptions, RELEASE_TEST_GROUPS, runTests } from "#scripts/test.ts";
import config from "../../vitest.config.ts";

test("runs every group of tests exactly once, in the regular check or in the release check", () => {
  const names = (config.test?.projects ?? []).map((project) => {
    return typeof project === "object" && "test" in project ? project.test?.name : project;
  });
  expect([...CHECK_TEST_GROUPS.flat(), ...RELEASE_TEST_GROUPS.flat()].sort()).toEqual(names.sort());
});

test("stops a check that prints nothing for too long, with all processes that it started", async () => {
  const stalled = await runCommand("sh", ["-c", "echo begun; sleep 600 & sleep 600"], {
    quiet: true,
    longestSilence: 500,
  });
  expect(stalled).toEqual({ exitCode: 137, output: "begun\n", isStalled: true });
  const ended = await runCommand("sh", ["-c", "echo begun"], { quiet: true, longestSilence: 60_000 });
  expect(ended).toEqual({ exitCode: 0, output: "begun\n", isStalled: false });
});

test("treats a missing test file as a failure", async () => {
  expect(await runTests([["domain"]], ["test/domain/of-nothing.test.ts"])).toBe(1);
});

test("requires the domain's tests to cover at least 90 % of its lines, and measures it only in complete runs", () => {
  expect(config.test?.coverage?.thresholds).toEqual({
    "worker/domain/**": { lines: expect.toSatisfy((lines) => lines >= 90) },
  });
  const measured = CHECK_TEST_GROUPS.filter((projects) =>
    getCoverageOptions(projects, [], true).includes("--coverage"),
  );
  expect(measured).toEqual([["domain"]]);
  expect(getCoverageOptions(["domain"], ["--sequence.shuffle.files"], true)).not.toEqual([]);
  // Coverage isn't measured for a part of the tests, because they cover less.
  expect(getCoverageOptions(["domain"], ["test/domain/dates.test.ts"], true)).toEqual([]);
});

test("compares byte arrays in tests by content, length and kind", () => {
  const bytes = new Uint8Array(3_000_000).map((_, at) => at % 251);
  expect(bytes.slice()).toEqual(bytes);
  expect(bytes.with(-1, 255)).not.toEqual(bytes);
  expect(bytes.subarray(1)).not.toEqual(bytes);
  expect(Buffer.from([1])).not.toStrictEqual(Uint8Array.of(1));
  expect({ files: [bytes.slice()] }).toEqual({ files: [bytes] });
});

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSubjectProblem } from "#scripts/commit-subjects.ts";
import { withTemporaryFolder } from "#scripts/files.ts";

test.each([
  "feat(widget): keep visitors on the page they opened",
  "refactor(imports)!: send codes and parameters of problems",
  "build: embed fonts",
  "Merge branch 'main' into work",
  'Revert "feat: add a page"',
  `fix: ${"x".repeat(67)}`,
])("accepts the commit subject %s", (subject) => {
  expect(findSubjectProblem(subject)).toBeUndefined();
});

test.each([
  ["Add a page", "must be"],
  ["feature: add a page", "must be"],
  ["feat(Widget): add a page", "must be"],
  ["feat:add a page", "must be"],
  [`fix: ${"x".repeat(68)}`, "has 73 characters"],
  ["fix: add a page.", "full stop"],
  ["fix: added a page", "imperative"],
  ["fix: adding a page", "imperative"],
  ["fix: adds a page", "imperative"],
])("rejects the commit subject %s", (subject, problem) => {
  expect(findSubjectProblem(subject)).toContain(problem);
});

test.each([
  ["fix(widget): announce errors again\n\nThe body is free.", 0],
  ["wip", 1],
])("exits the git hook for the commit message %j with %s", async (message, exitCode) => {
  await withTemporaryFolder("commit-subject", async (folder) => {
    const file = join(folder, "COMMIT_EDITMSG");
    writeFileSync(file, message);
    expect(spawnSync("sh", [".githooks/commit-msg", file]).status).toBe(exitCode);
  });
});

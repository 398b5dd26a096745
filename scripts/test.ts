import { readFile, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { JsonTestResults } from "vitest/reporters";
import { buildApp } from "./app.ts";
import { withTemporaryFolder } from "./files.ts";
import { run } from "./processes.ts";

interface Ran {
  readonly exitCode: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed and why, a text each. */
  readonly failures: readonly string[];
}

const hasFailed = ({ status }: { readonly status: string }) => status === "failed";

function formatFailure(file: string, what: string, why = ""): string {
  const ownLines = why.split("\n").filter((line) => !line.includes("node_modules"));
  return `${relative("", file)}: ${what}: ${ownLines.join("\n").slice(0, 800)}`;
}

/**
 * What vitest's report comes to; it wrote none where nothing was run. A file that does not load, or a run that fails
 * otherwise, is one failure: red never reads "0 failed".
 */
function count(report: Partial<JsonTestResults>, exitCode: number): Ran {
  const { numPassedTests = 0, numPendingTests = 0, numTodoTests = 0, testResults = [] } = report;
  const failures = testResults.filter(hasFailed).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(hasFailed);
    if (failed.length === 0) return [formatFailure(name, "outside its tests", message)];
    return failed.map(({ fullName, failureMessages }) => formatFailure(name, fullName, failureMessages?.[0]));
  });
  const failed = failures.length || (exitCode === 0 ? 0 : 1);
  return { exitCode, passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests, failures };
}

/**
 * The projects of the gate, in the processes that run them: the browser's tests wait most of their time, and the others
 * have the machine meanwhile.
 */
export const GATE = [["domain", "pwa", "pwa-alone", "scripts", "worker"], ["browser"]] as const;

/** The slow proofs that only a release runs. */
export const RELEASE = [["release", "release-browser"]] as const;

const MEMORY_FOLDER = "/dev/shm";
const MEMORY_NEEDED = 4_000_000_000;

/** Databases wait for the disk at each write: where the machine has memory to spare, tests keep theirs in it. */
async function folderForDatabases(): Promise<string> {
  const freeSpace = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(freeSpace, freemem()) < MEMORY_NEEDED ? tmpdir() : MEMORY_FOLDER;
}

/** Twice as long as the longest that one test may take. */
const MAX_SILENCE_MS = 600_000;

/**
 * One process of vitest; `isShown` as it runs, else when it has ended and had anything to run. A runtime can stop
 * answering vitest, which then waits for ever (workers-sdk#15498): such a run is ended, and made once more.
 */
function runProjects(
  projects: readonly string[],
  args: readonly string[],
  isShown: boolean,
  isRepeated = false,
): Promise<Ran> {
  return withTemporaryFolder("test-report", async (folder) => {
    const file = join(folder, "report.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const chosen = projects.map((project) => `--project=${project}`);
    const environment = { TMPDIR: await folderForDatabases() };
    const how = { quiet: !isShown, longestSilence: MAX_SILENCE_MS, environment };
    const { exitCode, output, isStalled } = await run(
      "vitest",
      ["run", "--passWithNoTests", ...reporters, ...chosen, ...args],
      how,
    );
    if (isStalled) {
      if (!isShown) process.stdout.write(output);
      console.log(`Nothing was heard of ${projects.join(", ")} for ${MAX_SILENCE_MS / 60_000} minutes: ended.`);
      if (!isRepeated) return runProjects(projects, args, isShown, true);
    }
    const report: Partial<JsonTestResults> = await readFile(file, "utf8").then(JSON.parse, () => ({}));
    if (!isShown && (exitCode !== 0 || report.testResults?.length)) process.stdout.write(output);
    return count(report, exitCode);
  });
}

/**
 * Runs tests, each group of projects in its own process; ends with what failed, and a line that counts the cases. That
 * there is none of what was asked for is a failure.
 */
export async function runTests(groups: readonly (readonly string[])[], args: readonly string[]): Promise<number> {
  const ran = await Promise.all(groups.map((projects, index) => runProjects(projects, args, index === 0)));
  const sum = (countResults: "passed" | "failed" | "skipped") =>
    ran.reduce((total, ran) => total + ran[countResults], 0);
  const skipped = sum("skipped");
  // Of one group's arguments the other need have none.
  const isNothing = sum("passed") + sum("failed") + skipped === 0;
  if (isNothing) console.log(`No test is what was asked for: ${args.join(" ")}`);
  for (const failure of ran.flatMap(({ failures }) => failures)) console.log(`Failed: ${failure}`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return ran.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? (isNothing ? 1 : 0);
}

if (import.meta.main) {
  await buildApp();
  process.exitCode = await runTests(GATE, process.argv.slice(2));
}

import { mkdtemp, readFile, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { JsonTestResults } from "vitest/reporters";
import { buildApp } from "./app.ts";
import { run } from "./processes.ts";

/** The part of vitest's JSON report that is counted. */
type Counted = "numPassedTests" | "numFailedTests" | "numPendingTests" | "numTodoTests" | "testResults";
type Report = Pick<JsonTestResults, Counted>;

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed and why, a text each. */
  readonly failures: readonly string[];
}

interface Ran extends Counts {
  readonly exitCode: number;
}

const nothingRun: Report = {
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
};

async function readReport(file: string): Promise<Report> {
  return readFile(file, "utf8").then(JSON.parse, () => nothingRun);
}

function failedToLoad({ testResults }: Report): number {
  return testResults.filter((file) => hasFailed(file) && !file.assertionResults.some(hasFailed)).length;
}

const hasFailed = ({ status }: { readonly status: string }) => status === "failed";

function failuresOf({ testResults }: Report): string[] {
  const ours = (why: string) => why.split("\n").filter((line) => !line.includes("node_modules"));
  const text = (file: string, what: string, why = "") =>
    `${relative("", file)}: ${what}: ${ours(why).join("\n").slice(0, 800)}`;
  return testResults.filter(hasFailed).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(hasFailed);
    if (failed.length === 0) return [text(name, "outside its tests", message)];
    return failed.map(({ fullName, failureMessages }) => text(name, fullName, failureMessages?.[0]));
  });
}

/** A file that does not load, or a run that fails otherwise, is one failure: red never reads "0 failed". */
function count(report: Report, exitCode: number): Counts {
  const failed = report.numFailedTests + failedToLoad(report);
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: failuresOf(report),
  };
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
  const room = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(room, freemem()) < MEMORY_NEEDED ? tmpdir() : MEMORY_FOLDER;
}

/** Twice as long as the longest that one test may take. */
const LONGEST_SILENCE = 600_000;

/**
 * One process of vitest; `isShown` as it runs, else when it has ended and had anything to run. A runtime can stop
 * answering vitest, which then waits for ever (workers-sdk#15498): such a run is ended, and made once more.
 */
async function runProjects(
  projects: readonly string[],
  args: readonly string[],
  isShown: boolean,
  isRepeated = false,
): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), "test-report-"));
  const file = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const chosen = projects.map((project) => `--project=${project}`);
  try {
    const environment = { TMPDIR: await folderForDatabases() };
    const how = { quiet: !isShown, longestSilence: LONGEST_SILENCE, environment };
    const { exitCode, output, isStalled } = await run("vitest", ["run", ...reporters, ...chosen, ...args], how);
    if (isStalled) {
      if (!isShown) process.stdout.write(output);
      console.log(`Nothing was heard of ${projects.join(", ")} for ${LONGEST_SILENCE / 60_000} minutes: ended.`);
      if (!isRepeated) return await runProjects(projects, args, isShown, true);
    }
    const report = await readReport(file);
    if (!isShown && (exitCode !== 0 || report.testResults.length > 0)) process.stdout.write(output);
    return { exitCode, ...count(report, exitCode) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs tests, each group of projects in its own process; ends with what failed, and a line that counts the cases. */
export async function runTests(groups: readonly (readonly string[])[], args: readonly string[]): Promise<number> {
  const ran = await Promise.all(groups.map((projects, index) => runProjects(projects, args, index === 0)));
  const sum = (of: "passed" | "failed" | "skipped") => ran.reduce((total, one) => total + one[of], 0);
  const skipped = sum("skipped");
  for (const failure of ran.flatMap(({ failures }) => failures)) console.log(`Failed: ${failure}`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return ran.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0;
}

if (import.meta.main) {
  await buildApp();
  process.exitCode = await runTests(GATE, process.argv.slice(2));
}

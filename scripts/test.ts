import { readFile, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { JsonTestResults } from "vitest/reporters";
import { buildPages } from "./build-pages.ts";
import { withTemporaryFolder } from "./files.ts";
import { runCommand } from "./processes.ts";

interface Ran {
  readonly exitCode: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Text of each failure. */
  readonly failures: readonly string[];
}

const hasFailed = ({ status }: { readonly status: string }) => status === "failed";

function formatFailure(file: string, testName: string, message = ""): string {
  const ownLines = message.split("\n").filter((line) => !line.includes("node_modules"));
  return `${relative("", file)}: ${testName}: ${ownLines.join("\n").slice(0, 800)}`;
}

/**
 * Counts the results of vitest's report, which is missing if nothing ran. A file that doesn't load or any other failed
 * run counts as one failure, so that a failed run never reports "0 failed".
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
 * Projects of the gate by process, all started together. The runtime's tests take about as long as all others and don't
 * fill two cores, so they start first. The domain's tests have a process of their own, because they measure what they
 * cover.
 */
export const CHECK_TEST_GROUPS = [["worker"], ["pwa", "pwa-alone", "scripts", "browser"], ["domain"]] as const;

const COVERAGE = ["--coverage", "--coverage.include=worker/domain/**/*.ts", "--coverage.reporter=text-summary"];

const isRelease = () => process.env["FULL_TEST_RUN"] !== undefined;

/**
 * Returns the options by which the tests of the whole domain fail below the coverage in `vitest.config.ts`. Measured
 * for a release, because it takes half as long as the tests.
 */
export function getCoverageOptions(
  projects: readonly string[],
  args: readonly string[],
  isMeasured = isRelease(),
): readonly string[] {
  const isWhole = isMeasured && args.every((argument) => argument.startsWith("--sequence."));
  return isWhole && projects.length === 1 && projects[0] === "domain" ? COVERAGE : [];
}

/** Slow test projects, only run for a release. */
export const RELEASE_TEST_GROUPS = [["release-worker"], ["release", "release-browser"]] as const;

const MEMORY_FOLDER = "/dev/shm";
const MEMORY_NEEDED = 4_000_000_000;

/**
 * Returns an in-memory folder for test databases if there's enough memory, because they wait for the disk at each
 * write.
 */
async function folderForDatabases(): Promise<string> {
  const freeSpace = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(freeSpace, freemem()) < MEMORY_NEEDED ? tmpdir() : MEMORY_FOLDER;
}

/** Returns twice the maximum duration of a test. A release has longer ones. */
const getMaxSilence = () => (isRelease() ? 1_800_000 : 600_000);

/**
 * Runs vitest in one process, with live output if `isShown`, otherwise printed at the end if tests ran. A runtime may
 * stop responding, and vitest would wait forever (workers-sdk#15498). Such a run is ended and repeated once.
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
    const how = { quiet: !isShown, longestSilence: getMaxSilence(), environment };
    const { exitCode, output, isStalled } = await runCommand(
      "vitest",
      ["run", "--passWithNoTests", ...reporters, ...chosen, ...getCoverageOptions(projects, args), ...args],
      how,
    );
    if (isStalled) {
      if (!isShown) process.stdout.write(output);
      console.log(`Nothing was heard of ${projects.join(", ")} for ${getMaxSilence() / 60_000} minutes: ended.`);
      if (!isRepeated) return runProjects(projects, args, isShown, true);
    }
    const report: Partial<JsonTestResults> = await readFile(file, "utf8").then(JSON.parse, () => ({}));
    if (!isShown && (exitCode !== 0 || report.testResults?.length)) process.stdout.write(output);
    return count(report, exitCode);
  });
}

/**
 * Runs tests, each group of projects in its own process. Prints failures and the number of cases. Finding no tests is a
 * failure.
 */
export async function runTests(groups: readonly (readonly string[])[], args: readonly string[]): Promise<number> {
  const ran = await Promise.all(groups.map((projects, index) => runProjects(projects, args, index === 0)));
  const sum = (countResults: "passed" | "failed" | "skipped") =>
    ran.reduce((total, ran) => total + ran[countResults], 0);
  const skipped = sum("skipped");
  // Arguments may match tests of only one group.
  const isNothing = sum("passed") + sum("failed") + skipped === 0;
  if (isNothing) console.log(`No test is what was asked for: ${args.join(" ")}`);
  for (const failure of ran.flatMap(({ failures }) => failures)) console.log(`Failed: ${failure}`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return ran.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? (isNothing ? 1 : 0);
}

if (import.meta.main) {
  await buildPages();
  process.exitCode = await runTests(CHECK_TEST_GROUPS, process.argv.slice(2));
}

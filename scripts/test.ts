import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp } from "./app.ts";
import { run } from "./processes.ts";

/** The part of vitest's JSON report that is counted. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
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
  const hasFailed = ({ status }: { readonly status: string }) => status === "failed";
  return testResults.filter((file) => hasFailed(file) && !file.assertionResults.some(hasFailed)).length;
}

/**
 * A file that does not load, or a run that fails for another reason, counts as one failure: red never reads "0 failed".
 */
function count(report: Report, exitCode: number): Counts {
  const failed = report.numFailedTests + failedToLoad(report);
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Runs vitest and ends with one line, alone, that counts the test cases. */
export async function runTests(args: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "test-report-"));
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  try {
    const { exitCode } = await run("vitest", ["run", ...reporters, ...args]);
    const { passed, failed, skipped } = count(await readReport(report), exitCode);
    console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    return exitCode;
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) {
  await buildApp();
  process.exitCode = await runTests(["--project=!release", ...process.argv.slice(2)]);
}

import { buildPages } from "./build-pages.ts";
import { LOWEST_PRIORITY, PROJECT_ROOT, runCommand } from "./processes.ts";
import { reportFailure, runStep } from "./steps.ts";
import { CHECK_TEST_GROUPS, runTests } from "./test.ts";

/**
 * Runs the full gate: all tests, and at the same time types, lint, unused code, a sample of mutants and builds, which
 * use what the tests leave of the processor. If these checks fail, they count as a failed test.
 */
export async function runAllChecks(args: readonly string[] = []): Promise<number> {
  await runStep("App built", buildPages);
  return runTests(CHECK_TEST_GROUPS, args, [checkCode()]);
}

async function checkCode(): Promise<string | undefined> {
  const command = [`${PROJECT_ROOT}/scripts/check-code.ts`];
  const { exitCode } = await runCommand(process.execPath, command, { priority: LOWEST_PRIORITY });
  return exitCode === 0 ? undefined : "scripts/check-code.ts: see its messages above";
}

if (import.meta.main) process.exitCode = await runAllChecks(process.argv.slice(2)).catch(reportFailure);

import { build } from "./build.ts";
import { lint } from "./lint.ts";
import { reportFailure, step } from "./steps.ts";
import { GATE, runTests } from "./test.ts";
import { checkTypes } from "./typecheck.ts";

/** Runs the full gate: types, lint and builds in parallel, then all tests. */
export async function check(args: readonly string[] = []): Promise<number> {
  await Promise.all([step("Types", checkTypes), step("Lint, format and layers", lint).then(build)]);
  return runTests(GATE, args);
}

if (import.meta.main) process.exitCode = await check(process.argv.slice(2)).catch(reportFailure);

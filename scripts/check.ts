import { build } from "./build.ts";
import { checkDocumentationWords } from "./documentation-words.ts";
import { lint } from "./lint.ts";
import { reportFailure, step } from "./steps.ts";
import { CHECK_TEST_GROUPS, runTests } from "./test.ts";
import { checkTypes } from "./typecheck.ts";
import { checkUnusedCode } from "./unused-code.ts";

/** Runs the full gate: types in parallel with lint, unused code and builds, then all tests. */
export async function check(args: readonly string[] = []): Promise<number> {
  await Promise.all([step("Types", checkTypes), checkCodeAndBuild()]);
  return runTests(CHECK_TEST_GROUPS, args);
}

async function checkCodeAndBuild(): Promise<void> {
  await step("Lint, format and layers", lint);
  await step("Unused code", checkUnusedCode);
  checkDocumentationWords();
  await build();
}

if (import.meta.main) process.exitCode = await check(process.argv.slice(2)).catch(reportFailure);

import { checkDeployment } from "./build.ts";
import { buildPages } from "./build-pages.ts";
import { checkDocumentationWords } from "./documentation-words.ts";
import { checkStyle } from "./lint.ts";
import { PROJECT_ROOT, runCommand } from "./processes.ts";
import { getErrorMessage, reportFailure, runStep } from "./steps.ts";
import { CHECK_TEST_GROUPS, runTests } from "./test.ts";
import { checkTypes } from "./typecheck.ts";
import { checkUnusedCode } from "./unused-code.ts";

/**
 * Runs the full gate: types, a sample of mutants, lint, unused code, builds and all tests. Tests start as soon as the
 * pages are built, because together tests and checks use both cores better. A failed check counts as a failed test.
 */
export async function runAllChecks(args: readonly string[] = []): Promise<number> {
  const checks = [runCheck("Mutants", tryMutants), runCheck("Types", checkTypes), runCheck("Style", checkCode)];
  await runStep("App built", buildPages);
  return runTests(CHECK_TEST_GROUPS, args, [...checks, runCheck("Deployment", checkDeployment)]);
}

/** Runs a check and returns its failure, which is also printed at once, or nothing. */
async function runCheck(title: string, check: () => Promise<void>): Promise<string | undefined> {
  try {
    await runStep(title, check);
    return undefined;
  } catch (error) {
    reportFailure(error);
    return `${title}: ${getErrorMessage(error)}`;
  }
}

// Changes some excerpts of the rules in small ways. A release changes more of them.
async function tryMutants(): Promise<void> {
  const command = [`${PROJECT_ROOT}/test/tools/mutants/main.ts`, "--sample", "1"];
  const { exitCode, output } = await runCommand(process.execPath, command, { quiet: true });
  if (exitCode === 0) return;
  process.stdout.write(output);
  throw new Error("Tests noticed too few changes of the domain's rules.");
}

async function checkCode(): Promise<void> {
  await runStep("Lint, format and layers", checkStyle);
  await runStep("Unused code", checkUnusedCode);
  checkDocumentationWords();
}

if (import.meta.main) process.exitCode = await runAllChecks(process.argv.slice(2)).catch(reportFailure);

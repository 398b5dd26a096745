import { buildDeployment } from "./build.ts";
import { checkDocumentationWords } from "./documentation-words.ts";
import { checkStyle } from "./lint.ts";
import { PROJECT_ROOT, runCommand } from "./processes.ts";
import { reportFailure, runStep } from "./steps.ts";
import { CHECK_TEST_GROUPS, runTests } from "./test.ts";
import { checkTypes } from "./typecheck.ts";
import { checkUnusedCode } from "./unused-code.ts";

/** Runs the full gate: types, a sample of mutants, lint, unused code and builds in parallel, then all tests. */
export async function runAllChecks(args: readonly string[] = []): Promise<number> {
  await Promise.all([runStep("Types", checkTypes), runStep("Mutants", tryMutants), checkCodeAndBuild()]);
  return runTests(CHECK_TEST_GROUPS, args);
}

// Changes some excerpts of the rules in small ways. A release changes more of them.
async function tryMutants(): Promise<void> {
  const command = [`${PROJECT_ROOT}/test/tools/mutants/main.ts`, "--sample", "1"];
  const { exitCode, output } = await runCommand(process.execPath, command, { quiet: true });
  if (exitCode === 0) return;
  process.stdout.write(output);
  throw new Error("Tests noticed too few changes of the domain's rules.");
}

async function checkCodeAndBuild(): Promise<void> {
  await runStep("Lint, format and layers", checkStyle);
  await runStep("Unused code", checkUnusedCode);
  checkDocumentationWords();
  await buildDeployment();
}

if (import.meta.main) process.exitCode = await runAllChecks(process.argv.slice(2)).catch(reportFailure);

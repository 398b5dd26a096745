import { checkDeployment } from "./build.ts";
import { checkDocumentationWords } from "./documentation-words.ts";
import { checkStyle } from "./lint.ts";
import { PROJECT_ROOT, runCommand } from "./processes.ts";
import { reportFailure, runStep } from "./steps.ts";
import { checkTypes } from "./typecheck.ts";
import { checkUnusedCode } from "./unused-code.ts";

// Changes some excerpts of the rules in small ways. A release changes more of them.
async function tryMutants(): Promise<void> {
  const command = [`${PROJECT_ROOT}/test/tools/mutants/main.ts`, "--sample", "1"];
  const { exitCode, output } = await runCommand(process.execPath, command, { quiet: true });
  if (exitCode === 0) return;
  process.stdout.write(output);
  throw new Error("Tests noticed too few changes of the domain's rules.");
}

async function checkStyleAndUse(): Promise<void> {
  await runStep("Lint, format and layers", checkStyle);
  await runStep("Unused code", checkUnusedCode);
  checkDocumentationWords();
}

/** Checks everything besides the tests. Reports all failures and returns whether there is none. Needs built pages. */
async function checkCode(): Promise<boolean> {
  const results = await Promise.allSettled([
    runStep("Types", checkTypes),
    runStep("Mutants", tryMutants),
    checkStyleAndUse(),
    checkDeployment(),
  ]);
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  for (const failure of failures) reportFailure(failure);
  return failures.length === 0;
}

if (import.meta.main) process.exitCode = (await checkCode()) ? 0 : 1;

import { build } from "./build.ts";
import { checkDocumentationWords } from "./documentation-words.ts";
import { lint } from "./lint.ts";
import { projectRoot, run } from "./processes.ts";
import { reportFailure, step } from "./steps.ts";
import { GATE, runTests } from "./test.ts";
import { checkTypes } from "./typecheck.ts";
import { checkUnusedCode } from "./unused-code.ts";

/** Runs the full gate: types in parallel with lint, unused code and builds, then tests and a sample of mutants. */
export async function check(args: readonly string[] = []): Promise<number> {
  await Promise.all([step("Types", checkTypes), checkCodeAndBuild()]);
  const tested = await runTests(GATE, args);
  return tested === 0 ? step("Mutants", tryMutants) : tested;
}

/** Changes some excerpts of the rules in small ways. Prints the output if tests don't notice enough changes. */
async function tryMutants(): Promise<number> {
  const command = [`${projectRoot}/test/tools/mutants/main.ts`, "--sample", "12"];
  const { exitCode, output } = await run(process.execPath, command, { quiet: true });
  if (exitCode !== 0) process.stdout.write(output);
  return exitCode;
}

async function checkCodeAndBuild(): Promise<void> {
  await step("Lint, format and layers", lint);
  await step("Unused code", checkUnusedCode);
  checkDocumentationWords();
  await build();
}

if (import.meta.main) process.exitCode = await check(process.argv.slice(2)).catch(reportFailure);

import { readOptions } from "#scripts/command-line.ts";
import { PROJECT_ROOT, runCommand } from "#scripts/processes.ts";
import { reportFailure } from "#scripts/steps.ts";
import { findTests } from "./find-tests.ts";
import { BROKEN_SENTENCES, type BrokenSentence } from "./sentences.ts";

// npm run check:release: breaks a sample of sentences of the documentation, one at a time, by a small change of the
// source. A test that the register names for the sentence must fail (test/conformance.tsv).

readOptions({ options: {} });

const CONFIG = `${PROJECT_ROOT}/test/tools/sentence-mutants/vitest.config.ts`;

async function isNoticed(sentence: BrokenSentence): Promise<boolean> {
  const environment = { CHANGED_SOURCE: JSON.stringify(sentence) };
  const tests = findTests(sentence);
  const args = ["vitest", "run", "--config", CONFIG, "--reporter", "dot", ...tests.map(({ file }) => file)];
  const names = tests.map(({ pattern }) => pattern).join("|");
  const { exitCode } = await runCommand("npx", [...args, "-t", names], { quiet: true, environment });
  return exitCode !== 0;
}

try {
  const survivors: BrokenSentence[] = [];
  for (const sentence of BROKEN_SENTENCES) if (!(await isNoticed(sentence))) survivors.push(sentence);
  console.log(
    `${BROKEN_SENTENCES.length - survivors.length} of ${BROKEN_SENTENCES.length} broken sentences were noticed.`,
  );
  for (const { page, statement } of survivors) console.log(`not noticed: ${page}: ${statement}`);
  if (survivors.length > 0) throw new Error("A test doesn't prove its sentence.");
} catch (error) {
  reportFailure(error);
}

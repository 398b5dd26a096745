import { relative } from "node:path";
import { Stryker } from "@stryker-mutator/core";
import { readOptions } from "#scripts/command-line.ts";
import { projectRoot } from "#scripts/processes.ts";
import { reportFailure } from "#scripts/steps.ts";

// npm run test:mutation -- [<file> …]: changes core code in small ways, one at a time, and reports changes that no test
// detects: prices, availability, moves, dates, money, keys, tokens and signatures, or only the given files, such as
// worker/domain/dates.ts.

const { positionals: files } = readOptions({ allowPositionals: true, options: {} });

const CORE = [
  "worker/domain/{dates,money}.ts",
  "worker/domain/bookings/{availability,closed-contracts,closing,draft,pricing,rental-terms,search,selling-rules}.ts",
  "worker/domain/contracts/{cancellation,exchange,moves,price-override,surcharge}.ts",
  "worker/domain/documents/*.ts",
  "!worker/domain/documents/texts.ts",
  "worker/domain/payments/*.ts",
  "test/oracles/*.ts",
  "worker/auth/*.ts",
  "worker/gateways/{cecabank,global-payments,paypal,protocol,redsys}.ts",
];
/** Minimum percentage of mutants detected per file. Higher for all money files together. */
const LEAST_SCORE = 80;
const MIN_MONEY_SCORE = 90;
const MONEY = /^(worker\/domain\/(documents|payments)|test\/oracles)\//;

type MutantResult = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

const isKilled = ({ status }: MutantResult) => status === "Killed" || status === "Timeout";
const isAlive = ({ status }: MutantResult) => status === "Survived" || status === "NoCoverage";

function formatFileRow(file: string, mutants: readonly MutantResult[]) {
  const killed = mutants.filter(isKilled).length;
  const alive = mutants.filter(isAlive).length;
  return { file, mutants: killed + alive, alive, score: (100 * killed) / Math.max(1, killed + alive) };
}

try {
  const results = await new Stryker({
    mutate: files.length > 0 ? files : CORE,
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "test/tools/mutants/vitest.config.ts" },
    tempDirName: ".wrangler/mutants",
    ignorePatterns: [".wrangler", "docs", "pwa/dist", "screenshots"],
    // Stryker would rewrite it with another compiler than the project's.
    tsconfigFile: "none",
    concurrency: 2,
    reporters: ["clear-text", "progress-append-only"],
    clearTextReporter: { logTests: false, reportScoreTable: false },
  }).runMutationTest();
  const byFile = Map.groupBy(results, ({ fileName }) => relative(projectRoot, fileName));
  const rows = [...byFile]
    .map(([file, mutants]) => formatFileRow(file, mutants))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
  console.log(`\n| file | mutants | not noticed | noticed |\n| --- | --- | --- | --- |`);
  for (const { file, mutants, alive, score } of [...rows, formatFileRow("together", results)]) {
    console.log(`| ${file} | ${mutants} | ${alive} | ${score.toFixed(1)} % |`);
  }
  const money = formatFileRow(
    "money",
    results.filter(({ fileName }) => MONEY.test(relative(projectRoot, fileName))),
  );
  const isWeak = money.mutants > 0 && money.score < MIN_MONEY_SCORE;
  const weak = [...rows.filter(({ score }) => score < LEAST_SCORE), ...(isWeak ? [money] : [])];
  if (weak.length > 0) throw new Error(`Too many not noticed: ${weak.map(({ file }) => file).join(", ")}`);
} catch (error) {
  reportFailure(error);
}

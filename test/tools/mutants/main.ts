import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob, relative } from "node:path";
import { Stryker } from "@stryker-mutator/core";
import { readNumber, readOptions } from "#scripts/command-line.ts";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { reportFailure } from "#scripts/steps.ts";
import { EQUIVALENT_MUTANTS, extractSourceText, toOneLine } from "./equivalents.ts";
import { chooseExcerpts } from "./sample.ts";

// npm run test:mutation -- [--sample <excerpts>] [--seed <number>] [<file> …]: changes the rules in small ways, one at
// a time, and reports changes that no test detects: the whole domain, keys, signatures and gateways. --sample tries a
// number of excerpts, chosen by the seed. Only the given files are changed, such as worker/domain/dates.ts.

const { positionals, values } = readOptions({
  allowPositionals: true,
  options: { sample: { type: "string" }, seed: { type: "string", default: "1" } },
});
const seed = readNumber("seed", values.seed);
const sample = values.sample === undefined ? undefined : readNumber("sample", values.sample);

const RULES = ["worker/domain/**/*.ts", "test/oracles/*.ts", "worker/auth/*.ts", "worker/gateways/*.ts"];
/** Texts, names and declarations without rules. */
const DATA = [
  "worker/domain/**/{texts,*-texts,problem-messages,problems,refusal-codes,countries,agency-countries,codes}.ts",
  "worker/domain/operations/{import-problems,imports}.ts",
  "worker/domain/printing/contract-texts/*.ts",
  "worker/domain/catalogue/resources/{access,company,expenses,fields,names,selling,services,transfers}.ts",
];
/** Minimum percentages of mutants detected: of each file, of money files together, and of everything. */
const MIN_FILE_SCORE = 80;
const MIN_MONEY_SCORE = 90;
const MIN_SCORE = 90;
/** Minimum percentage for a sample, which may contain excerpts that only tests in workerd prove. */
const MIN_SAMPLE_SCORE = 70;
const MONEY = /^(worker\/domain\/(documents|payments)|test\/oracles)\//;

type MutantResult = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

const readSource = (path: string) => readFileSync(join(PROJECT_ROOT, path), "utf8");
const getPath = ({ fileName }: MutantResult) => relative(PROJECT_ROOT, fileName);

function listFiles(): readonly string[] {
  const files = positionals.length > 0 ? positionals : globSync(RULES, { cwd: PROJECT_ROOT });
  return files.filter((file) => positionals.length > 0 || !DATA.some((glob) => matchesGlob(file, glob))).toSorted();
}

function chooseMutated(files: readonly string[]): string[] {
  if (sample === undefined) return [...files];
  const measured = files.map((path) => ({ path, lines: readSource(path).trimEnd().split("\n").length }));
  return [...chooseExcerpts(measured, sample, seed)];
}

const isKilled = ({ status }: MutantResult) => status === "Killed" || status === "Timeout";
const isAlive = ({ status }: MutantResult) => status === "Survived" || status === "NoCoverage";

function isExplained(mutant: MutantResult): boolean {
  const { start, end } = mutant.location;
  const path = getPath(mutant);
  const source = readSource(path);
  const line = source.split("\n")[start.line - 1]?.trim();
  const text = toOneLine(extractSourceText(source, start, end));
  const replacement = toOneLine(mutant.replacement ?? "");
  return EQUIVALENT_MUTANTS.some(
    (equivalent) =>
      equivalent.file === path &&
      equivalent.line === line &&
      equivalent.text === text &&
      equivalent.replacement === replacement,
  );
}

function toRow(file: string, mutants: readonly MutantResult[]) {
  const killed = mutants.filter(isKilled).length;
  const alive = mutants.filter(isAlive);
  const explained = alive.filter(isExplained).length;
  const missed = alive.length - explained;
  return { file, mutants: killed + alive.length, missed, explained, score: getScore(killed, missed) };
}

const getScore = (killed: number, missed: number) => (killed + missed === 0 ? 100 : (100 * killed) / (killed + missed));

try {
  // The tests' configuration reads it in Stryker's processes.
  if (sample !== undefined) process.env["IS_MUTANT_SAMPLE"] = "yes";
  const files = listFiles();
  const results = await new Stryker({
    mutate: chooseMutated(files),
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "test/tools/mutants/vitest.config.ts" },
    tempDirName: ".wrangler/mutants",
    ignorePatterns: [".wrangler", "pwa/dist", "screenshots"],
    // Stryker would rewrite it with another compiler than the project's.
    tsconfigFile: "none",
    // Each change of a constant runs all tests, so a sample leaves them out.
    ignoreStatic: sample !== undefined,
    concurrency: 2,
    reporters: ["clear-text", "progress-append-only"],
    clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
  }).runMutationTest();
  const byFile = Map.groupBy(results, getPath);
  const rows = [...byFile]
    .map(([file, mutants]) => toRow(file, mutants))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
  const all = toRow("together", results);
  console.log("\n| file | mutants | not noticed | explained | noticed |\n| --- | --- | --- | --- | --- |");
  for (const { file, mutants, missed, explained, score } of [...rows, all])
    console.log(`| ${file} | ${mutants} | ${missed} | ${explained} | ${score.toFixed(1)} % |`);
  const money = toRow(
    "money",
    results.filter((mutant) => MONEY.test(getPath(mutant))),
  );
  const weak = [
    // A sample has too few mutants per file to judge it.
    ...(sample === undefined ? rows.filter(({ score }) => score < MIN_FILE_SCORE) : []),
    ...(sample === undefined && money.score < MIN_MONEY_SCORE ? [money] : []),
    ...(all.score < (sample === undefined ? MIN_SCORE : MIN_SAMPLE_SCORE) ? [all] : []),
  ];
  if (weak.length > 0) throw new Error(`Too many not noticed: ${weak.map(({ file }) => file).join(", ")}`);
  if (sample !== undefined) console.log(`Seed ${seed}: ${all.mutants} mutants of ${files.length} files`);
} catch (error) {
  reportFailure(error);
}

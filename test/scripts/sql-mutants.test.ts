import { beforeAll, expect, inject, test } from "vitest";
import { openCopiedDemo } from "#support/demo-data.ts";
import { listColumnCases, SQL_RULE_CASES, type SqlRuleCase } from "#support/sql-rule-cases.ts";
import { SQL_RULE_EXAMPLES, tryAndRollBackStatements } from "#support/sql-rule-examples.ts";
import type { SqliteD1 } from "#support/sqlite-d1.ts";
import { STOCK_GUARD_CASES } from "#support/stock-guard-cases.ts";
import { mutateTrigger, type SqlMutant } from "#tools/mutants/sql.ts";
import { EQUIVALENT_SQL_MUTANTS } from "#tools/mutants/sql-equivalents.ts";

// Each guard in SQL is changed in small ways, one at a time: operators replaced, conditions and watched columns
// removed. One of its statements must then have another outcome.

/** Guards that only tests in the runtime prove, as the register of rules names them. */
const PROVED_IN_RUNTIME: ReadonlySet<string> = new Set([
  "stock_allocations_insert_limit_transfers",
  "stock_allocations_update_prevent",
]);
/** A guard with many slow mutants, of which the gate tries some. */
const STOCK_GUARD = "stock_allocations_insert_limit_stock";
const STOCK_SAMPLE = 8;

const GUARDS = new Set(SQL_RULE_EXAMPLES.map(({ trigger }) => trigger));
let demo: SqliteD1;
let cases: readonly SqlRuleCase[];

beforeAll(async () => {
  demo = await openCopiedDemo("acme");
  demo.rows("PRAGMA foreign_keys = off");
  // Every changed schema compiles the triggers of a table again, so only the guards stay.
  for (const { name } of demo.rows<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
    if (!GUARDS.has(name)) demo.rows(`DROP TRIGGER ${name}`);
  const readColumns = (table: string) =>
    demo.rows<{ name: string }>("SELECT name FROM pragma_table_info(?)", table).map(({ name }) => name);
  const examples = SQL_RULE_EXAMPLES.map(({ trigger, code, given, refused }) => {
    return { trigger, outcome: String(code), run: refused, ...(given && { given }) };
  });
  cases = [...examples, ...SQL_RULE_CASES, ...STOCK_GUARD_CASES, ...listColumnCases(readColumns)];
});

const getOutcome = ({ given = [], run }: SqlRuleCase) => tryAndRollBackStatements(demo, [...given, run]);
const isAsExpected = (ruleCase: SqlRuleCase) => getOutcome(ruleCase).split(" ")[0] === ruleCase.outcome;
const readTrigger = (name: string) =>
  demo.rows<{ sql: string }>("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?", name)[0]?.sql ?? "";

function isNoticed({ trigger, sql }: SqlMutant): boolean {
  const original = readTrigger(trigger);
  const replace = (text: string) => {
    for (const statement of [`DROP TRIGGER ${trigger}`, text]) demo.rows(statement);
  };
  replace(sql);
  const own = cases.filter((ruleCase) => ruleCase.trigger === trigger);
  const isFound = own.some((ruleCase) => !isAsExpected(ruleCase));
  replace(original);
  return isFound;
}

const isExplained = (mutant: SqlMutant) =>
  EQUIVALENT_SQL_MUTANTS.some(
    ({ trigger, text, replacement }) =>
      trigger === mutant.trigger && [mutant.text, mutant.place].includes(text) && replacement === mutant.replacement,
  );

test("accepts and rejects the example statements of every database guard as described", () => {
  const mismatches = cases
    .filter((ruleCase) => !isAsExpected(ruleCase))
    .map((ruleCase) => [ruleCase, getOutcome(ruleCase)]);
  expect(mismatches).toEqual([]);
  expect(cases.length).toBeGreaterThan(280);
});

test("detects each small change of a database guard by an example statement", () => {
  const mutants = [...GUARDS]
    .filter((trigger) => !PROVED_IN_RUNTIME.has(trigger))
    .flatMap((trigger) => mutateTrigger(trigger, readTrigger(trigger)))
    .filter(({ trigger }, index) => trigger !== STOCK_GUARD || inject("isThorough") || index % STOCK_SAMPLE === 0);
  expect(mutants.length).toBeGreaterThan(500);
  const survivors = mutants.filter((mutant) => !isExplained(mutant) && !isNoticed(mutant));
  expect(survivors.map(({ trigger, place, replacement }) => `${trigger}: ${place} → ${replacement}`)).toEqual([]);
});

test("lists only changes of a database guard as harmless that exist and that no example statement detects", () => {
  const explained = [...GUARDS].flatMap((trigger) => mutateTrigger(trigger, readTrigger(trigger)).filter(isExplained));
  const tried = explained.filter(({ trigger }) => trigger !== STOCK_GUARD || inject("isThorough"));
  expect(tried.filter(isNoticed).map(({ place }) => place)).toEqual([]);
  const missing = EQUIVALENT_SQL_MUTANTS.filter(
    ({ trigger, text }) =>
      !explained.some((mutant) => mutant.trigger === trigger && [mutant.text, mutant.place].includes(text)),
  );
  expect(missing).toEqual([]);
});

test("mutates operators, conditions and watched columns of a trigger, but no texts", () => {
  const sql =
    "CREATE TRIGGER t BEFORE UPDATE OF a, b ON x WHEN NEW.a = 'b = c' AND (NEW.b < 1 OR NEW.b IS NULL) BEGIN SELECT 1; END";
  expect(mutateTrigger("t", sql).map(({ text, replacement }) => `${text} → ${replacement}`)).toEqual([
    "IS → IS NOT",
    "< → <=",
    "= → <>",
    "NEW.a = 'b = c' → 1",
    "NEW.b < 1 → 0",
    "NEW.b IS NULL → 0",
    "(NEW.b < 1 OR NEW.b IS NULL) → 1",
    "a, b → b",
    "a, b → a",
  ]);
});

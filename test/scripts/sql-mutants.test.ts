import { beforeAll, expect, test } from "vitest";
import { copiedDemo } from "#support/demo-data.ts";
import { CASES, listColumnCases, type RuleCase } from "#support/sql-rule-cases.ts";
import { EXAMPLES, tryStatements } from "#support/sql-rule-examples.ts";
import type { SqliteD1 } from "#support/sqlite-d1.ts";
import { mutateTrigger, type SqlMutant } from "#tools/mutants/sql.ts";
import { SQL_EQUIVALENTS } from "#tools/mutants/sql-equivalents.ts";

// Each guard in SQL is changed in small ways, one at a time: operators replaced, conditions and watched columns
// removed. One of its statements must then have another outcome.

/** Guards of the stock. Properties in the runtime prove their rules (test/store/bookings/stock-guard.test.ts). */
const STOCK_GUARDS: ReadonlySet<string> = new Set([
  "stock_allocations_insert_limit_stock",
  "stock_allocations_insert_limit_transfers",
  "stock_allocations_update_prevent",
]);

const GUARDS = new Set(EXAMPLES.map(({ trigger }) => trigger));
let demo: SqliteD1;
let cases: readonly RuleCase[];

beforeAll(async () => {
  demo = await copiedDemo("acme");
  demo.rows("PRAGMA foreign_keys = off");
  // Every changed schema compiles the triggers of a table again, so only the guards stay.
  for (const { name } of demo.rows<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
    if (!GUARDS.has(name)) demo.rows(`DROP TRIGGER ${name}`);
  const readColumns = (table: string) =>
    demo.rows<{ name: string }>("SELECT name FROM pragma_table_info(?)", table).map(({ name }) => name);
  const examples = EXAMPLES.map(({ trigger, code, given, refused }) => {
    return { trigger, outcome: String(code), run: refused, ...(given && { given }) };
  });
  cases = [...examples, ...CASES, ...listColumnCases(readColumns)];
});

const getOutcome = ({ given = [], run }: RuleCase) => tryStatements(demo, [...given, run]);
const isAsExpected = (one: RuleCase) => getOutcome(one).split(" ")[0] === one.outcome;
const readTrigger = (name: string) =>
  demo.rows<{ sql: string }>("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?", name)[0]?.sql ?? "";

function isNoticed({ trigger, sql }: SqlMutant): boolean {
  const original = readTrigger(trigger);
  const replace = (text: string) => {
    for (const statement of [`DROP TRIGGER ${trigger}`, text]) demo.rows(statement);
  };
  replace(sql);
  const own = cases.filter((one) => one.trigger === trigger);
  const isFound = own.some((one) => !isAsExpected(one));
  replace(original);
  return isFound;
}

const isExplained = (mutant: SqlMutant) =>
  SQL_EQUIVALENTS.some(
    ({ trigger, text, replacement }) =>
      trigger === mutant.trigger && text === mutant.text && replacement === mutant.replacement,
  );

test("every guard accepts and refuses its statements as described", () => {
  const wrong = cases.filter((one) => !isAsExpected(one)).map((one) => [one, getOutcome(one)]);
  expect(wrong).toEqual([]);
  expect(cases.length).toBeGreaterThan(280);
});

test("the statements of every guard notice each small change of it", () => {
  const mutants = [...GUARDS]
    .filter((trigger) => !STOCK_GUARDS.has(trigger))
    .flatMap((trigger) => mutateTrigger(trigger, readTrigger(trigger)));
  expect(mutants.length).toBeGreaterThan(450);
  const survivors = mutants.filter((mutant) => !isExplained(mutant) && !isNoticed(mutant));
  expect(survivors.map(({ trigger, place, replacement }) => `${trigger}: ${place} → ${replacement}`)).toEqual([]);
});

test("every explained change of a guard exists, and isn't noticed", () => {
  const explained = [...GUARDS].flatMap((trigger) => mutateTrigger(trigger, readTrigger(trigger)).filter(isExplained));
  expect(explained.filter(isNoticed).map(({ place }) => place)).toEqual([]);
  for (const { trigger, text } of SQL_EQUIVALENTS)
    expect(
      explained.some((mutant) => mutant.trigger === trigger && mutant.text === text),
      text,
    ).toBe(true);
});

test("changes operators, conditions and watched columns, but no texts", () => {
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

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { openCopiedDemo } from "#support/demo-data.ts";
import { SQL_RULE_EXAMPLES, type SqlRuleExample, tryAndRollBackStatements } from "#support/sql-rule-examples.ts";
import { createSqliteD1, type SqliteD1 } from "#support/sqlite-d1.ts";
import { SQL_RULES } from "#worker/store/guards/sql-rules.ts";

const ABORTS = /RAISE\(ABORT, '(\w+)/g;

/** Pairs of trigger and code, sorted. */
const registered = SQL_RULES.flatMap(({ code, triggers }) => triggers.map((trigger) => `${trigger} ${code}`)).sort();

describe("the register of rules in SQL", () => {
  test("registers every trigger that aborts with its code, and no other", () => {
    const triggers = createSqliteD1().rows<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
    );
    const aborting = triggers.flatMap(({ name, sql }) =>
      [...sql.matchAll(ABORTS)].map(([, code]) => `${name} ${code}`),
    );
    expect([...new Set(aborting)].sort()).toEqual(registered);
  });

  test("registers every error code of the migration files, and no other", () => {
    const files = readdirSync("migrations").map((name) => readFileSync(`migrations/${name}`, "utf8"));
    const codes = files.flatMap((sql) => [...sql.matchAll(/RAISE\s*\(\s*(?:ABORT|FAIL|ROLLBACK)\s*,\s*'(\w+)/gi)]);
    const unique = new Set(codes.map(([, code]) => code));
    expect([...unique].sort()).toEqual([...new Set(SQL_RULES.map(({ code }) => code))].sort());
  });

  test.each(
    SQL_RULES.flatMap(({ triggers, test, negativeControl }) =>
      [test, negativeControl].map((evidence) => ({ trigger: triggers[0], evidence })),
    ),
  )("names an existing test of the trigger $trigger: $evidence", ({ evidence }) => {
    const [file = "", title = ""] = evidence.split(" · ");
    expect(title).not.toBe("");
    expect(readFileSync(file, "utf8")).toContain(`"${title}"`);
  });

  test.each(SQL_RULES.flatMap(({ code, twin }) => (twin ? [{ code, twin }] : [])))(
    "names an existing function with the same rule as $code: $twin",
    ({ twin }) => {
      const [file = "", name = ""] = twin.split("#");
      expect(existsSync(file)).toBe(true);
      expect(readFileSync(file, "utf8")).toMatch(new RegExp(`^export (function|const) ${name}\\b`, "m"));
    },
  );
});

describe("an example of each rule", () => {
  let demo: SqliteD1;

  beforeAll(async () => {
    demo = await openCopiedDemo("acme");
    demo.rows("PRAGMA foreign_keys = off");
  });

  const tryExample = ({ given = [], refused }: SqlRuleExample, ...before: readonly string[]) =>
    tryAndRollBackStatements(demo, [...given, ...before, refused]);

  test("has a tested example for each trigger and error code", () => {
    expect(SQL_RULE_EXAMPLES.map(({ trigger, code }) => `${trigger} ${code}`).sort()).toEqual(registered);
  });

  test.each(SQL_RULE_EXAMPLES)("aborts a statement by the trigger $trigger with $code", (example) => {
    expect(tryExample(example).split(" ")[0]).toBe(example.code);
  });

  test.each(SQL_RULE_EXAMPLES)(
    "accepts a statement that only $trigger rejects once that trigger is dropped",
    (example) => {
      expect(tryExample(example, `DROP TRIGGER ${example.trigger}`)).toBe("accepted");
    },
  );
});

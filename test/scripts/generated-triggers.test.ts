import { expect, test } from "vitest";
import { generatedTriggers } from "#support/schema/generated-triggers.ts";
import { sqliteD1 } from "#support/sqlite-d1.ts";

const squeezed = (sql: string) => sql.replace(/\s+/g, " ").replace(/;$/, "").trim();

test("the migrations make every trigger of the list, as the list says it", () => {
  const generatedTriggersValue = new Map(
    sqliteD1()
      .rows<{ name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
      .map(({ name, sql }) => [name, squeezed(sql)]),
  );
  for (const { name, sql } of generatedTriggers())
    expect([name, generatedTriggersValue.get(name)]).toEqual([name, squeezed(sql)]);
});

test("no trigger counts rows, moves last_update or a version beside the list", () => {
  const listed = new Set(generatedTriggers().map(({ name }) => name));
  const schemaTriggers = sqliteD1().rows<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'trigger'
      AND (sql LIKE '%list_totals%' OR sql LIKE '%UPDATE catalogue_version%' OR sql LIKE '%UPDATE stock_version%' OR sql LIKE '%SET last_update%')`,
  );
  expect(schemaTriggers.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([]);
});

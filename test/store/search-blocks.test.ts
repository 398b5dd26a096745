import { env } from "cloudflare:workers";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { beforeEach, expect, test } from "vitest";
import { COMMON_ACCENTED_LETTERS, foldText, RARE_LETTERS } from "#domain/search-text.ts";
import { setUpCompany } from "#support/company.ts";
import { createFoldedTextSql } from "#worker/store/folded-text.ts";
import { selectIdsByText } from "#worker/store/search.ts";

// Assumptions of decision 0031 about the SQLite of D1. Node's SQLite may be another version.

const db = env.TENANT_ACME;

beforeEach(async () => {
  await setUpCompany();
});

test("ignores line and block comments in JSON5 in D1, and comment markers inside other comments", async () => {
  const json = `[// "a", /* b
"c",/* d // "e", */"f",// */ "g"
]`;
  const { results } = await db.prepare("SELECT value FROM json_each(?)").bind(json).all();
  expect(results).toEqual([{ value: "c" }, { value: "f" }]);
});

test("normalizes every letter in D1 as in the search", async () => {
  const letters = [...COMMON_ACCENTED_LETTERS, ...RARE_LETTERS].map(([letter]) => letter);
  const { results } = await db
    .prepare(`SELECT ${createFoldedTextSql("letter.value")} AS folded FROM json_each(?) AS letter`)
    .bind(JSON.stringify(letters))
    .all<{ folded: string }>();
  expect(results.map(({ folded }) => folded)).toEqual(letters.map(foldText));
});

test("reads one search block for many rows, and one row for each match", async () => {
  await db
    .prepare(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO customers (id, customer_type, name, surname, email, created_at, last_update)
      SELECT i, 'individual', iif(i % 100 = 0, 'Núria', 'Ana'), 'García ' || i, iif(i % 100 = 0, 'nuria@example.com', NULL), 0, 0 FROM n`)
    .run();
  const search = async (text: string) => {
    const { sql, params } = new SQLiteSyncDialect().sqlToQuery(selectIdsByText("customers", text));
    const { results, meta } = await db
      .prepare(sql)
      .bind(...params)
      .all<{ id: number }>();
    return { matches: results.length, rowsRead: meta.rows_read };
  };
  const { matches, rowsRead } = await search("nuria");
  expect(matches).toBe(50);
  expect(rowsRead).toBeLessThan(matches + 30);
  expect((await search("nobody")).rowsRead).toBeLessThan(30);
});

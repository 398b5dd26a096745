import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import fc from "fast-check";
import { expect, inject, test } from "vitest";
import {
  COMMON_ACCENTED_LETTERS,
  foldText,
  getSearchPositionStart,
  listSearchTextVariants,
  RARE_LETTERS,
} from "#domain/search-text.ts";
import { createFillSearchBlocksStatements, createSearchTriggers } from "#scripts/schema/search-triggers.ts";
import { createSqliteD1 } from "#support/sqlite-d1.ts";
import { createFoldedTextSql } from "#worker/store/folded-text.ts";
import { selectIdsByText } from "#worker/store/search.ts";

test("normalizes text for the search in the database exactly as in the code", () => {
  const d1 = createSqliteD1();
  const letters = [
    ...[...COMMON_ACCENTED_LETTERS, ...RARE_LETTERS].map(([letter]) => letter),
    ..."aZ09 .-/'\"\\@^[]Жλ東",
  ];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...letters), minLength: 1 }), (name) => {
      const [row] = d1.rows<{ text: string }>(
        `SELECT ${createFoldedTextSql("name")} AS text FROM (SELECT CAST(? AS TEXT) AS name)`,
        name,
      );
      expect(row?.text).toBe(foldText(name));
    }),
    { numRuns: 60 },
  );
});

test("folds texts with few nested functions, because SQLite compiles a deep expression in quadratic time", () => {
  const getDepth = (sql: string) => {
    let depth = 0;
    return Math.max(...[...sql].map((sign) => (depth += sign === "(" ? 1 : sign === ")" ? -1 : 0)));
  };
  for (const { sql } of createSearchTriggers()) expect(getDepth(sql)).toBeLessThan(16);
});

interface Block {
  readonly first_place: number;
  readonly width: number;
  readonly lines: string;
}

const CUSTOMERS_SQL = `WHERE first_place >= ${getSearchPositionStart("customers")} AND first_place < ${getSearchPositionStart("vehicles")}`;

/** Lists the lines of search blocks by id, in search order. */
function toSearchLines(blocks: readonly Block[]): readonly (readonly [id: number, text: string])[] {
  return blocks.flatMap(({ first_place: firstPlace, lines }) =>
    lines
      .split("\u007f")
      .slice(0, -1)
      .map((line) => {
        const [text = "", id = ""] = line.split("*");
        const first = firstPlace - getSearchPositionStart("customers");
        return [first - (first % 8192) + (id.codePointAt(0) ?? 0) - 0xf_00_00, text] as const;
      }),
  );
}

test("stores each row once in the search blocks, newest first, after any changes in any order", () => {
  const names = ["Ana", "Bea García", 'Carl "O\'Neill"', "\\", "tab\there", "", "Núria"];
  const steps = fc.array(
    fc.record({
      what: fc.constantFrom("insert", "insert", "insert", "change", "delete"),
      id: fc.oneof(fc.nat(40), fc.nat(3000), fc.nat(60_000)),
      name: fc.constantFrom(...names),
    }),
    { minLength: 40, maxLength: 120 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const d1 = createSqliteD1();
      const storedLines = new Map<number, string>();
      for (const { what, id, name } of all) {
        const known = [...storedLines.keys()];
        const value = storedLines.has(id) || what === "insert" ? id : (known[id % Math.max(1, known.length)] ?? id);
        if (what === "delete") {
          d1.rows("DELETE FROM customers WHERE id = ?", value);
          storedLines.delete(value);
        } else {
          d1.rows(
            `INSERT INTO customers (id, customer_type, name, created_at, last_update) VALUES (?, 'individual', ?, 0, 0)
              ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
            value,
            name,
          );
          storedLines.set(value, name);
        }
      }
      const folded = (name: string) => foldText(name).replace("\t", "_t");
      const expected = [...storedLines].sort(([a], [b]) => b - a).map(([id, name]) => [id, `${folded(name)}  |||`]);
      const read = () =>
        d1.rows<Block>(
          `SELECT first_place, width, lines FROM search_blocks ${CUSTOMERS_SQL} ORDER BY first_place DESC`,
        );
      expect(toSearchLines(read())).toEqual(expected);
      d1.rows("DELETE FROM search_blocks");
      for (const statement of createFillSearchBlocksStatements()) d1.rows(statement);
      expect(toSearchLines(read())).toEqual(expected);
    }),
    { numRuns: inject("isThorough") ? 60 : 8 },
  );
});

test("copies a booking's search text to its charges, in whatever order both change", () => {
  const text = fc.constantFrom("Ana", "Bea García", 'Carl "O\'Neill"', "", "OP-1");
  const step = fc.record({
    what: fc.constantFrom("charge", "name"),
    booking: fc.integer({ min: 1, max: 3 }),
    charge: fc.integer({ min: 1, max: 9 }),
    text,
  });
  const blocks = "SELECT first_place, width, lines FROM search_blocks ORDER BY first_place";
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
      const d1 = createSqliteD1();
      d1.rows("PRAGMA foreign_keys = off");
      for (const id of [1, 2])
        d1.rows(
          `INSERT INTO bookings (id, free_access_id, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place, return_place,
            branch_code, return_branch_code, branch_group_id, customer_name, customer_language, item_cents, total_cents, created_at, last_update)
            VALUES (?1, 'free-' || ?1, 'done', 'staff', '2030-01-01', '10:00', '2030-01-02', '10:00', 1, '', '', 'AIR', 'AIR', 1, 'Ana', 'es', 0, 0, 0, 0)`,
          id,
        );
      for (const { what, booking, charge, text } of steps)
        if (what === "name") d1.rows("UPDATE bookings SET customer_surname = ? WHERE id = ?", text, booking);
        else
          d1.rows(
            `INSERT INTO charges (id, booking_id, document_id, external_operation_number, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update)
              VALUES (?1, iif(?2 = 3, NULL, ?2), iif(?2 = 3, 1, NULL), ?3, 'booking', 'charge', 'cash', 1, 100, 'EUR', 'AIR', 1, 1) ON CONFLICT DO NOTHING`,
            charge,
            booking,
            text,
          );
      const storedLines = d1.rows(blocks);
      d1.rows("DELETE FROM search_blocks");
      for (const statement of createFillSearchBlocksStatements()) d1.rows(statement);
      expect(storedLines).toEqual(d1.rows(blocks));
    }),
    { numRuns: inject("isThorough") ? 100 : 8 },
  );
});

test("finds each row with the searched text once, with any special characters", () => {
  const letters = [
    ..."aB*/\"'\\,[]{}:|_ ñ",
    "\n",
    "\r",
    "\t",
    "\u0000",
    "\u0001",
    "\u2028",
    "\u2029",
    "\u{f0005}",
    "\u{f1fff}",
    "😀",
    "//",
    "*/",
    "/*",
  ];
  const text = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 });
  const d1 = createSqliteD1();
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), text, (names, looked) => {
      d1.rows("DELETE FROM customers");
      d1.rows("DELETE FROM search_blocks");
      for (const [index, name] of names.entries())
        d1.rows(
          "INSERT INTO customers (id, customer_type, name, created_at, last_update) VALUES (?, 'individual', ?, 0, 0)",
          index * 3000 + 1,
          name,
        );
      const search = (searchText: string) => {
        const { sql, params } = new SQLiteSyncDialect().sqlToQuery(selectIdsByText("customers", searchText));
        return d1
          .rows<{ id: number }>(sql, ...(params as string[]))
          .map(({ id }) => id)
          .sort();
      };
      const storedLines = new Map(
        toSearchLines(d1.rows<Block>(`SELECT first_place, width, lines FROM search_blocks ${CUSTOMERS_SQL}`)),
      );
      expect(storedLines.size).toBe(names.length);
      for (const searchText of [looked, ...names].filter((text) => foldText(text.trim()) !== "")) {
        // Id characters never match a search text.
        const parts = listSearchTextVariants(searchText).map((part) => part.replaceAll(/[\u{f0000}-\u{f1fff}]/gu, "_"));
        const right = [...storedLines]
          .filter(([, line]) => parts.some((part) => line.includes(part)))
          .map(([id]) => id);
        expect([searchText, search(searchText)]).toEqual([searchText, right.sort()]);
      }
    }),
    { numRuns: 100 },
  );
});

test("stores 40,000 rows in few search blocks without duplicate ids", () => {
  const d1 = createSqliteD1();
  d1.rows(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
    INSERT INTO customers (id, customer_type, name, created_at, last_update) SELECT i, 'individual', 'Many ' || i, 0, 0 FROM n`);
  const blocks = d1.rows<Block>(
    `SELECT first_place, width, lines FROM search_blocks ${CUSTOMERS_SQL} ORDER BY first_place`,
  );
  expect(blocks.length).toBeLessThanOrEqual(3 + 16 + 8);
  let end = 0;
  for (const { first_place: firstPlace, width } of blocks) {
    expect(firstPlace).toBeGreaterThanOrEqual(end);
    end = firstPlace + width;
  }
  expect(toSearchLines(blocks)).toHaveLength(40_000);
  expect(createSearchTriggers().every(({ sql }) => sql.length < 100_000)).toBe(true);
});

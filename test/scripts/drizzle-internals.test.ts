import { globSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { alias } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { createSqliteD1, wrapSqlite } from "#support/sqlite-d1.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import {
  compileQuery,
  compileSelect,
  createBatchItem,
  getFieldDecoder,
  hasCustomDecoder,
  renderSql,
} from "#worker/store/drizzle-internals.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { customers } from "#worker/store/schema/people.ts";

function openWithCustomers() {
  const { db, rows } = createSqliteD1();
  rows(`INSERT INTO customers (id, customer_type, name, address_city, created_at, last_update)
    VALUES (1, 'individual', 'Ana', 'Palma', 1, 2), (2, 'individual', 'Bea', NULL, 3, 4)`);
  return { database: openDatabase(db, createUsageMeter()), client: db };
}

const { database } = openWithCustomers();
const row = { customerType: "individual" as const, name: "Eva", createdAt: 1, lastUpdate: 1 };

test.each([
  ["a select", database.select().from(customers).where(eq(customers.id, 7))],
  ["an insert", database.insert(customers).values(row).returning()],
  ["an update", database.update(customers).set({ name: "Eva" }).where(eq(customers.id, 7))],
  ["a delete", database.delete(customers).where(eq(customers.id, 7))],
])("compiles %s to the same SQL and values as drizzle's public API", (_, query) => {
  const { sql, params } = compileQuery(query);
  expect({ sql, params }).toEqual(query.toSQL());
});

test("converts the results of a prebuilt query as drizzle does", async () => {
  const select = (db: typeof database) => db.select().from(customers).orderBy(customers.id);
  const [plain] = await database.batch([select(database)]);
  const [compiled] = await database.batch([prepareQuery(select)(database, {})]);
  expect(plain).toHaveLength(2);
  expect(compiled).toEqual(plain);
});

const other = alias(customers, "other");

test.each<[string, (db: typeof database) => BatchItem<"sqlite">]>([
  [
    "grouped columns",
    (db) => db.select({ id: customers.id, address: { city: customers.addressCity } }).from(customers),
  ],
  [
    "columns of an optional join",
    (db) =>
      db
        .select({ id: customers.id, other: { id: other.id, name: other.name } })
        .from(customers)
        .leftJoin(other, sql`other.id = customers.id + 1`),
  ],
  [
    "expressions with a decoder",
    (db) => db.select({ shout: sql`name`.mapWith((name) => `${name}!`).as("shout") }).from(customers),
  ],
  ["returned columns", (db) => db.update(customers).set({ name: "Eva" }).returning({ name: customers.name })],
])("converts %s of a prebuilt query as drizzle does", async (_, build) => {
  const { database } = openWithCustomers();
  const [plain] = await database.batch([build(database)]);
  const [compiled] = await database.batch([prepareQuery(build)(database, {})]);
  expect(plain).toHaveLength(2);
  expect(compiled).toEqual(plain);
});

test("fills the placeholders of a query that is built once", async () => {
  let builds = 0;
  const byId = prepareQuery((db) => {
    builds += 1;
    return db
      .select({ name: customers.name })
      .from(customers)
      .where(sql`${customers.id} = ${sql.placeholder("id")}`);
  });
  const answers = await database.batch([byId(database, { id: 1 }), byId(database, { id: 2 })]);
  expect([answers, builds]).toEqual([[[{ name: "Ana" }], [{ name: "Bea" }]], 1]);
});

test("provides every member of prepared queries that drizzle uses in a batch", async () => {
  const { database, client } = openWithCustomers();
  const used = new Set<string>();
  const spy = <T extends object>(target: T, path: string): T =>
    new Proxy(target, {
      get(object, member) {
        const value: unknown = Reflect.get(object, member);
        if (value === undefined) throw new Error(`drizzle uses the member ${path}${String(member)}`);
        used.add(`${path}${String(member)}`);
        if (member === "_prepare") return () => spy((value as () => object)(), "");
        return member === "stmt" ? spy(value as object, "stmt.") : value;
      },
    });
  const query = { sql: "SELECT ? AS n", params: [7], mapResult: (result: unknown) => result };
  const item = createBatchItem<ReturnType<typeof selectAll>>(query, client as never);
  const [answer] = await database.batch([spy(item, "")]);
  expect(answer).toMatchObject({ results: [{ n: 7 }] });
  expect([...used].sort()).toEqual(["_prepare", "getQuery", "mapResult", "stmt", "stmt.bind"]);
});

const selectAll = (db: typeof database) => db.select().from(customers);

test("returns the selected fields of a drizzle query and the start of its SQL text", () => {
  const greeting = sql<string>`'Hi ' || ${customers.name}`.as("greeting");
  const {
    fields,
    selection,
    sql: text,
  } = compileSelect(database.select({ id: customers.id, greeting }).from(customers));
  expect(fields.map(({ path }) => path)).toEqual([["id"], ["greeting"]]);
  expect(fields.map(({ field }) => field)).toEqual([customers.id, greeting]);
  expect(selection).toBe(`select "customers"."id", 'Hi ' || "customers"."name" as "greeting"`);
  expect(text.startsWith(`${selection} from `)).toBe(true);
});

test("finds the decoder of a field, and whether it is custom", () => {
  const decode = (value: unknown) => `<${value}>`;
  const plain = sql`1`;
  const custom = sql`1`.mapWith(decode);
  expect([plain, custom, plain.as("a"), custom.as("b"), customers.id].map(hasCustomDecoder)).toEqual([
    false,
    true,
    false,
    true,
    false,
  ]);
  expect(
    [plain, custom, plain.as("a"), custom.as("b"), customers.id].map((field) => getFieldDecoder(field)(5)),
  ).toEqual([5, "<5>", 5, "<5>", 5]);
});

test("renders an SQL expression with its parameter values", () => {
  expect(renderSql(sql`${customers.id} = ${7}`)).toMatchObject({ sql: '"customers"."id" = ?', params: [7] });
});

test("rejects a query for a missing column, for which SQLite would otherwise return the name as a text", async () => {
  const behind = new DatabaseSync(":memory:");
  behind.exec("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO customers VALUES (1, 'Ana')");
  const database = openDatabase(wrapSqlite(behind).db, createUsageMeter());
  const city = { city: customers.addressCity };
  await expect(database.batch([database.select(city).from(customers)])).rejects.toThrow("no such column");
  const update = database.update(customers).set({ name: "Eva" }).where(eq(customers.id, 1)).returning(city);
  await expect(database.batch([update])).rejects.toThrow("no such column");
});

test("uses drizzle's internals in no other module of the Worker", () => {
  const others = globSync("worker/**/*.ts").filter((file) => file !== "worker/store/drizzle-internals.ts");
  const uses = others.filter((file) =>
    /\b_prepare\b|\bbuildSelection\b|\bmapResult\(|\{ dialect \}|\.dialect\b|\bmapFromDriverValue\b/.test(
      readFileSync(file, "utf8"),
    ),
  );
  expect(uses).toEqual([]);
});

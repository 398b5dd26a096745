import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WorkerBundle } from "#scripts/local-runtime.ts";

interface List {
  readonly table: string;
  /** SQL condition for the rows of the table that the list shows. */
  readonly only?: string;
  /** Selects a page: the rows with `ids`, and their related rows. */
  readonly rows: (ids: string) => readonly string[];
}

const CONTRACTS: List = {
  table: "bookings",
  only: "kind = 'rental'",
  rows: (ids) => [
    `SELECT * FROM bookings WHERE id IN (${ids})`,
    `SELECT * FROM booking_lines WHERE booking_id IN (${ids})`,
    `SELECT unit.*, item.plate FROM booking_units AS unit LEFT JOIN vehicles AS item ON item.reference = unit.vehicle_reference WHERE unit.booking_id IN (${ids})`,
    `SELECT * FROM booking_extras WHERE booking_id IN (${ids})`,
    `SELECT * FROM charges WHERE booking_id IN (${ids})`,
  ],
};
const listDocuments = (kind: string): List => ({
  table: "documents",
  only: `kind = '${kind}'`,
  rows: (ids) => [
    `SELECT * FROM documents WHERE id IN (${ids})`,
    `SELECT * FROM document_items WHERE document_id IN (${ids})`,
    `SELECT charge.* FROM charge_allocations AS part JOIN charges AS charge ON charge.id = part.charge_id WHERE part.document_id IN (${ids})`,
  ],
});
const listRows = (table: string): List => ({ table, rows: (ids) => [`SELECT * FROM ${table} WHERE id IN (${ids})`] });

const LISTS = {
  reservations: CONTRACTS,
  "reservation-report": CONTRACTS,
  invoices: listDocuments("invoice"),
  "internal-bonds": listDocuments("internal_bond"),
  charges: {
    table: "charges",
    rows: (ids) => [
      `SELECT * FROM charges WHERE id IN (${ids})`,
      `SELECT * FROM charge_allocations WHERE charge_id IN (${ids})`,
      `SELECT * FROM documents WHERE id IN (SELECT document_id FROM charges WHERE id IN (${ids})
        UNION SELECT document_id FROM charge_allocations WHERE charge_id IN (${ids}))`,
    ],
  },
  customers: listRows("customers"),
  "booking-items": listRows("vehicles"),
} satisfies Record<string, List>;

/** A list with wide rows. */
export type WideColumnList = keyof typeof LISTS;

/** Whether a list has wide rows. */
export function isWideList(name: string): name is WideColumnList {
  return Object.hasOwn(LISTS, name);
}

/** Returns the queries of a wide list page with related rows, as a Worker without any processing would. */
export function createWideListQueries(
  name: WideColumnList,
  { where = "TRUE", order = "id", rows = 100 },
): readonly string[] {
  const { table, only = "TRUE", rows: select }: List = LISTS[name];
  return select(`SELECT id FROM ${table} WHERE ${only} AND ${where} ORDER BY ${order} LIMIT ${rows}`);
}

// The minimum that a Worker can do for each operation in the same runtime. Search: one batch of five indexed selects.
// Booking: five more writes, in a separate database. Cart: creating an object and that batch in parallel, changing it,
// and reading it in parallel with a batch. Wide list: a page of rows without formatting or validation.
const SOURCE = `
import { DurableObject } from "cloudflare:workers";
export class ShoppingCart extends DurableObject {
  write() {
    this.ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)");
    this.ctx.storage.sql.exec("INSERT INTO bare VALUES (1, 1) ON CONFLICT DO UPDATE SET n = n + 1");
    return 1;
  }
  read() {
    return this.ctx.storage.sql.exec("SELECT n FROM bare").one().n;
  }
}
let id = 0;
function fiveSelects({ TENANT_ACME }, writes = []) {
  const selects = Array.from({ length: 5 }, () => TENANT_ACME.prepare("SELECT id, status FROM bookings WHERE id = ?").bind(1 + (id++ % 1000)));
  return TENANT_ACME.batch([...selects, ...writes]);
}
export default {
  async fetch(request, env) {
    const rows = new URL(request.url).searchParams.getAll("sql");
    if (rows.length > 0) {
      const answers = await env.TENANT_ACME.batch(rows.map((sql) => env.TENANT_ACME.prepare(sql)));
      return Response.json(answers.map(({ results }) => results));
    }
    const { pathname, searchParams } = new URL(request.url);
    const cart = searchParams.get("cart");
    const object = cart && env.SHOPPING_CARTS.get(env.SHOPPING_CARTS.idFromName("cart" + cart));
    if (pathname === "/cart-create") return Response.json(await Promise.all([fiveSelects(env), object.write()]));
    if (pathname === "/cart-read") return Response.json(await Promise.all([fiveSelects(env), object.read()]));
    if (pathname === "/cart-change") return Response.json([await fiveSelects(env), await object.write()]);
    if (pathname === "/new-object") {
      await env.SHOPPING_CARTS.get(env.SHOPPING_CARTS.newUniqueId()).write();
      return Response.json({ ok: true });
    }
    if (pathname === "/object" || pathname === "/both") await env.SHOPPING_CARTS.get(env.SHOPPING_CARTS.idFromName("bare" + (id++ % 200))).write();
    if (pathname === "/object") return Response.json({ ok: true });
    const writes = pathname === "/writes" ? Array.from({ length: 5 }, () => env.TENANT_ACME.prepare("UPDATE bookings SET status = ?2 WHERE id = ?1").bind(1 + (id++ % 1000), String(id))) : [];
    return Response.json(await fiveSelects(env, writes));
  },
};
`;

/** Writes the bare Worker used to compare throughput. */
export async function buildBareWorker(folder: string): Promise<WorkerBundle> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "index.js"), SOURCE);
  return { folder, gzipKilobytes: 0 };
}

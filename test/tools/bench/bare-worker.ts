import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bundle } from "#scripts/local-runtime.ts";

const CONTRACTS = "SELECT id FROM bookings WHERE kind = 'rental' ORDER BY id LIMIT 100";
const papersOf = (kind: string) => {
  const papers = `SELECT id FROM documents WHERE kind = '${kind}' ORDER BY id LIMIT 100`;
  return [
    `SELECT * FROM documents WHERE id IN (${papers})`,
    `SELECT * FROM document_items WHERE document_id IN (${papers})`,
    `SELECT charge.* FROM charge_allocations AS part JOIN charges AS charge ON charge.id = part.charge_id WHERE part.document_id IN (${papers})`,
  ];
};

/**
 * The rows of a page of each wide list, with what hangs on them: what a Worker selects that answers them as they lie.
 */
export const WIDE_LISTS = {
  reservations: [
    `SELECT * FROM bookings WHERE id IN (${CONTRACTS})`,
    `SELECT * FROM booking_lines WHERE booking_id IN (${CONTRACTS})`,
    `SELECT unit.*, item.plate FROM booking_units AS unit LEFT JOIN vehicles AS item ON item.reference = unit.vehicle_reference WHERE unit.booking_id IN (${CONTRACTS})`,
    `SELECT * FROM booking_extras WHERE booking_id IN (${CONTRACTS})`,
    `SELECT * FROM charges WHERE booking_id IN (${CONTRACTS})`,
  ],
  invoices: papersOf("invoice"),
  "internal-bonds": papersOf("internal_bond"),
  charges: [
    "SELECT * FROM charges ORDER BY id LIMIT 100",
    "SELECT * FROM documents WHERE id IN (SELECT document_id FROM charges ORDER BY id LIMIT 100)",
  ],
  customers: ["SELECT * FROM customers ORDER BY id LIMIT 100"],
  "booking-items": ["SELECT * FROM vehicles ORDER BY id LIMIT 100"],
} as const;

/** A list whose rows are wide. */
export type WideList = keyof typeof WIDE_LISTS;

/** Whether a list is a wide one. */
export function isWideList(name: string): name is WideList {
  return Object.hasOwn(WIDE_LISTS, name);
}

// The least a Worker can do for a search in the same runtime: one batch of five selects by an index. And the least a
// cart can; and a page of a wide list as its rows lie, nothing formatted and nothing checked.
const SOURCE = `
const LISTS = ${JSON.stringify(WIDE_LISTS)};
import { DurableObject } from "cloudflare:workers";
export class ShoppingCart extends DurableObject {
  write() {
    this.ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)");
    this.ctx.storage.sql.exec("INSERT INTO bare VALUES (1, 1) ON CONFLICT DO UPDATE SET n = n + 1");
    return 1;
  }
}
let id = 0;
export default {
  async fetch(request, env) {
    const rows = LISTS[new URL(request.url).pathname.slice("/rows/".length)];
    if (rows) {
      const answers = await env.TENANT_ACME.batch(rows.map((sql) => env.TENANT_ACME.prepare(sql)));
      return Response.json(answers.map(({ results }) => results));
    }
    if (!request.url.endsWith("/batch")) await env.SHOPPING_CARTS.get(env.SHOPPING_CARTS.idFromName("bare" + (id++ % 200))).write();
    if (request.url.endsWith("/object")) return Response.json({ ok: true });
    const selects = Array.from({ length: 5 }, () => env.TENANT_ACME.prepare("SELECT id, status FROM bookings WHERE id = ?").bind(1 + (id++ % 1000)));
    return Response.json(await env.TENANT_ACME.batch(selects));
  },
};
`;

/** Writes the bare Worker that throughput is compared with. */
export async function bareWorker(folder: string): Promise<Bundle> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "index.js"), SOURCE);
  return { folder, gzipKilobytes: 0 };
}

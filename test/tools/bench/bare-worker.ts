import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bundle } from "#scripts/local-runtime.ts";

// The least a Worker can do for a search in the same runtime: one batch of five selects by an index. And the least a
// cart can; and a list of a hundred contracts as they lie, without what hangs on them.
const SOURCE = `
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
    if (request.url.endsWith("/page")) {
      const [page] = await env.TENANT_ACME.batch([env.TENANT_ACME.prepare("SELECT * FROM bookings ORDER BY id LIMIT 100")]);
      return Response.json(page.results);
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
  return { folder, gzipBytes: 0 };
}

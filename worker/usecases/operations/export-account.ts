import { readPages } from "#worker/store/operations/file-rows.ts";
import { readTables } from "#worker/store/operations/file-tables.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { type ArchivedFile, zipped } from "#worker/tenancy/zipped.ts";
import { toJsonLine } from "./file-cells.ts";

const DAY = 24 * 3_600_000;
/** The last five weeks' and the one that is made. */
const KEPT = 36 * DAY;

/** The export of a day among an account's exports. */
export function exportPath(at: number): string {
  return `${new Date(at).toISOString().slice(0, 10)}.zip`;
}

/**
 * Writes everything of an account that travels into the bucket of copies: an archive with JSON lines for each table,
 * which `npm run import` takes in as it is. Answers how many rows; those past their time go.
 */
export async function exportAccount({ db, copies }: Tenant, now: number): Promise<number> {
  if (!copies) throw new Error("no bucket for exports is bound");
  const d1 = db.$client;
  const settings = await d1.prepare("SELECT currency_decimals AS decimals FROM settings").first<number>("decimals");
  let count = 0;
  async function* lines(table: Awaited<ReturnType<typeof readTables>>[number]): AsyncGenerator<string> {
    const columns = table.columns.map(({ column }) => column);
    for await (const rows of readPages(d1, { ...table, columns })) {
      count += rows.length;
      yield rows.map((row) => toJsonLine(table, row, settings ?? 2)).join("");
    }
  }
  async function* files(): AsyncGenerator<ArchivedFile> {
    for (const table of await readTables(d1)) yield { name: `${table.name}.jsonl`, parts: lines(table) };
  }
  await copies.exports.putStream(exportPath(now), zipped(files()), "application/zip");
  for (const path of await copies.exports.list(""))
    if (now - Date.parse(path.slice(0, 10)) > KEPT) await copies.exports.delete(path);
  return count;
}

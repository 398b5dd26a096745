import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

type Value = string | number | null;

export interface RestoredTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

export interface Backup {
  readonly account: string;
  readonly at: string;
  readonly migrations: readonly string[];
  readonly tables: readonly RestoredTable[];
}

/** Rows for each page of the hash, as the Worker writes them. */
const PAGE = 1000;

/** A backup as the Worker wrote it; throws where a table is not what its count and its hash say. */
export async function readBackup(file: string): Promise<Backup> {
  const [head = "{}", ...lines] = gunzipSync(await readFile(file))
    .toString("utf8")
    .trimEnd()
    .split("\n");
  const { account, at, migrations } = JSON.parse(head) as Omit<Backup, "tables">;
  const tables: RestoredTable[] = [];
  let rows: Value[][] = [];
  let columns: string[] = [];
  for (const line of lines) {
    const value = JSON.parse(line) as Value[] | { table: string; columns?: string[]; rows?: number; hash?: string };
    if (Array.isArray(value)) {
      rows.push(value);
    } else if (value.columns) {
      columns = value.columns;
      rows = [];
    } else {
      if (value.rows !== rows.length || value.hash !== hashOf(rows))
        throw new Error(`the table ${value.table} of ${file} is not whole`);
      tables.push({ name: value.table, columns, rows });
    }
  }
  if (tables.length === 0) throw new Error(`${file} holds no tables`);
  return { account, at, migrations, tables };
}

// Page by page, each with the hash of those before it.
function hashOf(rows: readonly (readonly Value[])[]): string {
  let hash = "";
  for (let start = 0; ; start += PAGE) {
    const page = rows.slice(start, start + PAGE);
    hash = createHash("sha256")
      .update(hash + page.map((row) => JSON.stringify(row)).join(""))
      .digest("hex");
    if (page.length < PAGE) return hash;
  }
}

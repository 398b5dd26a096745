import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";

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

/** A backup as the Worker wrote it, line by line; throws where a table is not what its count and its hash say. */
export async function readBackup(file: string): Promise<Backup> {
  let head: Omit<Backup, "tables"> | undefined;
  const tables: RestoredTable[] = [];
  let open: OpenTable | undefined;
  for await (const line of linesOf(file)) {
    const value = JSON.parse(line) as Line;
    if (!head) head = value as unknown as Omit<Backup, "tables">;
    else if (Array.isArray(value)) take(open, value, line);
    else if ("columns" in value) open = { columns: value.columns, rows: [], hash: createHash("sha256") };
    else tables.push(closed(open, value, file));
  }
  if (!head || tables.length === 0) throw new Error(`${file} holds no tables`);
  return { ...head, tables };
}

type Tail = { readonly table: string; readonly rows: number; readonly hash: string };
type Line = Value[] | { readonly table: string; readonly columns: string[] } | Tail;

interface OpenTable {
  readonly columns: readonly string[];
  readonly rows: Value[][];
  readonly hash: Hash;
}

function take(table: OpenTable | undefined, row: Value[], line: string): void {
  table?.hash.update(`${line}\n`);
  table?.rows.push(row);
}

function closed(table: OpenTable | undefined, { table: name, rows, hash }: Tail, file: string): RestoredTable {
  if (!table || rows !== table.rows.length || hash !== table.hash.digest("hex"))
    throw new Error(`the table ${name} of ${file} is not whole`);
  return { name, columns: table.columns, rows: table.rows };
}

// Not by readline, which also ends a line at separators that JSON may hold.
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file).pipe(createGunzip()).setEncoding("utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

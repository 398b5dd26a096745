import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { Stored } from "#worker/store/operations/file-rows.ts";
import { readBack } from "#worker/usecases/operations/read-back.ts";

export interface RestoredTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Stored[])[];
}

export interface Backup {
  readonly account: string;
  readonly at: string;
  readonly tables: readonly RestoredTable[];
}

/** A backup's file as the Worker reads it. */
export const packedBackup = (file: string) =>
  Readable.toWeb(createReadStream(file)) as unknown as ReadableStream<Uint8Array>;

/** A backup as the Worker wrote it; throws where a table is not what its count and its hash say. */
export async function readBackup(file: string): Promise<Backup> {
  const tables: (RestoredTable & { readonly rows: Stored[][] })[] = [];
  const { account = "", at = "" } = await readBack(packedBackup(file), {
    begin: ({ table, columns }) => tables.push({ name: table, columns, rows: [] }),
    row: (line) => tables.at(-1)?.rows.push(JSON.parse(line)),
    end: () => undefined,
  });
  return { account, at, tables };
}

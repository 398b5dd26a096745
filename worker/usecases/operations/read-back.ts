import { createHash } from "node:crypto";

/** What a backup says behind each table. */
export interface TableTail {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 of the table's lines. */
  readonly hash: string;
}

/**
 * Reads a packed backup through and compares every table with its own count and hash: what is not whole is no backup.
 * Answers how many rows it holds; throws where a table is not what it says.
 */
export async function countWholeRows(packed: ReadableStream): Promise<number> {
  let count = 0;
  let rows = 0;
  let hash = createHash("sha256");
  let tables = 0;
  for await (const line of linesOf(packed)) {
    if (line.startsWith("[")) {
      hash.update(`${line}\n`);
      rows += 1;
      continue;
    }
    const said = JSON.parse(line) as Partial<TableTail>;
    if (said.hash === undefined) continue;
    if (said.rows !== rows || said.hash !== hash.digest("hex")) throw new Error("a table of the backup is not whole");
    tables += 1;
    count += rows;
    rows = 0;
    hash = createHash("sha256");
  }
  if (tables === 0 || rows > 0) throw new Error("the backup breaks off");
  return count;
}

async function* linesOf(packed: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of packed.pipeThrough(new DecompressionStream("gzip"))) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

import { createHash } from "node:crypto";

/** Trailer after each table of a backup. */
export interface BackupTableTail {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 of the table's lines. */
  readonly hash: string;
}

/** Header before each table of a backup. */
export interface BackupTableHead {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Backup that was read completely and verified. */
export interface VerifiedBackup {
  /** Account of the backup. */
  readonly account: string | undefined;
  /** Time at which the backup started. */
  readonly at: string | undefined;
  /** Migrations of the account when the backup started. */
  readonly migrations: readonly string[];
  readonly rows: number;
  readonly tables: readonly BackupTableHead[];
}

/** Callbacks for reading a backup, table by table. */
export interface BackupVisitor {
  readonly begin: (table: BackupTableHead) => void;
  /** Called with a row as its line of JSON. */
  readonly row: (line: string, table: BackupTableHead) => void;
  readonly end: (table: BackupTableHead) => void;
}

/**
 * Reads a packed backup and checks each section of a table against its count and hash. An incomplete backup isn't
 * valid. A table written in several runs has several sections, but `begin` is called once. Returns the content. Throws
 * if a table doesn't match its count or hash.
 */
export async function readBackupRows(packed: ReadableStream, visitor = NO_VISITOR): Promise<VerifiedBackup> {
  const tables: BackupTableHead[] = [];
  let [account, at]: (string | undefined)[] = [];
  let migrations: readonly string[] = [];
  let [count, rows, startedTables, ended] = [0, 0, 0, 0];
  let hash = createHash("sha256");
  let open: BackupTableHead = { table: "", columns: [] };
  for await (const line of readLines(packed)) {
    if (line.startsWith("[")) {
      hash.update(`${line}\n`);
      rows += 1;
      visitor.row(line, open);
      continue;
    }
    const parsedLine = JSON.parse(line) as Partial<
      BackupTableTail &
        BackupTableHead & { readonly account: string; readonly at: string; readonly migrations: readonly string[] }
    >;
    account ??= parsedLine.account;
    at ??= parsedLine.at;
    migrations = parsedLine.migrations ?? migrations;
    if (parsedLine.table !== undefined && parsedLine.columns) {
      open = { table: parsedLine.table, columns: parsedLine.columns };
      startedTables += 1;
      startTable(open, tables, visitor);
    }
    if (parsedLine.hash === undefined) continue;
    refuseOther(parsedLine, rows, hash.digest("hex"));
    visitor.end(open);
    [count, rows, ended] = [count + rows, 0, ended + 1];
    hash = createHash("sha256");
  }
  const isComplete = ended > 0 && ended === startedTables && rows === 0;
  if (!isComplete) throw new Error("the backup breaks off");
  return { account, at, migrations, rows: count, tables };
}

function startTable(table: BackupTableHead, startedTables: BackupTableHead[], visitor: BackupVisitor): void {
  if (startedTables.at(-1)?.table === table.table) return;
  startedTables.push(table);
  visitor.begin(table);
}

const NOTHING = () => undefined;
const NO_VISITOR: BackupVisitor = { begin: NOTHING, row: NOTHING, end: NOTHING };

function refuseOther(parsedLine: Partial<BackupTableTail>, rows: number, hash: string): void {
  if (parsedLine.rows !== rows || parsedLine.hash !== hash) throw new Error("a table of the backup is not whole");
}

async function* readLines(packed: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of packed.pipeThrough(new DecompressionStream("gzip"))) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

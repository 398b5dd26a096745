/** State of a cell, a company and a move as shown to the operator. Times in epoch ms. */
export interface DirectoryOverview {
  readonly cells: readonly CellOverview[];
  readonly accounts: readonly AccountOverview[];
  readonly moves: readonly MoveOverview[];
  /** Long work that failed in every attempt. */
  readonly jobs: readonly JobOverview[];
}

interface CellOverview {
  readonly cell: string;
  readonly used: number;
  readonly spare: number;
  readonly retired: number;
  readonly new: number;
  readonly failed: number;
  readonly oldest_schema: string | null;
  readonly clock_at: number | null;
  readonly clock_ms: number | null;
}

interface AccountOverview {
  readonly account: string;
  readonly cell: string;
  readonly slot: number;
  readonly state: string;
  readonly jurisdiction: string;
  readonly schema_version: string | null;
  /** Time Travel bookmark before the last migration. */
  readonly bookmark: string | null;
  readonly size_bytes: number | null;
  readonly backup_at: number | null;
  readonly clock_at: number | null;
  readonly error: string | null;
}

interface MoveOverview {
  readonly account: string;
  readonly from_cell: string;
  readonly to_cell: string;
  readonly step: string;
  readonly rows: number;
  readonly started_at: number;
}

interface JobOverview {
  readonly account: string;
  readonly cell: string;
  readonly kind: string;
  readonly failed_at: number;
  readonly failures: number;
  readonly held_until: number;
}

/** Reads the whole directory for the operator, in one round trip. */
export async function readDirectoryOverview(directory: D1Database): Promise<DirectoryOverview> {
  const count = (state: string) => `count(*) FILTER (WHERE slots.state = '${state}') AS "${state}"`;
  const [cells, accounts, moves, jobs] = await directory.batch([
    directory.prepare(`SELECT cells.name AS cell, ${["used", "spare", "retired", "new"].map(count).join(", ")},
        count(slots.error) AS failed, min(slots.schema_version) AS oldest_schema, cells.clock_at, cells.clock_ms
      FROM cells LEFT JOIN slots ON slots.cell = cells.name GROUP BY cells.name ORDER BY cells.name`),
    directory.prepare(`SELECT accounts.name AS account, accounts.cell, accounts.slot, accounts.state, slots.jurisdiction,
        slots.schema_version, slots.bookmark, accounts.size_bytes, accounts.backup_at, accounts.clock_at,
        coalesce(slots.error, accounts.error) AS error
      FROM accounts JOIN slots ON slots.cell = accounts.cell AND slots.slot = accounts.slot ORDER BY accounts.name`),
    directory.prepare("SELECT account, from_cell, to_cell, step, rows, started_at FROM moves ORDER BY account"),
    directory.prepare(`SELECT account, accounts.cell, kind, failed_at, failures, held_until
      FROM failed_jobs JOIN accounts ON accounts.name = account ORDER BY account, kind`),
  ]);
  return {
    cells: (cells?.results ?? []) as CellOverview[],
    accounts: (accounts?.results ?? []) as AccountOverview[],
    moves: (moves?.results ?? []) as MoveOverview[],
    jobs: (jobs?.results ?? []) as JobOverview[],
  };
}

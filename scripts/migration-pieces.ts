/** Condition of a migration in pieces, which selects all rows if it runs at once, as by wrangler. */
export const ALL_IDS_CONDITION = "id BETWEEN 0 AND 9007199254740991";
const LARGEST_ID = Number.MAX_SAFE_INTEGER;
const HEADER = /^-- pieces: (\w+), (\d+) rows$/m;

/** Statement for a large table that runs in pieces, because D1 stops a statement after 30 seconds. */
export interface StatementInPieces {
  readonly table: string;
  /** Maximum number of rows in a piece. */
  readonly rows: number;
  readonly sql: string;
}

/**
 * Parses a migration that runs in pieces: a line `-- pieces: bookings, 50000 rows` and one statement with the condition
 * `ALL_IDS_CONDITION`. Returns undefined for other migrations. Throws if the file contains anything else.
 */
export function parseMigrationInPieces(text: string, statements: readonly string[]): StatementInPieces | undefined {
  const [, table, rows] = HEADER.exec(text) ?? [];
  if (table === undefined) return undefined;
  const [sql = "", ...others] = statements;
  if (others.length > 0) throw new Error("A migration in pieces has one statement.");
  if (sql.split(ALL_IDS_CONDITION).length !== 2)
    throw new Error(`A migration in pieces contains "${ALL_IDS_CONDITION}" once.`);
  if (Number(rows) < 1) throw new Error("A piece has at least one row.");
  return { table, rows: Number(rows), sql };
}

/**
 * Runs a statement for one range of ids after the other. Its last range, which includes rows created in the meantime,
 * runs with `lastStatements` in one batch. The statement must be repeatable, because an interrupted run starts again.
 */
export async function runInPieces(
  db: D1Database,
  { table, rows, sql }: StatementInPieces,
  lastStatements: readonly D1PreparedStatement[] = [],
): Promise<readonly D1Meta[]> {
  const statementFor = (from: number, to: number) =>
    db.prepare(sql.replace(ALL_IDS_CONDITION, `id BETWEEN ${from} AND ${to}`));
  const metas: D1Meta[] = [];
  for (let from = 0; ; ) {
    const piece = await db
      .prepare(
        `SELECT count(*) AS count, max(id) AS last FROM (SELECT id FROM ${table} WHERE id >= ? ORDER BY id LIMIT ?)`,
      )
      .bind(from, rows)
      .first<{ count: number; last: number | null }>();
    if (!piece || piece.last === null || piece.count < rows) {
      const results = await db.batch([...lastStatements, statementFor(from, LARGEST_ID)]);
      return [...metas, ...results.slice(-1).map(({ meta }) => meta)];
    }
    metas.push((await statementFor(from, piece.last).run()).meta);
    from = piece.last + 1;
  }
}

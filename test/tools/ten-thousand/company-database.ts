// Kinds of due work, in the order of the columns that `findDueJobs` reads.
const KINDS = [
  "holds",
  "news",
  "mails",
  "refunds",
  "webhooks",
  "held_operations",
  "ministry_reports",
  "tax_records",
  "backup",
  "export",
  "photos",
  "sweep",
  "drill",
] as const;

const NEVER = new Promise<never>(() => undefined);

/** Behaviour of a simulated company's database. */
export interface CompanyBehaviour {
  /** Kinds of due work. */
  readonly due?: readonly (typeof KINDS)[number][];
  /** Whether the database stops answering after its owner was read. */
  readonly isSilent?: boolean;
}

/**
 * Creates a simulated database with the owner, the due work and the migrations of a company. 10,000 real databases
 * don't fit into memory.
 */
export function createCompanyDatabase(
  account: string,
  { due = [], isSilent = false }: CompanyBehaviour,
  epochMs: number,
): D1Database {
  const migrations: string[] = ["0001_first.sql"];
  const keeping = { hasSettings: 1, backedUpAt: epochMs, backupCheckedAt: epochMs, hasFailed: 0, sizeBytes: 1_000_000 };
  const row = {
    ...Object.fromEntries(KINDS.map((kind) => [kind, due.includes(kind) ? 1 : 0])),
    keeping: JSON.stringify({ ...keeping, oldestMailAt: null, oldestTaxRecordAt: null }),
    months: 0,
  };
  interface Statement {
    readonly sql: string;
    readonly values: readonly unknown[];
  }
  const answer = (results: readonly object[]) => ({ success: true, results, meta: {} });
  const prepare = (sql: string, values: readonly unknown[] = []): object => ({
    sql,
    values,
    bind: (...bound: unknown[]) => prepare(sql, bound),
    run: async () => answer([]),
    all: async () => answer(sql.includes("FROM d1_migrations") ? migrations.map((name) => ({ name })) : []),
    first: async () => (sql.includes("directory_owner") ? account : 1),
    raw: async () => [],
  });
  const batch = async (statements: readonly Statement[]) => {
    for (const { sql, values } of statements)
      if (sql.startsWith("INSERT INTO d1_migrations")) migrations.push(String(values[0]));
    if (isSilent) await NEVER;
    return statements.map(() => answer([row]));
  };
  return { prepare, batch } as unknown as D1Database;
}

import type { Database } from "#worker/store/database.ts";

/**
 * Kind of stored file: the pattern of its path, with the parts that name its row, and the condition for a row.
 * `stored.owner` is the first part, `stored.name` the last one.
 */
interface StoredFileKind {
  readonly path: RegExp;
  readonly rowCondition: string;
}

// Files of other kinds are never deleted.
const KINDS: readonly StoredFileKind[] = [
  {
    path: /^check-in\/(\d+)\/([0-9a-f]{64})$/,
    rowCondition: `EXISTS (SELECT 1 FROM check_in_files WHERE booking_id = stored.owner AND hash = stored.name)
      OR EXISTS (SELECT 1 FROM check_in_contracts WHERE booking_id = stored.owner AND hash = stored.name)`,
  },
  {
    path: /^customers\/(\d+)\/([0-9a-f]{64})$/,
    rowCondition: "EXISTS (SELECT 1 FROM customer_files WHERE file_key = stored.name AND customer_id = stored.owner)",
  },
  {
    path: /^(photos)\/([0-9a-f]{64})$/,
    rowCondition: "EXISTS (SELECT 1 FROM catalogue_photos WHERE hash = stored.name)",
  },
  {
    // A printed contract consists of signed texts. An erasure deletes their rows.
    path: /^contracts\/(\d+)\/([0-9a-f]{64})\.pdf$/,
    rowCondition: "EXISTS (SELECT 1 FROM check_in_contracts WHERE booking_id = stored.owner)",
  },
];

/** Returns the paths of a known kind that have no row, with one query per kind. */
export async function listFilesWithoutRow(db: Database, paths: readonly string[]): Promise<readonly string[]> {
  const { $client } = db;
  const statements = KINDS.flatMap(({ path: pattern, rowCondition }) => {
    const files = paths.flatMap((path) => {
      const [, owner = "", name] = pattern.exec(path) ?? [];
      return name === undefined ? [] : [[path, /^\d+$/.test(owner) ? Number(owner) : owner, name]];
    });
    if (files.length === 0) return [];
    const text = `SELECT path FROM (SELECT value ->> 0 AS path, value ->> 1 AS owner, value ->> 2 AS name FROM json_each(?1)) AS stored
      WHERE NOT (${rowCondition})`;
    return [$client.prepare(text).bind(JSON.stringify(files))];
  });
  if (statements.length === 0) return [];
  const results = await $client.batch<{ readonly path: string }>(statements);
  return results.flatMap((result) => result.results.map(({ path }) => path));
}

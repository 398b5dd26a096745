import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { sessionWithUserQueries, toStoredSession } from "#worker/store/access/sessions.ts";
import type { Database, Query, QueryResults } from "#worker/store/database.ts";
import { DatabaseOverloadedError } from "#worker/store/failures.ts";
import type { CatalogueSnapshot } from "./catalogue.ts";
import { catalogueVersionQuery } from "./catalogue-rows.ts";

/** Account's database, and its cached catalogue. */
export interface AccountWithCachedCatalogue {
  readonly db: Database;
  snapshot(): Promise<CatalogueSnapshot>;
  freshSnapshot(): Promise<CatalogueSnapshot>;
  /** Records that the primary database still has this version of the catalogue. */
  confirmVersion?(version: number): void;
}

/**
 * Maximum number of attempts to read data that matches the catalogue. An import changes the catalogue several times a
 * second, and other requests should still succeed.
 */
const ATTEMPTS = 5;

/**
 * Reads live data together with the catalogue version, in one round trip, so that both match. If the cached catalogue
 * is outdated, reads it and repeats the query (decision 0004). `database` may be a slightly delayed replica for queries
 * that decide nothing (decision 0014).
 */
export async function readWithFreshCatalogue<const T extends readonly Query[]>(
  account: AccountWithCachedCatalogue,
  createQueries: (catalogue: Catalogue) => T,
  database: Database = account.db,
): Promise<{ readonly catalogue: Catalogue; readonly rows: QueryResults<T> }> {
  let { catalogue } = await account.snapshot();
  let db = database;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [version, ...rows] = await db.batch([catalogueVersionQuery(account.db), ...createQueries(catalogue)]);
    if (version[0]?.version === catalogue.version) {
      // A replica may be behind, so it confirms nothing.
      if (db === account.db) account.confirmVersion?.(catalogue.version);
      return { catalogue, rows: rows as QueryResults<T> };
    }
    ({ catalogue } = await account.freshSnapshot());
    // A replica that is behind the catalogue would give the same answer, so the primary database is used.
    db = account.db;
  }
  throw new DatabaseOverloadedError("the catalogue changes faster than it can be read");
}

/** Reads live data together with the session, so that the access check takes no extra round trip. */
export async function readSessionWithFreshCatalogue<const T extends readonly Query[]>(
  account: AccountWithCachedCatalogue,
  sessionId: string,
  createQueries: (catalogue: Catalogue) => T,
) {
  const { catalogue, rows } = await readWithFreshCatalogue(account, (current): readonly Query[] => [
    ...sessionWithUserQueries(account.db, sessionId),
    ...createQueries(current),
  ]);
  const [session, branches, keys, ...rest] = rows;
  const storedSession = toStoredSession([session, branches, keys] as Parameters<typeof toStoredSession>[0]);
  return { found: storedSession, catalogue, rows: rest as unknown as QueryResults<T> };
}

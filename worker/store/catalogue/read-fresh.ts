import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { sessionQueries, toStoredSession } from "#worker/store/access/sessions.ts";
import type { Answers, Database, Query } from "#worker/store/database.ts";
import { DatabaseOverloaded } from "#worker/store/failures.ts";
import type { Snapshot } from "./catalogue.ts";
import { versionQuery } from "./catalogue-rows.ts";

/** An account's database and what is remembered of its catalogue. */
export interface CachedAccount {
  readonly db: Database;
  snapshot(): Promise<Snapshot>;
  freshSnapshot(): Promise<Snapshot>;
}

/** An import changes the catalogue some times a second: who asks meanwhile is not to be turned away for it. */
const ATTEMPTS = 5;

/**
 * Reads live data together with the version of the catalogue, in one round trip. What comes back belongs together: a
 * remembered catalogue that is not today's any more is read anew and the question asked again (decision 0004). `asked`
 * may be a copy that is a moment old, where nothing is decided on what it says (decision 0014).
 */
export async function readFresh<const T extends readonly Query[]>(
  account: CachedAccount,
  queriesFor: (catalogue: Catalogue) => T,
  database: Database = account.db,
): Promise<{ readonly catalogue: Catalogue; readonly rows: Answers<T> }> {
  let { catalogue } = await account.snapshot();
  let db = database;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [version, ...rows] = await db.batch([versionQuery(account.db), ...queriesFor(catalogue)]);
    if (version[0]?.version === catalogue.version) return { catalogue, rows: rows as Answers<T> };
    ({ catalogue } = await account.freshSnapshot());
    // A copy that is behind the catalogue would be asked in vain again: the database itself knows.
    db = account.db;
  }
  throw new DatabaseOverloaded("the catalogue changes faster than it can be read");
}

/**
 * Reads live data together with the session that asks for it: whether somebody may see it costs no round trip of its
 * own.
 */
export async function readFreshInSession<const T extends readonly Query[]>(
  account: CachedAccount,
  sessionId: string,
  queriesFor: (catalogue: Catalogue) => T,
) {
  const { catalogue, rows } = await readFresh(account, (current): readonly Query[] => [
    ...sessionQueries(account.db, sessionId),
    ...queriesFor(current),
  ]);
  const [session, branches, keys, ...rest] = rows;
  const sessionValue = toStoredSession([session, branches, keys] as Parameters<typeof toStoredSession>[0]);
  return { found: sessionValue, catalogue, rows: rest as unknown as Answers<T> };
}

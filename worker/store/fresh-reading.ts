import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { Catalogue } from "#domain/catalogue.ts";
import type { Snapshot } from "./catalogue.ts";
import { versionQuery } from "./catalogue-rows.ts";
import type { Database } from "./database.ts";
import { DatabaseOverloaded } from "./failures.ts";

type Query = BatchItem<"sqlite">;

/** An account's database and what is remembered of its catalogue. */
export interface RememberedAccount {
  readonly db: Database;
  snapshot(): Promise<Snapshot>;
  freshSnapshot(): Promise<Snapshot>;
}

const ATTEMPTS = 3;

/**
 * Reads live data together with the version of the catalogue, in one round trip. What comes back belongs together: a remembered
 * catalogue that is not today's any more is read anew and the question asked again (decision 0004).
 */
export async function readFresh<const T extends readonly Query[]>(
  account: RememberedAccount,
  queriesFor: (catalogue: Catalogue) => T,
): Promise<{ readonly catalogue: Catalogue; readonly rows: BatchResponse<[...T]> }> {
  let { catalogue } = await account.snapshot();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [version, ...rows] = await account.db.batch([versionQuery(account.db), ...queriesFor(catalogue)]);
    if (version[0]?.version === catalogue.version) return { catalogue, rows: rows as BatchResponse<[...T]> };
    ({ catalogue } = await account.freshSnapshot());
  }
  throw new DatabaseOverloaded("the catalogue changes faster than it can be read");
}

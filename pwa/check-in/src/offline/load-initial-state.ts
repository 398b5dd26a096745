import type { CachedRow, Database } from "./db.ts";
import type { StoredWork } from "./locked-work.ts";
import type { DeviceState } from "./stored-metadata.ts";

/** State loaded when the app starts. */
export interface InitialState extends StoredWork {
  readonly meta: Partial<DeviceState>;
  readonly settings: CachedRow | undefined;
}

/** Reads all stores in one transaction, because each transaction is slow on slow devices. */
export function loadInitialState(database: Database): Promise<InitialState> {
  return database.use(async (db) => {
    const transaction = db.transaction(["meta", "ops", "drafts", "cache"]);
    const meta = transaction.objectStore("meta");
    const [names, values, ops, drafts, settings] = await Promise.all([
      meta.getAllKeys(),
      meta.getAll(),
      transaction.objectStore("ops").getAll(),
      transaction.objectStore("drafts").getAll(),
      transaction.objectStore("cache").get("settings"),
    ]);
    const storedValues = Object.fromEntries(names.map((name, at) => [name, values[at]]));
    return { meta: storedValues as Partial<DeviceState>, ops, drafts, settings };
  });
}

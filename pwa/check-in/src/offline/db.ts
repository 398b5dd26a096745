import { type DBSchema, type IDBPDatabase, type IDBPTransaction, type OpenDBCallbacks, openDB } from "idb";
import { upgradeOutboxItem } from "./convert-item.ts";
import type { EncryptedData, OutboxItem, StoredDraft, StoredFileContent, StoredItem, StoredWorkFile } from "./items.ts";
import type { WorkKeySet } from "./work-keys.ts";

const DATABASE = "checkin";
// Database version. An app version that can't read encrypted work must not open this database.
const VERSION = 3;

/** A cached server response with its ETag. */
export interface CachedRow {
  readonly key: string;
  readonly etag: string | null;
  readonly fetched_at: number;
  readonly sealed: EncryptedData;
}

/** Session of the signed-in user on this device. */
export interface DeviceSession {
  readonly token: string;
  readonly username: string;
  readonly full_name: string;
  readonly role: string;
  /** The server rejected the token. Nothing is sent until the user signs in again. */
  readonly expired: boolean;
}

interface Schema extends DBSchema {
  ops: { key: string; value: StoredItem };
  drafts: { key: string; value: StoredDraft };
  files: { key: string; value: StoredWorkFile };
  contents: { key: string; value: StoredFileContent };
  cache: { key: string; value: CachedRow };
  meta: { key: string; value: unknown };
}

export type DeviceDatabase = IDBPDatabase<Schema>;
export type DatabaseStoreName = "ops" | "drafts" | "files" | "contents" | "cache" | "meta";

export type WriteTransaction = IDBPTransaction<Schema, DatabaseStoreName[], "readwrite">;

/** Acknowledged writes survive a sudden power loss. */
const STRICT = { durability: "strict" } as const;

export type Database = ReturnType<typeof openDatabase>;

/**
 * Opens the device's database on first use, and again if the system closed it or ended a transaction, as iOS does under
 * memory pressure.
 */
export function openDatabase(name = DATABASE) {
  let opening: Promise<DeviceDatabase> | undefined;
  // Another operation may have reopened the database in the meantime.
  const dropConnection = (connection: typeof opening) => {
    if (opening === connection) opening = undefined;
  };
  const connect = () => {
    const connection = openDB<Schema>(name, VERSION, {
      upgrade,
      // Another tab wants to upgrade the database. Close this connection, so that the other tab needn't wait.
      blocking: (_current, _blocked, event) => {
        (event.target as IDBDatabase).close();
        dropConnection(connection);
      },
      terminated: () => dropConnection(connection),
    });
    connection.catch(() => dropConnection(connection));
    return connection;
  };
  const open = () => {
    opening ??= connect();
    return opening;
  };
  const database = {
    /** Encryption keys of pending work, while a user is signed in. */
    ring: undefined as WorkKeySet | undefined,
    /** Encryption key of the session, once read. */
    key: undefined as CryptoKey | undefined,
    /** Runs `work` on the database. Retries once on a new connection if the system ended the current one. */
    async use<T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T> {
      const connection = open();
      const db = await connection;
      try {
        return await work(db);
      } catch (error) {
        if (!isEndedBySystem(error)) throw error;
        dropConnection(connection);
        db.close();
        return work(await open());
      }
    },
    /** Writes everything or nothing. Resolves once the data is on disk. */
    async write<T>(stores: DatabaseStoreName[], work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
      return database.use(async (db) => {
        const transaction = db.transaction(stores, "readwrite", STRICT);
        // If both the work and the transaction fail, throw the error of the work. Catch the other, so that it isn't
        // unhandled.
        const completion = transaction.done.catch((reason: unknown) => reason);
        try {
          const value = await work(transaction);
          const reason = await completion;
          if (reason !== undefined) throw reason;
          return value;
        } catch (error) {
          abort(transaction);
          throw error;
        }
      });
    },
    async close(): Promise<void> {
      const connection = opening;
      const db = await connection;
      dropConnection(connection);
      db?.close();
    },
  };
  return database;
}

function abort(transaction: WriteTransaction): void {
  try {
    transaction.abort();
  } catch {
    // `abort` throws if the transaction has already ended. Nothing is left to abort then.
  }
}

type Upgrade = NonNullable<OpenDBCallbacks<Schema>["upgrade"]>;

const upgrade: Upgrade = async (db, from, _to, transaction) => {
  if (from === 0) for (const [store, keyPath] of STORES) db.createObjectStore(store, keyPath ? { keyPath } : {});
  if (from !== 1) return;
  const ops = transaction.objectStore("ops");
  for (const old of await ops.getAll()) await ops.put(upgradeOutboxItem(old as OutboxItem));
};

const STORES: readonly (readonly [DatabaseStoreName, string | undefined])[] = [
  ["ops", "op_id"],
  ["drafts", "key"],
  ["files", "key"],
  ["contents", "key"],
  ["cache", "key"],
  ["meta", undefined],
];

/** Errors after which nothing was written and a new connection may work. */
const RETRYABLE_ERRORS: readonly string[] = ["InvalidStateError", "AbortError", "UnknownError"];

function isEndedBySystem(error: unknown): boolean {
  return error instanceof DOMException && RETRYABLE_ERRORS.includes(error.name);
}

export function isQuotaExceeded(error: unknown): boolean {
  return error instanceof DOMException && error.name === "QuotaExceededError";
}

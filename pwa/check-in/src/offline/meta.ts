import type { Database, Session } from "./db.ts";
import type { Sealed } from "./items.ts";
import type { KeySet } from "./sealed.ts";

/** Names this phone to the server and counts its operations from 1. */
export interface Device {
  readonly device_id: string;
  readonly last_seq: number;
}

export interface Meta {
  readonly session: StoredSession | Session;
  /** Opens what was told to the session; no script can read it. */
  readonly key: CryptoKey;
  readonly ring: KeySet;
  readonly pin: StoredPin;
  readonly device_lock: StoredDeviceLock;
  readonly device: Device;
  readonly clock_offset_ms: number;
  /** The last moment that is known, by the server's clock: time does not go back behind it. */
  readonly clock_mark: number;
  readonly branch: string;
  readonly last_received_at: number;
}

/** What a PIN is recognised by, and how often a wrong one was typed since. */
export interface StoredPin {
  readonly author: string;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly hash: string;
  readonly wrong: number;
}

/** By what the phone's own lock is recognised: the name of its key, and the half of it that checks signatures. */
export interface StoredDeviceLock {
  readonly author: string;
  readonly id: ArrayBuffer;
  readonly public_key: ArrayBuffer;
  /** As COSE numbers it. */
  readonly algorithm: number;
}

/** A session at rest: its token is sealed; none is kept that the server refused. Older versions kept it as it is. */
export interface StoredSession extends Omit<Session, "token"> {
  readonly sealed: Sealed | null;
}

/** What the phone remembers beside lists and work. */
export async function recall<Name extends keyof Meta>(database: Database, name: Name): Promise<Meta[Name] | undefined> {
  return (await database.use((db) => db.get("meta", name))) as Meta[Name] | undefined;
}

export async function saveMeta<Name extends keyof Meta>(
  database: Database,
  name: Name,
  value: Meta[Name] | undefined,
): Promise<void> {
  await database.use(async (db) => {
    if (value === undefined) await db.delete("meta", name);
    else await db.put("meta", value, name);
  });
}

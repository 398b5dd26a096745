import type { Database, DeviceSession } from "./db.ts";
import type { EncryptedData } from "./items.ts";
import type { WorkKeySet } from "./work-keys.ts";

/** Identifies this device to the server and counts its operations from 1. */
export interface Device {
  readonly device_id: string;
  readonly last_seq: number;
}

/** Entries of the device's state by their keys in the database. */
export interface DeviceState {
  readonly session: StoredSession | DeviceSession;
  /** Decrypts server data of the session. Scripts can't read the key. */
  readonly key: CryptoKey;
  readonly ring: WorkKeySet;
  readonly pin: StoredPin;
  readonly device_lock: StoredDeviceLock;
  readonly device: Device;
  readonly clock_offset_ms: number;
  /** Latest known instant by the server's clock. Time never goes back before it. */
  readonly clock_mark: number;
  readonly branch: string;
  readonly last_received_at: number;
}

/** Data to verify a PIN, and the number of wrong attempts since the last correct one. */
export interface StoredPin {
  readonly author: string;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly hash: string;
  readonly wrong: number;
}

/** Data to verify the device lock: the id of its key and the public key. */
export interface StoredDeviceLock {
  readonly author: string;
  readonly id: ArrayBuffer;
  readonly public_key: ArrayBuffer;
  /** Algorithm of the key by its COSE number, such as -7 for ES256. */
  readonly algorithm: number;
}

/** A stored session with an encrypted token. Rejected tokens aren't stored. Older versions stored it unencrypted. */
export interface StoredSession extends Omit<DeviceSession, "token"> {
  readonly sealed: EncryptedData | null;
}

/** Reads a setting or state value of the device. */
export async function readDeviceState<Name extends keyof DeviceState>(
  database: Database,
  name: Name,
): Promise<DeviceState[Name] | undefined> {
  return (await database.use((db) => db.get("meta", name))) as DeviceState[Name] | undefined;
}

export async function saveDeviceState<Name extends keyof DeviceState>(
  database: Database,
  name: Name,
  value: DeviceState[Name] | undefined,
): Promise<void> {
  await database.use(async (db) => {
    if (value === undefined) await db.delete("meta", name);
    else await db.put("meta", value, name);
  });
}

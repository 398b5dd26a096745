import type { Database } from "./db.ts";
import { newId } from "./ids.ts";
import { type Device, recall, saveMeta } from "./meta.ts";

/** A name that no phone had before, under which it counts from 1. */
export const newDevice = (now: number): Device => ({ device_id: newId(now), last_seq: 0 });

/** The name of this phone; from now on it has one. */
export async function knownDevice(database: Database, now: number): Promise<Device> {
  const known = await recall(database, "device");
  if (known) return known;
  const device = newDevice(now);
  await saveMeta(database, "device", device);
  return device;
}

/**
 * Gives this phone another name where it has counted no further than `seen`: two pieces of work must not have one
 * number. Whether it did.
 */
export function renameDevice(database: Database, seen: Device, now: number): Promise<boolean> {
  return database.write(["meta"], async (transaction) => {
    const meta = transaction.objectStore("meta");
    const { device_id, last_seq } = (await meta.get("device")) as Device;
    if (device_id !== seen.device_id || last_seq !== seen.last_seq) return false;
    await meta.put(newDevice(now), "device");
    return true;
  });
}

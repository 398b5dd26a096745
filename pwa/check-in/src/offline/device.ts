import type { Database } from "./db.ts";
import { createUuidV7 } from "./ids.ts";
import { type Device, readDeviceState, saveDeviceState } from "./stored-metadata.ts";

/** Creates a new device id, with sequence numbers starting at 1. */
export const createDevice = (now: number): Device => ({ device_id: createUuidV7(now), last_seq: 0 });

/** Returns the device's id and creates it if necessary. */
export async function findOrCreateDevice(database: Database, now: number): Promise<Device> {
  const known = await readDeviceState(database, "device");
  if (known) return known;
  const device = createDevice(now);
  await saveDeviceState(database, "device", device);
  return device;
}

/**
 * Gives this device a new id if its sequence number is still the one expected, because two operations must not share
 * one. Returns whether it did.
 */
export function replaceDeviceId(database: Database, expectedDevice: Device, now: number): Promise<boolean> {
  return database.write(["meta"], async (transaction) => {
    const meta = transaction.objectStore("meta");
    const { device_id, last_seq } = (await meta.get("device")) as Device;
    if (device_id !== expectedDevice.device_id || last_seq !== expectedDevice.last_seq) return false;
    await meta.put(createDevice(now), "device");
    return true;
  });
}

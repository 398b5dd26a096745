import { batch, signal } from "@preact/signals";
import type { TransferTrip, TransferTrips } from "../api/messages.ts";
import { findKept, type Kept, outdate, renew } from "../offline/cache.ts";
import { client, database } from "./phone.ts";
import { branch, deps, nowThere } from "./settings.ts";

/** The trips of the day that is shown. */
export const trips = signal<Kept<TransferTrips> | undefined>(undefined);
/** Those that a link names and that are of another kept day. */
const elsewhere = signal<TransferTrips["data"]>([]);

const KIND = "transfers";
const keyOf = (on: string, code: string) => `${KIND}|${on}|${code}`;
const pathOf = (on: string, code: string) =>
  `/api/v1/booking/transfer-trips?date=${on}&rental_location_code=${encodeURIComponent(code)}`;

export const findTrips = (on: string, code: string) => findKept<TransferTrips>(database, keyOf(on, code));
export const renewTrips = (on: string, code: string) => renew<TransferTrips>(deps, keyOf(on, code), pathOf(on, code));

export function tripOf(id: number, position: string): TransferTrip | undefined {
  const known = [...(trips.value?.data.data ?? []), ...elsewhere.value];
  return known.find((trip) => trip.booking_id === id && trip.position === position);
}

/** A trip that a link names may be of another kept day. */
export async function findTrip(id: number, position: string): Promise<void> {
  if (tripOf(id, position)) return;
  for (const key of await database.use((db) => db.getAllKeys("cache"))) {
    if (!key.startsWith(`${KIND}|`)) continue;
    const kept = await findKept<TransferTrips>(database, key);
    const found = kept?.data.data.filter(({ booking_id }) => booking_id === id) ?? [];
    elsewhere.value = [...elsewhere.value, ...found];
  }
}

/** Whether the office could cancel the trip's reservation: not once its outward trip has departed. */
export function isCancellable({ status, date_from, time_from }: TransferTrip): boolean {
  const now = nowThere();
  const isOpen = status === "pending_confirmation" || status === "confirmed";
  return isOpen && `${date_from} ${time_from}` > `${now.date} ${now.time}`;
}

export type CancelOutcome = "ok" | "begun" | "failed";

/** Cancels a trip's reservation. Needs the network: a vehicle that is free again is sold at once. */
export async function cancelTransfer({ booking_id, date }: TransferTrip, reason: string): Promise<CancelOutcome> {
  const path = `/api/v1/booking/transfer-reservations/${booking_id}/cancel`;
  const answer = await client.call("POST", path, { json: { reason } });
  if (answer.kind !== "ok") return answer.kind === "refused" && answer.status === 409 ? "begun" : "failed";
  const cancelled = (trip: TransferTrip) =>
    trip.booking_id === booking_id ? { ...trip, status: "cancelled" as const } : trip;
  batch(() => {
    elsewhere.value = elsewhere.value.map(cancelled);
    const shown = trips.value;
    if (shown) trips.value = { ...shown, data: { ...shown.data, data: shown.data.data.map(cancelled) } };
  });
  outdate(database, keyOf(date, branch.value));
  void renewTrips(date, branch.value);
  return "ok";
}

/** Nothing of any trip is in memory any more. */
export function forgetTrips(): void {
  trips.value = undefined;
  elsewhere.value = [];
}

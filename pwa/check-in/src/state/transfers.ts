import { batch, signal } from "@preact/signals";
import type { TransferCancellationRequest } from "#worker/api/check-in/transfer-messages.ts";
import type { TransferTrip, TransferTrips } from "../api/messages.ts";
import { type CachedList, findCachedList, ignorePendingListResponses, refreshCachedList } from "../offline/cache.ts";
import { client, database } from "./device-session.ts";
import { cacheRefreshDeps, getCompanyNow, selectedBranchCode } from "./settings.ts";

/** Trips of the selected day. */
export const trips = signal<CachedList<TransferTrips> | undefined>(undefined);
/** Trips opened by a link that are on other stored days. */
const otherTrips = signal<TransferTrips["data"]>([]);

const KIND = "transfers";
const toTripsKey = (on: string, code: string) => `${KIND}|${on}|${code}`;
const toTripsPath = (on: string, code: string) =>
  `/api/v1/booking/transfer-trips?date=${on}&rental_location_code=${encodeURIComponent(code)}`;

export const findCachedTrips = (date: string, branchCode: string) =>
  findCachedList<TransferTrips>(database, toTripsKey(date, branchCode));
export const refreshCachedTrips = (date: string, branchCode: string) =>
  refreshCachedList<TransferTrips>(cacheRefreshDeps, toTripsKey(date, branchCode), toTripsPath(date, branchCode));

/** Returns a loaded trip by its booking and its position in it. */
export function findTransferTrip(id: number, position: string): TransferTrip | undefined {
  const known = [...(trips.value?.data.data ?? []), ...otherTrips.value];
  return known.find((trip) => trip.booking_id === id && trip.position === position);
}

/** Loads a trip opened by a link, which may be on another stored day. */
export async function loadTripFromCache(id: number, position: string): Promise<void> {
  if (findTransferTrip(id, position)) return;
  for (const key of await database.use((db) => db.getAllKeys("cache"))) {
    if (!key.startsWith(`${KIND}|`)) continue;
    const cachedTrips = await findCachedList<TransferTrips>(database, key);
    const bookingTrips = cachedTrips?.data.data.filter(({ booking_id }) => booking_id === id) ?? [];
    otherTrips.value = [...otherTrips.value, ...bookingTrips];
  }
}

/** Whether the office can still cancel the reservation, which is possible until its outward trip departs. */
export function isReservationCancellable({ status, date_from, time_from }: TransferTrip): boolean {
  const now = getCompanyNow();
  const isOpen = status === "pending_confirmation" || status === "confirmed";
  return isOpen && `${date_from} ${time_from}` > `${now.date} ${now.time}`;
}

export type TransferCancelOutcome = "ok" | "begun" | "failed";

/** Cancels a trip's reservation. Needs the network, because a released vehicle is immediately available for sale. */
export async function cancelTransfer(
  { booking_id, date }: TransferTrip,
  reason: string,
): Promise<TransferCancelOutcome> {
  const path = `/api/v1/booking/transfer-reservations/${booking_id}/cancel`;
  const answer = await client.call<unknown, TransferCancellationRequest>("POST", path, { json: { reason } });
  if (answer.kind !== "ok") return answer.kind === "refused" && answer.status === 409 ? "begun" : "failed";
  const cancelled = (trip: TransferTrip) =>
    trip.booking_id === booking_id ? { ...trip, status: "cancelled" as const } : trip;
  batch(() => {
    otherTrips.value = otherTrips.value.map(cancelled);
    const visibleTrips = trips.value;
    if (visibleTrips)
      trips.value = { ...visibleTrips, data: { ...visibleTrips.data, data: visibleTrips.data.data.map(cancelled) } };
  });
  ignorePendingListResponses(database, toTripsKey(date, selectedBranchCode.value));
  void refreshCachedTrips(date, selectedBranchCode.value);
  return "ok";
}

/** Clears all trips from memory. */
export function clearTrips(): void {
  trips.value = undefined;
  otherTrips.value = [];
}

import { batch, computed, signal } from "@preact/signals";
import type { Booking, Day, Extras, RentalUnit, Vehicle, Vehicles } from "../api/messages.ts";
import { type CachedList, deleteOldDays, findCachedList, renew } from "../offline/cache.ts";
import { requeueLost } from "../offline/outbox.ts";
import { dayAfter } from "./civil.ts";
import { database, reload, send } from "./phone.ts";
import { branch, daysAround, deps, getStorageRules, today } from "./settings.ts";
import { findTrips, renewTrips, trips } from "./transfers.ts";

/** Bookings whose extras are fetched beforehand, so that a car park without a signal has them. */
const EXTRAS_AHEAD = 40;

export const date = signal("");
export const day = signal<CachedList<Day> | undefined>(undefined);
export const isLoading = signal(false);
export const fleet = signal<readonly Vehicle[]>([]);
export const fleetAt = signal<number | undefined>(undefined);

const dayKey = (on: string, code: string) => `day|${on}|${code}`;
const dayPath = (on: string, code: string) =>
  `/api/v1/booking/deliveries-collections?date=${on}&rental_location_code=${encodeURIComponent(code)}`;

/** The booking as it was last told, on whichever kept day it is. */
export const bookings = computed(() => {
  const all = new Map<number, Booking>();
  for (const entry of [...(day.value?.data.collections ?? []), ...(day.value?.data.deliveries ?? [])]) {
    all.set(entry.booking_id, entry);
  }
  return all;
});

/** The other days that are on the phone, by their dates. */
export const otherDays = signal<ReadonlyMap<string, Day>>(new Map());

/** Every booking that is on the phone, as the newest of its days tells of it. */
export const everyBooking = computed(() => {
  const all = new Map<number, Booking>();
  for (const { collections, deliveries } of otherDays.value.values()) {
    for (const entry of [...collections, ...deliveries]) {
      const known = all.get(entry.booking_id);
      if (!known || known.version <= entry.version) all.set(entry.booking_id, entry);
    }
  }
  for (const [id, entry] of bookings.value) all.set(id, entry);
  return all;
});

// Brings the other days of the branch into memory, to be searched and looked through.
async function loadOtherDays(): Promise<void> {
  const [on, code] = [date.peek(), branch.peek()];
  const bookingDays = new Map<string, Day>();
  for (const key of await database.use((db) => db.getAllKeys("cache"))) {
    const [kind, keptDate = "", keptBranch] = key.split("|");
    if (kind !== "day" || keptBranch !== code || keptDate === on) continue;
    const cachedDay = await findCachedList<Day>(database, key);
    if (cachedDay) bookingDays.set(keptDate, cachedDay.data);
  }
  if (on === date.peek() && code === branch.peek()) otherDays.value = bookingDays;
}

const otherBookings = signal<ReadonlyMap<number, Booking>>(new Map());
export const findBookingOfDay = (id: number) => bookings.value.get(id) ?? otherBookings.value.get(id);
export const findUnit = (booking: Booking, unitId: number): RentalUnit | undefined =>
  booking.resources.find(({ resource_id }) => resource_id === unitId);

/** Shows a day: what is kept at once, what the server says when it says it. */
export async function showDay(on: string): Promise<void> {
  await showStoredDay(on);
  // Another one was asked for meanwhile.
  if (on !== date.peek()) return;
  await Promise.all([renewDay(), loadOtherDays()]);
}

let lastShowRequest = 0;

/** Shows a day as this phone keeps it, where it is not shown yet; the last one that is asked for. */
export async function showStoredDay(on: string): Promise<void> {
  lastShowRequest += 1;
  const own = lastShowRequest;
  const code = branch.value;
  if (on === date.peek() && code === day.peek()?.data.rental_location_code) return;
  const [cachedDay, keptTrips] = await Promise.all([
    findCachedList<Day>(database, dayKey(on, code)),
    findTrips(on, code),
  ]);
  if (own !== lastShowRequest) return;
  batch(() => {
    date.value = on;
    day.value = cachedDay;
    trips.value = keptTrips;
  });
}

export async function renewDay(): Promise<void> {
  const [on, code] = [date.value, branch.value];
  isLoading.value = on !== "" && code !== "";
  if (!isLoading.value) return;
  const isCurrent = () => on === date.value && code === branch.value;
  // Each as it comes: while the other is awaited, this phone may change what it tells.
  await Promise.all([
    askForDay(on, code).then((fresh) => {
      if (fresh && isCurrent()) day.value = fresh;
    }),
    renewTrips(on, code).then((fresh) => {
      if (fresh && isCurrent()) trips.value = fresh;
    }),
  ]);
  if (isCurrent()) isLoading.value = false;
}

/** Asks the server for a day. What it knows no more of what arrived there is sent anew: its database went back. */
async function askForDay(on: string, code: string): Promise<CachedList<Day> | undefined> {
  const requestedAt = Date.now();
  const renewedDay = await renew<Day>(deps, dayKey(on, code), dayPath(on, code));
  if (!renewedDay) return undefined;
  const { deliveries, collections } = renewedDay.data;
  const versions = new Map([...deliveries, ...collections].map(({ booking_id, version }) => [booking_id, version]));
  if (await requeueLost(database, { versions, askedAt: requestedAt })) {
    await reload();
    void send();
  }
  return renewedDay;
}

/** Makes sure that what a shift needs is on the phone: three days, the fleet, the extras. */
export async function fetchAhead(): Promise<void> {
  const code = branch.value;
  if (!code) return;
  for (const on of daysAround()) {
    if (on === date.value) continue;
    await askForDay(on, code);
    await renewTrips(on, code);
  }
  await deleteOldDays(database, dayAfter(today(), -1));
  await loadOtherDays();
  await renewFleet();
  const due = (day.value?.data.deliveries ?? []).filter(({ resources }) =>
    resources.some(({ state }) => state === "to_deliver"),
  );
  for (const { booking_id } of due.slice(0, EXTRAS_AHEAD)) {
    if (!(await findCachedList(database, extrasKey(booking_id)))) await renewExtras(booking_id, "delivery");
  }
}

export async function loadFleet(): Promise<void> {
  const code = branch.peek();
  const cachedDay = await findCachedList<Vehicles>(database, `fleet|${getStorageRules(code)}`);
  if (code !== branch.peek()) return;
  fleet.value = cachedDay?.data.data ?? day.value?.data.vehicles ?? [];
  fleetAt.value = cachedDay?.fetchedAt;
}

/** Asks the server how the vehicles are, and shows what it says. */
export async function renewFleet(): Promise<void> {
  const storage = getStorageRules(branch.value);
  if (storage === undefined) return;
  await renew<Vehicles>(deps, `fleet|${storage}`, `/api/booking-items-search?rental_storage_id=${storage}`);
  await loadFleet();
}

const extrasKey = (bookingId: number) => `extras|${bookingId}`;

async function renewExtras(
  bookingId: number,
  action: "delivery" | "collection",
): Promise<CachedList<Extras> | undefined> {
  return renew<Extras>(deps, extrasKey(bookingId), `/api/booking/${bookingId}/extra-search?action=${action}`);
}

/** The extras that a booking can have, as they are on the phone. */
export async function loadStoredExtras(bookingId: number): Promise<Extras | undefined> {
  return (await findCachedList<Extras>(database, extrasKey(bookingId)))?.data;
}

/** The extras that a booking can have; kept ones where the server cannot be asked. */
export async function loadExtras(
  bookingId: number,
  action: "delivery" | "collection",
): Promise<CachedList<Extras> | undefined> {
  return (await renewExtras(bookingId, action)) ?? findCachedList<Extras>(database, extrasKey(bookingId));
}

/** A booking that a link or a draft names may be of another kept day. */
export async function findBooking(id: number): Promise<void> {
  if (findBookingOfDay(id)) return;
  for (const key of await database.use((db) => db.getAllKeys("cache"))) {
    if (!key.startsWith("day|")) continue;
    const cachedDay = await findCachedList<Day>(database, key);
    const bookingDays = [...(cachedDay?.data.deliveries ?? []), ...(cachedDay?.data.collections ?? [])].find(
      ({ booking_id }) => booking_id === id,
    );
    if (bookingDays) otherBookings.value = new Map(otherBookings.value).set(id, bookingDays);
  }
}

/** A booking that was called off here is in no list any more: it is shown as what it is. */
export function showCancelled(booking: Booking): void {
  otherBookings.value = new Map(otherBookings.value).set(booking.booking_id, { ...booking, status: "cancelled" });
}

/** Nothing of any day is in memory any more. */
export function clearDays(): void {
  batch(() => {
    date.value = "";
    day.value = undefined;
    otherDays.value = new Map();
    otherBookings.value = new Map();
    fleet.value = [];
    fleetAt.value = undefined;
  });
}

import { batch, computed, signal } from "@preact/signals";
import type { Booking, Day, Extras, RentalUnit, Vehicle, Vehicles } from "../api/messages.ts";
import { findKept, forgetOldDays, type Kept, renew } from "../offline/cache.ts";
import { requeueLost } from "../offline/outbox.ts";
import { dayAfter } from "./civil.ts";
import { database, reload, send } from "./phone.ts";
import { branch, daysAround, deps, storageOf, today } from "./settings.ts";
import { findTrips, renewTrips, trips } from "./transfers.ts";

/** Bookings whose extras are fetched beforehand, so that a car park without a signal has them. */
const EXTRAS_AHEAD = 40;

export const date = signal("");
export const day = signal<Kept<Day> | undefined>(undefined);
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
  const found = new Map<string, Day>();
  for (const key of await database.use((db) => db.getAllKeys("cache"))) {
    const [kind, keptDate = "", keptBranch] = key.split("|");
    if (kind !== "day" || keptBranch !== code || keptDate === on) continue;
    const kept = await findKept<Day>(database, key);
    if (kept) found.set(keptDate, kept.data);
  }
  if (on === date.peek() && code === branch.peek()) otherDays.value = found;
}

const elsewhere = signal<ReadonlyMap<number, Booking>>(new Map());
export const bookingOf = (id: number) => bookings.value.get(id) ?? elsewhere.value.get(id);
export const unitOf = (booking: Booking, unitId: number): RentalUnit | undefined =>
  booking.resources.find(({ resource_id }) => resource_id === unitId);

/** Shows a day: what is kept at once, what the server says when it says it. */
export async function showDay(on: string): Promise<void> {
  await showKeptDay(on);
  // Another one was asked for meanwhile.
  if (on !== date.peek()) return;
  await Promise.all([renewDay(), loadOtherDays()]);
}

let lastShown = 0;

/** Shows a day as this phone keeps it, where it is not shown yet; the last one that is asked for. */
export async function showKeptDay(on: string): Promise<void> {
  lastShown += 1;
  const own = lastShown;
  const code = branch.value;
  if (on === date.peek() && code === day.peek()?.data.rental_location_code) return;
  const [kept, keptTrips] = await Promise.all([findKept<Day>(database, dayKey(on, code)), findTrips(on, code)]);
  if (own !== lastShown) return;
  batch(() => {
    date.value = on;
    day.value = kept;
    trips.value = keptTrips;
  });
}

export async function renewDay(): Promise<void> {
  const [on, code] = [date.value, branch.value];
  isLoading.value = on !== "" && code !== "";
  if (!isLoading.value) return;
  const isShown = () => on === date.value && code === branch.value;
  // Each as it comes: while the other is awaited, this phone may change what it tells.
  await Promise.all([
    askForDay(on, code).then((fresh) => {
      if (fresh && isShown()) day.value = fresh;
    }),
    renewTrips(on, code).then((fresh) => {
      if (fresh && isShown()) trips.value = fresh;
    }),
  ]);
  if (isShown()) isLoading.value = false;
}

/** Asks the server for a day. What it knows no more of what arrived there is sent anew: its database went back. */
async function askForDay(on: string, code: string): Promise<Kept<Day> | undefined> {
  const askedAt = Date.now();
  const told = await renew<Day>(deps, dayKey(on, code), dayPath(on, code));
  if (!told) return undefined;
  const { deliveries, collections } = told.data;
  const versions = new Map([...deliveries, ...collections].map(({ booking_id, version }) => [booking_id, version]));
  if (await requeueLost(database, { versions, askedAt })) {
    await reload();
    void send();
  }
  return told;
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
  await forgetOldDays(database, dayAfter(today(), -1));
  await loadOtherDays();
  await renewFleet();
  const due = (day.value?.data.deliveries ?? []).filter(({ resources }) =>
    resources.some(({ state }) => state === "to_deliver"),
  );
  for (const { booking_id } of due.slice(0, EXTRAS_AHEAD)) {
    if (!(await findKept(database, extrasKey(booking_id)))) await renewExtras(booking_id, "delivery");
  }
}

export async function loadFleet(): Promise<void> {
  const code = branch.peek();
  const kept = await findKept<Vehicles>(database, `fleet|${storageOf(code)}`);
  if (code !== branch.peek()) return;
  fleet.value = kept?.data.data ?? day.value?.data.vehicles ?? [];
  fleetAt.value = kept?.fetchedAt;
}

/** Asks the server how the vehicles are, and shows what it says. */
export async function renewFleet(): Promise<void> {
  const storage = storageOf(branch.value);
  if (storage === undefined) return;
  await renew<Vehicles>(deps, `fleet|${storage}`, `/api/booking-items-search?rental_storage_id=${storage}`);
  await loadFleet();
}

const extrasKey = (bookingId: number) => `extras|${bookingId}`;

async function renewExtras(bookingId: number, action: "delivery" | "collection"): Promise<Kept<Extras> | undefined> {
  return renew<Extras>(deps, extrasKey(bookingId), `/api/booking/${bookingId}/extra-search?action=${action}`);
}

/** The extras that a booking can have, as they are on the phone. */
export async function keptExtras(bookingId: number): Promise<Extras | undefined> {
  return (await findKept<Extras>(database, extrasKey(bookingId)))?.data;
}

/** The extras that a booking can have; kept ones where the server cannot be asked. */
export async function loadExtras(
  bookingId: number,
  action: "delivery" | "collection",
): Promise<Kept<Extras> | undefined> {
  return (await renewExtras(bookingId, action)) ?? findKept<Extras>(database, extrasKey(bookingId));
}

/** A booking that a link or a draft names may be of another kept day. */
export async function findBooking(id: number): Promise<void> {
  if (bookingOf(id)) return;
  for (const key of await database.use((db) => db.getAllKeys("cache"))) {
    if (!key.startsWith("day|")) continue;
    const kept = await findKept<Day>(database, key);
    const found = [...(kept?.data.deliveries ?? []), ...(kept?.data.collections ?? [])].find(
      ({ booking_id }) => booking_id === id,
    );
    if (found) elsewhere.value = new Map(elsewhere.value).set(id, found);
  }
}

/** A booking that was called off here is in no list any more: it is shown as what it is. */
export function showCancelled(booking: Booking): void {
  elsewhere.value = new Map(elsewhere.value).set(booking.booking_id, { ...booking, status: "cancelled" });
}

/** Nothing of any day is in memory any more. */
export function forgetDays(): void {
  batch(() => {
    date.value = "";
    day.value = undefined;
    otherDays.value = new Map();
    elsewhere.value = new Map();
    fleet.value = [];
    fleetAt.value = undefined;
  });
}

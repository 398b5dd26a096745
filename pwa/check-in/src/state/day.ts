import { batch, computed, signal } from "@preact/signals";
import type { Booking, Day, Extras, RentalUnit, Vehicle, Vehicles } from "../api/messages.ts";
import { type CachedList, deleteCachedDaysBefore, findCachedList, refreshCachedList } from "../offline/cache.ts";
import { requeueWorkLostByServer } from "../offline/outbox.ts";
import { shiftDate } from "./civil-time.ts";
import { database, reloadStoredWork, sendDueItems } from "./device-session.ts";
import { cacheRefreshDeps, getBranchGroupId, getToday, listShiftDates, selectedBranchCode } from "./settings.ts";
import { findCachedTrips, refreshCachedTrips, trips } from "./transfers.ts";

/** Number of bookings with prefetched extras, for car parks without a signal. */
const EXTRAS_AHEAD = 40;

/** Date of the day on screen, yyyy-mm-dd. */
export const shownDate = signal("");
/** Stored list of the day on screen. Undefined if it isn't on the device. */
export const shownDay = signal<CachedList<Day> | undefined>(undefined);
export const isDayLoading = signal(false);
/** Vehicles of the selected branch's group. */
export const loadedVehicles = signal<readonly Vehicle[]>([]);
/** Time at which the vehicles were fetched, epoch ms. Undefined if they are from the day's list. */
export const fleetFetchedAt = signal<number | undefined>(undefined);

const dayKey = (on: string, code: string) => `day|${on}|${code}`;
const dayPath = (on: string, code: string) =>
  `/api/v1/booking/deliveries-collections?date=${on}&rental_location_code=${encodeURIComponent(code)}`;

/** Latest data of each booking on any stored day. */
const bookings = computed(() => {
  const all = new Map<number, Booking>();
  for (const entry of [...(shownDay.value?.data.collections ?? []), ...(shownDay.value?.data.deliveries ?? [])]) {
    all.set(entry.booking_id, entry);
  }
  return all;
});

/** Days stored on the device other than the day on screen, by date. */
const otherDays = signal<ReadonlyMap<string, Day>>(new Map());

/** All bookings on the device, with their latest data. */
export const bookingsOnDevice = computed(() => {
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

// Loads the branch's other days into memory for search.
async function loadOtherDays(): Promise<void> {
  const [on, code] = [shownDate.peek(), selectedBranchCode.peek()];
  const bookingDays = new Map<string, Day>();
  for (const key of await database.use((db) => db.getAllKeys("cache"))) {
    const [kind, keptDate = "", keptBranch] = key.split("|");
    if (kind !== "day" || keptBranch !== code || keptDate === on) continue;
    const cachedDay = await findCachedList<Day>(database, key);
    if (cachedDay) bookingDays.set(keptDate, cachedDay.data);
  }
  if (on === shownDate.peek() && code === selectedBranchCode.peek()) otherDays.value = bookingDays;
}

const otherBookings = signal<ReadonlyMap<number, Booking>>(new Map());
export const findLoadedBooking = (id: number) => bookings.value.get(id) ?? otherBookings.value.get(id);
export const findUnit = (booking: Booking, unitId: number): RentalUnit | undefined =>
  booking.resources.find(({ resource_id }) => resource_id === unitId);

/** Shows a day, first from storage, then from the server. */
export async function showDay(date: string): Promise<void> {
  await showStoredDay(date);
  // The user has switched to another day.
  if (date !== shownDate.peek()) return;
  await Promise.all([refreshShownDay(), loadOtherDays()]);
}

let lastShowRequest = 0;

/** Shows a stored day if it isn't shown yet. Only the latest call has an effect. */
export async function showStoredDay(date: string): Promise<void> {
  lastShowRequest += 1;
  const own = lastShowRequest;
  const code = selectedBranchCode.value;
  if (date === shownDate.peek() && code === shownDay.peek()?.data.rental_location_code) return;
  const [cachedDay, keptTrips] = await Promise.all([
    findCachedList<Day>(database, dayKey(date, code)),
    findCachedTrips(date, code),
  ]);
  if (own !== lastShowRequest) return;
  batch(() => {
    shownDate.value = date;
    shownDay.value = cachedDay;
    trips.value = keptTrips;
  });
}

/** Requests the shown day and its trips again, and keeps the stored ones if the server is unreachable. */
export async function refreshShownDay(): Promise<void> {
  const [on, code] = [shownDate.value, selectedBranchCode.value];
  isDayLoading.value = on !== "" && code !== "";
  if (!isDayLoading.value) return;
  const isCurrent = () => on === shownDate.value && code === selectedBranchCode.value;
  // Apply each response on arrival, because this device may change the data while waiting.
  await Promise.all([
    askForDay(on, code).then((fresh) => {
      if (fresh && isCurrent()) shownDay.value = fresh;
    }),
    refreshCachedTrips(on, code).then((fresh) => {
      if (fresh && isCurrent()) trips.value = fresh;
    }),
  ]);
  if (isCurrent()) isDayLoading.value = false;
}

/** Requests a day. Requeues work that the server lost through a database restore. */
async function askForDay(on: string, code: string): Promise<CachedList<Day> | undefined> {
  const requestedAt = Date.now();
  const renewedDay = await refreshCachedList<Day>(cacheRefreshDeps, dayKey(on, code), dayPath(on, code));
  if (!renewedDay) return undefined;
  const { deliveries, collections } = renewedDay.data;
  const versions = new Map([...deliveries, ...collections].map(({ booking_id, version }) => [booking_id, version]));
  if (await requeueWorkLostByServer(database, { versions, askedAt: requestedAt })) {
    await reloadStoredWork();
    void sendDueItems();
  }
  return renewedDay;
}

/** Prefetches the data of a shift: three days, the fleet and the extras. */
export async function prefetchShift(): Promise<void> {
  const code = selectedBranchCode.value;
  if (!code) return;
  for (const on of listShiftDates()) {
    if (on === shownDate.value) continue;
    await askForDay(on, code);
    await refreshCachedTrips(on, code);
  }
  await deleteCachedDaysBefore(database, shiftDate(getToday(), -1));
  await loadOtherDays();
  await refreshFleet();
  const due = (shownDay.value?.data.deliveries ?? []).filter(({ resources }) =>
    resources.some(({ state }) => state === "to_deliver"),
  );
  for (const { booking_id } of due.slice(0, EXTRAS_AHEAD)) {
    if (!(await findCachedList(database, extrasKey(booking_id)))) await renewExtras(booking_id, "delivery");
  }
}

/** Shows the fleet of the selected branch as stored on this device. */
export async function loadStoredFleet(): Promise<void> {
  const code = selectedBranchCode.peek();
  const cachedDay = await findCachedList<Vehicles>(database, `fleet|${getBranchGroupId(code)}`);
  if (code !== selectedBranchCode.peek()) return;
  loadedVehicles.value = cachedDay?.data.data ?? shownDay.value?.data.vehicles ?? [];
  fleetFetchedAt.value = cachedDay?.fetchedAt;
}

/** Requests and shows the current fleet. */
export async function refreshFleet(): Promise<void> {
  const storage = getBranchGroupId(selectedBranchCode.value);
  if (storage === undefined) return;
  await refreshCachedList<Vehicles>(
    cacheRefreshDeps,
    `fleet|${storage}`,
    `/api/booking-items-search?rental_storage_id=${storage}`,
  );
  await loadStoredFleet();
}

const extrasKey = (bookingId: number) => `extras|${bookingId}`;

async function renewExtras(
  bookingId: number,
  action: "delivery" | "collection",
): Promise<CachedList<Extras> | undefined> {
  return refreshCachedList<Extras>(
    cacheRefreshDeps,
    extrasKey(bookingId),
    `/api/booking/${bookingId}/extra-search?action=${action}`,
  );
}

/** Returns the stored extras of a booking. */
export async function loadStoredExtras(bookingId: number): Promise<Extras | undefined> {
  return (await findCachedList<Extras>(database, extrasKey(bookingId)))?.data;
}

/** Loads the extras of a booking, or the stored ones if the server is unreachable. */
export async function loadExtras(
  bookingId: number,
  action: "delivery" | "collection",
): Promise<CachedList<Extras> | undefined> {
  return (await renewExtras(bookingId, action)) ?? findCachedList<Extras>(database, extrasKey(bookingId));
}

/** Loads a booking opened by a link or a draft. The booking may be on another stored day. */
export async function loadBookingFromCache(id: number): Promise<void> {
  if (findLoadedBooking(id)) return;
  for (const key of await database.use((db) => db.getAllKeys("cache"))) {
    if (!key.startsWith("day|")) continue;
    const cachedDay = await findCachedList<Day>(database, key);
    const bookingDays = [...(cachedDay?.data.deliveries ?? []), ...(cachedDay?.data.collections ?? [])].find(
      ({ booking_id }) => booking_id === id,
    );
    if (bookingDays) otherBookings.value = new Map(otherBookings.value).set(id, bookingDays);
  }
}

/** Shows a booking as cancelled and removes it from the lists, as the server does when they are renewed. */
export function showBookingAsCancelled(booking: Booking): void {
  const isOther = ({ booking_id }: Booking) => booking_id !== booking.booking_id;
  const removeFrom = (day: Day): Day => ({
    ...day,
    deliveries: day.deliveries.filter(isOther),
    collections: day.collections.filter(isOther),
  });
  batch(() => {
    otherBookings.value = new Map(otherBookings.value).set(booking.booking_id, { ...booking, status: "cancelled" });
    if (shownDay.value) shownDay.value = { ...shownDay.value, data: removeFrom(shownDay.value.data) };
    otherDays.value = new Map([...otherDays.value].map(([date, day]) => [date, removeFrom(day)]));
  });
}

/** Clears all days from memory. */
export function clearDays(): void {
  batch(() => {
    shownDate.value = "";
    shownDay.value = undefined;
    otherDays.value = new Map();
    otherBookings.value = new Map();
    loadedVehicles.value = [];
    fleetFetchedAt.value = undefined;
  });
}

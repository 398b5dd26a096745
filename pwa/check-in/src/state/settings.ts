import { signal } from "@preact/signals";
import { type CivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";
import type { Settings } from "../api/messages.ts";
import { decryptCachedList, findCachedList, refreshCachedList } from "../offline/cache.ts";
import type { InitialState } from "../offline/load-initial-state.ts";
import { requeueRejectedWork } from "../offline/outbox.ts";
import { readDeviceState, saveDeviceState } from "../offline/stored-metadata.ts";
import { shiftDate, toCivilTime } from "./civil-time.ts";
import { client, clockOffsetMs, database, sendDueItems, session, storeSession } from "./device-session.ts";
import { viewer } from "./outbox.ts";
import { country } from "./preferences.ts";

/** Dependencies for refreshing cached lists: database, client, clock and signed-in user. */
export const cacheRefreshDeps = { database, client, now: Date.now, username: () => session.peek()?.username };
const PATH = "/api/v1/booking/delivery-collection-app-settings";

export const settings = signal<Settings | undefined>(undefined);
/** Code of the selected branch. */
export const selectedBranchCode = signal("");

export const getBranchGroupId = (code: string) =>
  settings.value?.rental_locations.find((location) => location.code === code)?.rental_storage_id;

/** Returns the name of a branch. */
export const getBranchName = (code: string): string =>
  settings.value?.rental_locations.find((item) => item.code === code)?.name ?? code;

/** Time zone of the company. Until known, that of the device. */
export const getTimezone = (): string => settings.value?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Current date and time at the company, by the server's clock. */
export const getCompanyNow = () => toCivilTime(Date.now() + clockOffsetMs.value, getTimezone());

/** Returns the current time at the company as a minute count. */
export function getCompanyMinute(): CivilMinute {
  const { date, time } = getCompanyNow();
  return toCivilMinute(date, time as TimeText);
}

export const getToday = (): string => getCompanyNow().date;

/** Returns the date of an instant of the device's clock in the company's time zone. */
export const toCompanyDate = (deviceEpochMs: number): string =>
  toCivilTime(deviceEpochMs + clockOffsetMs.value, getTimezone()).date;

/** Lists the days that a shift may need: today, yesterday and tomorrow. */
export const listShiftDates = () => [getToday(), shiftDate(getToday(), -1), shiftDate(getToday(), 1)];

/** Applies the settings stored on this device, if any. */
export async function loadStoredSettings(atStart?: InitialState): Promise<void> {
  const cachedSettings = await (atStart
    ? decryptCachedList<Settings>(database, atStart.settings)
    : findCachedList<Settings>(database, "settings"));
  if (cachedSettings)
    take(cachedSettings.data, atStart ? atStart.meta.branch : await readDeviceState(database, "branch"));
}

/** Requests and applies the settings. Returns false if the server is unreachable. */
export async function renewSettings(): Promise<boolean> {
  const fresh = await refreshCachedList<Settings>(cacheRefreshDeps, "settings", PATH);
  if (!fresh) return false;
  take(fresh.data, await readDeviceState(database, "branch"));
  await followRole(fresh.data.user.role);
  await sendRefused();
  return true;
}

const FORBIDDEN = [403];

// Access to settings proves that the user is staff, so work rejected with 403 before is retried.
async function sendRefused(): Promise<void> {
  const owner = { author: session.peek()?.username ?? "", seal: viewer.peek()?.seal };
  if (await requeueRejectedWork(database, owner, FORBIDDEN)) void sendDueItems();
}

/** Applies a changed role from the server to the session. */
async function followRole(role: string): Promise<void> {
  const currentSession = session.peek();
  if (currentSession && !currentSession.expired && currentSession.role !== role)
    await storeSession({ ...currentSession, role });
}

/** Applies the settings. The last branch stays selected if still permitted. */
function take(next: Settings, remembered: string | undefined): void {
  settings.value = next;
  country.value = next.country_code;
  const codes = next.rental_locations.map(({ code }) => code);
  const preferredBranch = selectedBranchCode.value || remembered;
  selectedBranchCode.value = codes.find((code) => code === preferredBranch) ?? codes[0] ?? "";
}

/** Selects a branch and stores the choice. */
export async function chooseBranch(code: string): Promise<void> {
  selectedBranchCode.value = code;
  await saveDeviceState(database, "branch", code);
}

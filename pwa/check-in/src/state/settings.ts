import { signal } from "@preact/signals";
import { type CivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";
import type { Settings } from "../api/messages.ts";
import { decryptCachedList, findCachedList, renew } from "../offline/cache.ts";
import type { InitialState } from "../offline/load-initial-state.ts";
import { recall, saveMeta } from "../offline/meta.ts";
import { requeueRefused } from "../offline/outbox.ts";
import { civilTime, dayAfter } from "./civil.ts";
import { viewer } from "./outbox.ts";
import { client, clockOffsetMs, database, send, session, storeSession } from "./phone.ts";
import { country } from "./preferences.ts";

export const deps = { database, client, now: Date.now, owner: () => session.peek()?.username };
const PATH = "/api/v1/booking/delivery-collection-app-settings";

export const settings = signal<Settings | undefined>(undefined);
/** Code of the selected branch. */
export const branch = signal("");

export const getStorageRules = (code: string) =>
  settings.value?.rental_locations.find((location) => location.code === code)?.rental_storage_id;

/** Returns the name of a branch. */
export const branchName = (code: string): string =>
  settings.value?.rental_locations.find((item) => item.code === code)?.name ?? code;

/** Time zone of the company. Until known, that of the device. */
export const timezone = (): string => settings.value?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Current date and time at the company, by the server's clock. */
export const nowThere = () => civilTime(Date.now() + clockOffsetMs.value, timezone());

/** Returns the current time at the company as a minute count. */
export function minuteThere(): CivilMinute {
  const { date, time } = nowThere();
  return toCivilMinute(date, time as TimeText);
}

export const today = (): string => nowThere().date;

/** Returns the date of an instant of the device's clock in the company's time zone. */
export const dateThere = (at: number): string => civilTime(at + clockOffsetMs.value, timezone()).date;

export const daysAround = () => [today(), dayAfter(today(), -1), dayAfter(today(), 1)];

export async function loadStoredSettings(atStart?: InitialState): Promise<void> {
  const cachedSettings = await (atStart
    ? decryptCachedList<Settings>(database, atStart.settings)
    : findCachedList<Settings>(database, "settings"));
  if (cachedSettings) take(cachedSettings.data, atStart ? atStart.meta.branch : await recall(database, "branch"));
}

export async function renewSettings(): Promise<boolean> {
  const fresh = await renew<Settings>(deps, "settings", PATH);
  if (!fresh) return false;
  take(fresh.data, await recall(database, "branch"));
  await followRole(fresh.data.user.role);
  await sendRefused();
  return true;
}

const FORBIDDEN = [403];

// Access to settings proves that the user is staff, so work rejected with 403 before is retried.
async function sendRefused(): Promise<void> {
  const who = { author: session.peek()?.username ?? "", seal: viewer.peek()?.seal };
  if (await requeueRefused(database, who, FORBIDDEN)) void send();
}

/** Applies a changed role from the server to the session. */
async function followRole(role: string): Promise<void> {
  const who = session.peek();
  if (who && !who.expired && who.role !== role) await storeSession({ ...who, role });
}

/** Applies the settings. The last branch stays selected if still permitted. */
function take(next: Settings, remembered: string | undefined): void {
  settings.value = next;
  country.value = next.country_code;
  const codes = next.rental_locations.map(({ code }) => code);
  const preferredBranch = branch.value || remembered;
  branch.value = codes.find((code) => code === preferredBranch) ?? codes[0] ?? "";
}

export async function chooseBranch(code: string): Promise<void> {
  branch.value = code;
  await saveMeta(database, "branch", code);
}

import { type CalendarEvent, formatIcal } from "#domain/bookings/ical.ts";
import {
  addDays,
  type CivilDate,
  type CivilMinute,
  MILLISECONDS_PER_MINUTE,
  type TimeText,
  toCivilMinute,
} from "#domain/dates.ts";
import { accountSecretQuery } from "#worker/store/access/account-secrets.ts";
import {
  activeCalendarQuery,
  type CalendarBlock,
  type CalendarContract,
  calendarEventsQuery,
  toCalendar,
} from "#worker/store/bookings/calendar.ts";
import { toCivilNow, toEpochInstant } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { CALENDAR_LINK_SECRET, isCalendarSignatureValid } from "#worker/usecases/shared/calendar-links.ts";
import { formatIcalTime } from "#worker/usecases/shared/ical-time.ts";

const DAYS_BACK = 31;
const DAYS_AHEAD = 400;
const MAX_ENTRIES = 2000;
const MIDNIGHT = "00:00" as TimeText;
const HOUR_MILLISECONDS = 3_600_000;

/**
 * Returns a linked calendar as iCal. It shows the usage of a vehicle or category from a month ago to a year ahead,
 * without names. Undefined unless a current calendar signed the link in its present form.
 */
export async function readUsageCalendar(
  tenant: Tenant,
  { id, signature }: { readonly id: number; readonly signature: string },
  now: number,
): Promise<string | undefined> {
  const { catalogue } = await tenant.snapshot();
  const { timezone } = catalogue.settings;
  const [[calendar], [secret]] = await tenant.db.batch([
    activeCalendarQuery(tenant.db, id),
    accountSecretQuery(tenant.db, CALENDAR_LINK_SECRET),
  ]);
  if (!calendar || !secret || !(await isCalendarSignatureValid(tenant, secret.sealed, calendar.link, signature)))
    return undefined;
  const { date } = toCivilNow(timezone, now);
  const dateFrom = addDays(date, -DAYS_BACK);
  const [rows] = await tenant.replica.batch([
    calendarEventsQuery(tenant.replica, {
      ...calendar,
      dateFrom,
      dateTo: addDays(date, DAYS_AHEAD),
      startsAt: toCivilMinute(dateFrom, MIDNIGHT),
      now,
      most: MAX_ENTRIES,
    }),
  ]);
  const { contracts, blocks } = toCalendar(rows);
  const span = (from: CivilMinute, to: CivilMinute, item: ActualUse = NO_ACTUAL_USE) => {
    const agreed = { from: toEpochInstant(timezone, from), to: toEpochInstant(timezone, to) };
    const startsAt = item.since ?? Math.min(agreed.from, item.outAt ?? agreed.from);
    // An end in the hour skipped by a clock change would come before the start.
    const endsAt = Math.max(getUseEnd(agreed.to, item, now), startsAt + MILLISECONDS_PER_MINUTE);
    return { startsAt: formatIcalTime(startsAt), endsAt: formatIcalTime(endsAt) };
  };
  const today = formatIcalTime(toEpochInstant(timezone, toCivilMinute(date, MIDNIGHT)));
  const calendarSubject = calendar.vehicleReference ?? calendar.categoryCode ?? "";
  return formatIcal(calendar.name, [
    ...contracts.map((contract) => toContractEvent(contract, { account: tenant.name, of: calendarSubject, span })),
    ...blocks.map((block) => toBlockEvent(block, { account: tenant.name, of: calendarSubject, span, today })),
  ]);
}

type ActualUse = Partial<Pick<CalendarContract, "outAt" | "backAt" | "since">> & { readonly isOut: boolean };
const NO_ACTUAL_USE: ActualUse = { isOut: false };

// A vehicle is in use until its return, early or late. An overdue one counts as due within the hour, so that the
// calendar doesn't change on every read.
function getUseEnd(agreedTo: number, { backAt, isOut }: ActualUse, now: number): number {
  if (backAt != null) return backAt;
  return isOut ? Math.max(agreedTo, Math.ceil(now / HOUR_MILLISECONDS) * HOUR_MILLISECONDS) : agreedTo;
}

interface Around {
  readonly account: string;
  /** Reference of the vehicle, or code of the category, in the events' ids. */
  readonly of: string;
  readonly span: (from: CivilMinute, to: CivilMinute, item?: ActualUse) => Pick<CalendarEvent, "startsAt" | "endsAt">;
}

function toContractEvent(contract: CalendarContract, { account, of, span }: Around): CalendarEvent {
  const { id, version, lastUpdate, quantity, branchCode, returnBranchCode, exchange } = contract;
  const toMinute = (date: string, time: string) => toCivilMinute(date as CivilDate, time as TimeText);
  return {
    uid: `reservation-${id}-${uidPart(of)}${exchange == null ? "" : `-${exchange}`}@${account}`,
    sequence: version,
    changedAt: formatIcalTime(lastUpdate),
    ...span(toMinute(contract.dateFrom, contract.timeFrom), toMinute(contract.dateTo, contract.timeTo), {
      ...contract,
      isOut: contract.status === "in_progress",
    }),
    summary: `#${id} · ${of}${quantity > 1 ? ` × ${quantity}` : ""}`,
    location: branchCode === returnBranchCode ? branchCode : `${branchCode} → ${returnBranchCode}`,
    isTentative: contract.status === "pending_confirmation",
  };
}

// The time of a block's change isn't stored, so the current day is used.
function toBlockEvent(block: CalendarBlock, { account, of, span, today }: Around & { readonly today: string }) {
  return {
    uid: `block-${block.id}@${account}`,
    sequence: block.version,
    changedAt: today,
    ...span(block.startsAt, block.endsAt),
    summary: `${block.kind} · ${of}`,
    location: "",
    isTentative: false,
  };
}

const uidPart = (text: string) => text.replace(/[^\w.-]/g, "_");

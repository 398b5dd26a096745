import { type CalendarEvent, icalText } from "#domain/bookings/ical.ts";
import {
  addDays,
  type CivilDate,
  type CivilMinute,
  MILLISECONDS_PER_MINUTE,
  type TimeOfDay,
  toCivilMinute,
} from "#domain/dates.ts";
import { accountSecretQuery } from "#worker/store/access/account-secrets.ts";
import {
  type CalendarBlock,
  type CalendarContract,
  calendarEventsQuery,
  calendarQuery,
  toCalendar,
} from "#worker/store/bookings/calendar.ts";
import { civilNow, toMoment } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { isCalendarLink, LINK_SECRET } from "#worker/usecases/shared/calendar-links.ts";

const DAYS_BACK = 31;
const DAYS_AHEAD = 400;
const MOST = 2000;
const MIDNIGHT = "00:00" as TimeOfDay;
const HOUR_MILLISECONDS = 3_600_000;

/**
 * The calendar behind a link, as iCal: what a vehicle or a category is taken by from a month ago to a year ahead, by
 * numbers and places, without anybody's name. Undefined where no calendar in use has signed the link, as it is now.
 */
export async function readCalendar(
  tenant: Tenant,
  { id, signature }: { readonly id: number; readonly signature: string },
  now: number,
): Promise<string | undefined> {
  const { catalogue } = await tenant.snapshot();
  const { timezone } = catalogue.settings;
  const [[calendar], [secret]] = await tenant.db.batch([
    calendarQuery(tenant.db, id),
    accountSecretQuery(tenant.db, LINK_SECRET),
  ]);
  if (!calendar || !secret || !(await isCalendarLink(tenant, secret.sealed, calendar.link, signature)))
    return undefined;
  const { date } = civilNow(timezone, now);
  const dateFrom = addDays(date, -DAYS_BACK);
  const [rows] = await tenant.replica.batch([
    calendarEventsQuery(tenant.replica, {
      ...calendar,
      dateFrom,
      dateTo: addDays(date, DAYS_AHEAD),
      startsAt: toCivilMinute(dateFrom, MIDNIGHT),
      now,
      most: MOST,
    }),
  ]);
  const { contracts, blocks } = toCalendar(rows);
  const span = (from: CivilMinute, to: CivilMinute, taken: Taken = NOT_TAKEN) => {
    const agreed = { from: toMoment(timezone, from), to: toMoment(timezone, to) };
    const startsAt = taken.since ?? Math.min(agreed.from, taken.outAt ?? agreed.from);
    // What ends in the hour that a change of clocks leaves out would end before it begins.
    const endsAt = Math.max(endOf(agreed.to, taken, now), startsAt + MILLISECONDS_PER_MINUTE);
    return { startsAt: utcText(startsAt), endsAt: utcText(endsAt) };
  };
  const today = utcText(toMoment(timezone, toCivilMinute(date, MIDNIGHT)));
  const of = calendar.vehicleReference ?? calendar.categoryCode ?? "";
  return icalText(calendar.name, [
    ...contracts.map((contract) => toContractEvent(contract, { account: tenant.name, of, span })),
    ...blocks.map((block) => toBlockEvent(block, { account: tenant.name, of, span, today })),
  ]);
}

type Taken = Partial<Pick<CalendarContract, "outAt" | "backAt" | "since">> & { readonly isOut: boolean };
const NOT_TAKEN: Taken = { isOut: false };

// Taken until it is back, early or late. What should be back is so within the hour, as far as anybody knows: a calendar
// that is read again is the same until then.
function endOf(agreedTo: number, { backAt, isOut }: Taken, now: number): number {
  if (backAt != null) return backAt;
  return isOut ? Math.max(agreedTo, Math.ceil(now / HOUR_MILLISECONDS) * HOUR_MILLISECONDS) : agreedTo;
}

interface Around {
  readonly account: string;
  /** The vehicle or the category. */
  readonly of: string;
  readonly span: (from: CivilMinute, to: CivilMinute, taken?: Taken) => Pick<CalendarEvent, "startsAt" | "endsAt">;
}

function toContractEvent(contract: CalendarContract, { account, of, span }: Around): CalendarEvent {
  const { id, version, lastUpdate, quantity, branchCode, returnBranchCode, exchange } = contract;
  const minuteOf = (date: string, time: string) => toCivilMinute(date as CivilDate, time as TimeOfDay);
  return {
    uid: `reservation-${id}-${uidPart(of)}${exchange == null ? "" : `-${exchange}`}@${account}`,
    sequence: version,
    changedAt: utcText(lastUpdate),
    ...span(minuteOf(contract.dateFrom, contract.timeFrom), minuteOf(contract.dateTo, contract.timeTo), {
      ...contract,
      isOut: contract.status === "in_progress",
    }),
    summary: `#${id} · ${of}${quantity > 1 ? ` × ${quantity}` : ""}`,
    location: branchCode === returnBranchCode ? branchCode : `${branchCode} → ${returnBranchCode}`,
    isTentative: contract.status === "pending_confirmation",
  };
}

// When a block was changed is not kept: the day of the reading stands for it.
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

/** 20270118T090000Z */
function utcText(moment: number): string {
  return new Date(moment).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

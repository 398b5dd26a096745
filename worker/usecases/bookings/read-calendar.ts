import { type CalendarEvent, icalText } from "#domain/bookings/ical.ts";
import { addDays, type CivilDate, type CivilMinute, type TimeOfDay, toCivilMinute } from "#domain/dates.ts";
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
  const at = (minute: CivilMinute) => utcText(toMoment(timezone, minute));
  const today = at(toCivilMinute(date, MIDNIGHT));
  const of = calendar.vehicleReference ?? calendar.categoryCode ?? "";
  return icalText(calendar.name, [
    ...contracts.map((contract) => toContractEvent(contract, { account: tenant.name, of, at })),
    ...blocks.map((block) => toBlockEvent(block, { account: tenant.name, of, at, today })),
  ]);
}

interface Around {
  readonly account: string;
  /** The vehicle or the category. */
  readonly of: string;
  readonly at: (minute: CivilMinute) => string;
}

function toContractEvent(contract: CalendarContract, { account, of, at }: Around): CalendarEvent {
  const { id, version, lastUpdate, quantity, branchCode, returnBranchCode } = contract;
  const minuteOf = (date: string, time: string) => toCivilMinute(date as CivilDate, time as TimeOfDay);
  return {
    uid: `reservation-${id}-${uidPart(of)}@${account}`,
    sequence: version,
    changedAt: utcText(lastUpdate),
    startsAt: at(minuteOf(contract.dateFrom, contract.timeFrom)),
    endsAt: at(minuteOf(contract.dateTo, contract.timeTo)),
    summary: `#${id} · ${of}${quantity > 1 ? ` × ${quantity}` : ""}`,
    location: branchCode === returnBranchCode ? branchCode : `${branchCode} → ${returnBranchCode}`,
    isTentative: contract.status === "pending_confirmation",
  };
}

// When a block was changed is not kept: the day of the reading stands for it.
function toBlockEvent(block: CalendarBlock, { account, of, at, today }: Around & { readonly today: string }) {
  return {
    uid: `block-${block.id}@${account}`,
    sequence: block.version,
    changedAt: today,
    startsAt: at(block.startsAt),
    endsAt: at(block.endsAt),
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

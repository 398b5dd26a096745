import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { calendars } from "#worker/store/schema/calendars.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { selectVehicleContractPeriods } from "./vehicle-contract-periods.ts";

/** Returns the query for an active calendar by its id. `link` is the value that the signature in its URL confirms. */
export function activeCalendarQuery(db: Database, id: number) {
  return db
    .select({
      name: calendars.name,
      link: calendars.link,
      vehicleReference: calendars.vehicleReference,
      categoryCode: calendars.categoryCode,
    })
    .from(calendars)
    .where(and(eq(calendars.id, id), eq(calendars.active, true)));
}

/** Vehicle or category of a calendar, and its dates in the account's time zone, end excluded. */
export interface CalendarQueryInput {
  readonly vehicleReference: string | null;
  readonly categoryCode: string | null;
  readonly dateFrom: string;
  readonly dateTo: string;
  /** Start of the calendar in civil minutes. */
  readonly startsAt: number;
  /** Epoch ms. Holds expired by then don't count. */
  readonly now: number;
  readonly most: number;
}

/** Contract as an entry of a calendar, in the account's time zone. */
export interface CalendarContract {
  readonly id: number;
  readonly version: number;
  readonly lastUpdate: number;
  readonly status: string;
  readonly dateFrom: string;
  readonly timeFrom: string;
  readonly dateTo: string;
  readonly timeTo: string;
  readonly branchCode: string;
  readonly returnBranchCode: string;
  readonly quantity: number;
  /** Times of the contract's first delivery and last return, epoch ms. */
  readonly outAt?: number | null;
  readonly backAt?: number | null;
  /**
   * For a vehicle's calendar: delivery time (epoch ms) if the vehicle replaced another or was replaced, and
   * the number of the exchange in which it was returned.
   */
  readonly since?: number | null;
  readonly exchange?: number;
}

export interface CalendarBlock {
  readonly id: number;
  readonly version: number;
  readonly kind: string;
  readonly startsAt: number;
  readonly endsAt: number;
}

const toJsonList = (rows: ReturnType<typeof sql>) => sql<string>`(SELECT json_group_array(json(found)) FROM (${rows}))`;

const CONTRACT = sql`json_object('id', booking.id, 'version', booking.version, 'lastUpdate', booking.last_update, 'status', booking.status,
    'dateFrom', booking.date_from, 'timeFrom', booking.time_from, 'dateTo', booking.date_to, 'timeTo', booking.time_to,
    'branchCode', booking.branch_code, 'returnBranchCode', booking.return_branch_code`;

const backAt = (moment: SQL) => sql`'backAt', iif(count(*) = count(${moment}), max(${moment}), NULL)`;

// Selects the contracts with the calendar's vehicle or, without a vehicle, those with units of its category.
function selectContracts(input: CalendarQueryInput) {
  const isLiving = sql`booking.kind = 'rental' AND booking.status <> 'cancelled' AND booking.date_to >= ${input.dateFrom}
    AND booking.date_from < ${input.dateTo} AND (booking.status <> 'pending_confirmation' OR booking.expires_at IS NULL OR booking.expires_at > ${input.now})`;
  const page = sql`ORDER BY booking.date_from, booking.time_from, booking.id LIMIT ${input.most}`;
  if (input.vehicleReference !== null)
    return sql`SELECT ${CONTRACT}, 'quantity', 1, 'outAt', min(used.delivered_at), ${backAt(sql`used.back_at`)}, 'since', max(used.since),
        'exchange', used.exchange) AS found
      FROM (${selectVehicleContractPeriods(input.vehicleReference)}) AS used CROSS JOIN bookings AS booking ON booking.id = used.booking_id
      WHERE ${isLiving} GROUP BY booking.id, used.exchange ${page}`;
  return sql`SELECT ${CONTRACT}, 'quantity', count(*), 'outAt', min(unit.delivered_at),
    ${backAt(sql`unit.collected_at`)}) AS found FROM bookings AS booking INDEXED BY bookings_by_return
    CROSS JOIN booking_lines AS line ON line.booking_id = booking.id AND line.category_code = ${input.categoryCode}
    CROSS JOIN booking_units AS unit ON unit.booking_line_id = line.id
    WHERE booking.return_branch_code IN (SELECT code FROM branches) AND ${isLiving} GROUP BY booking.id ${page}`;
}

/** Returns the query for the contracts and blocks of a calendar, each as JSON. */
export function calendarEventsQuery(db: Database, input: CalendarQueryInput) {
  const blocks = sql`SELECT json_object('id', id, 'version', version, 'kind', kind, 'startsAt', starts_at, 'endsAt', ends_at) AS found
    FROM vehicle_blocks WHERE vehicle_reference = ${input.vehicleReference} AND ends_at > ${input.startsAt}
    ORDER BY starts_at LIMIT ${input.most}`;
  return db
    .select({
      contracts: toJsonList(selectContracts(input)).as("contracts"),
      blocks: toJsonList(blocks).as("blocks"),
    })
    .from(catalogueVersion);
}

/** Converts the query's result. */
export function toCalendar(rows: readonly { readonly contracts: string; readonly blocks: string }[]) {
  const [row] = rows;
  return {
    contracts: JSON.parse(row?.contracts ?? "[]") as readonly CalendarContract[],
    blocks: JSON.parse(row?.blocks ?? "[]") as readonly CalendarBlock[],
  };
}

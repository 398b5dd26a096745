import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import type { PlacedBooking, WritersHistory } from "../history.ts";
import {
  ACCOUNTS,
  type AccountDatabases,
  CONFIRMED_RECORDS_EXIST,
  DOUBLE,
  FOREIGN,
  reportIf,
  UNREQUESTED,
  type Violation,
} from "./violation.ts";

/** Highest booking id of each account before the first write. Later bookings belong to writers. */
export interface LastBookingIds {
  readonly lastBooking: Readonly<Record<AccountName, number>>;
}

/** Reads the highest booking id of each account. */
export function readLastBookingIds(accounts: AccountDatabases): LastBookingIds {
  const last = (rows: Rows) => rows<{ readonly id: number }>("SELECT max(id) AS id FROM bookings")[0]?.id ?? 0;
  return { lastBooking: { acme: last(accounts.acme), globex: last(accounts.globex) } };
}

interface StoredBooking {
  readonly account: AccountName;
  readonly status: string;
  readonly free_access_id: string;
  readonly name: string;
  readonly kind: string;
  /** 1 if the booking's hold expired unpaid. */
  readonly expired: number;
  /** JSON with the quantity of each extra by its code. */
  readonly extras: string;
}

// Selects a writer's booking by a name only it knows: the agency's reference or the cart.
const NAMED = `SELECT bookings.status, free_access_id, coalesce((SELECT min(api_key) FROM partner_keys WHERE partner_keys.agency_id = bookings.agency_id AND scope_ota = 1) || '/' || agency_reservation_id, cart_id) AS name, bookings.kind,
    (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id AND event = 'expired') AS expired,
    (SELECT json_group_object(code, quantity) FROM (SELECT extra_code AS code, quantity FROM booking_extras WHERE booking_id = bookings.id
      UNION ALL SELECT code, quantity FROM transfer_booking_extras JOIN transfer_extras ON id = transfer_extra_id WHERE booking_id = bookings.id)) AS extras
  FROM bookings WHERE id > ? AND (cart_id IS NOT NULL OR agency_reservation_id LIKE 'chaos-%')`;

const AGENCY_STATUSES: Readonly<Record<PlacedBooking["state"], readonly string[]>> = {
  asked: ["nothing", "confirmed", "in_progress", "done"],
  booked: ["confirmed", "in_progress", "done"],
  refused: ["nothing"],
  cancelling: ["confirmed", "cancelled"],
  cancelled: ["cancelled"],
};

/** Checks that everything acknowledged exists exactly once in its own account, and nothing rejected does. */
export function checkBookings(
  accounts: AccountDatabases,
  baseline: LastBookingIds,
  history: WritersHistory,
): readonly Violation[] {
  const storedBookings = new Map<string, StoredBooking[]>();
  for (const account of ACCOUNTS) {
    for (const row of accounts[account]<Omit<StoredBooking, "account">>(NAMED, baseline.lastBooking[account])) {
      storedBookings.set(row.name, [...(storedBookings.get(row.name) ?? []), { ...row, account }]);
    }
  }
  const requestedBookings = new Map([...history.agencyBookings, ...history.purchases]);
  const unrequested = [...storedBookings.keys()].filter((name) => !requestedBookings.has(name));
  return [
    ...unrequested.flatMap((name) => reportIf(true, UNREQUESTED, name)),
    ...[...requestedBookings].flatMap(([name, booked]) => checkBooked(name, booked, storedBookings.get(name) ?? [])),
  ];
}

function checkBooked(
  name: string,
  booked: PlacedBooking,
  storedBookings: readonly StoredBooking[],
): readonly Violation[] {
  const [first] = storedBookings;
  const status = first?.status ?? "nothing";
  const isPurchase = !name.includes("/");
  const unpaid = first?.expired === 1 ? "cancelled" : "pending_confirmation";
  const allowedStatuses: Readonly<Record<PlacedBooking["state"], readonly string[]>> = isPurchase
    ? { ...AGENCY_STATUSES, booked: [unpaid, "confirmed"], cancelling: [unpaid, "confirmed", "cancelled"] }
    : AGENCY_STATUSES;
  const allowed = allowedStatuses[booked.state];
  const isAllowed = allowed.includes(status) || (isPurchase && booked.state === "asked");
  const { account, freeAccessId } = booked;
  const isOther = freeAccessId !== undefined && first !== undefined && first.free_access_id !== freeAccessId;
  return [
    ...reportIf(storedBookings.length > 1, DOUBLE, `${name}: ${storedBookings.length} bookings`),
    ...reportIf(!isAllowed, CONFIRMED_RECORDS_EXIST, `${name}: ${booked.state}, but ${status}`),
    ...reportIf(first !== undefined && first.account !== account, FOREIGN, `${name} in ${first?.account}`),
    ...reportIf(isOther, DOUBLE, `${name}: answered another booking than is kept`),
    ...reportIf(
      first !== undefined && !isWhatWasChosen(booked, first),
      "a booking is what its cart acknowledged",
      `${name}: ${JSON.stringify(first)}`,
    ),
  ];
}

function isWhatWasChosen({ kind = "rental", extras }: PlacedBooking, stored: StoredBooking): boolean {
  const has: Readonly<Record<string, number>> = JSON.parse(stored.extras);
  const isSame =
    extras === undefined ||
    (Object.keys(has).length === extras.size && [...extras].every(([code, quantity]) => has[code] === quantity));
  return stored.kind === kind && isSame;
}

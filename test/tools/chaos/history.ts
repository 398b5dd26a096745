import type { AccountName } from "#tools/platform/client.ts";

/** State of a request as known to the client. `asked` means that the outcome is unknown. */
export interface PlacedBooking {
  readonly account: AccountName;
  readonly state: "asked" | "booked" | "refused" | "cancelling" | "cancelled";
  /** External id of the booking, if returned. */
  readonly freeAccessId?: string;
  /** Kind of booking for a cart. Agencies book rentals. */
  readonly kind?: "rental" | "transfer";
  /** Acknowledged quantity of each extra by code. */
  readonly extras?: ReadonlyMap<string, number>;
}

export interface CheckInOperationRecord {
  readonly kind: string;
  readonly bookingId: number;
  readonly state: "asked" | "applied" | "held" | "conflict" | "rejected";
  /** Charges taken with the operation. */
  readonly charges: readonly string[];
  /** Damage recorded with the operation. */
  readonly damages: readonly string[];
}

/** A request of desk staff. */
export interface DeskRequestRecord {
  readonly account: AccountName;
  readonly state: "asked" | "done" | "refused";
  readonly what: "charge" | "draft" | "invoice" | "issue" | "credit" | "exchange";
  readonly bookingId: number;
  /** Kind of a charge. */
  readonly kind?: string;
  /** Amount of a charge or credit. The full amount if not set. */
  readonly cents?: number;
  /** Document to issue, credit or exchange. */
  readonly documentId?: number;
}

/** An office write, identified by its Idempotency-Key. */
export interface OfficeWrite {
  readonly account: AccountName;
  readonly state: "asked" | "done" | "refused";
  /** Operation id in the OpenAPI document. */
  readonly operation: string;
  /** Resource in its path, if it writes the whole resource: `seasons`, `users`. */
  readonly kind?: string | undefined;
  readonly isRemoval: boolean;
  /** Whether it acts on a reservation and extends its version and history. */
  readonly isReservation?: boolean;
  /** Id of the record, with its version as last returned. Not set if unknown. */
  readonly id?: string | undefined;
  readonly version?: number;
  /** Refund request or gateway refund that it decides about. */
  readonly refundId?: number;
  /** Error code of a rejection. */
  readonly code?: string;
}

/** A customer's action on their own booking. */
export interface CustomerActionRecord {
  readonly account: AccountName;
  readonly state: "asked" | "done" | "refused";
  readonly action: "cancel" | "change";
  readonly freeAccessId: string;
  /** Version of the booking that the response returned. */
  readonly version?: number;
}

/** Expected minimum and maximum number of rows of a query. */
export interface RowCountExpectation {
  readonly account: AccountName;
  readonly sql: string;
  readonly values: readonly (string | number)[];
  readonly atLeast: number;
  readonly atMost: number;
}

/** A registered customer. */
export interface CustomerRegistrationRecord {
  readonly account: AccountName;
  readonly state: "asked" | "registered";
  /** Latest acknowledged password. Not set while a change is in progress. */
  readonly password?: string;
  readonly changed?: boolean;
}

/** All requests of the writers, with acknowledgements. */
export interface WritersHistory {
  /** Agency bookings by the agency's key and reference, `key/reference`. */
  readonly agencyBookings: Map<string, PlacedBooking>;
  /** Website bookings by cart id. */
  readonly purchases: Map<string, PlacedBooking>;
  /** Check-in operations by `op_id`. */
  readonly operations: Map<string, CheckInOperationRecord>;
  /** By `booking/hash`: whether the file was acknowledged. */
  readonly files: Map<string, boolean>;
  /** By the gateway's order: whether the notification was acknowledged. */
  readonly payments: Map<
    string,
    { readonly account: AccountName; readonly cents: number; readonly acknowledged: boolean }
  >;
  /** By the refund's authorisation code: whether the notification was acknowledged. */
  readonly refunds: Map<
    string,
    { readonly account: AccountName; readonly order: string; readonly cents: number; readonly acknowledged: boolean }
  >;
  /** Requests of desk staff by request id. */
  readonly desk: Map<string, DeskRequestRecord>;
  /** Office writes by their Idempotency-Key. */
  readonly officeWrites: Map<string, OfficeWrite>;
  /** Actions of customers on their own bookings, in request order. */
  readonly customerActions: Map<string, CustomerActionRecord>;
  /** Checks with a single query, by description. */
  readonly expectations: Map<string, RowCountExpectation>;
  /** By op_id: the office's decision about rejected work. */
  readonly resolutions: Map<string, { readonly state: "accepted" | "dismissed"; readonly isAcknowledged: boolean }>;
  /** Registered customers by user name. */
  readonly customers: Map<string, CustomerRegistrationRecord>;
}

export function createHistory(): WritersHistory {
  return {
    agencyBookings: new Map(),
    purchases: new Map(),
    operations: new Map(),
    files: new Map(),
    payments: new Map(),
    refunds: new Map(),
    desk: new Map(),
    officeWrites: new Map(),
    customerActions: new Map(),
    expectations: new Map(),
    resolutions: new Map(),
    customers: new Map(),
  };
}

/** Returns a copy that later acknowledgements don't change. */
export function copyHistory(history: WritersHistory): WritersHistory {
  const copies = Object.entries(history).map(([name, map]) => [name, new Map(map as Map<unknown, unknown>)]);
  return Object.fromEntries(copies) as WritersHistory;
}

/** Counts the requests by kind and outcome, and those that were acknowledged. */
export function countOutcomes(history: WritersHistory) {
  const outcomes = Object.entries(history).flatMap(([name, map]: [string, ReadonlyMap<string, unknown>]) =>
    [...map.values()].map((value) => `${name} ${describeOutcome(value)}`),
  );
  const counts = new Map([...Map.groupBy(outcomes, (outcome) => outcome)].map(([name, { length }]) => [name, length]));
  const acknowledged = outcomes.filter((outcome) => !/ (asked|refused)$/.test(outcome)).length;
  return { counts, acknowledged };
}

function describeOutcome(value: unknown): string {
  const {
    state,
    acknowledged,
    isAcknowledged,
    atLeast,
    atMost,
    what,
    operation = what,
    kind = operation,
  } = Object(value);
  const isDone = value === true || acknowledged || isAcknowledged || (atLeast !== undefined && atLeast === atMost);
  return [...(kind ? [kind] : []), state ?? (isDone ? "done" : "asked")].join(" ");
}

/** Lists office actions on reservations that were rejected. */
export function listRejectedActions({ officeWrites }: WritersHistory): readonly OfficeWrite[] {
  return [...officeWrites.values()].filter(({ state, isReservation }) => state === "refused" && isReservation);
}

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

/** An office action with the reservation as last returned. */
export interface OfficeActionRecord {
  readonly account: AccountName;
  readonly state: "asked" | "done" | "refused";
  /** Last path segment: `deliver`, `reopen`, … */
  readonly action: string;
  readonly id?: number;
  readonly version?: number;
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

/** A write of an office resource. */
export interface ResourceWriteRecord {
  readonly account: AccountName;
  readonly state: "asked" | "done" | "refused";
  /** Resource name in its path: `seasons`, `vehicles`, `sessions`. */
  readonly kind: string;
  readonly isRemoval: boolean;
  /** Last returned version. Not set if unknown. */
  readonly id?: string | undefined;
  readonly version?: number | undefined;
}

/** Decisions about refunds that need approval, and about those that a gateway rejected. */
export const REFUND_DECISIONS = ["approve", "decline"] as const;
export const GATEWAY_DECISIONS = ["again", "by-hand", "drop"] as const;

/** A payment request of the office. */
export interface MoneyRequestRecord {
  readonly account: AccountName;
  readonly state: "asked" | "done" | "refused";
  readonly what: "refund" | "closing" | (typeof REFUND_DECISIONS)[number] | (typeof GATEWAY_DECISIONS)[number];
  /** Id of the refund request or gateway refund to decide. */
  readonly refundId?: number;
  readonly bookingId?: number;
  readonly cents?: number;
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
export interface RegisteredCustomer {
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
  /** By the booking's free access id: the latest flight number and whether it was acknowledged. */
  readonly contractData: Map<
    string,
    { readonly account: AccountName; readonly requestedFlights: readonly string[]; readonly acknowledged?: string }
  >;
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
  /** By `account/document`: whether the ERP's report was acknowledged. */
  readonly processed: Map<string, boolean>;
  /** Requests of desk staff by request id. */
  readonly desk: Map<string, DeskRequestRecord>;
  /** Office actions on reservations by their Idempotency-Key. */
  readonly reservationActions: Map<string, OfficeActionRecord>;
  /** Actions of customers on their own bookings, in request order. */
  readonly customerActions: Map<string, CustomerActionRecord>;
  readonly money: Map<string, MoneyRequestRecord>;
  readonly resources: Map<string, ResourceWriteRecord>;
  /** Checks with a single query, by description. */
  readonly expectations: Map<string, RowCountExpectation>;
  /** By op_id: the office's decision about rejected work. */
  readonly resolutions: Map<string, { readonly state: "accepted" | "dismissed"; readonly isAcknowledged: boolean }>;
  /** Registered customers by user name. */
  readonly customers: Map<string, RegisteredCustomer>;
  /** Number of acknowledged sign-ins. */
  logins: number;
}

export function createHistory(): WritersHistory {
  return {
    agencyBookings: new Map(),
    purchases: new Map(),
    operations: new Map(),
    files: new Map(),
    contractData: new Map(),
    payments: new Map(),
    refunds: new Map(),
    processed: new Map(),
    desk: new Map(),
    reservationActions: new Map(),
    customerActions: new Map(),
    money: new Map(),
    resources: new Map(),
    expectations: new Map(),
    resolutions: new Map(),
    customers: new Map(),
    logins: 0,
  };
}

/** Returns a copy that later acknowledgements don't change. */
export function copyHistory(history: WritersHistory): WritersHistory {
  const { logins, ...maps } = history;
  const copiedMaps = Object.entries(maps).map(([name, map]) => [name, new Map(map as Map<unknown, unknown>)]);
  return { ...(Object.fromEntries(copiedMaps) as Omit<WritersHistory, "logins">), logins };
}

/** Counts acknowledgements by kind. */
export function countAcknowledged(history: WritersHistory): Readonly<Record<string, number>> {
  const count = <T>(values: Iterable<T>, isThere: (value: T) => boolean) => [...values].filter(isThere).length;
  const bought = (kind: PlacedBooking["kind"]) =>
    count(
      history.purchases.values(),
      (placedBooking) => placedBooking.state === "booked" && placedBooking.kind === kind,
    );
  const countDone = (works: Iterable<DeskRequestRecord | MoneyRequestRecord>, whats: readonly string[]) =>
    count(works, ({ state, what }) => state === "done" && whats.includes(what));
  const atDesk = (...whats: readonly string[]) => countDone(history.desk.values(), whats);
  const countMoneyDone = (...whats: readonly string[]) => countDone(history.money.values(), whats);
  return {
    "agency bookings": count(history.agencyBookings.values(), ({ state }) => state !== "asked" && state !== "refused"),
    purchases: bought("rental"),
    transfers: bought("transfer"),
    "transfers cancelled": count(history.purchases.values(), ({ state }) => state === "cancelled"),
    payments: count(history.payments.values(), ({ acknowledged }) => acknowledged),
    "refunds at the gateway": count(history.refunds.values(), ({ acknowledged }) => acknowledged),
    "contract data": count(history.contractData.values(), ({ acknowledged }) => acknowledged !== undefined),
    "check-in operations": count(history.operations.values(), ({ state }) => state !== "asked"),
    files: count(history.files.values(), Boolean),
    "decisions of the office": count(history.resolutions.values(), ({ isAcknowledged }) => isAcknowledged),
    "charges at the desk": atDesk("charge"),
    "documents drafted or issued": atDesk("draft", "invoice", "issue"),
    "credit notes": atDesk("credit"),
    "invoices exchanged": atDesk("exchange"),
    "moves of reservations": count(history.reservationActions.values(), ({ state }) => state === "done"),
    "vehicles handed over or taken back at the desk": count(
      history.reservationActions.values(),
      ({ state, action: move }) => state === "done" && (move === "deliver" || move === "collect"),
    ),
    "moves of customers": count(history.customerActions.values(), ({ state }) => state === "done"),
    "refunds of the office": countMoneyDone("refund"),
    "refunds approved": countMoneyDone("approve"),
    "refunds declined": countMoneyDone("decline"),
    "refunds sent again": countMoneyDone("again"),
    "refunds ended by hand": countMoneyDone("by-hand", "drop"),
    "closings of the cash": countMoneyDone("closing"),
    "writes of what the office keeps": count(history.resources.values(), ({ state }) => state === "done"),
    "what one question reads back": count(history.expectations.values(), ({ atLeast, atMost }) => atLeast === atMost),
    "documents processed": count(history.processed.values(), Boolean),
    "customers registered": count(history.customers.values(), ({ state }) => state === "registered"),
    logins: history.logins,
  };
}

/** Counts cancellations, refusals, exchanges and changed passwords. */
export function countOtherOutcomes(history: WritersHistory): Readonly<Record<string, number>> {
  const booked = [...history.agencyBookings.values(), ...history.purchases.values()];
  return {
    cancelled: booked.filter(({ state }) => state === "cancelled").length,
    "refused, sold out or closed": booked.filter(({ state }) => state === "refused").length,
    "refused at the desk": [...history.desk.values()].filter(({ state }) => state === "refused").length,
    "moves refused": [...history.reservationActions.values()].filter(({ state }) => state === "refused").length,
    "exchanged on phones": [...history.operations.values()].filter(isExchange).length,
    "passwords changed": [...history.customers.values()].filter(({ changed }) => changed).length,
  };
}

const isExchange = ({ kind, state }: CheckInOperationRecord) => kind === "exchange" && state === "applied";

/** Lists actions rejected because another user had changed the reservation. */
export function listVersionConflicts({ reservationActions: moves }: WritersHistory): readonly OfficeActionRecord[] {
  return [...moves.values()].filter(({ state, code }) => state === "refused" && code === "changed_meanwhile");
}

/** Counts rejected office actions by action and reason. */
export function countRejectedActions({ reservationActions: moves }: WritersHistory): ReadonlyMap<string, number> {
  const refused = [...moves.values()].filter(({ state }) => state === "refused");
  const groups = Map.groupBy(refused, ({ action: move, code }) => `${move} ${code}`);
  return new Map([...groups].map(([why, those]) => [why, those.length]));
}

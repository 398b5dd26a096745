import type { AccountName } from "#tools/platform/client.ts";

/**
 * What became of something that was asked for, as far as the client knows. `asked`: perhaps it is there, perhaps not.
 */
export interface PlacedBooking {
  readonly account: AccountName;
  readonly state: "asked" | "booked" | "refused" | "cancelling" | "cancelled";
  /** The booking's own id outside, where one was answered. */
  readonly freeAccessId?: string;
  /** What a cart becomes; agencies book rentals. */
  readonly kind?: "rental" | "transfer";
  /** How many of each extra the cart acknowledged, by its code. */
  readonly extras?: ReadonlyMap<string, number>;
}

export interface Work {
  readonly kind: string;
  readonly bookingId: number;
  readonly state: "asked" | "applied" | "held" | "conflict" | "rejected";
  /** Charges taken with it. */
  readonly charges: readonly string[];
  /** Damage recorded with it. */
  readonly damages: readonly string[];
}

/** What somebody at a desk asked for. */
export interface DeskWork {
  readonly account: AccountName;
  readonly state: "asked" | "done" | "refused";
  readonly what: "charge" | "draft" | "invoice" | "issue" | "credit" | "exchange";
  readonly bookingId: number;
  /** Of a charge. */
  readonly kind?: string;
  /** Of a charge, or how much is credited; absent: all of it. */
  readonly cents?: number;
  /** What is issued, credited or exchanged. */
  readonly documentId?: number;
}

/** A step of a reservation's life at the office, with the reservation as it was told last. */
export interface OfficeMove {
  readonly account: AccountName;
  readonly state: "asked" | "done" | "refused";
  /** The last part of its address: `deliver`, `reopen`, … */
  readonly move: string;
  readonly id?: number;
  readonly version?: number;
  /** Why it was refused. */
  readonly code?: string;
}

/** What customers asked of a booking of their own. */
export interface OwnMove {
  readonly account: AccountName;
  readonly state: "asked" | "done" | "refused";
  readonly move: "cancel" | "change";
  readonly freeAccessId: string;
  /** As it was told. */
  readonly version?: number;
}

/** A write of the office to one of the things that it keeps. */
export interface ResourceWork {
  readonly account: AccountName;
  readonly state: "asked" | "done" | "refused";
  /** As its address calls them: `seasons`, `vehicles`, `sessions`. */
  readonly kind: string;
  readonly isRemoval: boolean;
  /** As it was told last; absent where it is not known. */
  readonly id?: string | undefined;
  readonly version?: number | undefined;
}

/** What is decided on a refund that waits for a second person, and on one that its gateway did not do. */
export const REFUND_DECISIONS = ["approve", "decline"] as const;
export const GATEWAY_DECISIONS = ["again", "by-hand", "drop"] as const;

/** What the office asked for of its money. */
export interface MoneyWork {
  readonly account: AccountName;
  readonly state: "asked" | "done" | "refused";
  readonly what: "refund" | "closing" | (typeof REFUND_DECISIONS)[number] | (typeof GATEWAY_DECISIONS)[number];
  /** Of a refund that is decided on: the request's, or that of what its gateway was asked for. */
  readonly refundId?: number;
  readonly bookingId?: number;
  readonly cents?: number;
}

/** How many rows of a question an account's database has, at least and at most. */
export interface Expectation {
  readonly account: AccountName;
  readonly sql: string;
  readonly values: readonly (string | number)[];
  readonly atLeast: number;
  readonly atMost: number;
}

/** A customer who registered. */
export interface Registered {
  readonly account: AccountName;
  readonly state: "asked" | "registered";
  /** What was acknowledged last; absent while a new one is on its way. */
  readonly password?: string;
  readonly changed?: boolean;
}

/** All that the writers asked for, and what the platform acknowledged of it. */
export interface History {
  /** By the agency's key and reference, `key/reference`. */
  readonly agencyBookings: Map<string, PlacedBooking>;
  /** By the cart's id. */
  readonly purchases: Map<string, PlacedBooking>;
  /** By op_id. */
  readonly operations: Map<string, Work>;
  /** By `booking/hash`: whether the file was acknowledged. */
  readonly files: Map<string, boolean>;
  /** By the booking's free access id: the flight number written last, and acknowledged. */
  readonly contractData: Map<
    string,
    { readonly account: AccountName; readonly asked: readonly string[]; readonly acknowledged?: string }
  >;
  /** By the gateway's order: whether the notification was acknowledged. */
  readonly payments: Map<
    string,
    { readonly account: AccountName; readonly cents: number; readonly acknowledged: boolean }
  >;
  /** By the authorisation of what was given back of an order: whether the notification was acknowledged. */
  readonly refunds: Map<
    string,
    { readonly account: AccountName; readonly order: string; readonly cents: number; readonly acknowledged: boolean }
  >;
  /** By `account/document`: whether the ERP's word was acknowledged. */
  readonly processed: Map<string, boolean>;
  /** By the request's own id. */
  readonly desk: Map<string, DeskWork>;
  /** By the Idempotency-Key. */
  readonly moves: Map<string, OfficeMove>;
  /** In the order in which they were asked for. */
  readonly ownMoves: Map<string, OwnMove>;
  readonly money: Map<string, MoneyWork>;
  readonly things: Map<string, ResourceWork>;
  /** By what they say: what can be read back by one question. */
  readonly expectations: Map<string, Expectation>;
  /** By op_id: what the office made of work that was refused. */
  readonly resolutions: Map<string, { readonly state: "accepted" | "dismissed"; readonly isAcknowledged: boolean }>;
  /** By user name. */
  readonly customers: Map<string, Registered>;
  /** Sessions that were opened and acknowledged. */
  logins: number;
}

export function newHistory(): History {
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
    moves: new Map(),
    ownMoves: new Map(),
    money: new Map(),
    things: new Map(),
    expectations: new Map(),
    resolutions: new Map(),
    customers: new Map(),
    logins: 0,
  };
}

/** A copy that later acknowledgements leave as it is. */
export function copyHistory(history: History): History {
  const { logins, ...maps } = history;
  const copiedMaps = Object.entries(maps).map(([name, map]) => [name, new Map(map as Map<unknown, unknown>)]);
  return { ...(Object.fromEntries(copiedMaps) as Omit<History, "logins">), logins };
}

/** How much was acknowledged, by kind. */
export function countAcknowledged(history: History): Readonly<Record<string, number>> {
  const count = <T>(values: Iterable<T>, isThere: (value: T) => boolean) => [...values].filter(isThere).length;
  const bought = (kind: PlacedBooking["kind"]) =>
    count(
      history.purchases.values(),
      (placedBooking) => placedBooking.state === "booked" && placedBooking.kind === kind,
    );
  const countDone = (works: Iterable<DeskWork | MoneyWork>, whats: readonly string[]) =>
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
    "moves of reservations": count(history.moves.values(), ({ state }) => state === "done"),
    "vehicles handed over or taken back at the desk": count(
      history.moves.values(),
      ({ state, move }) => state === "done" && (move === "deliver" || move === "collect"),
    ),
    "moves of customers": count(history.ownMoves.values(), ({ state }) => state === "done"),
    "refunds of the office": countMoneyDone("refund"),
    "refunds approved": countMoneyDone("approve"),
    "refunds declined": countMoneyDone("decline"),
    "refunds sent again": countMoneyDone("again"),
    "refunds ended by hand": countMoneyDone("by-hand", "drop"),
    "closings of the cash": countMoneyDone("closing"),
    "writes of what the office keeps": count(history.things.values(), ({ state }) => state === "done"),
    "what one question reads back": count(history.expectations.values(), ({ atLeast, atMost }) => atLeast === atMost),
    "documents processed": count(history.processed.values(), Boolean),
    "customers registered": count(history.customers.values(), ({ state }) => state === "registered"),
    logins: history.logins,
  };
}

/** What else became of it, for the figures. */
export function countOtherOutcomes(history: History): Readonly<Record<string, number>> {
  const booked = [...history.agencyBookings.values(), ...history.purchases.values()];
  return {
    cancelled: booked.filter(({ state }) => state === "cancelled").length,
    "refused, sold out or closed": booked.filter(({ state }) => state === "refused").length,
    "refused at the desk": [...history.desk.values()].filter(({ state }) => state === "refused").length,
    "moves refused": [...history.moves.values()].filter(({ state }) => state === "refused").length,
    "exchanged on phones": [...history.operations.values()].filter(isExchange).length,
    "passwords changed": [...history.customers.values()].filter(({ changed }) => changed).length,
  };
}

const isExchange = ({ kind, state }: Work) => kind === "exchange" && state === "applied";

/** The moves that were refused because somebody else had changed the reservation. */
export function listVersionConflicts({ moves }: History): readonly OfficeMove[] {
  return [...moves.values()].filter(({ state, code }) => state === "refused" && code === "changed_meanwhile");
}

/** What the office was refused, by its moves and the reasons. */
export function countRejectedMoves({ moves }: History): ReadonlyMap<string, number> {
  const refused = [...moves.values()].filter(({ state }) => state === "refused");
  const groups = Map.groupBy(refused, ({ move, code }) => `${move} ${code}`);
  return new Map([...groups].map(([why, those]) => [why, those.length]));
}

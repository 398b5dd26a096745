import type { AccountName } from "./client.ts";

/** What became of something that was asked for, as far as the client was told. `asked`: perhaps it is there, perhaps not. */
export interface Booked {
  readonly account: AccountName;
  readonly state: "asked" | "booked" | "refused" | "cancelling" | "cancelled";
  /** The booking's own id outside, where one was answered. */
  readonly freeAccessId?: string;
  readonly total?: string;
}

export interface Work {
  readonly bookingId: number;
  readonly state: "asked" | "applied" | "held" | "conflict" | "rejected";
  /** Charges taken with it. */
  readonly charges: readonly string[];
}

/** All that the writers asked for, and what the platform acknowledged of it. */
export interface History {
  /** By the agency's key and reference, `key/reference`. */
  readonly agencyBookings: Map<string, Booked>;
  /** By the cart's id. */
  readonly purchases: Map<string, Booked>;
  /** By op_id. */
  readonly operations: Map<string, Work>;
  /** By `booking/hash`: whether the file was acknowledged. */
  readonly files: Map<string, boolean>;
  /** By the booking's free access id: the flight number written last, and acknowledged. */
  readonly contractData: Map<string, { readonly asked: readonly string[]; readonly acknowledged?: string }>;
  /** By the gateway's order: whether the notification was acknowledged. */
  readonly payments: Map<
    string,
    { readonly account: AccountName; readonly cents: number; readonly acknowledged: boolean }
  >;
  /** By document: whether the ERP's word was acknowledged. */
  readonly processed: Map<number, boolean>;
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
    processed: new Map(),
    logins: 0,
  };
}

/** A copy that later acknowledgements leave as it is. */
export function snapshotOf(history: History): History {
  const { logins, ...maps } = history;
  const copies = Object.entries(maps).map(([name, map]) => [name, new Map(map as Map<unknown, unknown>)]);
  return { ...(Object.fromEntries(copies) as Omit<History, "logins">), logins };
}

/** How much was acknowledged, by kind. */
export function acknowledgedOf(history: History): Readonly<Record<string, number>> {
  const count = <T>(values: Iterable<T>, isThere: (value: T) => boolean) => [...values].filter(isThere).length;
  return {
    "agency bookings": count(history.agencyBookings.values(), ({ state }) => state !== "asked" && state !== "refused"),
    "of them cancelled": count(history.agencyBookings.values(), ({ state }) => state === "cancelled"),
    "refused, sold out": count(history.agencyBookings.values(), ({ state }) => state === "refused"),
    purchases: count(history.purchases.values(), ({ state }) => state === "booked"),
    payments: count(history.payments.values(), ({ acknowledged }) => acknowledged),
    "contract data": count(history.contractData.values(), ({ acknowledged }) => acknowledged !== undefined),
    "check-in operations": count(history.operations.values(), ({ state }) => state !== "asked"),
    files: count(history.files.values(), Boolean),
    "documents processed": count(history.processed.values(), Boolean),
    logins: history.logins,
  };
}

import type { Answer } from "./platform.ts";

type BookingState = "asked" | "booked" | "refused" | "cancelling" | "cancelled" | "out";
type Purchase =
  | { readonly state: "asked" }
  | { readonly state: "placed"; readonly freeAccessId: string }
  | { readonly state: "refused" };

/** A request and whether it was acknowledged. */
export interface RequestRecord {
  readonly description: string;
  readonly state: "asked" | "done" | "refused";
  /** Time of the request, epoch ms. */
  readonly at: number;
}

/** Results reported to clients and payments taken by the gateway, compared with the database. */
export interface History {
  readonly bookings: Map<number, BookingState>;
  /** Acknowledged photos: booking and hash. */
  readonly photos: Set<string>;
  readonly purchases: Map<number, Purchase>;
  readonly payments: Map<string, { readonly cents: number; refundedCents: number; isTold: boolean }>;
  /** Results of hand-overs and returns by operation id. */
  readonly operations: Map<string, "applied" | "refused" | "asked">;
  /** Office requests by key. */
  readonly office: Map<string, RequestRecord>;
  /** Charges of desk and app by name. */
  readonly charges: Map<string, RequestRecord & { readonly cents: number }>;
  /** Vehicle expenses by document number. `refused` means removed. */
  readonly expenses: Map<string, RequestRecord & { readonly cents: number }>;
  /** Surcharges by text. */
  readonly surcharges: Map<string, RequestRecord & { readonly cents: number }>;
  /** Settled commissions by reservation. Undefined if the outcome is unknown. */
  readonly settled: Map<number, number | undefined>;
  /** Last return branch and time (epoch ms) of each vehicle. Undefined if the outcome is unknown. */
  readonly returned: Map<string, { readonly branch: string | undefined; readonly at: number }>;
  /** Descriptions of invalid responses. */
  readonly faults: string[];
  /** Rejections of the office with reasons. */
  readonly refusals: string[];
  repeated: number;
  answerBooking(step: number, answer: Answer): void;
}

export function createHistory(): History {
  const history: History = {
    bookings: new Map(),
    photos: new Set(),
    purchases: new Map(),
    payments: new Map(),
    operations: new Map(),
    office: new Map(),
    charges: new Map(),
    expenses: new Map(),
    surcharges: new Map(),
    settled: new Map(),
    returned: new Map(),
    faults: [],
    refusals: [],
    repeated: 0,
    answerBooking: (step, { status, text }) => {
      if (status === 409) return void history.bookings.set(step, "refused");
      if (status !== 200) return void history.faults.push(`booking ${step}: ${status} ${text.slice(0, 200)}`);
      history.bookings.set(step, "booked");
    },
  };
  return history;
}

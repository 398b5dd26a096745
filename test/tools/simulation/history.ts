import type { Answer } from "./platform.ts";

type BookingState = "asked" | "booked" | "refused" | "cancelling" | "cancelled" | "out";
type Purchase =
  | { readonly state: "asked" }
  | { readonly state: "placed"; readonly freeAccessId: string }
  | { readonly state: "refused" };

/** What somebody asked for, and whether they were told that it was done. */
export interface RequestRecord {
  readonly what: string;
  readonly state: "asked" | "done" | "refused";
  /** When (epoch ms). */
  readonly at: number;
}

/** What clients were told, and what the gateway took: against it the database is held. */
export interface History {
  readonly bookings: Map<number, BookingState>;
  /** Photos that were acknowledged: booking and hash. */
  readonly photos: Set<string>;
  readonly purchases: Map<number, Purchase>;
  readonly taken: Map<string, { readonly cents: number; refundedCents: number; isTold: boolean }>;
  /** What went out, and what of it came back. */
  readonly operations: Map<string, "applied" | "refused" | "asked">;
  /** What the office asked for, by the keys of its requests. */
  readonly office: Map<string, RequestRecord>;
  /** Charges by their names: of the desk, and of phones. */
  readonly charges: Map<string, RequestRecord & { readonly cents: number }>;
  /** What vehicles cost, by the numbers of the papers; `refused`: it was taken back. */
  readonly expenses: Map<string, RequestRecord & { readonly cents: number }>;
  /** What was charged for afterwards, by its text. */
  readonly surcharges: Map<string, RequestRecord & { readonly cents: number }>;
  /** What was settled with an agent, by reservation; undefined where nobody was told whether it is. */
  readonly settled: Map<number, number | undefined>;
  /** Where each vehicle came back last, and when (epoch ms); undefined where nobody was told of it. */
  readonly returned: Map<string, { readonly branch: string | undefined; readonly at: number }>;
  /** Answers that nobody may get. */
  readonly faults: string[];
  /** What the office was refused, and why. */
  readonly refusals: string[];
  repeated: number;
  answerBooking(step: number, answer: Answer): void;
}

export function newHistory(): History {
  const history: History = {
    bookings: new Map(),
    photos: new Set(),
    purchases: new Map(),
    taken: new Map(),
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

import type { Answer } from "./platform.ts";

type BookingState = "asked" | "booked" | "refused" | "cancelling" | "cancelled" | "out";
type Purchase =
  | { readonly state: "asked" }
  | { readonly state: "placed"; readonly freeAccessId: string }
  | { readonly state: "refused" };

/** What clients were told, and what the gateway took: against it the database is held. */
export interface History {
  readonly bookings: Map<number, BookingState>;
  /** Photos that were acknowledged: booking and hash. */
  readonly photos: Set<string>;
  readonly purchases: Map<number, Purchase>;
  readonly taken: Map<string, { readonly cents: number; refundedCents: number; isTold: boolean }>;
  /** What went out, and what of it came back. */
  readonly operations: Map<string, "applied" | "refused" | "asked">;
  /** Answers that nobody may get. */
  readonly faults: string[];
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
    faults: [],
    repeated: 0,
    answerBooking: (step, { status, text }) => {
      if (status === 409) return void history.bookings.set(step, "refused");
      if (status !== 200) return void history.faults.push(`booking ${step}: ${status} ${text.slice(0, 200)}`);
      history.bookings.set(step, "booked");
    },
  };
  return history;
}

import { z } from "zod";
import { toAmount } from "#domain/money.ts";
import { amount } from "#worker/api/primitives.ts";

/** What waits for a person; ours (docs/interfaces/operations.md). */
export const operationsAnswer = z.object({
  check_in: z.object({ refused: z.int(), held: z.int(), to_look_at: z.int(), files_missing: z.int() }),
  mails: z.object({
    unsent: z.int(),
    last: z.array(z.object({ subject: z.string(), attempts: z.int(), error: z.string() })),
  }),
  documents: z.object({
    not_integrated: z.int(),
    last: z.array(z.object({ id: z.int(), number: z.int().nullable(), error: z.string() })),
  }),
  bookings: z.object({
    paid_after_expiry: z.int(),
    last: z.array(z.object({ id: z.int(), status: z.string(), total_paid: amount })),
  }),
  payments: z.object({
    mismatching: z.int(),
    last: z.array(
      z.object({ order: z.string(), payment_method: z.string(), outcome: z.string(), amount: amount.nullable() }),
    ),
  }),
});

interface Attention {
  readonly checkInRefused: number;
  readonly checkInHeld: number;
  readonly checkInToLookAt: number;
  readonly filesMissing: number;
  readonly mailsUnsent: number;
  readonly documentsNotIntegrated: number;
  readonly bookingsPaidTooLate: number;
  readonly paymentsMismatching: number;
  readonly lastDocuments: readonly { readonly id: number; readonly number: number | null; readonly error: string }[];
  readonly lastBookings: readonly { readonly id: number; readonly status: string; readonly paid: number }[];
  readonly lastPayments: readonly {
    readonly order: string;
    readonly method: string;
    readonly outcome: string;
    readonly amount: number | null;
  }[];
  readonly lastMails: readonly { readonly subject: string; readonly attempts: number; readonly error: string }[];
}

export function fromTroubles(of: Attention, decimals: number): z.output<typeof operationsAnswer> {
  return {
    check_in: {
      refused: of.checkInRefused,
      held: of.checkInHeld,
      to_look_at: of.checkInToLookAt,
      files_missing: of.filesMissing,
    },
    mails: { unsent: of.mailsUnsent, last: [...of.lastMails] },
    documents: { not_integrated: of.documentsNotIntegrated, last: [...of.lastDocuments] },
    bookings: {
      paid_after_expiry: of.bookingsPaidTooLate,
      last: of.lastBookings.map(({ id, status, paid }) => ({ id, status, total_paid: toAmount(paid, decimals) })),
    },
    payments: {
      mismatching: of.paymentsMismatching,
      last: of.lastPayments.map(({ order, method, outcome, amount: cents }) => ({
        order,
        payment_method: method,
        outcome,
        amount: cents === null ? null : toAmount(cents, decimals),
      })),
    },
  };
}

import { z } from "zod";
import { fromCivilMinute } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import type { AttentionSummary } from "#domain/operations/attention.ts";
import { countMissingUnitsOrTrips } from "#domain/operations/stock-shortages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";

/** Pending tasks, for our own use (docs/interfaces/operations.md). */
export const operatorTasksAnswer = z.object({
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
    last: z.array(z.object({ id: z.int(), status: z.string(), total_paid: decimalAmountSchema })),
  }),
  stock: z.object({
    overdue: z.int(),
    shortage: z.int(),
    last_overdue: z.array(z.object({ id: z.int(), date_to: z.string(), time_to: z.string() })),
    last_shortage: z.array(
      z.object({
        resource: z.enum(["category", "extra", "transfer"]),
        rental_storage_id: z.int().nullable(),
        category_code: z.string().nullable(),
        extra_code: z.string().nullable(),
        transfer_vehicle_id: z.int().nullable(),
        date: z.string(),
        time: z.string(),
        missing: z.int(),
      }),
    ),
  }),
  payments: z.object({
    mismatching: z.int(),
    last: z.array(
      z.object({
        order: z.string(),
        payment_method: z.string(),
        outcome: z.string(),
        amount: decimalAmountSchema.nullable(),
      }),
    ),
  }),
});

export function toOperatorTasksMessage(
  attention: AttentionSummary,
  decimals: number,
): z.output<typeof operatorTasksAnswer> {
  return {
    check_in: {
      refused: attention.checkInRefused,
      held: attention.checkInHeld,
      to_look_at: attention.checkInToReview,
      files_missing: attention.filesMissing,
    },
    mails: { unsent: attention.mailsUnsent, last: [...attention.lastMails] },
    documents: { not_integrated: attention.documentsNotIntegrated, last: [...attention.lastDocuments] },
    bookings: {
      paid_after_expiry: attention.bookingsPaidTooLate,
      last: attention.lastBookings.map(({ id, status, paid }) => ({
        id,
        status,
        total_paid: toAmount(paid, decimals),
      })),
    },
    stock: {
      overdue: attention.overdue,
      shortage: attention.shortages.length,
      last_overdue: attention.lastOverdue.map(({ id, date, time }) => ({ id, date_to: date, time_to: time })),
      last_shortage: attention.shortages.map((missing) => ({
        resource: missing.kind,
        rental_storage_id: missing.kind === "transfer" ? null : missing.branchGroupId,
        category_code: missing.kind === "category" ? missing.code : null,
        extra_code: missing.kind === "extra" ? missing.code : null,
        transfer_vehicle_id: missing.kind === "transfer" ? missing.vehicleId : null,
        ...fromCivilMinute(missing.from),
        missing: countMissingUnitsOrTrips(missing),
      })),
    },
    payments: {
      mismatching: attention.paymentsMismatching,
      last: attention.lastPayments.map(({ order, method, outcome, amount: cents }) => ({
        order,
        payment_method: method,
        outcome,
        amount: cents === null ? null : toAmount(cents, decimals),
      })),
    },
  };
}

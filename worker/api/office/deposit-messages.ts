import { z } from "zod";
import { BOOKING_STATUSES } from "#domain/bookings/bookings.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { PAYMENT_METHODS } from "#domain/payments/charges.ts";
import { formatCursor } from "#domain/reporting/page-cursor.ts";
import { paymentMethodCode } from "#worker/api/integration/document-messages.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "#worker/api/integration/messages.ts";
import { decimalAmountSchema, integerTextSchema, textLineSchema } from "#worker/api/primitives.ts";
import type { HeldDeposit } from "#worker/usecases/reporting/read-models.ts";
import { createCursorField, createMultiValueCursorParser, parseCursorDate, parseCursorId } from "./cursor-messages.ts";
import { type ExportTable, type TableColumns, tableQueryFields, toExportTable } from "./export-table-messages.ts";

export const depositsQuery = z.object({
  over: z
    .enum(["true", "false"], "must be true or false")
    .transform((value) => value === "true")
    .optional()
    .meta({ type: "boolean", description: "Only finished or cancelled contracts, or only others" }),
  payment_method_id: z.enum(PAYMENT_METHODS).optional(),
  rental_location_code: textLineSchema(30).optional().meta({ description: "Branch of the delivery or of the return" }),
  page_size: integerTextSchema(200, 1).default(50),
  after: createCursorField(createMultiValueCursorParser({ date: parseCursorDate, id: parseCursorId })).optional(),
});
export const depositExportQuery = depositsQuery.omit({ page_size: true, after: true }).extend(tableQueryFields);

const deposit = z
  .object({
    reservation_id: z.int(),
    status: z.enum(BOOKING_STATUSES),
    customer_fullname: z.string(),
    rental_location_code: z.string(),
    return_rental_location_code: z.string(),
    date_to: z.string().meta({ description: "When the vehicle is due back, and the deposit with it" }),
    time_to: z.string(),
    is_over: z
      .boolean()
      .meta({ description: "Whether the contract is over, so that the deposit must be returned or retained" }),
    total_deposit: decimalAmountSchema.meta({ description: "Agreed deposit" }),
    held: decimalAmountSchema,
    payment_method_ids: z.array(paymentMethodCode).meta({ description: "Payment method of the deposit" }),
    taken_at: timestampTextSchema.nullable().meta({ description: "When its oldest part was received" }),
    taken_by: nullableText.meta({ description: "Staff member who received it, if known" }),
  })
  .meta({ id: "HeldDeposit" });

export const depositList = z.object({
  data: z.array(deposit),
  total: z.int(),
  held: decimalAmountSchema.meta({ description: "Total of all matches, on all pages" }),
  next: z.string().nullable().meta({ description: "`after` of the next page" }),
});
export type DepositListMessage = z.output<typeof depositList>;

/** Converts a query to the deposit filter. */
export function toDepositFilter(query: Omit<z.output<typeof depositsQuery>, "page_size" | "after">) {
  return { isOver: query.over, method: query.payment_method_id, branchCode: query.rental_location_code };
}

const isOver = ({ status }: HeldDeposit) => status === "done" || status === "cancelled";

function toDepositMessage(
  row: HeldDeposit,
  { decimals, timestamp: formatTimestamp }: MessageFormat,
): z.output<typeof deposit> {
  return {
    reservation_id: row.bookingId,
    status: row.status,
    customer_fullname: `${row.customerName} ${row.customerSurname}`.trim(),
    rental_location_code: row.branchCode,
    return_rental_location_code: row.returnBranchCode,
    date_to: row.dateTo,
    time_to: row.timeTo,
    is_over: isOver(row),
    total_deposit: toAmount(row.agreedCents, decimals),
    held: toAmount(row.heldCents, decimals),
    payment_method_ids: row.taken.methods as z.output<typeof paymentMethodCode>[],
    taken_at: row.taken.at === null ? null : formatTimestamp(row.taken.at),
    taken_by: row.taken.by,
  };
}

interface DepositPageData {
  readonly rows: readonly HeldDeposit[];
  readonly total: number;
  readonly heldCents: Cents;
  readonly next: { readonly date: string; readonly id: number } | undefined;
}

export function toDepositPageMessage({ rows, total, heldCents, next }: DepositPageData, messageFormat: MessageFormat) {
  return {
    data: rows.map((row) => toDepositMessage(row, messageFormat)),
    total,
    held: toAmount(heldCents, messageFormat.decimals),
    next: next ? formatCursor(next.date, next.id) : null,
  };
}

const COLUMNS: TableColumns<HeldDeposit> = [
  ["reference", ({ bookingId }) => bookingId],
  ["status", ({ status }) => status],
  ["customer_fullname", (row) => `${row.customerName} ${row.customerSurname}`.trim()],
  ["rental_location_code", ({ branchCode }) => branchCode],
  ["return_rental_location_code", ({ returnBranchCode }) => returnBranchCode],
  ["taken", ({ taken }, messageFormat) => (taken.at === null ? null : messageFormat.timestamp(taken.at).slice(0, 10))],
  ["taken_by", ({ taken }) => taken.by],
  ["payment_method_ids", ({ taken }) => taken.methods.join(" ")],
  ["date_to", ({ dateTo }) => dateTo, "date"],
  ["total_deposit", ({ agreedCents }, { decimals }) => toAmount(agreedCents, decimals), "number"],
  ["held", ({ heldCents }, { decimals }) => toAmount(heldCents, decimals), "number"],
];

/** Creates the table of held deposits. */
export function toDepositExportTable(rows: readonly HeldDeposit[], messageFormat: MessageFormat): ExportTable {
  return toExportTable(COLUMNS, rows, messageFormat);
}

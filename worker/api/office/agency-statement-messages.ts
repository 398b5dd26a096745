import { z } from "zod";
import { formatRateAsPercent, toAmount } from "#domain/money.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";
import {
  civilDateSchema,
  createRefineOptions,
  decimalAmountSchema,
  integerTextSchema,
  MAX_ID,
} from "#worker/api/primitives.ts";
import { type TableColumns, tableQueryFields } from "./export-table-messages.ts";

const MAX_RESERVATIONS = 200;

export const agencyParams = z.object({ id: integerTextSchema(MAX_ID, 1).meta({ type: "integer", example: 1 }) });
export const agencyStatementQuery = z.object({
  date_from: civilDateSchema.meta({ description: "First day of the returns", example: "2030-06-01" }),
  date_to: civilDateSchema.meta({ example: "2030-06-30" }),
});
export const agencyStatementTableQuery = agencyStatementQuery.extend(tableQueryFields);

const amounts = {
  sale: decimalAmountSchema.meta({ description: "Cost of the products" }),
  commission: decimalAmountSchema,
  paid: decimalAmountSchema.meta({ description: "Paid part of the commission" }),
  balance: decimalAmountSchema.meta({ description: "Commission that isn't paid. Negative if too much was paid" }),
};
const line = z
  .object({
    reservation_id: z.int(),
    agency_reservation_id: z.string().nullable(),
    status: z.string(),
    customer_fullname: z.string(),
    date_from: z.string(),
    date_to: z.string(),
    rental_location_code: z.string(),
    commission_percent: z.string(),
    ...amounts,
    paid_on: z.string().nullable(),
  })
  .meta({ id: "AgencyStatementLine" });
const sums = z.object(amounts).meta({ description: "Sums of the lines" });

export const agencyStatementAnswer = z.object({
  agency: z.object({ id: z.int(), name: z.string() }),
  data: z.array(line),
  sums,
});
export type AgencyStatementMessage = z.output<typeof agencyStatementAnswer>;
export const agencyPaymentAnswer = z.object({ data: z.array(line), sums });

export const agencyPaymentBody = z.strictObject({
  reservation_ids: z
    .array(z.int("must be a whole number").min(1, "must be at least 1"), "must be a list of ids")
    .min(1, "must name at least one")
    .max(MAX_RESERVATIONS, `must name at most ${MAX_RESERVATIONS}`)
    .refine((ids) => new Set(ids).size === ids.length, createRefineOptions("twice")),
  date: civilDateSchema.nullish().meta({ description: "Payment date, today by default. null: not paid after all" }),
});
export type AgencyPaymentRequest = z.input<typeof agencyPaymentBody>;

interface StoredAmounts {
  readonly saleCents: number;
  readonly commissionCents: number;
  readonly paidCents: number;
  readonly balanceCents: number;
}

interface StoredLine extends StoredAmounts {
  readonly bookingId: number;
  readonly reference: string | null;
  readonly status: string;
  readonly customerName: string;
  readonly customerSurname: string;
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly branchCode: string;
  readonly basisPoints: number;
  readonly paidOn: string | null;
}

function toStatementAmountsMessage(
  { saleCents, commissionCents, paidCents, balanceCents }: StoredAmounts,
  { decimals }: MessageFormat,
) {
  return {
    sale: toAmount(saleCents, decimals),
    commission: toAmount(commissionCents, decimals),
    paid: toAmount(paidCents, decimals),
    balance: toAmount(balanceCents, decimals),
  };
}

export function toStatementLineMessage(row: StoredLine, messageFormat: MessageFormat): z.output<typeof line> {
  return {
    reservation_id: row.bookingId,
    agency_reservation_id: row.reference,
    status: row.status,
    customer_fullname: `${row.customerName} ${row.customerSurname}`.trim(),
    date_from: row.dateFrom,
    date_to: row.dateTo,
    rental_location_code: row.branchCode,
    commission_percent: formatRateAsPercent(row.basisPoints),
    ...toStatementAmountsMessage(row, messageFormat),
    paid_on: row.paidOn,
  };
}

interface StoredLines {
  readonly lines: readonly StoredLine[];
  readonly sums: StoredAmounts;
}

export function toStatementLinesMessage({ lines, sums: totals }: StoredLines, messageFormat: MessageFormat) {
  return {
    data: lines.map((row) => toStatementLineMessage(row, messageFormat)),
    sums: toStatementAmountsMessage(totals, messageFormat),
  };
}

interface StoredStatement extends StoredLines {
  readonly agency: { readonly id: number; readonly name: string };
}

export function toAgencyStatementMessage(statement: StoredStatement, messageFormat: MessageFormat) {
  return { agency: { ...statement.agency }, ...toStatementLinesMessage(statement, messageFormat) };
}

export const AGENCY_STATEMENT_COLUMNS: TableColumns<z.output<typeof line>> = [
  ["reservation_id", ({ reservation_id: id }) => id, "number"],
  ["agency_reservation_id", ({ agency_reservation_id: reference }) => reference],
  ["status", ({ status }) => status],
  ["customer_fullname", ({ customer_fullname: name }) => name],
  ["date_from", ({ date_from: date }) => date, "date"],
  ["date_to", ({ date_to: date }) => date, "date"],
  ["rental_location_code", ({ rental_location_code: code }) => code],
  ["commission_percent", ({ commission_percent: percent }) => percent, "number"],
  ["sale", ({ sale }) => sale, "number"],
  ["commission", ({ commission }) => commission, "number"],
  ["paid", ({ paid }) => paid, "number"],
  ["balance", ({ balance }) => balance, "number"],
  ["paid_on", ({ paid_on: date }) => date, "date"],
];

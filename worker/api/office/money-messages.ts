import { z } from "zod";
import type { CivilDate } from "#domain/dates.ts";
import { type Cents, sumCents, toAmount } from "#domain/money.ts";
import { PAYMENT_METHODS } from "#domain/payments/charges.ts";
import { integrationChargeDocumentSchema } from "#worker/api/integration/charge-messages.ts";
import { paymentMethodCode } from "#worker/api/integration/document-messages.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "#worker/api/integration/messages.ts";
import {
  civilDateSchema,
  commaSeparatedIdsSchema,
  decimalAmountSchema,
  integerTextSchema,
  MAX_ID,
  searchedTextSchema,
  textLineSchema,
} from "#worker/api/primitives.ts";
import { officeDocumentSchema } from "./document-messages.ts";
import { totalIsExactSchema } from "./list-messages.ts";
import { customerMailSchema } from "./message-messages.ts";
import { amountText } from "./request-messages.ts";
import { checkCursorMatchesSort, createSortFields, getViewPeriodStart, sortedIdCursorField } from "./sort-messages.ts";

const id = integerTextSchema(MAX_ID, 1).meta({ type: "integer", example: 1 });
export const idParams = z.object({ id });

const flag = z.enum(["true", "false"], "must be true or false").transform((value) => value === "true");
const page = {
  page_size: integerTextSchema(200, 1).default(50),
  after: sortedIdCursorField.optional(),
};
const next = z.string().nullable().meta({ description: "`after` of the next page" });

/** Filters of the list of documents and of its table. */
export const documentFilters = z.object({
  q: searchedTextSchema(60).optional().meta({ description: "Any part of serie/number, customer, tax id or concept" }),
  reservation_id: id.optional(),
  customer_id: id.optional().meta({ description: "Branch of the contracts" }),
  ids: commaSeparatedIdsSchema,
  document_kind: z.enum(["full", "simplified", "credit_note", "internal_bond"]).optional(),
  invoice_status: z.enum(["draft", "invoice"]).optional(),
  payment_status: z.enum(["paid", "pending"]).optional(),
  date_from: civilDateSchema.optional(),
  date_to: civilDateSchema.optional(),
  rental_location_code: textLineSchema(30).optional(),
  ...createSortFields("documents"),
});
export const officeDocumentsQuery = documentFilters.extend(page).superRefine(checkCursorMatchesSort);
/** Filters of the list of charges and of its table. */
export const chargeFilters = z.object({
  q: searchedTextSchema(60).optional().meta({ description: "Any part of the operation's number or of who paid" }),
  reservation_id: id.optional(),
  ids: commaSeparatedIdsSchema,
  payment_method_id: z.enum(PAYMENT_METHODS).optional(),
  virtual: flag.optional().meta({ type: "boolean", description: "Deposits alone, or without them" }),
  date_from: civilDateSchema.optional(),
  date_to: civilDateSchema.optional(),
  rental_location_code: textLineSchema(30).optional(),
  ...createSortFields("charges"),
});
export const officeChargesQuery = chargeFilters.extend(page).superRefine(checkCursorMatchesSort);

/** Converts a query to the document filter. */
export function toDocumentFilter({ view, ...query }: Omit<z.output<typeof documentFilters>, "sort">) {
  return {
    text: query.q,
    bookingId: query.reservation_id,
    customerId: query.customer_id,
    ids: query.ids,
    form: query.document_kind ?? (view === "credit_notes" ? "credit_note" : undefined),
    status: query.invoice_status ?? (view === "drafts" ? ("draft" as const) : undefined),
    isPaid: query.payment_status ? query.payment_status === "paid" : view === "unpaid" ? false : undefined,
    dateFrom: query.date_from,
    dateTo: query.date_to,
    branchCode: query.rental_location_code,
  };
}

/** Converts a query to the charge filter. */
export function toChargeFilter({ view, ...query }: Omit<z.output<typeof chargeFilters>, "sort">, today: CivilDate) {
  const first = view && (view === "today" ? today : getViewPeriodStart(view, today));
  return {
    text: query.q,
    bookingId: query.reservation_id,
    ids: query.ids,
    method: query.payment_method_id,
    virtual: query.virtual,
    dateFrom: query.date_from ?? first,
    dateTo: query.date_to ?? (first && today),
    branchCode: query.rental_location_code,
  };
}

export const officeDocumentDetailAnswer = z.object({ document: officeDocumentSchema });
export const documentWithMessagesAnswer = officeDocumentDetailAnswer.extend({
  messages: z
    .array(customerMailSchema)
    .meta({ description: "Mails of a document without a reservation, newest first. Others are in their reservation" }),
});
export type DocumentWithMessagesMessage = z.output<typeof documentWithMessagesAnswer>;
export const documentList = z.object({
  data: z.array(officeDocumentSchema),
  total: z.int(),
  total_is_exact: totalIsExactSchema,
  next,
});
export type DocumentListMessage = z.output<typeof documentList>;
export const chargeList = z.object({
  data: z.array(integrationChargeDocumentSchema),
  total: z.int(),
  total_is_exact: totalIsExactSchema,
  next,
});
export type ChargeListMessage = z.output<typeof chargeList>;

export const cashRegisterDayQuery = z.object({
  date: civilDateSchema.optional().meta({ description: "Today by default" }),
  rental_location_code: textLineSchema(30).optional(),
});

const movements = {
  charged: decimalAmountSchema,
  refunded: decimalAmountSchema,
  total: decimalAmountSchema.meta({ description: "Charged less refunded, without deposits" }),
  deposits_received: decimalAmountSchema,
  deposits_returned: decimalAmountSchema,
  deposits_kept: decimalAmountSchema.meta({ description: "Deposits that were retained and charged" }),
  total_with_deposits: decimalAmountSchema,
  charges: z.int().meta({ description: "Number of movements" }),
};
const registerLine = z
  .object({ rental_location_code: nullableText, payment_method_id: paymentMethodCode, ...movements })
  .meta({ id: "RegisterLine" });

const closing = z
  .object({
    id: z.int(),
    rental_location_code: z.string(),
    date: z.string(),
    opening: decimalAmountSchema,
    moved: decimalAmountSchema,
    expected: decimalAmountSchema,
    counted: decimalAmountSchema,
    difference: decimalAmountSchema.meta({ description: "Counted less expected cash" }),
    taken_out: decimalAmountSchema,
    left: decimalAmountSchema.meta({ description: "Cash with which the drawer opens next" }),
    note: nullableText,
    closed_by: z.string(),
    closed_at: timestampTextSchema,
  })
  .meta({ id: "CashClosing" });

export const cashRegisterAnswer = z
  .object({
    date: z.string(),
    rental_location_code: nullableText,
    data: z.array(registerLine),
    totals: z.object(movements),
    cash: z
      .object({
        opening: decimalAmountSchema,
        moved: decimalAmountSchema,
        expected: decimalAmountSchema,
        last_count: nullableText,
      })
      .nullable()
      .meta({ description: "Expected cash of one branch since its last count" }),
    closings: z.array(closing),
  })
  .meta({ id: "DayRegister" });
export type CashRegisterMessage = z.output<typeof cashRegisterAnswer>;
export const cashClosingAnswer = z.object({ closing });
export type CashClosingMessage = z.output<typeof cashClosingAnswer>;

export const cashClosingBody = z
  .strictObject(
    {
      rental_location_code: textLineSchema(30),
      date: civilDateSchema.optional(),
      counted: amountText,
      taken_out: amountText.optional(),
      opening: amountText.optional().meta({
        description: "Cash before the first count, 0 by default. Later it must equal what the last count left",
      }),
      note: textLineSchema(500).optional(),
    },
    "must be an object",
  )
  .meta({ id: "CashCount" });
export type CashClosingRequest = z.input<typeof cashClosingBody>;

interface ClosingLineData {
  readonly branchCode: string;
  readonly method: string;
  readonly chargedCents: Cents;
  readonly refundedCents: Cents;
  readonly depositsReceivedCents: Cents;
  readonly depositsReturnedCents: Cents;
  readonly depositsKeptCents: Cents;
  readonly charges: number;
}

export interface StoredCashClosing {
  readonly closing: {
    readonly id: number;
    readonly branchCode: string;
    readonly date: string;
    readonly openingCents: Cents;
    readonly movedCents: Cents;
    readonly countedCents: Cents;
    readonly differenceCents: Cents;
    readonly takenOutCents: Cents;
    readonly note: string | null;
    readonly actor: string;
    readonly at: number;
  };
  readonly staffName: string | null;
}

function toMovementsMessage(lines: readonly Omit<ClosingLineData, "branchCode" | "method">[], decimals: number) {
  const sum = (getCents: (line: Omit<ClosingLineData, "branchCode" | "method">) => number) =>
    sumCents(lines.map(getCents));
  const total = sum((line) => line.chargedCents - line.refundedCents);
  const heldCents = sum((line) => line.depositsReceivedCents - line.depositsReturnedCents - line.depositsKeptCents);
  return {
    charged: toAmount(
      sum((line) => line.chargedCents),
      decimals,
    ),
    refunded: toAmount(
      sum((line) => line.refundedCents),
      decimals,
    ),
    total: toAmount(total, decimals),
    deposits_received: toAmount(
      sum((line) => line.depositsReceivedCents),
      decimals,
    ),
    deposits_returned: toAmount(
      sum((line) => line.depositsReturnedCents),
      decimals,
    ),
    deposits_kept: toAmount(
      sum((line) => line.depositsKeptCents),
      decimals,
    ),
    total_with_deposits: toAmount(total + heldCents, decimals),
    charges: sum((line) => line.charges),
  };
}

export function toCashRegisterMessage(
  register: {
    readonly date: string;
    readonly branchCode: string | undefined;
    readonly rows: readonly ClosingLineData[];
    readonly closings: readonly StoredCashClosing[];
    readonly drawer:
      | { readonly openingCents: Cents; readonly movedCents: Cents; readonly lastDate: string | null }
      | undefined;
  },
  messageFormat: MessageFormat,
): z.output<typeof cashRegisterAnswer> {
  const { decimals } = messageFormat;
  const { rows, drawer } = register;
  return {
    date: register.date,
    rental_location_code: register.branchCode ?? null,
    data: rows.map((row) => ({
      rental_location_code: row.branchCode,
      payment_method_id: row.method as z.output<typeof paymentMethodCode>,
      ...toMovementsMessage([row], decimals),
    })),
    totals: toMovementsMessage(rows, decimals),
    cash: drawer
      ? {
          opening: toAmount(drawer.openingCents, decimals),
          moved: toAmount(drawer.movedCents, decimals),
          expected: toAmount(drawer.openingCents + drawer.movedCents, decimals),
          last_count: drawer.lastDate,
        }
      : null,
    closings: register.closings.map((closing) => toCashClosingMessage(closing, messageFormat)),
  };
}

export function toCashClosingMessage(
  { closing: item, staffName }: StoredCashClosing,
  messageFormat: MessageFormat,
): z.output<typeof closing> {
  const amount = (cents: Cents) => toAmount(cents, messageFormat.decimals);
  return {
    id: item.id,
    rental_location_code: item.branchCode,
    date: item.date,
    opening: amount(item.openingCents),
    moved: amount(item.movedCents),
    expected: amount(item.openingCents + item.movedCents),
    counted: amount(item.countedCents),
    difference: amount(item.differenceCents),
    taken_out: amount(item.takenOutCents),
    left: amount(item.countedCents - item.takenOutCents),
    note: item.note,
    closed_by: staffName ?? item.actor,
    closed_at: messageFormat.timestamp(item.at),
  };
}

import { z } from "zod";
import { addDays, type CivilDate } from "#domain/dates.ts";
import type { DocumentContractShare, DocumentDraft } from "#domain/documents/draft.ts";
import { EINVOICE_FORMATS, type EInvoiceFormat } from "#domain/e-invoices/formats.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { PAYMENT_METHODS } from "#domain/payments/charges.ts";
import { type PrintedStatementLine, sumDocumentAmounts } from "#domain/printing/statements.ts";
import { positiveAmount } from "#worker/api/documents/messages.ts";
import {
  integrationInternalBondSchema,
  integrationInvoiceSchema,
  toInternalBondMessage,
  toInvoiceMessage,
} from "#worker/api/integration/document-messages.ts";
import { formatPercentage, type MessageFormat, nullableText } from "#worker/api/integration/messages.ts";
import {
  civilDateSchema,
  createRefineOptions,
  decimalAmountSchema,
  MAX_ID,
  textLineSchema,
} from "#worker/api/primitives.ts";
import type { BranchErpCodes, OfficeDocumentRow } from "#worker/usecases/reporting/read-models.ts";
import { type TableColumns, tableQueryFields, toExportTable, writeExportTableCsv } from "./export-table-messages.ts";

const contractPart = z
  .object({
    reservation_id: z.int(),
    reference_detail: nullableText.meta({ description: "Plates" }),
    reference_dates: nullableText,
    total: decimalAmountSchema,
    items: z.array(
      z.object({
        concept: z.string(),
        quantity: z.int(),
        vat_percentage: z.string(),
        price: decimalAmountSchema,
        total: decimalAmountSchema,
      }),
    ),
  })
  .meta({ id: "DocumentContract" });

const officeShape = {
  contracts: z
    .array(contractPart)
    .meta({ description: "Contracts of a collective document with their lines. Empty for others" }),
  due_date: nullableText.meta({ description: "Last day to pay, by the customer's payment terms" }),
  integration_error: z
    .string()
    .nullable()
    .meta({ description: "Error that the accounting system reported, until it books the document or staff try again" }),
};

/** Document as in the integration API, with additional fields for the office. */
export const officeDocumentSchema = z.union([
  integrationInvoiceSchema.extend(officeShape).meta({ id: "OfficeInvoice" }),
  integrationInternalBondSchema.extend(officeShape).meta({ id: "OfficeInternalBond" }),
]);

export function toOfficeDocumentMessage(
  row: OfficeDocumentRow,
  codes: ReadonlyMap<string, BranchErpCodes>,
  messageFormat: MessageFormat,
): z.output<typeof officeDocumentSchema> {
  const added = {
    due_date: row.dueDate,
    integration_error: row.integrationError,
    contracts: row.contracts.map((part) => toStoredContractMessage(part, row, messageFormat)),
  };
  return row.kind === "invoice"
    ? { ...toInvoiceMessage(row, codes, messageFormat), ...added }
    : { ...toInternalBondMessage(row, codes, messageFormat), ...added };
}

type PartItem = Pick<DocumentDraft["items"][number], "concept" | "quantity" | "vat" | "unitCents" | "totalCents"> & {
  readonly bookingId?: number | null | undefined;
};

function toStoredContractMessage(
  part: DocumentContractShare,
  { items }: OfficeDocumentRow,
  { decimals }: MessageFormat,
) {
  return toContractPartMessage(part, items, decimals);
}

function toContractPartMessage(
  { bookingId, referenceDetail, referenceDates, totalCents }: Omit<DocumentContractShare, "agentPrepaidCents">,
  items: readonly PartItem[],
  decimals: number,
): z.output<typeof contractPart> {
  return {
    reservation_id: bookingId,
    reference_detail: referenceDetail ?? null,
    reference_dates: referenceDates ?? null,
    total: toAmount(totalCents, decimals),
    items: items.filter((item) => item.bookingId === bookingId).map((item) => toPartItemMessage(item, decimals)),
  };
}

const toPartItemMessage = ({ concept, quantity, vat, unitCents, totalCents }: PartItem, decimals: number) => ({
  concept,
  quantity,
  vat_percentage: formatPercentage(vat),
  price: toAmount(unitCents, decimals),
  total: toAmount(totalCents, decimals),
});

/** Document before it is issued: addressee, lines, taxes and total. */
const documentPreview = z
  .object({
    document_kind: z.enum(["full", "simplified", "credit_note", "internal_bond"]),
    date: z.string(),
    due_date: nullableText,
    rental_location_code: z.string(),
    concept: z.string(),
    missing: z.array(z.string()).meta({ description: "Customer data missing to issue it" }),
    einvoice: z
      .object({ format: z.enum(EINVOICE_FORMATS), missing: z.array(z.string()) })
      .nullable()
      .meta({
        description: "Electronic invoice in the customer's or the company's format, and what it lacks. null: none",
      }),
    mail_to: nullableText.meta({
      description: "Address that gets it by mail when it's issued: its payer's. null: none",
    }),
    corrected_invoice_id: z.int().nullable(),
    customer_id: z.int().nullable(),
    customer_type: z.string(),
    customer_full_name: z.string(),
    customer_document_id: nullableText,
    customer_address_street: nullableText,
    customer_address_number: nullableText,
    customer_address_complement: nullableText,
    customer_address_city: nullableText,
    customer_address_state: nullableText,
    customer_address_zip: nullableText,
    customer_address_country: nullableText,
    contracts: z.array(contractPart).meta({ description: "Contracts of a collective document. Empty for others" }),
    items: z.array(contractPart.shape.items.element),
    taxes: z.array(z.object({ vat_percentage: z.string(), subtotal: decimalAmountSchema, taxes: decimalAmountSchema })),
    subtotal: decimalAmountSchema,
    total_taxes: decimalAmountSchema,
    total: decimalAmountSchema,
  })
  .meta({ id: "DocumentPreview" });

export const documentPreviewsAnswer = z.object({ documents: z.array(documentPreview) });
export type DocumentPreviewsMessage = z.output<typeof documentPreviewsAnswer>;

interface PreviewTerms {
  readonly date: string;
  /** Days until invoices are due. */
  readonly termsDays: number;
  readonly eInvoice?: { readonly format: EInvoiceFormat; readonly missing: readonly string[] } | undefined;
  readonly mailTo?: string | undefined;
}

/** Documents before they're issued, with the same terms. */
export interface PreviewedDocuments extends Omit<PreviewTerms, "eInvoice"> {
  readonly drafts: readonly ({ readonly draft: DocumentDraft } & Pick<PreviewTerms, "eInvoice">)[];
}

/** Converts documents before they're issued. */
export function toDocumentPreviewsMessage(
  { drafts, ...terms }: PreviewedDocuments,
  messageFormat: MessageFormat,
): DocumentPreviewsMessage {
  return {
    documents: drafts.map(({ draft, eInvoice }) =>
      toDocumentPreviewMessage(draft, { ...terms, eInvoice }, messageFormat),
    ),
  };
}

/** Converts a document before it is issued. */
export function toDocumentPreviewMessage(
  draft: DocumentDraft,
  { date, termsDays, eInvoice, mailTo }: PreviewTerms,
  { decimals }: MessageFormat,
): z.output<typeof documentPreview> {
  const { customer, sums, items, contracts = [] } = draft;
  const amount = (cents: Cents) => toAmount(cents, decimals);
  return {
    document_kind: draft.form,
    date,
    due_date: draft.type === "payment" ? null : addDays(date as CivilDate, termsDays),
    rental_location_code: draft.branchCode,
    concept: draft.concept,
    missing: [...draft.missing],
    einvoice: eInvoice ? { format: eInvoice.format, missing: [...eInvoice.missing] } : null,
    mail_to: mailTo ?? null,
    corrected_invoice_id: draft.correctsDocumentId ?? null,
    customer_id: customer.id ?? null,
    customer_type: customer.type,
    customer_full_name: customer.fullName,
    customer_document_id: customer.documentId ?? null,
    ...toAddressMembers(customer.address),
    contracts: contracts.map((part) => toContractPartMessage(part, items, decimals)),
    items: items.map((item) => toPartItemMessage(item, decimals)),
    taxes: draft.taxes.map(({ vat, subtotalCents, taxesCents }) => ({
      vat_percentage: formatPercentage(vat),
      subtotal: amount(subtotalCents),
      taxes: amount(taxesCents),
    })),
    subtotal: amount(sums.subtotalCents),
    total_taxes: amount(sums.taxesCents),
    total: amount(sums.totalCents),
  };
}

const toAddressMembers = (address: DocumentDraft["customer"]["address"]) => ({
  customer_address_street: address.street ?? null,
  customer_address_number: address.number ?? null,
  customer_address_complement: address.complement ?? null,
  customer_address_city: address.city ?? null,
  customer_address_state: address.state ?? null,
  customer_address_zip: address.zip ?? null,
  customer_address_country: address.country ?? null,
});

const MAX_CONTRACTS = 50;

export const collectiveInvoiceBody = z
  .strictObject(
    {
      customer_id: z.int("must be a whole number").min(1, "must be at least 1").max(MAX_ID),
      reservation_ids: z
        .array(z.int("must be a whole number").min(1, "must be at least 1").max(MAX_ID), "must be a list")
        .min(1, "must have at least 1")
        .max(MAX_CONTRACTS, `must have at most ${MAX_CONTRACTS}`)
        .refine((ids) => new Set(ids).size === ids.length, createRefineOptions("twice")),
      date: civilDateSchema.optional().meta({ description: "Day of issue. Today by default" }),
    },
    "must be an object",
  )
  .meta({ id: "CollectiveInvoice" });
export type CollectiveInvoiceRequest = z.input<typeof collectiveInvoiceBody>;

/** Converts a request for a collective invoice. */
export function toCollectiveInvoiceRequest(body: z.output<typeof collectiveInvoiceBody>): {
  readonly customerId: number;
  readonly bookingIds: readonly number[];
  readonly date: z.output<typeof civilDateSchema> | undefined;
} {
  return { customerId: body.customer_id, bookingIds: body.reservation_ids, date: body.date };
}

export const issuedDocumentAnswer = z.object({ document: officeDocumentSchema });
export type IssuedDocumentMessage = z.output<typeof issuedDocumentAnswer>;

export const documentChargeBody = z
  .strictObject(
    {
      amount: positiveAmount.optional().meta({ description: "The pending amount by default" }),
      payment_method_id: z.enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(", ")}`),
      external_operation_number: textLineSchema(60).optional(),
    },
    "must be an object",
  )
  .meta({ id: "DocumentCharge" });
export type DocumentChargeRequest = z.input<typeof documentChargeBody>;

export const documentChargeQuoteBody = z.strictObject(
  { amount: positiveAmount.optional().meta({ description: "The pending amount by default" }) },
  "must be an object",
);
export type DocumentChargeQuoteRequest = z.input<typeof documentChargeQuoteBody>;

const documentChargePreview = z
  .object({
    amount: decimalAmountSchema,
    total_pending: decimalAmountSchema.meta({ description: "Amount that the invoice still owes afterwards" }),
    contracts: z
      .array(z.object({ reservation_id: z.int(), amount: decimalAmountSchema }))
      .meta({ description: "Amount of each reservation. Empty if the invoice has none" }),
  })
  .meta({ id: "DocumentChargePreview" });

export const documentChargePreviewAnswer = z.object({
  payment: documentChargePreview.meta({ description: "The payment and what stays due" }),
});
export type DocumentChargePreviewMessage = z.output<typeof documentChargePreviewAnswer>;

export function toDocumentChargePreviewMessage(
  {
    cents,
    pendingCents,
    shares,
  }: {
    readonly cents: Cents;
    readonly pendingCents: Cents;
    readonly shares: readonly { readonly bookingId: number | undefined; readonly cents: Cents }[];
  },
  { decimals }: Pick<MessageFormat, "decimals">,
): z.output<typeof documentChargePreviewAnswer> {
  return {
    payment: {
      amount: toAmount(cents, decimals),
      total_pending: toAmount(pendingCents, decimals),
      contracts: shares.flatMap(({ bookingId, cents: part }) =>
        bookingId === undefined ? [] : [{ reservation_id: bookingId, amount: toAmount(part, decimals) }],
      ),
    },
  };
}

const statementQueryFields = {
  date_from: civilDateSchema.optional(),
  date_to: civilDateSchema.optional(),
};
export const customerStatementPeriodQuery = z.object(statementQueryFields);
export const customerStatementTableQuery = z.object({ ...statementQueryFields, ...tableQueryFields });

const statementLine = z
  .object({
    id: z.int(),
    date: nullableText,
    due_date: nullableText,
    serie: nullableText,
    number: nullableText,
    invoice_type: z.enum(["invoice", "payment"]),
    concept: z.string(),
    total: decimalAmountSchema,
    total_paid: decimalAmountSchema,
    total_pending: decimalAmountSchema,
    overdue: z.boolean(),
  })
  .meta({ id: "StatementLine" });

export const customerStatementAnswer = z
  .object({
    customer_id: z.int(),
    customer_full_name: nullableText,
    date: z.string(),
    data: z.array(statementLine),
    total: decimalAmountSchema,
    total_paid: decimalAmountSchema,
    total_pending: decimalAmountSchema,
    total_overdue: decimalAmountSchema,
  })
  .meta({ id: "CustomerStatement" });

interface StoredStatement {
  readonly customer: { readonly id: number; readonly fullName: string | null };
  readonly rows: readonly (PrintedStatementLine & { readonly id: number; readonly type: "invoice" | "payment" })[];
  readonly today: string;
}

const isOverdue = ({ dueDate, totalCents, paidCents }: PrintedStatementLine, today: string): boolean =>
  dueDate !== null && dueDate < today && totalCents > paidCents;

export function toCustomerStatementMessage(
  { customer, rows, today }: StoredStatement,
  { decimals }: MessageFormat,
): z.output<typeof customerStatementAnswer> {
  const amount = (cents: Cents) => toAmount(cents, decimals);
  const sums = sumDocumentAmounts(rows, today);
  return {
    customer_id: customer.id,
    customer_full_name: customer.fullName,
    date: today,
    data: rows.map((row) => ({
      id: row.id,
      date: row.date,
      due_date: row.dueDate,
      serie: row.serie,
      number: row.number === null ? null : String(row.number),
      invoice_type: row.type,
      concept: row.concept,
      total: amount(row.totalCents),
      total_paid: amount(row.paidCents),
      total_pending: amount(row.totalCents - row.paidCents),
      overdue: isOverdue(row, today),
    })),
    total: amount(sums.totalCents),
    total_paid: amount(sums.paidCents),
    total_pending: amount(sums.pendingCents),
    total_overdue: amount(sums.overdueCents),
  };
}

const STATEMENT_COLUMNS: TableColumns<StoredStatement["rows"][number]> = [
  ["date", ({ date }) => date],
  ["due_date", ({ dueDate }) => dueDate],
  ["serie", ({ serie }) => serie],
  ["number", ({ number }) => number],
  ["concept", ({ concept }) => concept],
  ["total", ({ totalCents }, { decimals }) => toAmount(totalCents, decimals), "number"],
  ["total_paid", ({ paidCents }, { decimals }) => toAmount(paidCents, decimals), "number"],
  ["total_pending", (row, { decimals }) => toAmount(row.totalCents - row.paidCents, decimals), "number"],
];

/** Creates the table of a customer's statement. */
export function toCustomerStatementCsv(
  { rows }: StoredStatement,
  messageFormat: MessageFormat,
  decimalMark: "." | ",",
): string {
  return writeExportTableCsv(toExportTable(STATEMENT_COLUMNS, rows, messageFormat), decimalMark);
}

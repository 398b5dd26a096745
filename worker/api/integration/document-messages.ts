import { z } from "zod";
import { parseTaxRateCode } from "#domain/catalogue/tax-rate-codes.ts";
import type { DocumentContractShare } from "#domain/documents/draft.ts";
import { sumTaxesByRate as sumByRate } from "#domain/documents/items.ts";
import { getRentalEndBeforeIssue } from "#domain/e-invoices/e-invoice.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { PAYMENT_METHODS } from "#domain/payments/charges.ts";
import type { StoredCharge, StoredDocumentItem } from "#domain/reporting/extracted-documents.ts";
import { createQrUrl } from "#domain/tax-records/qr.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";
import type { BranchErpCodes, DocumentForIntegration } from "#worker/usecases/reporting/read-models.ts";
import { formatPercentage, type MessageFormat, nullableText, timestampTextSchema } from "./messages.ts";

const RATES = [1, 2, 3, 4, 5] as const;
const RATE_PARTS = ["total_without_taxes", "discount", "subtotal", "vat", "taxes"] as const;
type RatePart = (typeof RATE_PARTS)[number];
type ReasonMember = `tax_reason_${(typeof RATES)[number]}`;
type RateMember = `${RatePart}_${(typeof RATES)[number]}`;
const RATE_MEMBERS = RATES.map(
  (n) => Object.fromEntries(RATE_PARTS.map((part) => [part, `${part}_${n}`])) as Record<RatePart, RateMember>,
);
const mapRateMembers = <T>(value: T) =>
  Object.fromEntries(RATE_MEMBERS.flatMap((members) => Object.values(members).map((name) => [name, value]))) as Record<
    RateMember,
    T
  >;
const rateShape = mapRateMembers(nullableText);
const NO_RATES: Readonly<Record<RateMember, string | null>> = mapRateMembers(null);

const reasonShape = Object.fromEntries(
  RATES.map((n) => [
    `tax_reason_${n}`,
    nullableText.meta({ description: "Addition: why the rate isn't taxed: E1, N1, S2 …" }),
  ]),
) as Record<ReasonMember, typeof nullableText>;
const NO_REASONS = Object.fromEntries(RATES.map((n) => [`tax_reason_${n}`, null])) as Record<ReasonMember, null>;

const item = z.object({
  id: z.number(),
  object: z.enum(["invoice_item", "internal_bond_item"]),
  concepto: z.string(), // sic
  concept: z.string(), // same value as `concepto`
  quantity: z.number(),
  vat_percentage: z.string(),
  taxes_included: z.boolean(),
  price_without_taxes: decimalAmountSchema,
  unit_taxes: decimalAmountSchema,
  price: decimalAmountSchema,
  total_without_taxes: decimalAmountSchema,
  subtotal: decimalAmountSchema,
  taxes: decimalAmountSchema,
  total: decimalAmountSchema,
  external_code: nullableText,
});

export const paymentMethodCode = z.enum(PAYMENT_METHODS);

const charge = z
  .object({
    id: z.number(),
    object: z.literal("charge"),
    payment_type: z.enum(["charge", "payment"]),
    rental_location_code: nullableText,
    sales_channel_code: nullableText,
    date: timestampTextSchema,
    amount: decimalAmountSchema,
    currency: z.string(),
    status: z.literal("done"),
    payment_method_id: paymentMethodCode,
    external_operation_number: nullableText,
    origin: nullableText,
    deposit_kept: z.boolean(),
    offline_physical_device_id: nullableText,
  })
  .meta({ id: "Charge" });

const documentShape = {
  id: z.number(),
  company_id: z.number(),
  rental_location_code: nullableText,
  rental_storage_external_code: nullableText,
  rental_location_external_code: nullableText,
  sales_channel_code: nullableText,
  invoice_type: z.enum(["invoice", "payment"]),
  invoice_mode: z.enum(["default", "reservation_retainer", "reservation_breakdown", "reservation_extra"]),
  invoice_status: z.enum(["draft", "invoice"]),
  serie: nullableText,
  number: nullableText,
  date: nullableText,
  concept: z.string(),
  customer_id: z.number().nullable(),
  customer_type: z.string(),
  customer_full_name: z.string(),
  customer_document_id: nullableText,
  customer_address_street: nullableText,
  customer_address_number: nullableText,
  customer_address_complement: nullableText,
  customer_address_city: nullableText,
  customer_address_state: nullableText,
  customer_address_country: nullableText,
  customer_address_zip: nullableText,
  payment_status: z.enum(["pending", "paid"]),
  total_paid: decimalAmountSchema,
  agent_comission_prepaid_amount: decimalAmountSchema, // sic
  total_pending: decimalAmountSchema,
  reference_source: z.enum(["booking", "order"]).nullable(),
  reference: nullableText,
  reference_detail: nullableText,
  reference_dates: nullableText,
  reference_subtype_id: z.number().nullable(),
  reference_subtype_name: nullableText,
  reference_agency: nullableText,
  currency: z.string(),
  discount_type: z.enum(["none", "percentage", "amount"]),
  discount_tp: nullableText.meta({ description: "Percentage of the discount. Null for other types" }),
  ...rateShape,
  total_without_taxes: decimalAmountSchema,
  discount: decimalAmountSchema,
  subtotal: decimalAmountSchema,
  total_taxes: decimalAmountSchema,
  total: decimalAmountSchema,
  accounting_processed: z.boolean(),
  document_kind: z
    .enum(["full", "simplified", "credit_note", "internal_bond"])
    .meta({ description: "Addition: kind of document" }),
  corrected_invoice_id: z.number().nullable(),
  corrected_invoice_serie: nullableText,
  corrected_invoice_number: nullableText,
  exchanged_invoice_id: z.number().nullable(),
  replaced_by_invoice_id: z.number().nullable(),
  replaced_by_invoice_serie: nullableText,
  replaced_by_invoice_number: nullableText,
  total_settled_by_credit: decimalAmountSchema,
  missing: z.array(z.string()).meta({ description: "Addition: customer data missing to issue the draft" }),
  contracts: z
    .array(
      z.object({
        reservation_id: z.int(),
        reference_detail: nullableText,
        reference_dates: nullableText,
        total: decimalAmountSchema,
        agent_comission_prepaid_amount: decimalAmountSchema, // sic
        item_ids: z.array(z.int()),
      }),
    )
    .optional()
    .meta({ description: "Addition: contracts of a collective document with their part of it. Absent for others" }),
  creation_date: timestampTextSchema.meta({ description: "Addition: when it was created" }),
  last_update: timestampTextSchema.meta({ description: "Addition: when it last changed" }),
  due_date: nullableText.meta({ description: "Addition: last day to pay" }),
  operation_date: nullableText.meta({ description: "Addition: end of the rental, if before the day of issue" }),
  ...reasonShape,
  tax_record: z
    .object({ hash: z.string(), qr_url: z.string() })
    .nullable()
    .meta({ description: "Addition: record for the tax agency (VERI*FACTU)" }),
  account_codes: z
    .object({ customers: z.string(), sales: z.string(), taxes: z.string() })
    .nullable()
    .meta({ description: "Addition: ledger accounts of the company" }),
  items: z.array(item),
  charges: z.array(charge),
};

export const integrationInvoiceSchema = z
  .object({ object: z.literal("invoice"), ...documentShape })
  .meta({ id: "Invoice" });
export const integrationInternalBondSchema = z
  .object({ object: z.literal("internal_bond"), ...documentShape })
  .meta({ id: "InternalBond" });

type InvoiceFields = Omit<z.output<typeof integrationInvoiceSchema>, "object">;

export function toInvoiceMessage(
  row: DocumentForIntegration,
  codes: Codes,
  messageFormat: MessageFormat,
): z.output<typeof integrationInvoiceSchema> {
  return toDocumentMessage("invoice", row, codes, messageFormat);
}

export function toInternalBondMessage(
  row: DocumentForIntegration,
  codes: Codes,
  messageFormat: MessageFormat,
): z.output<typeof integrationInternalBondSchema> {
  return toDocumentMessage("internal_bond", row, codes, messageFormat);
}

type Codes = ReadonlyMap<string, BranchErpCodes>;

function toDocumentMessage<Name extends "invoice" | "internal_bond">(
  object: Name,
  row: DocumentForIntegration,
  codes: Codes,
  messageFormat: MessageFormat,
): InvoiceFields & { object: Name } {
  const { decimals, ofBranches } = messageFormat;
  const isIssued = row.invoiceStatus === "invoice";
  const known = codes.get(row.branchCode);
  return {
    object,
    id: row.id,
    company_id: row.companyId,
    rental_location_code: ofBranches(row.branchCode),
    rental_storage_external_code: ofBranches(known?.storageExternalCode ?? null),
    rental_location_external_code: ofBranches(known?.locationExternalCode ?? null),
    sales_channel_code: messageFormat.ofChannels(row.salesChannelCode),
    invoice_type: row.invoiceType as InvoiceFields["invoice_type"],
    invoice_mode: getInvoiceMode(row),
    invoice_status: row.invoiceStatus,
    serie: isIssued ? row.serie : null,
    number: isIssued ? String(row.number) : null,
    date: row.date,
    concept: row.concept,
    ...toCustomer(row),
    ...toPayment(row, messageFormat),
    ...toReference(row),
    currency: row.currency,
    discount_type: row.discountType as InvoiceFields["discount_type"],
    discount_tp: row.discountType === "percentage" ? formatPercentage(row.discountBasisPoints) : null,
    ...toRates(row, decimals),
    total_without_taxes: toAmount(row.totalWithoutTaxesCents, decimals),
    discount: toAmount(row.discountCents, decimals),
    subtotal: toAmount(row.subtotalCents, decimals),
    total_taxes: toAmount(row.taxesCents, decimals),
    total: toAmount(row.totalCents, decimals),
    accounting_processed: row.accountingProcessed,
    ...toKindFields(row, decimals),
    ...toAdditions(row, messageFormat),
    ...(row.contracts.length > 0 && {
      contracts: row.contracts.map((part) => toDocumentContractMessage(part, row, decimals)),
    }),
    items: row.items.map((item) => toDocumentItemMessage(row.kind, item, decimals)),
    charges: row.charges.map((charge) => toDocumentChargeMessage(charge, messageFormat)),
  };
}

// A monthly invoice is stored as `default`. In this API, `default` means an invoice without a contract.
function getInvoiceMode({ invoiceMode, bookingId, orderReference }: DocumentForIntegration) {
  const isLinked = bookingId !== null || orderReference !== null;
  return (
    invoiceMode === "default" && isLinked ? "reservation_breakdown" : invoiceMode
  ) as InvoiceFields["invoice_mode"];
}

type Addition = "creation_date" | "last_update" | "due_date" | "operation_date" | "tax_record" | "account_codes";

function toAdditions(
  row: DocumentForIntegration,
  messageFormat: MessageFormat,
): Pick<InvoiceFields, Addition | ReasonMember> {
  const { accounts } = messageFormat;
  const isCredit = row.invoiceType === "payment";
  const isAdvance = row.invoiceMode === "reservation_retainer";
  return {
    creation_date: messageFormat.timestamp(row.createdAt),
    last_update: messageFormat.timestamp(row.lastUpdate),
    due_date: isCredit ? null : row.dueDate,
    operation_date: getRentalEndBeforeIssue({ ...row, form: isCredit ? "credit_note" : "full", isAdvance }) ?? null,
    ...toReasons(row, messageFormat),
    tax_record: row.taxRecord && { hash: row.taxRecord.hash, qr_url: getRecordUrl(row.taxRecord) },
    account_codes: accounts ? { customers: accounts.customers, sales: accounts.sales, taxes: accounts.taxes } : null,
  };
}

const getRecordUrl = ({ chain, content }: NonNullable<DocumentForIntegration["taxRecord"]>): string =>
  createQrUrl(chain.endsWith("/production") ? "production" : "test", content.id, content.total);

// Returns the tax operation of each rate, from the document's tax record. Documents without a record use the account's
// codes of the rates.
function toReasons({ kind, items, taxRecord }: DocumentForIntegration, { rateCodes = {} }: MessageFormat) {
  const reasons: Record<ReasonMember, string | null> = { ...NO_REASONS };
  if (kind === "internal_bond") return reasons;
  for (const [index, { vat }] of sumByRate(items).entries()) {
    const name: ReasonMember | undefined = RATES[index] && `tax_reason_${RATES[index]}`;
    const rate = formatPercentage(vat);
    const operation = taxRecord
      ? taxRecord.content.lines.find((line) => (line.rate ?? formatPercentage(0)) === rate)?.operation
      : parseTaxRateCode(rateCodes[rate] ?? "")?.operation;
    if (name && operation && operation !== "S1") reasons[name] = operation;
  }
  return reasons;
}

function toCustomer(row: DocumentForIntegration) {
  return {
    customer_id: row.customerId,
    customer_type: row.customerType,
    customer_full_name: row.customerFullName,
    customer_document_id: row.customerDocumentId,
    customer_address_street: row.customerAddressStreet,
    customer_address_number: row.customerAddressNumber,
    customer_address_complement: row.customerAddressComplement,
    customer_address_city: row.customerAddressCity,
    customer_address_state: row.customerAddressState,
    customer_address_country: row.customerAddressCountry,
    customer_address_zip: row.customerAddressZip,
  };
}

function toPayment(row: DocumentForIntegration, { decimals }: MessageFormat) {
  const pending: Cents = row.totalCents - row.totalPaidCents - row.agentCommissionPrepaidCents;
  // A credit note counts as paid once its amount is refunded.
  const isPaid = row.totalCents < 0 ? pending >= 0 : pending <= 0;
  return {
    payment_status: isPaid ? ("paid" as const) : ("pending" as const),
    total_paid: toAmount(row.totalPaidCents, decimals),
    agent_comission_prepaid_amount: toAmount(row.agentCommissionPrepaidCents, decimals),
    total_pending: toAmount(pending, decimals),
  };
}

type OwnMember =
  | "document_kind"
  | `corrected_invoice_${"id" | "serie" | "number"}`
  | "exchanged_invoice_id"
  | `replaced_by_invoice_${"id" | "serie" | "number"}`
  | "total_settled_by_credit"
  | "missing";

function toKindFields(row: DocumentForIntegration, decimals: number): Pick<InvoiceFields, OwnMember> {
  const moneyCents = row.charges.reduce(
    (sum, { type, amountCents }) => sum + (type === "charge" ? 1 : -1) * amountCents,
    0,
  );
  // Imported documents don't store whether they're full or simplified. Those with complete customer data count as full.
  const isFull = Boolean(row.customerDocumentId && row.customerAddressStreet && row.customerAddressCity);
  const form = row.kind === "internal_bond" ? "internal_bond" : isFull ? "full" : "simplified";
  return {
    document_kind: (row.form ??
      (row.invoiceType === "payment" ? "credit_note" : form)) as InvoiceFields["document_kind"],
    corrected_invoice_id: row.correctsDocumentId,
    corrected_invoice_serie: row.corrected?.serie ?? null,
    corrected_invoice_number: row.corrected ? String(row.corrected.number) : null,
    exchanged_invoice_id: row.exchangesDocumentId,
    replaced_by_invoice_id: row.replacedByDocumentId,
    replaced_by_invoice_serie: row.replacing?.serie ?? null,
    replaced_by_invoice_number: row.replacing ? String(row.replacing.number) : null,
    total_settled_by_credit: toAmount(row.totalPaidCents - moneyCents, decimals),
    missing: [...(row.missing ?? [])],
  };
}

function toDocumentContractMessage(part: DocumentContractShare, { items }: DocumentForIntegration, decimals: number) {
  const { bookingId, referenceDetail, referenceDates, totalCents, agentPrepaidCents } = part;
  return {
    reservation_id: bookingId,
    reference_detail: referenceDetail ?? null,
    reference_dates: referenceDates ?? null,
    total: toAmount(totalCents, decimals),
    agent_comission_prepaid_amount: toAmount(agentPrepaidCents, decimals), // sic
    item_ids: items.filter((item) => item.bookingId === bookingId).map(({ id }) => id),
  };
}

const SUBTYPES = { booking: { id: 1, name: "rental" }, order: { id: 2, name: "activity" } } as const;

function toReference(row: DocumentForIntegration) {
  const source: keyof typeof SUBTYPES | null =
    row.orderReference !== null ? "order" : row.bookingId !== null ? "booking" : null;
  return {
    reference_source: source,
    reference: row.orderReference ?? (row.bookingId === null ? null : String(row.bookingId)),
    reference_detail: row.referenceDetail,
    reference_dates: row.referenceDates,
    reference_subtype_id: source && SUBTYPES[source].id,
    reference_subtype_name: source && SUBTYPES[source].name,
    reference_agency: row.referenceAgency,
  };
}

// Returns the amounts by tax rate. The database ensures that an issued document's rates equal the sums of its items.
// Starts with a copy of 25 null members for five rates, because most documents have one rate. Setting the members one
// by one took most of the time of a page.
function toRates({ kind, items }: DocumentForIntegration, decimals: number): Record<RateMember, string | null> {
  const amounts = { ...NO_RATES };
  if (kind !== "invoice") return amounts;
  for (const [index, rate] of sumByRate(items).entries()) {
    const members = RATE_MEMBERS[index];
    if (!members) continue;
    amounts[members.total_without_taxes] = toAmount(rate.totalWithoutTaxesCents, decimals);
    amounts[members.discount] = toAmount(rate.discountCents, decimals);
    amounts[members.subtotal] = toAmount(rate.subtotalCents, decimals);
    amounts[members.vat] = formatPercentage(rate.vat);
    amounts[members.taxes] = toAmount(rate.taxesCents, decimals);
  }
  return amounts;
}

function toDocumentItemMessage(
  kind: DocumentForIntegration["kind"],
  row: StoredDocumentItem,
  decimals: number,
): z.output<typeof item> {
  return {
    id: row.id,
    object: kind === "invoice" ? "invoice_item" : "internal_bond_item",
    concepto: row.concept,
    concept: row.concept,
    quantity: row.quantity,
    vat_percentage: formatPercentage(row.vat),
    taxes_included: row.taxesIncluded === 1,
    price_without_taxes: toAmount(row.unitWithoutTaxesCents, decimals),
    unit_taxes: toAmount(row.unitTaxesCents, decimals),
    price: toAmount(row.unitCents, decimals),
    total_without_taxes: toAmount(row.totalWithoutTaxesCents, decimals),
    subtotal: toAmount(row.subtotalCents, decimals),
    taxes: toAmount(row.taxesCents, decimals),
    total: toAmount(row.totalCents, decimals),
    external_code: row.externalCode,
  };
}

function toDocumentChargeMessage(row: StoredCharge, messageFormat: MessageFormat): z.output<typeof charge> {
  return {
    id: row.id,
    object: "charge",
    payment_type: row.type,
    rental_location_code: messageFormat.ofBranches(row.branchCode),
    sales_channel_code: messageFormat.ofChannels(row.salesChannelCode),
    date: messageFormat.timestamp(row.date),
    amount: toAmount(row.amountCents, messageFormat.decimals),
    currency: row.currency,
    status: "done",
    payment_method_id: row.method as z.output<typeof paymentMethodCode>,
    external_operation_number: row.externalOperationNumber,
    origin: row.origin,
    deposit_kept: row.depositKept === 1,
    offline_physical_device_id: row.device,
  };
}

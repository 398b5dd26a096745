import { z } from "zod";
import { toAmount } from "#domain/money.ts";
import { getLedgerMoneyAccount } from "#domain/reporting/accounts.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";
import type { ChargeForIntegration } from "#worker/usecases/reporting/read-models.ts";
import { paymentMethodCode } from "./document-messages.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "./messages.ts";

const SOURCES = [
  "booking",
  "order",
  "customer_invoice",
  "customer_simplified_invoice",
  "internal_bond_invoice",
  "deposit_received",
  "deposit_returned",
] as const;

const allocation = z
  .object({
    document_id: z.number(),
    document_serie: z.string(),
    document_number: z.string(),
    amount: decimalAmountSchema.meta({ description: "Negative for money returned" }),
  })
  .meta({ id: "ChargeAllocation" });

export const integrationChargeDocumentSchema = z
  .object({
    id: z.number(),
    object: z.literal("charge_document"),
    amount: decimalAmountSchema,
    date: z.string().meta({ example: "2026-11-20T10:30:00.000+01:00" }),
    payment_type: z.enum(["charge", "payment"]),
    payment_method_id: paymentMethodCode,
    rental_location_code: nullableText,
    sales_channel_code: nullableText,
    external_operation_number: nullableText,
    offline_physical_device_id: nullableText,
    source_doc: z.enum(SOURCES),
    source_id: nullableText,
    serie: nullableText, // read by one existing client
    document_serie: nullableText, // same value, read by another client
    document_number: nullableText,
    customer_fullname: nullableText,
    customer_document_id: nullableText,
    charge_accounting_processed: z.boolean(),
    accounting_processed: z.boolean(),
    virtual: z.boolean(),
    deposit_kept: z.boolean().meta({ description: "Addition: part of a deposit that is retained (virtual)" }),
    creation_date: timestampTextSchema.meta({ description: "Addition: when it was created" }),
    last_update: timestampTextSchema.meta({ description: "Addition: when it last changed" }),
    account_code: nullableText.meta({
      description: "Addition: ledger account of the money or, if virtual, of deposits",
    }),
    allocations: z.array(allocation).meta({
      description: "Addition: amounts allocated to documents. The rest is the contract's balance",
    }),
  })
  .meta({ id: "ChargeDocument" });

export function toChargeDocumentMessage(
  row: ChargeForIntegration,
  messageFormat: MessageFormat,
): z.output<typeof integrationChargeDocumentSchema> {
  const isIssued = row.invoiceStatus === "invoice";
  const serie = isIssued ? row.serie : null;
  return {
    id: row.id,
    object: "charge_document",
    amount: toAmount(row.amountCents, messageFormat.decimals),
    date: messageFormat.timestamp(row.date, "T"),
    payment_type: row.paymentType as "charge" | "payment",
    payment_method_id: row.paymentMethodId as z.output<typeof paymentMethodCode>,
    rental_location_code: messageFormat.ofBranches(row.branchCode),
    sales_channel_code: messageFormat.ofChannels(row.salesChannelCode),
    external_operation_number: row.externalOperationNumber,
    offline_physical_device_id: row.offlinePhysicalDeviceId,
    source_doc: row.sourceDoc as (typeof SOURCES)[number],
    source_id: getSourceId(row),
    serie,
    document_serie: serie,
    document_number: isIssued ? String(row.number) : null,
    ...getPayer(row),
    charge_accounting_processed: row.chargeAccountingProcessed,
    accounting_processed: row.documentProcessed ?? false,
    virtual: row.virtual === true,
    deposit_kept: row.depositKept,
    creation_date: messageFormat.timestamp(row.createdAt),
    last_update: messageFormat.timestamp(row.lastUpdate),
    account_code:
      messageFormat.accounts?.[row.virtual ? "deposits" : getLedgerMoneyAccount(row.paymentMethodId)] ?? null,
    allocations: row.allocations.map(({ documentId, serie, number, amountCents }) => ({
      document_id: documentId,
      document_serie: serie,
      document_number: String(number),
      amount: toAmount(amountCents, messageFormat.decimals),
    })),
  };
}

// Returns the id of the record in `source_doc`: the contract, the order (a transfer or an activity), or the document.
function getSourceId(row: ChargeForIntegration): string | null {
  const isContractCharge = row.sourceDoc === "booking" || row.virtual === true;
  if (row.sourceDoc === "order" && row.orderReference !== null) return row.orderReference;
  const id = isContractCharge ? (row.bookingId ?? row.documentId) : (row.documentId ?? row.bookingId);
  return id === null ? null : String(id);
}

function getPayer(row: ChargeForIntegration) {
  if (row.documentCustomer !== null)
    return { customer_fullname: row.documentCustomer, customer_document_id: row.documentCustomerId };
  return {
    customer_fullname: row.bookingName === null ? null : `${row.bookingName} ${row.bookingSurname ?? ""}`.trim(),
    customer_document_id: row.bookingCustomerId,
  };
}

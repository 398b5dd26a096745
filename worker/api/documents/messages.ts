import { z } from "zod";
import { CREDIT_REASONS } from "#domain/documents/credit-reasons.ts";
import { parseAmount, toAmount } from "#domain/money.ts";
import { CHARGE_KINDS, PAYMENT_METHODS } from "#domain/payments/charges.ts";
import { integrationChargeDocumentSchema, toChargeDocumentMessage } from "#worker/api/integration/charge-messages.ts";
import {
  integrationInternalBondSchema,
  integrationInvoiceSchema,
  toInternalBondMessage,
  toInvoiceMessage,
} from "#worker/api/integration/document-messages.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";
import { createRefineOptions, integerTextSchema, MAX_ID, textLineSchema } from "#worker/api/primitives.ts";
import type {
  BranchErpCodes,
  ChargeForIntegration,
  DocumentForIntegration,
} from "#worker/usecases/reporting/read-models.ts";

const MAX_CENTS = 100_000_000_00;

export const idParams = z.object({ id: integerTextSchema(MAX_ID).meta({ type: "integer", example: 1 }) });

const requestId = z
  .string("must be text")
  .regex(/^[A-Za-z0-9-]{8,56}$/, "must be 8 to 56 letters, digits and hyphens")
  .meta({
    description: "Client's id of the request. A repeated id changes nothing, and is refused with other content",
  });

/** A positive amount. Its precision is checked when parsed. */
export const positiveAmount = z
  .string("must be a decimal number in a text")
  .refine(
    (text) => Number(text) > 0 && (parseAmount(text, 2) ?? parseAmount(text, 3)) !== undefined,
    createRefineOptions("positive"),
  )
  .refine((text) => (parseAmount(text, 3) ?? 0) <= MAX_CENTS * 10, createRefineOptions("amount_too_high"))
  .meta({ example: "120.00" });

export const invoiceBody = z.strictObject({
  request_id: requestId,
  advance: positiveAmount.optional().meta({ description: "Down payment to invoice. Absent: the remaining amount" }),
  issued: z
    .boolean("must be true or false")
    .default(true)
    .meta({ description: "False creates a draft, which the next one replaces" }),
});
export type InvoiceRequest = z.input<typeof invoiceBody>;

export const creditNoteBody = z.strictObject({
  request_id: requestId,
  amount: positiveAmount.optional().meta({
    description: "Amount to credit. If absent: the remaining amount, or the tax of an unpaid debt",
  }),
  reservation_id: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(MAX_ID)
    .optional()
    .meta({ description: "Credits only this contract of a collective invoice" }),
  reason: z
    .enum(CREDIT_REASONS, `must be one of ${CREDIT_REASONS.join(", ")}`)
    .optional()
    .meta({
      description:
        "Reason, by default `correction`. `insolvency` and `bad_debt` credit only the tax of an unpaid full invoice",
    }),
});
export type CreditNoteCreationRequest = z.input<typeof creditNoteBody>;

export const creditNoteQuoteBody = creditNoteBody.omit({ request_id: true });
export type CreditNoteQuoteRequest = z.input<typeof creditNoteQuoteBody>;

export const invoiceQuoteBody = invoiceBody.pick({ advance: true });
export type InvoiceQuoteRequest = z.input<typeof invoiceQuoteBody>;

export const issueDocumentBody = z.strictObject({ request_id: requestId });
export type DocumentIssueRequest = z.input<typeof issueDocumentBody>;

export const invoiceExchangeBody = issueDocumentBody.extend({
  other_document_ids: z
    .array(
      z.number("must be a number").int("must be a whole number").min(1, "must be at least 1").max(MAX_ID),
      "must be a list",
    )
    .max(20, "are more than 20")
    .optional()
    .meta({
      description: "Other simplified invoices of the same contract and branch that the full invoice replaces",
    }),
});
export type InvoiceExchangeRequest = z.input<typeof invoiceExchangeBody>;
export const invoiceExchangeQuoteBody = invoiceExchangeBody.omit({ request_id: true });
export type InvoiceExchangeQuoteRequest = z.input<typeof invoiceExchangeQuoteBody>;

export const chargeBody = z.strictObject({
  request_id: requestId,
  kind: z.enum(CHARGE_KINDS, `must be one of ${CHARGE_KINDS.join(", ")}`),
  amount: positiveAmount,
  payment_method_id: z.enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(", ")}`),
  external_operation_number: textLineSchema(60).optional(),
  offline_physical_device_id: textLineSchema(60).optional(),
});
export type DeskChargeRequest = z.input<typeof chargeBody>;

/** Documents and payments of a contract. */
export const contractDocumentsAnswer = z
  .object({
    invoices: z.array(integrationInvoiceSchema),
    internal_bonds: z.array(integrationInternalBondSchema),
    charges: z.array(integrationChargeDocumentSchema),
    deposit_held: z.string(),
  })
  .meta({ id: "ContractDocuments" });

interface StoredDocuments {
  readonly documents: readonly DocumentForIntegration[];
  readonly charges: readonly ChargeForIntegration[];
  readonly heldCents: number;
  readonly codes: ReadonlyMap<string, BranchErpCodes>;
}

export function toContractDocumentsMessage(
  { documents, charges, heldCents, codes }: StoredDocuments,
  messageFormat: MessageFormat,
): z.output<typeof contractDocumentsAnswer> {
  const filterByKind = (kind: DocumentForIntegration["kind"]) => documents.filter((document) => document.kind === kind);
  return {
    invoices: filterByKind("invoice").map((item) => toInvoiceMessage(item, codes, messageFormat)),
    internal_bonds: filterByKind("internal_bond").map((item) => toInternalBondMessage(item, codes, messageFormat)),
    charges: charges.map((charge) => toChargeDocumentMessage(charge, messageFormat)),
    deposit_held: toAmount(heldCents, messageFormat.decimals),
  };
}

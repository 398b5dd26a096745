import { z } from "zod";
import { toAmount } from "#domain/money.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";
import type { ExpenseForIntegration } from "#worker/usecases/reporting/read-models.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "./messages.ts";

export const integrationExpenseSchema = z
  .object({
    id: z.number(),
    object: z.literal("expense"),
    booking_item_reference: z.string(),
    date: z.string(),
    description: z.string(),
    reference: nullableText.meta({ description: "Number of the supplier's document" }),
    supplier: nullableText,
    supplier_document_id: nullableText.meta({ description: "Tax number of the supplier" }),
    concept_id: z.number(),
    concept: z.string(),
    expense_account_id: z.number(),
    expense_account: z.string(),
    rental_location_code: nullableText,
    total_without_taxes: decimalAmountSchema,
    discount: decimalAmountSchema,
    subtotal: decimalAmountSchema,
    total_taxes: decimalAmountSchema,
    total: decimalAmountSchema,
    currency: z.string(),
    last_update: timestampTextSchema,
  })
  .meta({ id: "Expense" });

export function toIntegrationExpenseMessage(
  row: ExpenseForIntegration,
  messageFormat: MessageFormat,
): z.output<typeof integrationExpenseSchema> {
  const { decimals } = messageFormat;
  return {
    id: row.id,
    object: "expense",
    booking_item_reference: row.vehicleReference,
    date: row.date,
    description: row.description,
    reference: row.reference,
    supplier: row.supplier,
    supplier_document_id: row.supplierDocumentId,
    concept_id: row.expenseConceptId,
    concept: row.concept,
    expense_account_id: row.accountId,
    expense_account: row.account,
    rental_location_code: messageFormat.ofBranches(row.branchCode),
    total_without_taxes: toAmount(row.totalWithoutTaxesCents, decimals),
    discount: toAmount(row.discountCents, decimals),
    subtotal: toAmount(row.subtotalCents, decimals),
    total_taxes: toAmount(row.taxesCents, decimals),
    total: toAmount(row.totalCents, decimals),
    currency: messageFormat.currency,
    last_update: messageFormat.timestamp(row.lastUpdate),
  };
}

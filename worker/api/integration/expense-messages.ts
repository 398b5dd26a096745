import { z } from "zod";
import { toAmount } from "#domain/money.ts";
import type { ExpenseForIntegration } from "#worker/usecases/reporting/read-models.ts";
import { type MessageFormat, money, textOrNull, timestamp } from "./messages.ts";

export const expense = z
  .object({
    id: z.number(),
    object: z.literal("expense"),
    booking_item_reference: z.string(),
    date: z.string(),
    description: z.string(),
    reference: textOrNull.meta({ description: "Number of the supplier's document" }),
    supplier: textOrNull,
    supplier_document_id: textOrNull.meta({ description: "Tax number of the supplier" }),
    concept_id: z.number(),
    concept: z.string(),
    expense_account_id: z.number(),
    expense_account: z.string(),
    rental_location_code: textOrNull,
    total_without_taxes: money,
    discount: money,
    subtotal: money,
    total_taxes: money,
    total: money,
    currency: z.string(),
    last_update: timestamp,
  })
  .meta({ id: "Expense" });

export function toExpenseMessage(row: ExpenseForIntegration, writing: MessageFormat): z.output<typeof expense> {
  const { decimals } = writing;
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
    rental_location_code: writing.ofBranches(row.branchCode),
    total_without_taxes: toAmount(row.totalWithoutTaxesCents, decimals),
    discount: toAmount(row.discountCents, decimals),
    subtotal: toAmount(row.subtotalCents, decimals),
    total_taxes: toAmount(row.taxesCents, decimals),
    total: toAmount(row.totalCents, decimals),
    currency: writing.currency,
    last_update: writing.timestamp(row.lastUpdate),
  };
}

import { z } from "zod";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { toAmount } from "#domain/money.ts";
import { acrissFields, findAcrissFields } from "#worker/api/acriss-messages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";
import { formatModel } from "./messages.ts";

const text = z.string().nullable();
const sums = {
  total_without_taxes: decimalAmountSchema,
  discount: decimalAmountSchema,
  subtotal: decimalAmountSchema,
  total_taxes: decimalAmountSchema,
  total: decimalAmountSchema,
};

const expenseRow = z.object({
  booking_item_reference: z.string(),
  stock_plate: text,
  stock_model: z.string(),
  characteristic_1: text,
  characteristic_2: text,
  characteristic_3: text,
  characteristic_4: text,
  category_code: z.string(),
  ...acrissFields,
  category_name: z.string(),
  category_family_name: text,
  expense_account_id: z.int(),
  concept: z.string(),
  concept_id: z.int(),
  id: z.int(),
  date: z.string(),
  description: z.string(),
  reference: text,
  ...sums,
  rental_location_code: z.string(),
  rental_location_name: z.string(),
  rental_storage_id: z.int(),
  rental_storage_name: z.string(),
});

export const expenseReportAnswer = z.object({
  data: z.array(expenseRow),
  summary: z.object({ ...sums, total_rows: z.int() }),
  total: z.int(),
});

interface Sums {
  readonly totalWithoutTaxesCents: number;
  readonly discountCents: number;
  readonly subtotalCents: number;
  readonly taxesCents: number;
  readonly totalCents: number;
}

interface Expense extends Sums {
  readonly id: number;
  readonly reference: string;
  readonly plate: string | null;
  readonly brand: string | null;
  readonly model: string | null;
  readonly characteristic1: string | null;
  readonly characteristic2: string | null;
  readonly characteristic3: string | null;
  readonly characteristic4: string | null;
  readonly categoryCode: string;
  readonly categoryName: string;
  readonly familyCode: string | null;
  readonly accountId: number;
  readonly conceptId: number;
  readonly concept: string;
  readonly date: string;
  readonly description: string;
  readonly documentReference: string | null;
  readonly branchCode: string;
  readonly branchName: string;
  readonly storageId: number;
  readonly storageName: string;
}

export function toExpensesMessage(
  rows: readonly Expense[],
  summary: Sums & { readonly expenseCount: number; readonly vehicleCount: number },
  catalogue: Catalogue,
): z.output<typeof expenseReportAnswer> {
  const { currencyDecimals: decimals } = catalogue.settings;
  return {
    data: rows.map((row) => toExpenseMessage(row, decimals, catalogue)),
    summary: { ...toExpenseSumsMessage(summary, decimals), total_rows: summary.expenseCount },
    total: summary.vehicleCount,
  };
}

function toExpenseSumsMessage(sums: Sums, decimals: number) {
  return {
    total_without_taxes: toAmount(sums.totalWithoutTaxesCents, decimals),
    discount: toAmount(sums.discountCents, decimals),
    subtotal: toAmount(sums.subtotalCents, decimals),
    total_taxes: toAmount(sums.taxesCents, decimals),
    total: toAmount(sums.totalCents, decimals),
  };
}

function toExpenseMessage(row: Expense, decimals: number, catalogue: Catalogue): z.output<typeof expenseRow> {
  return {
    booking_item_reference: row.reference,
    stock_plate: row.plate,
    stock_model: formatModel(row.brand, row.model),
    characteristic_1: row.characteristic1,
    characteristic_2: row.characteristic2,
    characteristic_3: row.characteristic3,
    characteristic_4: row.characteristic4,
    category_code: row.categoryCode,
    ...findAcrissFields(catalogue, row.categoryCode),
    category_name: row.categoryName,
    category_family_name: row.familyCode,
    expense_account_id: row.accountId,
    concept: row.concept,
    concept_id: row.conceptId,
    id: row.id,
    date: row.date,
    description: row.description,
    reference: row.documentReference,
    ...toExpenseSumsMessage(row, decimals),
    rental_location_code: row.branchCode,
    rental_location_name: row.branchName,
    rental_storage_id: row.storageId,
    rental_storage_name: row.storageName,
  };
}

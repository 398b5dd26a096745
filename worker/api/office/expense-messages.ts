import { z } from "zod";
import type { CivilDate } from "#domain/dates.ts";
import { parseAmount, toAmount } from "#domain/money.ts";
import type { ExpenseAmounts, ExpenseInput } from "#domain/reporting/expenses.ts";
import {
  civilDateSchema,
  createRefineOptions,
  decimalAmountSchema,
  documentNumber,
  integerTextSchema,
  MAX_ID,
  percentageTextSchema,
  searchedTextSchema,
  textLineSchema,
} from "#worker/api/primitives.ts";
import { createMultiValueCursorParser, parseCursorDate, parseCursorId } from "./cursor-messages.ts";
import { officeFailureAnswer } from "./failure-messages.ts";
import { expectedVersion } from "./request-messages.ts";
import { createResourceHistorySchema } from "./resource-history-messages.ts";
import {
  checkCursorMatchesSort,
  createSortedCursorField,
  createSortFields,
  getViewPeriodStart,
} from "./sort-messages.ts";

const MAX_DECIMALS = 3;
/** Applies to all currencies. Larger amounts are typing errors, and sums of many would lose precision. */
const MAX_DIGITS = 9;
const PERCENT_DECIMALS = 2;
const text = z.string().nullable();
const sums = {
  total_without_taxes: decimalAmountSchema,
  discount: decimalAmountSchema,
  subtotal: decimalAmountSchema,
  total_taxes: decimalAmountSchema,
  total: decimalAmountSchema,
};

const expense = z
  .object({
    id: z.int(),
    version: z.int(),
    booking_item_reference: z.string(),
    stock_plate: text,
    name: z.string().meta({ description: "The vehicle's" }),
    expense_account_id: z.int(),
    account: z.string(),
    concept_id: z.int(),
    concept: z.string(),
    date: z.string(),
    description: z.string(),
    reference: text.meta({ description: "Number of the supplier's document" }),
    supplier: text,
    supplier_document_id: text.meta({ description: "Tax number of the supplier" }),
    ...sums,
    rental_location_code: z.string(),
    rental_storage_id: z.int(),
    vehicle_service_id: z.int().nullable().meta({ description: "Maintenance from which it was recorded" }),
  })
  .meta({ id: "OfficeExpense" });

export const expenseAnswer = z.object({ expense });
export type ExpenseDetailMessage = z.output<typeof expenseAnswer>;
export const expenseConflictAnswer = officeFailureAnswer
  .extend(expenseAnswer.partial().shape)
  .meta({ id: "ExpenseConflict" });
export const expenseList = z.object({
  data: z.array(expense),
  total: z.int(),
  summary: z.object(sums).meta({ description: "Total of all matches, on all pages" }),
  next: z.string().nullable().meta({ description: "`after` of the next page" }),
});
export type ExpenseListMessage = z.output<typeof expenseList>;

const expenseHistoryShape = expense.omit({
  ...{ id: true, version: true, stock_plate: true, name: true },
  ...{ expense_account_id: true, account: true, concept: true, rental_storage_id: true },
  ...{ vehicle_service_id: true },
});
export const expenseHistoryAnswer = createResourceHistorySchema(expenseHistoryShape, "OfficeExpenseEntry");

export const expenseParams = z.object({ id: integerTextSchema(MAX_ID, 1).meta({ type: "integer", example: 1 }) });

const anyId = integerTextSchema(MAX_ID, 1).meta({ type: "integer" });
const cursor = createSortedCursorField(
  createMultiValueCursorParser({ date: parseCursorDate, id: parseCursorId }),
  parseCursorId,
);

/** Filters of the list of expenses and of its table. */
export const expenseFilters = z.object({
  q: searchedTextSchema(60)
    .optional()
    .meta({ description: "Any part of the paper's number, the description or the plate" }),
  booking_item_reference: textLineSchema(50).optional(),
  concept_id: anyId.optional(),
  expense_account_id: anyId.optional(),
  rental_location_code: textLineSchema(30).meta({ example: "PMI" }).optional(),
  rental_storage_id: anyId.optional(),
  date_from: civilDateSchema.meta({ example: "2026-01-01" }).optional(),
  date_to: civilDateSchema.optional(),
  ...createSortFields("expenses"),
});
export const expensesQuery = expenseFilters
  .extend({ page_size: integerTextSchema(200, 1).default(50), after: cursor.optional() })
  .superRefine(checkCursorMatchesSort);

const signedAmount = z
  .string("must be a decimal number in a text")
  .refine((text) => parseSigned(text, MAX_DECIMALS) !== undefined, createRefineOptions("money"))
  .refine(isLikely, createRefineOptions("amount_too_high"))
  .meta({ type: "string", pattern: "^-?\\d+(\\.\\d+)?$", example: "120.00" });
const discountRate = z
  .string("must be a decimal number in a text")
  .refine((text) => parseAmount(text, MAX_DECIMALS) !== undefined, createRefineOptions("money"))
  .refine(isLikely, createRefineOptions("amount_too_high"))
  .meta({ type: "string", pattern: "^\\d+(\\.\\d+)?$", example: "5.00" });

function isLikely(text: string): boolean {
  const integerDigits = text.replace(/^-?0*/, "").split(".")[0] ?? "";
  return integerDigits.length <= MAX_DIGITS || parseSigned(text, MAX_DECIMALS) === undefined;
}

const toRate = (text: string) => parseAmount(text, PERCENT_DECIMALS);

function parseSigned(text: string, decimals: number): number | undefined {
  if (!text.startsWith("-")) return parseAmount(text, decimals);
  const cents = parseAmount(text.slice(1), decimals);
  return cents === undefined ? undefined : 0 - cents;
}

const conceptId = z.int("must be a whole number").min(1, "must be at least 1");
const shape = {
  booking_item_reference: textLineSchema(50).meta({ description: "The vehicle that it was spent on" }),
  concept_id: conceptId,
  date: civilDateSchema.meta({ description: "Date of the receipt, not in the future" }),
};
const amounts = {
  total_without_taxes: signedAmount
    .optional()
    .meta({ description: "Amount without taxes. Negative for a supplier's credit note" }),
  discount: discountRate.optional(),
  tax_percent: percentageTextSchema
    .optional()
    .meta({ description: "Tax rate. Used to calculate the taxes", example: "21.00" }),
  total_taxes: signedAmount.optional().meta({ description: "Amount of taxes, if the receipt rounds differently" }),
  total: signedAmount
    .optional()
    .meta({ description: "Total with taxes. Without `total_without_taxes`, the server calculates the rest" }),
};
const DUPLICATE = z.boolean("must be true or false").default(false).meta({
  description: "Whether it differs from an expense with the same vehicle, day and `reference`",
});
const description = z.string("must be text").pipe(z.union([z.literal(""), textLineSchema(500)]));

export const expenseBody = z
  .strictObject({
    ...shape,
    description: textLineSchema(500).optional(),
    reference: textLineSchema(60).optional().meta({ description: "Number of the supplier's document" }),
    supplier: textLineSchema(120).optional(),
    supplier_document_id: documentNumber(40).optional().meta({ description: "Tax number of the supplier" }),
    rental_location_code: textLineSchema(30)
      .optional()
      .meta({ description: "Branch, by default the vehicle's current one" }),
    ...amounts,
    vehicle_service_id: z
      .int("must be the id of maintenance")
      .min(1, "must be at least 1")
      .max(MAX_ID)
      .optional()
      .meta({ description: "Maintenance of the vehicle whose cost it is, once. Reports then count the expense" }),
    duplicate_confirmed: DUPLICATE,
  })
  .meta({ id: "NewExpense" });
export type ExpenseRequest = z.input<typeof expenseBody>;

export const expenseChangeBody = z
  .strictObject({
    expected_version: expectedVersion,
    booking_item_reference: shape.booking_item_reference.optional(),
    concept_id: conceptId.optional(),
    date: shape.date.optional(),
    description: description.nullish().meta({ type: ["string", "null"], maxLength: 500 }),
    reference: textLineSchema(60).nullish(),
    supplier: textLineSchema(120).nullish(),
    supplier_document_id: documentNumber(40).nullish(),
    rental_location_code: textLineSchema(30).optional(),
    ...amounts,
    duplicate_confirmed: DUPLICATE,
  })
  .meta({ id: "ExpenseChange" });
export type ExpenseChangeRequest = z.input<typeof expenseChangeBody>;

type Body = Omit<z.output<typeof expenseChangeBody>, "expected_version">;
const AMOUNTS = ["total_without_taxes", "discount", "total_taxes", "total"] as const;

/** Returns the amounts with more decimals than the currency. */
export function findTooPreciseAmounts(body: Body, decimals: number): readonly (typeof AMOUNTS)[number][] {
  return AMOUNTS.filter((name) => body[name] !== undefined && parseSigned(body[name], decimals) === undefined);
}

/** Converts the body of an expense. Its amounts must have passed `findTooPreciseAmounts`. */
export function toExpenseInput(body: Body, decimals: number): ExpenseInput {
  const cents = (text: string | undefined) => (text === undefined ? undefined : parseSigned(text, decimals));
  return {
    vehicleReference: body.booking_item_reference,
    conceptId: body.concept_id,
    date: body.date,
    description: body.description === null ? "" : body.description,
    reference: body.reference,
    supplier: body.supplier,
    supplierDocumentId: body.supplier_document_id,
    branchCode: body.rental_location_code,
    amounts: {
      withoutTaxes: cents(body.total_without_taxes),
      discount: cents(body.discount),
      taxRate: body.tax_percent === undefined ? undefined : toRate(body.tax_percent),
      taxes: cents(body.total_taxes),
      total: cents(body.total),
    },
    duplicateConfirmed: body.duplicate_confirmed,
  };
}

/** Converts the amounts of one or more expenses to their message. */
export function toExpenseSumsMessage(sums: ExpenseAmounts, decimals: number) {
  return {
    total_without_taxes: toAmount(sums.totalWithoutTaxesCents, decimals),
    discount: toAmount(sums.discountCents, decimals),
    subtotal: toAmount(sums.subtotalCents, decimals),
    total_taxes: toAmount(sums.taxesCents, decimals),
    total: toAmount(sums.totalCents, decimals),
  };
}

interface ExpenseRow extends ExpenseAmounts {
  readonly id: number;
  readonly version: number;
  readonly vehicleReference: string;
  readonly plate: string | null;
  readonly vehicleName: string;
  readonly accountId: number;
  readonly account: string;
  readonly expenseConceptId: number;
  readonly concept: string;
  readonly date: string;
  readonly description: string;
  readonly reference: string | null;
  readonly supplier: string | null;
  readonly supplierDocumentId: string | null;
  readonly branchCode: string;
  readonly branchGroupId: number;
  readonly vehicleServiceId: number | null;
}

export function toOfficeExpenseMessage(row: ExpenseRow, decimals: number): z.output<typeof expense> {
  return {
    id: row.id,
    version: row.version,
    booking_item_reference: row.vehicleReference,
    stock_plate: row.plate,
    name: row.vehicleName,
    expense_account_id: row.accountId,
    account: row.account,
    concept_id: row.expenseConceptId,
    concept: row.concept,
    date: row.date,
    description: row.description,
    reference: row.reference,
    supplier: row.supplier,
    supplier_document_id: row.supplierDocumentId,
    ...toExpenseSumsMessage(row, decimals),
    rental_location_code: row.branchCode,
    rental_storage_id: row.branchGroupId,
    vehicle_service_id: row.vehicleServiceId,
  };
}

/** Converts a query to the filter of expenses. */
export function toExpenseFilter(query: Omit<z.output<typeof expenseFilters>, "sort">, today: CivilDate) {
  return {
    text: query.q,
    vehicleReference: query.booking_item_reference,
    conceptId: query.concept_id,
    accountId: query.expense_account_id,
    branchCode: query.rental_location_code,
    branchGroupId: query.rental_storage_id,
    dateFrom: query.date_from ?? (query.view && getViewPeriodStart(query.view, today)),
    dateTo: query.date_to ?? (query.view && today),
  };
}

import { z } from "zod";
import { sumCents, toAmount } from "#domain/money.ts";
import { type MonthlyFigures, PRODUCT_REPORTS, type SalesRow } from "#domain/reporting/analytics.ts";
import { acrissFields } from "#worker/api/acriss-messages.ts";
import { civilDateSchema, integerTextSchema, textLineSchema } from "#worker/api/primitives.ts";

const year = z
  .string("is required: four digits")
  .regex(/^(?!0000)\d{4}$/, "must be a year of four digits")
  .transform(Number)
  .meta({ type: "string", example: "2026" });
const branch = textLineSchema(30).optional();
const storage = integerTextSchema(Number.MAX_SAFE_INTEGER).optional();
const pageSize = integerTextSchema(500, 1).default(20);
const oneFrom = <const T extends readonly string[]>(values: T) => z.enum(values, `must be one of ${values.join(", ")}`);

export const vehicleReportQuery = z.object({
  year,
  report_type: oneFrom(PRODUCT_REPORTS).meta({ example: "monthly_billing_report" }),
  group_entity: oneFrom(["rental_location", "rental_storage"]).default("rental_location"),
  rental_storage_id: storage,
  rental_location_code: branch,
  customer_type: oneFrom(["all", "individual", "legal_entity"]).default("all"),
});

export const extraReportQuery = z.object({
  year,
  report_type: oneFrom(["extras_with_taxes", "extras_without_taxes"]).meta({ example: "extras_with_taxes" }),
  rental_location_code: branch,
});

export const supplementReportQuery = z.object({
  year,
  report_type: oneFrom(["supplements_with_taxes", "supplements_without_taxes"]).meta({
    example: "supplements_with_taxes",
  }),
  rental_location_code: branch,
});

export const expenseReportQuery = z.object({
  year,
  page: integerTextSchema(1_000_000).default(0),
  page_size: pageSize,
  date_from: civilDateSchema.meta({ example: "2026-01-01" }).optional(),
  date_to: civilDateSchema.meta({ example: "2026-12-31" }).optional(),
  rental_storage_id: storage,
  rental_location_code: branch,
});

/** The number 0 or a decimal string. */
const figure = z.union([z.literal(0), z.string()]).meta({ example: "1250.00" });
const twelve = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [String(index + 1), figure])) as Record<
  MonthKey,
  typeof figure
>;
const text = z.string().nullable();
type MonthKey = "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10" | "11" | "12";

const productRow = z.object({
  ...twelve,
  total: figure,
  id: z.string(),
  stock_plate: text,
  stock_model: z.string(),
  category_family_name: text,
  category_code: z.string(),
  ...acrissFields,
  characteristic_1: text,
  characteristic_2: text,
  characteristic_3: text,
  characteristic_4: text,
  purchasable_adquisition_date: text, // sic
  group_field_name: z.union([z.string(), z.number()]),
  own_property: z.boolean(),
});

export const vehicleReportAnswer = z.object({
  data: z.array(productRow),
  summary: z.array(
    z.object({
      ...twelve,
      total: figure,
      id: z.literal("TOTAL"),
      stock_plate: z.literal("TOTAL"),
      stock_model: z.literal(""),
      own_property: z.null(),
    }),
  ),
  total: z.int(),
});

const child = z.object({ ...twelve, total: figure, id: z.string(), parent: z.string(), name: z.string() });
const salesRow = z.object({ ...twelve, total: figure, id: z.string(), childs: z.array(child) }); // sic
const salesSummary = z.object({ ...twelve, total: figure, id: z.literal("TOTAL") });

export const extraReportAnswer = z.object({
  data: z.array(salesRow.extend({ name: z.string() })),
  summary: z.array(salesSummary.extend({ name: z.literal("TOTAL") })),
  total: z.int(),
});

export const supplementReportAnswer = z.object({
  data: z.array(salesRow),
  summary: z.array(salesSummary),
  total: z.int(),
});

/** Returns the months of a row and their sum. `decimals` applies to the figures. */
export function toMonthsMessage(
  months: MonthlyFigures,
  decimals: number,
): z.output<z.ZodObject<typeof twelve>> & { total: 0 | string } {
  const figures = Object.fromEntries(months.map((value, index) => [String(index + 1), formatFigure(value, decimals)]));
  return { ...(figures as Record<MonthKey, 0 | string>), total: formatFigure(sumCents(months), decimals) };
}

function formatFigure(value: number, decimals: number): 0 | string {
  return value === 0 ? 0 : toAmount(value, decimals);
}

/** Returns a vehicle's make and model in one text. */
export function formatModel(brand: string | null, model: string | null): string {
  return [brand, model].filter(Boolean).join(" ");
}

export function toSalesRowMessage({ code, months, branches }: SalesRow, decimals: number): z.output<typeof salesRow> {
  return {
    ...toMonthsMessage(months, decimals),
    id: code,
    childs: branches.map((branch) => ({
      ...toMonthsMessage(branch.months, decimals),
      id: `${code}-${branch.code}`,
      parent: code,
      name: branch.code,
    })),
  };
}

export function toTotalRowMessage(summary: MonthlyFigures, decimals: number) {
  return { ...toMonthsMessage(summary, decimals), id: "TOTAL" as const };
}

import { z } from "zod";
import type { PriceTableColumn } from "#domain/catalogue/resources/price-table.ts";
import type { TimeText } from "#domain/dates.ts";
import { parseAmount, toAmount } from "#domain/money.ts";
import { officeFailureAnswer } from "#worker/api/office/failure-messages.ts";
import {
  civilDateSchema,
  decimalAmountSchema,
  integerTextSchema,
  MAX_ID,
  textLineSchema,
  timeTextSchema,
} from "#worker/api/primitives.ts";

const MAX_COLUMNS = 40;
const MAX_ROWS = 300;
const MAX_DATES = 40;
const MAX_RENTAL_DAYS = 999;

const bracket = z.object({
  from_days: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(MAX_RENTAL_DAYS, `must be at most ${MAX_RENTAL_DAYS}`),
  to_days: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(MAX_RENTAL_DAYS, `must be at most ${MAX_RENTAL_DAYS}`)
    .nullish(),
  price_per: z.enum(["day", "bracket"], "must be day or bracket").default("day"),
});

/** Prices of categories (rows) by rental length (columns), for a season and a sales channel. */
const priceTableFields = {
  brackets: z.array(bracket, "must be a list").max(MAX_COLUMNS, `must have at most ${MAX_COLUMNS}`),
  rows: z
    .array(
      z.object({
        category_code: textLineSchema(30),
        prices: z
          .array(decimalAmountSchema.nullable(), "must be a list of amounts, null where there is none")
          .max(MAX_COLUMNS),
      }),
      "must be a list",
    )
    .max(MAX_ROWS, `must have at most ${MAX_ROWS}`),
};

export const priceTableQuery = z.object({
  season: integerTextSchema(MAX_ID).optional().meta({ type: "integer", description: "None: the whole year" }),
  sales_channel: textLineSchema(30)
    .optional()
    .meta({ description: "Sales channel. Absent: channels without their own prices" }),
});
export const priceTableChangeBody = z.object({
  expected_version: z.int("is required: the version that was read").min(1),
  ...priceTableFields,
});
export type PriceTableChangeRequest = z.input<typeof priceTableChangeBody>;
export const pricePreviewBody = z.object({
  ...priceTableFields,
  dates: z
    .array(
      z.object({
        date_from: civilDateSchema,
        time_from: timeTextSchema.optional(),
        date_to: civilDateSchema,
        time_to: timeTextSchema.optional(),
      }),
      "must be a list",
    )
    .min(1, "must have one at least")
    .max(MAX_DATES, `must have at most ${MAX_DATES}`),
});
export type PricePreviewRequest = z.input<typeof pricePreviewBody>;

const priceTable = z
  .object({
    season_id: z.int().nullable(),
    sales_channel_code: z.string().nullable(),
    brackets: z.array(z.object({ from_days: z.int(), to_days: z.int().nullable(), price_per: z.string() })),
    rows: z.array(z.object({ category_code: z.string(), name: z.string(), prices: z.array(z.string().nullable()) })),
    version: z.int().meta({ description: "Version of all prices, which each change increases" }),
  })
  .meta({ id: "PriceTable" });
export const priceTableAnswer = z.object({ table: priceTable });
export type PriceTableMessage = z.output<typeof priceTableAnswer>;
export const priceTableConflictAnswer = officeFailureAnswer.extend({ table: priceTable.optional() });
export const pricePreviewAnswer = z.object({
  data: z.array(
    z.object({
      category_code: z.string(),
      date_from: z.string(),
      time_from: z.string(),
      date_to: z.string(),
      time_to: z.string(),
      days: z.int(),
      before: z.string().nullable().meta({ description: "Null: no price covers the days" }),
      after: z.string().nullable(),
    }),
  ),
});
export type PricePreviewMessage = z.output<typeof pricePreviewAnswer>;

interface StoredPriceTable {
  readonly seasonId: number | null;
  readonly channel: string | null;
  readonly brackets: readonly PriceTableColumn[];
  readonly rows: readonly { readonly categoryCode: string; readonly prices: readonly (number | null)[] }[];
  readonly names: Readonly<Record<string, string>>;
  readonly version: number;
}

/** Converts a price table. */
export function toPriceTableMessage(storedTable: StoredPriceTable, decimals: number): z.output<typeof priceTable> {
  return {
    season_id: storedTable.seasonId,
    sales_channel_code: storedTable.channel,
    brackets: storedTable.brackets.map((bracket) => ({
      from_days: bracket.fromDays,
      to_days: bracket.toDays,
      price_per: bracket.pricePer,
    })),
    rows: storedTable.rows.map(({ categoryCode, prices }) => ({
      category_code: categoryCode,
      name: storedTable.names[categoryCode] ?? categoryCode,
      prices: prices.map((cents) => (cents === null ? null : toAmount(cents, decimals))),
    })),
    version: storedTable.version,
  };
}

/** Parses the price table and collects the cells that are invalid amounts of the currency. */
export function toSubmittedPriceTable(
  { brackets, rows }: Pick<z.output<typeof priceTableChangeBody>, "brackets" | "rows">,
  decimals: number,
) {
  const invalidPrices: string[] = [];
  const cells = rows.map(({ category_code: categoryCode, prices }, row) => ({
    categoryCode,
    prices: prices.map((text, column) => {
      if (text === null) return null;
      const cents = parseAmount(text, decimals);
      if (cents === undefined) invalidPrices.push(`rows.${row}.prices.${column}`);
      return cents ?? null;
    }),
  }));
  const columns = brackets.map((bracket) => ({
    fromDays: bracket.from_days,
    toDays: bracket.to_days ?? null,
    pricePer: bracket.price_per,
  }));
  return { table: { brackets: columns, rows: cells }, wrong: invalidPrices };
}

interface Previewed {
  readonly categoryCode: string;
  readonly dateFrom: string;
  readonly timeFrom: string;
  readonly dateTo: string;
  readonly timeTo: string;
  readonly days: number;
  readonly beforeCents: number | undefined;
  readonly afterCents: number | undefined;
}

export function toPricePreviewMessage(
  previewed: readonly Previewed[],
  decimals: number,
): z.output<typeof pricePreviewAnswer> {
  const formatPrice = (cents: number | undefined) => (cents === undefined ? null : toAmount(cents, decimals));
  return {
    data: previewed.map((previewed) => ({
      category_code: previewed.categoryCode,
      date_from: previewed.dateFrom,
      time_from: previewed.timeFrom,
      date_to: previewed.dateTo,
      time_to: previewed.timeTo,
      days: previewed.days,
      before: formatPrice(previewed.beforeCents),
      after: formatPrice(previewed.afterCents),
    })),
  };
}

const TEN = "10:00" as TimeText;

/** Converts the dates to preview. Without a return time, the pickup time applies, which defaults to 10:00. */
export function toPreviewDates(dates: z.output<typeof pricePreviewBody>["dates"]) {
  return dates.map(({ date_from, time_from, date_to, time_to }) => ({
    dateFrom: date_from,
    timeFrom: time_from ?? TEN,
    dateTo: date_to,
    timeTo: time_to ?? time_from ?? TEN,
  }));
}

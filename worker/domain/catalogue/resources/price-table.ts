import type { Catalogue, Tariff } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import type { Problem } from "#domain/problems.ts";
import type { FieldValue, ResourceValues } from "./fields.ts";

/** Rental length of a price table's column. Null `toDays` covers all longer rentals. */
export interface PriceTableColumn {
  readonly fromDays: number;
  readonly toDays: number | null;
  readonly pricePer: string;
}

/** Prices of a category by column, in minor units. Null if not set. */
export interface PriceTableRow {
  readonly categoryCode: string;
  readonly prices: readonly (Cents | null)[];
}

/** Prices of a season and channel, by category and length. */
export interface PriceTable {
  readonly brackets: readonly PriceTableColumn[];
  readonly rows: readonly PriceTableRow[];
}

/** Converts stored prices to a table. A category without prices gets an empty row. */
export function toPriceTable(prices: readonly ResourceValues[], categoryCodes: readonly string[]): PriceTable {
  const byCategory = new Map(prices.map((price) => [String(price["category_code"]), toBrackets(price["brackets"])]));
  const columns = new Map([...byCategory.values()].flat().map((item) => [formatBracket(item), item]));
  const brackets = [...columns.values()].toSorted(
    (item, other) => item.fromDays - other.fromDays || getBracketEnd(item) - getBracketEnd(other),
  );
  const codes = [...new Set([...categoryCodes, ...byCategory.keys()])];
  return {
    brackets: brackets.map(({ fromDays, toDays, pricePer }) => ({ fromDays, toDays, pricePer })),
    rows: codes.map((categoryCode) => {
      const own = new Map((byCategory.get(categoryCode) ?? []).map((item) => [formatBracket(item), item.priceCents]));
      return { categoryCode, prices: brackets.map((bracket) => own.get(formatBracket(bracket)) ?? null) };
    }),
  };
}

/** Returns a row's brackets in stored form, each with its column. */
export function listPriceRowBrackets({ brackets }: PriceTable, { prices }: PriceTableRow) {
  return prices.flatMap((price, column) => {
    const bracket = brackets[column];
    if (price === null || !bracket) return [];
    return [{ column, from_days: bracket.fromDays, to_days: bracket.toDays, price_per: bracket.pricePer, price }];
  });
}

/** Assigns the problems of a row's brackets to its cells. */
export function assignProblemsToPriceCells(
  problems: readonly Problem[],
  row: number,
  columns: readonly number[],
): readonly Problem[] {
  return problems.map(({ field, ...reason }) => {
    const [, index = "0"] = field.split(".");
    return { field: `rows.${row}.prices.${columns[Number(index)] ?? 0}`, ...reason };
  });
}

/** Returns a copy of the catalogue with other prices of a season and channel for the listed categories. */
export function replacePricesWithTable(
  catalogue: Catalogue,
  table: PriceTable,
  { seasonId, channel }: { readonly seasonId: number | null; readonly channel: string | null },
): Catalogue {
  const tableCategories = new Set(table.rows.map(({ categoryCode }) => categoryCode));
  const isReplaced = (tariff: Tariff) =>
    tableCategories.has(tariff.categoryCode) &&
    (tariff.seasonId ?? null) === seasonId &&
    (tariff.salesChannel ?? null) === channel;
  const own = table.rows.map((row) => ({
    categoryCode: row.categoryCode,
    seasonId: seasonId ?? undefined,
    salesChannel: channel ?? undefined,
    brackets: listPriceRowBrackets(table, row).map(({ from_days, to_days, price_per, price }) => ({
      fromDays: from_days,
      toDays: to_days ?? undefined,
      pricePer: price_per === "bracket" ? ("bracket" as const) : ("day" as const),
      priceCents: price,
    })),
  }));
  const tariffs = [
    ...catalogue.tariffs.filter((tariff) => !isReplaced(tariff)),
    ...own.filter(({ brackets }) => brackets.length > 0),
  ];
  return { ...catalogue, tariffs };
}

function toBrackets(value: FieldValue | undefined): readonly (PriceTableColumn & { readonly priceCents: Cents })[] {
  const rows = Array.isArray(value) ? (value as readonly ResourceValues[]) : [];
  return rows.map(({ from_days, to_days, price_per, price }) => ({
    fromDays: Number(from_days),
    toDays: to_days === null || to_days === undefined ? null : Number(to_days),
    pricePer: String(price_per),
    priceCents: Number(price),
  }));
}

function formatBracket({ fromDays, toDays, pricePer }: PriceTableColumn): string {
  return `${fromDays}-${toDays}-${pricePer}`;
}

function getBracketEnd({ toDays }: PriceTableColumn): number {
  return toDays ?? Number.MAX_SAFE_INTEGER;
}

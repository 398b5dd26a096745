import { addCategorySupplements, priceProduct } from "#domain/bookings/pricing.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { checkTariffBrackets } from "#domain/catalogue/resources/price-checks.ts";
import {
  assignProblemsToPriceCells,
  listPriceRowBrackets,
  type PriceTable,
  type PriceTableRow,
  replacePricesWithTable,
  toPriceTable,
} from "#domain/catalogue/resources/price-table.ts";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import { type CivilDate, countRentalDays, type TimeText, toSpan } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { createProblem, type Problem } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  existingResourceIdsQuery,
  nextResourceIdQuery,
  priceTableQueries,
  type StoredResource,
  toResources,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import {
  deleteResourceStatements,
  insertResourceStatements,
  updateResourceStatements,
} from "#worker/store/catalogue/resources/resource-writes.ts";
import type { Query } from "#worker/store/database.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { findMissingRightRefusal, type OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";
import type { PriceTableKey, StoredPriceTable } from "./stored-table.ts";
import { createResourceHistoryEntry } from "./validate-resource.ts";
import { getResourceWriteOptions, type ResourceWriteData, writeResource } from "./write-resource.ts";

const MAX_DAYS = 366;
const MAX_MINUTES = MAX_DAYS * 1440;
const PRICES = getResource("prices");

/** Returns the prices of a season and channel as a table. One round trip. */
export async function readPriceTable(
  request: StaffRequest,
  key: PriceTableKey,
): Promise<Result<StaffAnswer<StoredPriceTable>, ResourceRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(request, (): readonly Query[] => [
    ...knownQueries(db, key),
    ...priceTableQueries(db, key),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, rows, catalogue } = read.value;
  const refused = findMissingRightRefusal(staff, "see") ?? refuseUnknown(key, rows);
  if (refused) return refused;
  return ok({ value: toTable(key, catalogue, (rows as readonly unknown[]).slice(2)), freshToken });
}

function knownQueries(
  db: Parameters<typeof existingResourceIdsQuery>[0],
  { seasonId, channel }: PriceTableKey,
): readonly Query[] {
  return [
    existingResourceIdsQuery(db, "seasons", seasonId === null ? [] : [seasonId]),
    existingResourceIdsQuery(db, "sales-channels", channel === null ? [] : [channel]),
  ];
}

function refuseUnknown({ seasonId, channel }: PriceTableKey, rows: readonly unknown[]) {
  const [seasons = [], channels = []] = rows as readonly (readonly unknown[])[];
  const problems = [
    ...(seasonId !== null && seasons.length === 0 ? [createProblem("season", "not_known")] : []),
    ...(channel !== null && channels.length === 0 ? [createProblem("sales_channel", "not_known")] : []),
  ];
  return problems.length > 0 ? err({ kind: "problems" as const, problems }) : undefined;
}

function toTable(key: PriceTableKey, { categories }: Catalogue, rows: readonly unknown[]): StoredPriceTable {
  const [counted, ...storedRows] = rows as readonly [readonly { readonly changes: number }[], ...unknown[]];
  const prices = toResources(PRICES, storedRows).map(({ values }) => values);
  const names = Object.fromEntries([...categories.values()].map(({ code, name }) => [code, name]));
  return { ...key, ...toPriceTable(prices, Object.keys(names)), names, version: 1 + (counted[0]?.changes ?? 0) };
}

/** Writes complete rows of a price table. A row without prices removes its prices. */
export function writePriceTable(
  write: OfficeWrite,
  {
    key,
    expectedVersion,
    table,
  }: { readonly key: PriceTableKey; readonly expectedVersion: number; readonly table: PriceTable },
): Promise<Result<StaffAnswer<StoredPriceTable>, ResourceRefusal>> {
  const { db } = write.tenant;
  return writeResource(write, {
    ...getResourceWriteOptions(PRICES),
    content: { resource: PRICES.name, table, key, expectedVersion },
    read: () => [nextResourceIdQuery(db, PRICES), ...knownQueries(db, key), ...priceTableQueries(db, key)],
    readBack: () => priceTableQueries(db, key),
    answer: (rows, { catalogue }) => ok(toTable(key, catalogue, rows)),
    decide: (reading) => {
      const [next, ...rows] = reading.rows as readonly unknown[] as readonly [
        readonly { readonly id: number }[],
        ...unknown[],
      ];
      const unknown = refuseUnknown(key, rows);
      if (unknown) return unknown;
      const present = toTable(key, reading.catalogue, rows.slice(2));
      if (present.version !== expectedVersion) return err({ kind: "tableChanged", table: present });
      const problems = findTableProblems(reading.catalogue, table);
      if (problems.length > 0) return err({ kind: "problems", problems });
      const storedPrices = new Map(
        toResources(PRICES, rows.slice(3)).map((price) => [String(price.values["category_code"]), price]),
      );
      let nextId = next[0]?.id ?? 1;
      const statements = table.rows.flatMap((row) =>
        rowStatements(reading, {
          key,
          table,
          row,
          storedPrice: storedPrices.get(row.categoryCode),
          newId: () => nextId++,
          db,
        }),
      );
      return ok({ resource: "table", statements });
    },
  });
}

interface RowWrite {
  readonly key: PriceTableKey;
  readonly table: PriceTable;
  readonly row: PriceTableRow;
  readonly storedPrice: StoredResource | undefined;
  readonly newId: () => number;
  readonly db: OfficeWrite["tenant"]["db"];
}

function rowStatements(
  reading: ResourceWriteData,
  { key, table, row, storedPrice, newId, db }: RowWrite,
): readonly Query[] {
  const brackets = listPriceRowBrackets(table, row).map(({ column: _, ...bracket }) => bracket);
  if (!storedPrice && brackets.length === 0) return [];
  if (!storedPrice) {
    const number = newId();
    const { seasonId, channel } = key;
    const values = { category_code: row.categoryCode, season_id: seasonId, sales_channel_code: channel, brackets };
    const entry = createResourceHistoryEntry(reading, PRICES, {
      id: String(number),
      version: 1,
      event: "created",
      after: values,
    });
    return insertResourceStatements(db, PRICES, values, { id: number, entry, more: {} });
  }
  const { id, version, values } = storedPrice;
  if (JSON.stringify(values["brackets"]) === JSON.stringify(brackets)) return [];
  const nextVersion = { id, version: version + 1 };
  if (brackets.length === 0)
    return deleteResourceStatements(
      db,
      PRICES,
      createResourceHistoryEntry(reading, PRICES, { ...nextVersion, event: "removed", before: values }),
    );
  const before = { brackets: values["brackets"] ?? [] };
  const entries = [
    createResourceHistoryEntry(reading, PRICES, { ...nextVersion, event: "changed", before, after: { brackets } }),
  ];
  return updateResourceStatements(db, PRICES, { brackets }, { id, entries, more: {} });
}

// Finds the problems of a table by cell, including the position of gaps and overlaps.
function findTableProblems({ categories }: Catalogue, table: PriceTable): readonly Problem[] {
  return table.rows.flatMap((row, index) => {
    const twice = table.rows.findIndex(({ categoryCode }) => categoryCode === row.categoryCode) !== index;
    const brackets = listPriceRowBrackets(table, row);
    const columns = brackets.map(({ column }) => column);
    return [
      ...(categories.has(row.categoryCode) ? [] : [createProblem(`rows.${index}.category_code`, "not_known")]),
      ...(twice ? [createProblem(`rows.${index}.category_code`, "twice")] : []),
      // A truncated row would lose its missing prices. A row without any prices removes them.
      ...(row.prices.length === 0 || row.prices.length === table.brackets.length
        ? []
        : [createProblem(`rows.${index}.prices`, "as_many", table.brackets.length)]),
      ...(brackets.length === 0 ? [] : assignProblemsToPriceCells(checkTariffBrackets({ brackets }), index, columns)),
    ];
  });
}

/** Date range with its price before and after. */
export interface PreviewedDates {
  readonly dateFrom: CivilDate;
  readonly timeFrom: TimeText;
  readonly dateTo: CivilDate;
  readonly timeTo: TimeText;
}

/** Price of a category for a rental length, before and after the change. */
export interface PreviewedPrice extends PreviewedDates {
  readonly categoryCode: string;
  readonly days: number;
  /** Price before the change, in minor units. Absent if no price covers the days. */
  readonly beforeCents: Cents | undefined;
  readonly afterCents: Cents | undefined;
}

/** Previews the effect of a price table on date ranges. Stores nothing. One round trip. */
export async function previewPrices(
  request: StaffRequest,
  {
    key,
    table,
    dates,
  }: { readonly key: PriceTableKey; readonly table: PriceTable; readonly dates: readonly PreviewedDates[] },
): Promise<Result<StaffAnswer<readonly PreviewedPrice[]>, ResourceRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(request, () => knownQueries(db, key));
  if (!read.ok) return read;
  const { staff, catalogue, freshToken, rows } = read.value;
  const refused = findMissingRightRefusal(staff, "see") ?? refuseUnknown(key, rows);
  if (refused) return refused;
  const problems = [...findTableProblems(catalogue, table), ...dates.flatMap(findWrongDates)];
  if (problems.length > 0) return err({ kind: "problems", problems });
  const changed = replacePricesWithTable(catalogue, table, key);
  const bookedOn = toCivilNow(catalogue.settings.timezone, request.now).date;
  const channel = key.channel ?? undefined;
  const value = table.rows.flatMap(({ categoryCode }) =>
    dates.map((period): PreviewedPrice => {
      const days = countRentalDays(period, catalogue.settings.graceMinutes);
      const terms = { period, days, bookedOn, salesChannel: channel, promotionCode: undefined };
      const costs = (catalogue: Catalogue) => {
        const category = catalogue.categories.get(categoryCode);
        const price = category && priceProduct(catalogue, terms, category);
        return price && addCategorySupplements(price).cents;
      };
      return { ...period, categoryCode, days, beforeCents: costs(catalogue), afterCents: costs(changed) };
    }),
  );
  return ok({ value, freshToken });
}

function findWrongDates(period: PreviewedDates, index: number): readonly Problem[] {
  const { startsAt, endsAt } = toSpan(period);
  if (endsAt <= startsAt) return [createProblem(`dates.${index}.date_to`, "later", period.dateFrom)];
  return endsAt - startsAt > MAX_MINUTES ? [createProblem(`dates.${index}.date_to`, "whole", 1, MAX_DAYS)] : [];
}

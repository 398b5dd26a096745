import { asc, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Translations } from "#domain/catalogue/languages.ts";
import type { Database } from "#worker/store/database.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import {
  branches,
  closedDates,
  legalTexts,
  openingHours,
  pickupPlaces,
  repatriations,
  returnPlaces,
  salesChannels,
  settings,
  specialDateHours,
  specialDates,
  translations,
} from "#worker/store/schema/organization.ts";
import { agencies, engineKeys, partnerKeys } from "#worker/store/schema/people.ts";
import {
  cancellationTerms,
  driverAgeRules,
  extraStocks,
  extras,
  offers,
  oneWayFees,
  promotionCodes,
  seasonPeriods,
  sellingRules,
  tariffBrackets,
  tariffs,
} from "#worker/store/schema/prices.ts";
import { letterhead } from "#worker/store/schema/printing.ts";
import {
  transferExtras,
  transferPoints,
  transferPrices,
  transferSupplements,
  transferVehicles,
} from "#worker/store/schema/transfers.ts";
import { categories, categoryPhotos, families } from "#worker/store/schema/vehicles.ts";
import { webhooks } from "#worker/store/schema/webhooks.ts";
import { utcOffsetRangesQuery } from "./clock.ts";

/** Creates a query without parameters, built once per isolate. */
function memoizeQuery<Item extends BatchItem<"sqlite">>(build: (db: Database) => Item): (db: Database) => Item {
  const query = prepareQuery(build);
  return (db) => query(db, {});
}

/**
 * Returns the query for the current catalogue version. Read together with live data, it shows whether a snapshot is
 * current.
 */
export const catalogueVersionQuery = memoizeQuery((db) =>
  db.select({ version: catalogueVersion.version }).from(catalogueVersion).where(eq(catalogueVersion.id, 1)),
);

const QUERIES = {
  version: catalogueVersionQuery,
  settings: memoizeQuery((db) => db.select().from(settings)),
  branches: memoizeQuery((db) => db.select().from(branches)),
  openingHours: memoizeQuery((db) => db.select().from(openingHours)),
  closedDates: memoizeQuery((db) => db.select().from(closedDates)),
  specialDates: memoizeQuery((db) => db.select().from(specialDates)),
  specialDateHours: memoizeQuery((db) => db.select().from(specialDateHours)),
  places: memoizeQuery((db) =>
    db.select().from(pickupPlaces).orderBy(asc(pickupPlaces.position), asc(pickupPlaces.id)),
  ),
  returnPlaces: memoizeQuery((db) => db.select().from(returnPlaces)),
  salesChannels: memoizeQuery((db) => db.select().from(salesChannels)),
  translations: memoizeQuery((db) => db.select().from(translations)),
  categories: memoizeQuery((db) =>
    db.select().from(categories).where(eq(categories.active, true)).orderBy(asc(categories.position)),
  ),
  photos: memoizeQuery((db) => db.select().from(categoryPhotos).orderBy(asc(categoryPhotos.position))),
  seasonPeriods: memoizeQuery((db) => db.select().from(seasonPeriods)),
  tariffs: memoizeQuery((db) => db.select().from(tariffs)),
  brackets: memoizeQuery((db) => db.select().from(tariffBrackets)),
  offers: memoizeQuery((db) => db.select().from(offers).where(eq(offers.active, true))),
  promotionCodes: memoizeQuery((db) => db.select().from(promotionCodes).where(eq(promotionCodes.active, true))),
  driverAgeRules: memoizeQuery((db) => db.select().from(driverAgeRules)),
  extras: memoizeQuery((db) => db.select().from(extras).where(eq(extras.active, true)).orderBy(asc(extras.position))),
  extraStocks: memoizeQuery((db) => db.select().from(extraStocks)),
  partnerKeys: memoizeQuery((db) =>
    db
      // A batch returns rows by column name, so equal names need aliases.
      .select({
        key: partnerKeys,
        agencyName: sql<string | null>`${agencies.name}`.as("agency_name"),
        agencyChannel: agencies.salesChannelCode,
        agencyActive: sql<number | null>`${agencies.active}`.as("agency_active"),
      })
      .from(partnerKeys)
      .leftJoin(agencies, eq(agencies.id, partnerKeys.agencyId))
      .where(eq(partnerKeys.active, true)),
  ),
  engineKeys: memoizeQuery((db) => db.select().from(engineKeys).where(eq(engineKeys.active, true))),
  families: memoizeQuery((db) => db.select().from(families).orderBy(asc(families.id))),
  transferPoints: memoizeQuery((db) =>
    db.select().from(transferPoints).where(eq(transferPoints.active, true)).orderBy(asc(transferPoints.position)),
  ),
  transferVehicles: memoizeQuery((db) =>
    db.select().from(transferVehicles).where(eq(transferVehicles.active, true)).orderBy(asc(transferVehicles.position)),
  ),
  transferPrices: memoizeQuery((db) => db.select().from(transferPrices).orderBy(asc(transferPrices.id))),
  transferExtras: memoizeQuery((db) =>
    db.select().from(transferExtras).where(eq(transferExtras.active, true)).orderBy(asc(transferExtras.position)),
  ),
  transferSupplements: memoizeQuery((db) =>
    db
      .select()
      .from(transferSupplements)
      .where(eq(transferSupplements.active, true))
      .orderBy(asc(transferSupplements.position)),
  ),
  cancellationTerms: memoizeQuery((db) => db.select().from(cancellationTerms).orderBy(asc(cancellationTerms.id))),
  repatriations: memoizeQuery((db) => db.select().from(repatriations)),
  clocks: memoizeQuery(utcOffsetRangesQuery),
  sellingRules: memoizeQuery((db) => db.select().from(sellingRules).orderBy(asc(sellingRules.id))),
  oneWayFees: memoizeQuery((db) => db.select().from(oneWayFees)),
  // Excludes the legal texts themselves, because they are long and only needed on their own pages.
  legalTexts: memoizeQuery((db) =>
    db
      .select({
        id: legalTexts.id,
        document: legalTexts.document,
        language: legalTexts.language,
        url: legalTexts.url,
        version: sql<number>`coalesce((
          SELECT max(version) FROM office_history
          WHERE resource = 'legal-texts' AND resource_id = CAST(${legalTexts.id} AS TEXT)
        ), 1)`.as("version"),
      })
      .from(legalTexts)
      .orderBy(asc(legalTexts.id)),
  ),
  letterhead: memoizeQuery((db) =>
    db
      .select({ color: letterhead.color, hasLogo: sql<number>`${letterhead.logo} IS NOT NULL`.as("has_logo") })
      .from(letterhead),
  ),
  webhooks: memoizeQuery((db) =>
    db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.active, true)).limit(1),
  ),
};

type Queries = typeof QUERIES;
export type CatalogueRows = { readonly [Name in keyof Queries]: Awaited<ReturnType<Queries[Name]>> };

/** Reads every row of the catalogue consistently, in one round trip. */
export async function readCatalogueRows(db: Database): Promise<CatalogueRows> {
  const { version, ...others } = QUERIES;
  const answers: readonly unknown[] = await db.batch([version(db), ...Object.values(others).map((query) => query(db))]);
  const rows = Object.fromEntries(Object.keys(QUERIES).map((name, at) => [name, answers[at]])) as CatalogueRows;
  return { ...rows, partnerKeys: rows.partnerKeys.filter((row) => row.agencyActive !== 0) };
}

/** Function that returns a field's translations. The field defaults to the name. */
export type TranslationLookup = (entity: string, id: string, field?: string) => Translations;

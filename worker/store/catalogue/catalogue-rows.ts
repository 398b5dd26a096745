import { asc, eq, sql } from "drizzle-orm";
import type { Translations } from "#domain/catalogue/languages.ts";
import type { Database } from "#worker/store/database.ts";
import { prepared } from "#worker/store/prepared.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import {
  branches,
  closedDates,
  openingHours,
  pickupPlaces,
  repatriations,
  returnPlaces,
  salesChannels,
  settings,
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
import {
  transferExtras,
  transferPoints,
  transferPrices,
  transferSupplements,
  transferVehicles,
} from "#worker/store/schema/transfers.ts";
import { categories, categoryPhotos, families } from "#worker/store/schema/vehicles.ts";
import { webhooks } from "#worker/store/schema/webhooks.ts";
import { clocksQuery } from "./clock.ts";

/** Every row of the catalogue, of one moment, in one round trip. */
export async function readCatalogueRows(db: Database) {
  const [version, ...rest] = await db.batch([
    versionQuery(db),
    db.select().from(settings),
    db.select().from(branches),
    db.select().from(openingHours),
    db.select().from(closedDates),
    db.select().from(pickupPlaces).orderBy(asc(pickupPlaces.position), asc(pickupPlaces.id)),
    db.select().from(returnPlaces),
    db.select().from(salesChannels),
    db.select().from(translations),
    db.select().from(categories).where(eq(categories.active, true)).orderBy(asc(categories.position)),
    db.select().from(categoryPhotos).orderBy(asc(categoryPhotos.position)),
    db.select().from(seasonPeriods),
    db.select().from(tariffs),
    db.select().from(tariffBrackets),
    db.select().from(offers).where(eq(offers.active, true)),
    db.select().from(promotionCodes).where(eq(promotionCodes.active, true)),
    db.select().from(driverAgeRules),
    db.select().from(extras).where(eq(extras.active, true)).orderBy(asc(extras.position)),
    db.select().from(extraStocks),
    db
      // A batch answers rows by column name: columns of the same name need names of their own.
      .select({
        key: partnerKeys,
        agencyName: sql<string | null>`${agencies.name}`.as("agency_name"),
        agencyChannel: agencies.salesChannelCode,
        agencyActive: sql<number | null>`${agencies.active}`.as("agency_active"),
      })
      .from(partnerKeys)
      .leftJoin(agencies, eq(agencies.id, partnerKeys.agencyId))
      .where(eq(partnerKeys.active, true)),
    db.select().from(engineKeys).where(eq(engineKeys.active, true)),
    db.select().from(families).orderBy(asc(families.id)),
    db.select().from(transferPoints).where(eq(transferPoints.active, true)).orderBy(asc(transferPoints.position)),
    db.select().from(transferVehicles).where(eq(transferVehicles.active, true)).orderBy(asc(transferVehicles.position)),
    db.select().from(transferPrices).orderBy(asc(transferPrices.id)),
    db.select().from(transferExtras).where(eq(transferExtras.active, true)).orderBy(asc(transferExtras.position)),
    db
      .select()
      .from(transferSupplements)
      .where(eq(transferSupplements.active, true))
      .orderBy(asc(transferSupplements.position)),
    db.select().from(cancellationTerms).orderBy(asc(cancellationTerms.id)),
    db.select().from(repatriations),
    clocksQuery(db),
    db.select().from(sellingRules).orderBy(asc(sellingRules.id)),
    db.select().from(oneWayFees),
    db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.active, true)).limit(1),
  ]);
  return {
    version,
    settings: rest[0],
    branches: rest[1],
    openingHours: rest[2],
    closedDates: rest[3],
    places: rest[4],
    returnPlaces: rest[5],
    salesChannels: rest[6],
    translations: rest[7],
    categories: rest[8],
    photos: rest[9],
    seasonPeriods: rest[10],
    tariffs: rest[11],
    brackets: rest[12],
    offers: rest[13],
    promotionCodes: rest[14],
    driverAgeRules: rest[15],
    extras: rest[16],
    extraStocks: rest[17],
    partnerKeys: rest[18].filter((row) => row.agencyActive !== 0),
    engineKeys: rest[19],
    families: rest[20],
    transferPoints: rest[21],
    transferVehicles: rest[22],
    transferPrices: rest[23],
    transferExtras: rest[24],
    transferSupplements: rest[25],
    cancellationTerms: rest[26],
    repatriations: rest[27],
    clocks: rest[28],
    sellingRules: rest[29],
    oneWayFees: rest[30],
    webhooks: rest[31],
  };
}

export type CatalogueRows = Awaited<ReturnType<typeof readCatalogueRows>>;

/** The translations of a field of something, the name unless said otherwise. */
export type Texts = (entity: string, id: string, field?: string) => Translations;

/**
 * The version of the catalogue that the database holds now: read beside live data, it says whether a snapshot is still
 * true.
 */
export function versionQuery(db: Database) {
  return preparedVersion(db, {});
}

const preparedVersion = prepared((db) =>
  db.select({ version: catalogueVersion.version }).from(catalogueVersion).where(eq(catalogueVersion.id, 1)),
);

import type { EngineKey, PartnerKey } from "#domain/access/credentials.ts";
import type { Branch, Catalogue, Category, Extra, Place, Settings, Tariff } from "#domain/catalogue/catalogue.ts";
import { addEnglishToMissingLanguages } from "#domain/catalogue/languages.ts";
import { getBranchSpecialHours, type SpecialDate } from "#domain/catalogue/special-hours.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import { fromTransferCatalogueRows } from "#worker/store/catalogue/transfers.ts";
import type { Database } from "#worker/store/database.ts";
import { type CatalogueRows, readCatalogueRows, type TranslationLookup } from "./catalogue-rows.ts";
import { fromExcessColumns, fromOneWayFeeRow, fromSellingRuleRow } from "./terms-rows.ts";

/** Catalogue and keys of an account at one point in time. */
export interface CatalogueSnapshot {
  readonly catalogue: Catalogue;
  readonly partnerKeys: ReadonlyMap<string, PartnerKey>;
  readonly engineKeys: ReadonlyMap<string, EngineKey>;
  /** Known clock changes by time zone. */
  readonly clocks: CatalogueRows["clocks"];
}

/** Reads all rarely changing data in one round trip. Undefined if the account has no settings yet. */
export async function readCatalogueSnapshot(db: Database): Promise<CatalogueSnapshot | undefined> {
  return toCatalogueSnapshot(await readCatalogueRows(db));
}

/** Converts the rows of a catalogue. Undefined without settings. */
export function toCatalogueSnapshot(rows: CatalogueRows): CatalogueSnapshot | undefined {
  const account = rows.settings[0];
  const version = rows.version[0];
  if (!account || !version) return undefined;
  const texts = translationsByEntity(rows.translations, account.defaultLanguage);
  const special = toSpecialDates(rows);
  return {
    catalogue: {
      version: version.version,
      settings: fromSettingsRow(account),
      branches: new Map(rows.branches.map((row) => [row.code, fromBranchRow(row, rows, special, texts)])),
      places: new Map(rows.places.map((row) => [row.id, fromPlaceRow(row, rows, texts)])),
      salesChannels: new Set(rows.salesChannels.map((row) => row.code)),
      publicChannels: new Set(rows.salesChannels.filter((row) => row.isPublic).map((row) => row.code)),
      categories: new Map(rows.categories.map((row) => [row.code, fromCategoryRow(row, rows, texts)])),
      families: rows.families.map((row) => ({
        id: row.id,
        parentId: row.parentId ?? undefined,
        name: row.name,
        names: texts("family", String(row.id)),
      })),
      seasonPeriods: rows.seasonPeriods.map((row) => ({
        seasonId: row.seasonId,
        dateFrom: row.dateFrom as CivilDate,
        dateTo: row.dateTo as CivilDate,
      })),
      tariffs: toTariffs(rows),
      offers: rows.offers.map((row) => ({
        ...fromDiscountRow(row),
        id: row.id,
        name: row.name,
        names: texts("offer", String(row.id)),
        salesChannel: row.salesChannelCode ?? undefined,
      })),
      promotionCodes: new Map(
        rows.promotionCodes.map((row) => [
          row.code,
          { ...fromDiscountRow(row), code: row.code, salesChannel: row.salesChannelCode ?? undefined },
        ]),
      ),
      driverAgeRules: rows.driverAgeRules.map((row) => ({
        ...row,
        descriptions: texts("driver_age_rule", String(row.id), "description"),
      })),
      extras: new Map(rows.extras.map((row) => [row.code, fromExtraRow(row, rows, texts)])),
      transfers: fromTransferCatalogueRows(rows, texts),
      cancellationTerms: rows.cancellationTerms.map((row) => ({
        ...row,
        salesChannel: row.salesChannelCode ?? undefined,
        hoursBefore: row.hoursBefore ?? undefined,
      })),
      repatriations: rows.repatriations,
      sellingRules: rows.sellingRules.map(fromSellingRuleRow),
      oneWayFees: rows.oneWayFees.map(fromOneWayFeeRow),
      legalTexts: rows.legalTexts.map((row) => ({ ...row, url: row.url ?? undefined })),
      brand: { color: rows.letterhead[0]?.color, hasLogo: rows.letterhead[0]?.hasLogo === 1 },
      tellsPartners: rows.webhooks.length > 0,
    },
    clocks: rows.clocks,
    partnerKeys: new Map(rows.partnerKeys.map((row) => [getKeyName(row.key), fromPartnerKeyRow(row)])),
    engineKeys: new Map(
      rows.engineKeys.map((row) => [
        row.apiKey,
        { apiKey: row.apiKey, allowedOrigins: row.allowedOrigins, salesChannel: row.salesChannelCode ?? undefined },
      ]),
    ),
  };
}

type Rows = CatalogueRows;

function translationsByEntity(rows: Rows["translations"], accountLanguage: string): TranslationLookup {
  const texts = new Map<string, Record<string, string>>();
  for (const row of rows) {
    const key = `${row.entity} ${row.entityId} ${row.field}`;
    texts.set(key, { ...texts.get(key), [row.language]: row.text });
  }
  return (entity, id, field = "name") =>
    addEnglishToMissingLanguages(texts.get(`${entity} ${id} ${field}`) ?? {}, accountLanguage);
}

/** Converts the settings' row. */
export function fromSettingsRow(row: Rows["settings"][number]): Settings {
  const { depositBasisPoints: depositShare, baseUrl, turnstileSiteKey } = row;
  return {
    ...row,
    depositShare,
    taxRecords: { iva: row.taxRecordsIva, igic: row.taxRecordsIgic, ipsi: row.taxRecordsIpsi },
    taxRepresentationDate: row.taxRepresentationDate ?? undefined,
    sesLessorCode: row.sesLessorCode ?? undefined,
    sesUser: row.sesUser ?? undefined,
    sesPasswordSealed: row.sesPasswordSealed ?? undefined,
    baseUrl: baseUrl ?? undefined,
    iban: row.accounts["iban"] || undefined,
    turnstileSiteKey: turnstileSiteKey ?? undefined,
  };
}

function toSpecialDates({ specialDates, specialDateHours }: Rows): readonly SpecialDate[] {
  const hours = Map.groupBy(specialDateHours, ({ specialDateId }) => specialDateId);
  return specialDates.map(({ id, date, branchCode }) => ({
    date,
    branchCode,
    times: (hours.get(id) ?? []).map(({ opens, closes }) => ({
      opens: opens as TimeText,
      closes: closes as TimeText,
    })),
  }));
}

function fromBranchRow(
  row: Rows["branches"][number],
  rows: Rows,
  special: readonly SpecialDate[],
  texts: TranslationLookup,
): Branch {
  const closed = rows.closedDates.filter(({ branchCode }) => branchCode === row.code);
  return {
    code: row.code,
    name: row.name,
    names: texts("branch", row.code),
    branchGroupId: row.branchGroupId,
    documentId: row.documentId,
    openingHours: rows.openingHours
      .filter((hours) => hours.branchCode === row.code)
      .map((hours) => ({ weekday: hours.weekday, opens: hours.opens as TimeText, closes: hours.closes as TimeText })),
    closedDates: new Set(closed.map(({ date }) => date)),
    workedDates: new Set(closed.filter(({ outOfHours }) => outOfHours).map(({ date }) => date)),
    specialHours: getBranchSpecialHours(special, row.code),
  };
}

function fromPlaceRow(row: Rows["places"][number], rows: Rows, texts: TranslationLookup): Place {
  const returns = rows.returnPlaces.filter((returnPlace) => returnPlace.pickupPlaceId === row.id);
  return {
    ...row,
    names: texts("pickup_place", String(row.id)),
    branchCode: row.branchCode,
    iata: row.iata ?? undefined,
    location: {
      ...{ street: row.addressStreetAddress, zip: row.addressZip, city: row.addressCity, state: row.addressState },
      ...{ country: row.addressCountryCode, latitude: row.addressLat, longitude: row.addressLng },
    },
    returnPlaceIds: new Set(returns.map((item) => item.returnPlaceId)),
  };
}

function fromCategoryRow(row: Rows["categories"][number], rows: Rows, texts: TranslationLookup): Category {
  return {
    code: row.code,
    name: row.name,
    names: texts("booking_category", row.code),
    shortDescription: row.shortDescription,
    shortDescriptions: texts("booking_category", row.code, "short_description"),
    description: row.description,
    descriptions: texts("booking_category", row.code, "description"),
    familyId: row.familyId ?? undefined,
    webPublic: row.webPublic,
    vat: row.vatBasisPoints,
    depositCents: row.depositCents,
    guaranteeCents: row.guaranteeCents,
    supplementCents: [row.supplement1Cents, row.supplement2Cents, row.supplement3Cents],
    doors: row.doors ?? undefined,
    seats: row.seats ?? undefined,
    suitcases: row.suitcases ?? undefined,
    transmission: row.transmission ?? undefined,
    fuel: row.fuel ?? undefined,
    airConditioner: row.airConditioner,
    acrissCode: row.acrissCode ?? undefined,
    kilometresPerDay: row.kilometresPerDay ?? undefined,
    photos: rows.photos.filter((photo) => photo.categoryCode === row.code),
  };
}

function toTariffs(rows: Rows): Tariff[] {
  const brackets = Map.groupBy(rows.brackets, (bracket) => bracket.tariffId);
  return rows.tariffs.map((row) => ({
    categoryCode: row.categoryCode,
    seasonId: row.seasonId ?? undefined,
    salesChannel: row.salesChannelCode ?? undefined,
    brackets: (brackets.get(row.id) ?? []).map((bracket) => ({ ...bracket, toDays: bracket.toDays ?? undefined })),
  }));
}

function fromDiscountRow(row: Rows["offers"][number] | Rows["promotionCodes"][number]) {
  return {
    discountType: row.discountType,
    value: row.value,
    categoryCode: row.categoryCode ?? undefined,
    bookingFrom: (row.bookingFrom as CivilDate | null) ?? undefined,
    bookingTo: (row.bookingTo as CivilDate | null) ?? undefined,
    rentalFrom: (row.rentalFrom as CivilDate | null) ?? undefined,
    rentalTo: (row.rentalTo as CivilDate | null) ?? undefined,
    minimumDays: row.minimumDays,
  };
}

function fromExtraRow(row: Rows["extras"][number], rows: Rows, texts: TranslationLookup): Extra {
  const stocks = rows.extraStocks.filter((stock) => stock.extraCode === row.code);
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    names: texts("extra", row.code),
    description: row.description,
    descriptions: texts("extra", row.code, "description"),
    photoPath: row.photoPath ?? undefined,
    photoFullPath: row.photoFullPath ?? undefined,
    pricePer: row.pricePer,
    priceCents: row.priceCents,
    maximumPriceCents: row.maximumPriceCents ?? undefined,
    maxQuantity: row.maxQuantity,
    limitPer: row.limitPer,
    excessReduction: fromExcessColumns(row),
    opentravelCode: row.opentravelCode ?? undefined,
    vat: row.vatBasisPoints,
    stockByStorage:
      stocks.length === 0 ? undefined : new Map(stocks.map((stock) => [stock.branchGroupId, stock.units])),
  };
}

// Returns the name under which a key is stored. A hash gets a prefix, so that it can't equal an actual key.
function getKeyName({ apiKey, hashed }: Rows["partnerKeys"][number]["key"]): string {
  return hashed ? `sha256:${apiKey}` : apiKey;
}

function fromPartnerKeyRow({ key, agencyName, agencyChannel }: Rows["partnerKeys"][number]): PartnerKey {
  return {
    apiKey: key.apiKey,
    encryptedSecret: key.secretSealed,
    previousEncryptedSecret: key.previousSecretSealed ?? undefined,
    previousValidUntil: key.previousValidUntil ?? undefined,
    agency:
      key.agencyId === null
        ? undefined
        : { id: key.agencyId, name: agencyName ?? "", salesChannel: agencyChannel ?? undefined },
    scopes: {
      ota: key.scopeOta,
      integration: key.scopeIntegration,
      analytics: key.scopeAnalytics,
    },
    keyOnly: key.keyOnly,
    signatures: key.signatures,
    publicKey: key.publicKey ?? undefined,
    networks: key.networks,
  };
}

import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { CustomerType } from "#domain/bookings/bookings.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import { addDays, type CivilMinute, MINUTES_PER_DAY, toCivilMinute, toDayNumber } from "#domain/dates.ts";
import { toCatalogueSnapshot } from "#worker/store/catalogue/catalogue.ts";
import { RESOURCE_BINDINGS } from "#worker/store/catalogue/resources/bindings.ts";
import { toStoredRow } from "#worker/store/new-rows.ts";
import { toCivilNow, toEpochInstant } from "#worker/tenancy/clock.ts";
import type { CompanyData, CompanyFixture, CompanyRows, DemoVehicle, FixtureRow } from "./company.ts";
import contractTerms from "./contract-terms.json" with { type: "json" };
import { createDemoCustomers, type DemoCustomer } from "./customers.ts";
import { createDemoFleet } from "./fleet.ts";
import legalTexts from "./legal-texts.json" with { type: "json" };
import type { Random } from "./random.ts";
import { type CompanySettings, createCompanySettings } from "./settings.ts";
import { DEMO_TABLES, type DemoTableName } from "./tables.ts";

const DAYS_BEFORE_HISTORY = 400;
/** Days with tax records. Earlier documents have none. */
const RECORDED_DAYS = 180;

/** A demo company as of a point in time. */
export interface DemoCompany extends CompanyFixture {
  readonly fleet: readonly DemoVehicle[];
  readonly customers: readonly DemoCustomer[];
  readonly customersOf: (type: CustomerType) => readonly DemoCustomer[];
}

/** Context of random choices: the company and its own random stream. */
export interface RandomContext {
  readonly company: DemoCompany;
  readonly random: Random;
}

/**
 * Builds the company with its fleet and customers at `at`. Its catalogue covers `yearsAround` years before and after.
 */
export function buildDemoCompany(data: CompanyData, at: Date, yearsAround = 2): DemoCompany {
  const { timezone } = data.settings;
  const { date: today, time } = toCivilNow(timezone, at.getTime());
  const toEpochMs = (minute: CivilMinute) => toEpochInstant(timezone, minute);
  const year = Number(today.slice(0, 4));
  const filled = filledIn(data, {
    lastYear: year - 1,
    winter: today.slice(5) <= "02-15" ? year : year + 1,
    recorded: addDays(today, -RECORDED_DAYS),
  });
  const { account, secrets, ownTexts, volume } = filled;
  const settings = createCompanySettings(filled.settings as Parameters<typeof createCompanySettings>[0], filled.vat);
  const foundedOn = toDayNumber(today) - volume.historyDays - DAYS_BEFORE_HISTORY;
  const foundedAt = toEpochMs(foundedOn * MINUTES_PER_DAY);
  const years = Array.from({ length: yearsAround * 2 + 1 }, (_, index) => year - yearsAround + index);
  const rows = completeRows(withParts(filled.rows, years), settings, foundedAt);
  const catalogue = createCatalogue(rows, settings);
  const fixture: CompanyFixture = {
    ...{ account, secrets, ownTexts, volume, settings, rows, catalogue },
    places: rows.pickupPlaces.flatMap(({ id, popularity }) => {
      const place = catalogue.places.get(id);
      const branch = place && catalogue.branches.get(place.branchCode);
      return branch ? { ...place, popularity, branch } : [];
    }),
    ...{ foundedAt, now: toCivilMinute(today, time), today, toEpochMs },
  };
  const people = createDemoCustomers(fixture, filled);
  const peopleByType = Map.groupBy(people, ({ customerType }) => customerType);
  return {
    ...fixture,
    fleet: createDemoFleet(fixture, filled.fleet),
    customers: people,
    customersOf: (type) => peopleByType.get(type) ?? [],
  };
}

function filledIn(data: CompanyData, values: Readonly<Record<string, string | number>>): CompanyData {
  return JSON.parse(JSON.stringify(data).replaceAll(/\{(\w+)\}/g, (text, name) => String(values[name] ?? text)));
}

type FixtureRows = CompanyData["rows"];

function withParts(rows: FixtureRows, years: readonly number[]): FixtureRows {
  const { seasons = [], tariffs = [], closedDates = [], offers = [] } = rows;
  const specialDates = inYears(rows.specialDates ?? [], years);
  return {
    contractTerms,
    legalTexts,
    ...rows,
    closedDates: inYears(closedDates, years),
    specialDates,
    specialDateHours: specialDates.flatMap(({ times }, index) =>
      (times as readonly (readonly [string, string])[]).map(([opens, closes]) => {
        return { specialDateId: index + 1, opens, closes };
      }),
    ),
    // Offers are planned a year ahead.
    offers: inYears(offers, years.slice(0, -1)),
    seasonPeriods: seasons.flatMap(({ id: seasonId, periods }) =>
      years.flatMap((year) =>
        (periods as readonly (readonly [string, string])[]).map(([from, to]) => {
          return { seasonId, dateFrom: `${year}-${from}`, dateTo: `${year}-${to}` };
        }),
      ),
    ),
    tariffBrackets: tariffs.flatMap((tariff, index) => {
      const brackets = tariff["brackets"] as readonly (readonly [number, number, string?])[];
      return brackets.map(([fromDays, priceCents, pricePer = "day"], at) => {
        const next = brackets[at + 1];
        return { tariffId: index + 1, fromDays, toDays: next ? next[0] - 1 : null, pricePer, priceCents };
      });
    }),
  };
}

function inYears(rows: readonly FixtureRow[], years: readonly number[]): readonly FixtureRow[] {
  const text = JSON.stringify(rows);
  return text.includes("{year}") ? years.flatMap((year) => JSON.parse(text.replaceAll("{year}", `${year}`))) : rows;
}

const FIELDS = Object.entries({ name: "name", shortDescription: "short_description", description: "description" });

/** Row properties that aren't columns. */
const RELATED_COLUMNS = ["popularity", "prepaid", "periods", "brackets", "times"];

function completeRows(fixtureRows: FixtureRows, settings: CompanySettings, at: number): CompanyRows {
  const { timezone, currency, defaultLanguage } = settings;
  const common = { timezone, currency, createdAt: at, lastUpdate: at };
  // In file order.
  const tables = (Object.keys({ ...fixtureRows, ...DEMO_TABLES }) as DemoTableName[]).map((name) => {
    const rows = (fixtureRows[name] ?? []).map((row, index): FixtureRow => {
      const storedRow = toStoredRow<SQLiteTable>(DEMO_TABLES[name], {
        ...common,
        id: index + 1,
        position: index,
        ...row,
      });
      const unknown = Object.keys(row).find((member) => !(member in storedRow) && !RELATED_COLUMNS.includes(member));
      if (unknown !== undefined) throw new Error(`${name} has no column ${unknown}`);
      return { ...row, ...storedRow };
    });
    return [name, rows] as const;
  });
  const translations = tables.flatMap(([name, rows]) => rows.flatMap((row) => toTranslations(name, row, settings)));
  const translatedRows = tables.map(([name, rows]) => [name, rows.map((row) => inLanguage(row, defaultLanguage))]);
  return { ...Object.fromEntries(translatedRows), translations };
}

function inLanguage(row: FixtureRow, language: string): FixtureRow {
  const texts = FIELDS.flatMap(([column]) =>
    isTexts(row[column]) ? [[column, textIn(row[column], language)] as const] : [],
  );
  return { ...row, ...Object.fromEntries(texts) };
}

// A company works in some languages. Its texts may have more, for its visitors.
function toTranslations(
  name: DemoTableName,
  row: FixtureRow,
  { languages, defaultLanguage }: CompanySettings,
): FixtureRow[] {
  const binding = Object.values(RESOURCE_BINDINGS).find(({ table }) => table === DEMO_TABLES[name]);
  const { entity, key = [], entityKey = key[0] } = binding ?? {};
  return FIELDS.flatMap(([column, field]) => {
    const texts = row[column];
    if (!isTexts(texts)) return [];
    const others = new Set([...languages, ...Object.keys(texts)]);
    others.delete(defaultLanguage);
    return [...others].map((language) => {
      return { entity, entityId: String(row[entityKey ?? ""]), field, language, text: textIn(texts, language) };
    });
  });
}

function isTexts(text: unknown): text is Translations {
  return typeof text === "object" && text !== null;
}

function textIn(texts: Translations, language: string): string {
  const text = texts[language];
  if (text === undefined) throw new Error(`${JSON.stringify(texts)} has no ${language} version`);
  return text;
}

function createCatalogue(rows: CompanyRows, settings: CompanySettings): Catalogue {
  const snapshot = toCatalogueSnapshot({
    ...rows,
    version: [{ version: 1 }],
    settings: [settings.row],
    places: rows.pickupPlaces,
    photos: rows.categoryPhotos,
    brackets: rows.tariffBrackets,
    ...{ sellingRules: [], oneWayFees: [] },
    ...{ partnerKeys: [], engineKeys: [], repatriations: [], clocks: [], webhooks: [], letterhead: [], legalTexts: [] },
  });
  if (!snapshot) throw new Error("a company has no settings");
  return snapshot.catalogue;
}

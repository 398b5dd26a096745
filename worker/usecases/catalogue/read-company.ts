import { LEGAL_DOCUMENTS, type LegalDocument, pickLegalText } from "#domain/catalogue/legal-texts.ts";
import { createMapLink, formatAddress } from "#domain/catalogue/map-address.ts";
import { translateName } from "#domain/catalogue/names.ts";
import { groupOpeningHours, type WeekdayRangeHours } from "#domain/catalogue/open-days.ts";
import { listSpecialHours } from "#domain/catalogue/special-hours.ts";
import { hasMonthFirstDates } from "#domain/date-order.ts";
import { addDays } from "#domain/dates.ts";
import { legalTextsQuery, type PublicBranch, publicBranchesQuery } from "#worker/store/catalogue/public-branches.ts";
import { letterheadQuery } from "#worker/store/printing/letterhead.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** How far ahead special hours are shown, in days. */
const SPECIAL_HOURS_DAYS = 365;
const MAX_SPECIAL_DATES = 10;

/**
 * Branch with its address in one line, the link to a map, its contact data, opening hours and their days. A branch
 * without opening hours is always open.
 */
export interface CompanyBranch extends PublicBranch {
  readonly address: string;
  readonly map: string | undefined;
  readonly openDays: readonly WeekdayRangeHours[];
  /** Special hours of the next days that have some, in order. */
  readonly specialDays: ReturnType<typeof listSpecialHours>;
  readonly openingHours: readonly { readonly weekday: number; readonly opens: string; readonly closes: string }[];
}

/** Public data of a company. */
export interface PublicCompany {
  readonly name: string;
  readonly countryCode: string;
  /** English dates follow the company's country. */
  readonly englishLocale: "en-US" | "en-GB";
  /** Whether only the company's own websites can book, with a key. */
  readonly isEngineClosed: boolean;
  readonly hasTransfers: boolean;
  readonly branches: readonly CompanyBranch[];
  /** Base64 of a JPEG or PNG. */
  readonly logo: string | undefined;
  /** Terms and privacy notice, if the company has them. */
  readonly legalDocuments: readonly LegalDocument[];
}

/** Reads the company's logo as base64 of a JPEG or PNG. */
export async function readLogo({ db }: Tenant): Promise<string | undefined> {
  return (await letterheadQuery(db))[0]?.logo ?? undefined;
}

/** Reads a legal document in the first of the given languages that has it. Undefined if the company has none. */
export async function findLegalDocument({ db }: Tenant, document: LegalDocument, languages: readonly string[]) {
  return pickLegalText(await legalTextsQuery(db, document), document, languages);
}

/** Reads a company's public data in a language, in one round trip. */
export async function readCompany({ db, snapshot }: Tenant, language: string, now: number): Promise<PublicCompany> {
  const { catalogue } = await snapshot();
  const { settings, transfers } = catalogue;
  const today = toCivilNow(settings.timezone, now).date;
  const [branches, [letterhead]] = await db.batch([publicBranchesQuery(db), letterheadQuery(db)]);
  return {
    name: settings.accountName,
    countryCode: settings.countryCode,
    englishLocale: hasMonthFirstDates(settings.countryCode) ? "en-US" : "en-GB",
    isEngineClosed: settings.engineRequiresApiKey,
    hasTransfers: transfers.vehicles.size > 0,
    branches: branches.map((branch) => {
      const known = catalogue.branches.get(branch.code);
      const openingHours = known?.openingHours ?? [];
      const specialDays = known
        ? listSpecialHours(known, today, addDays(today, SPECIAL_HOURS_DAYS)).slice(0, MAX_SPECIAL_DATES)
        : [];
      const [address, map] = [formatAddress(branch), createMapLink(branch)];
      const name = translateName(known?.names, language, branch.name);
      return {
        ...branch,
        name,
        address,
        map,
        openingHours,
        specialDays,
        openDays: groupOpeningHours({ openingHours }),
      };
    }),
    logo: letterhead?.logo ?? undefined,
    legalDocuments: LEGAL_DOCUMENTS.filter((name) => catalogue.legalTexts.some(({ document }) => document === name)),
  };
}

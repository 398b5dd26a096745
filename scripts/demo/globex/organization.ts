import { WEBSITE_DEFAULTS } from "#domain/catalogue/website-settings.ts";
import type { Address, CompanyBranch, CompanyPlace, CompanySettings, Storage } from "../company.ts";
import { closedOnHolidays, openingHours } from "../company-parts.ts";
import { globexWords } from "./words.ts";

/** 8.875 % in whole hundredths of a percent. */
export const SALES_TAX = 888;

export const globexSettings: CompanySettings = {
  ...WEBSITE_DEFAULTS,
  accountName: "Globex Vans",
  productType: "car",
  baseUrl: undefined,
  engineOrigins: [],
  countryCode: "US",
  currency: "USD",
  currencyDecimals: 2,
  timezone: "America/New_York",
  languages: ["en"],
  defaultLanguage: "en",
  vat: SALES_TAX,
  graceMinutes: 120,
  preparationMinutes: 60,
  overdueMinutes: 240,
  oneWayMode: "returns_home",
  repatriationDays: 3,
  holdMinutes: 1440,
  paymentHoldMinutes: 30,
  visitorUnits: 3,
  turnstileSiteKey: undefined,
  cartIdleMinutes: 1440,
  minimumDays: 1,
  minimumNoticeMinutes: 60,
  horizonDays: 1825,
  maximumDays: 60,
  outOfHoursAllowed: false,
  outOfHoursPickupCents: 0,
  outOfHoursReturnCents: 0,
  depositShare: 2500,
  automaticConfirmation: true,
  requestAllowed: true,
  engineRequiresApiKey: true,
  paymentOptions: ["deposit", "total"],
  paymentMethods: ["tpvC", "wallet_standard"],
  agentLimitCents: 10_000,
  kilometresADay: 1500,
  closingChargeLimitCents: 30_000,
  seriesPattern: "{kind}-{branch}-{yy}",
  seriesLetters: { full: "A", advance: "A", simplified: "T", credit_note: "R", internal_bond: "B" },
  simplifiedLimitCents: 40_000,
  refundApprovalCents: 50_000,
  taxRecords: { iva: "none", igic: "none", ipsi: "none" },
  taxEnvironment: "test",
  taxRateCodes: {},
  taxRepresentationDate: undefined,
  sesMode: "none",
  sesEnvironment: "test",
  sesLessorCode: undefined,
  sesUser: undefined,
  sesPasswordSealed: undefined,
  sesCodes: {},
  earlyReturnRefund: "unused_days",
  noShowMinutes: 120,
  mailsOff: [],
  reminderHours: 24,
  holdReminderMinutes: 60,
  customerChangesAllowed: false,
};

const address: Address = {
  addressStreetAddress: "42-18 Northern Boulevard",
  addressCity: "Long Island City",
  addressState: "NY",
  addressZip: "11101",
  addressCountryCode: "US",
  addressLat: 40.7531,
  addressLng: -73.9237,
};

export const globexStorage: Storage = {
  id: 1,
  name: "New York",

  externalCode: "NY",
  ...address,
};

export function globexBranch(years: readonly number[]): CompanyBranch {
  return {
    code: "LIC",
    branchGroupId: globexStorage.id,
    name: "Long Island City",
    externalCode: "NY-01",
    placeType: "location",
    companyId: 1,
    companyName: "Globex Vans LLC",
    documentId: "88-2041977",
    phoneNumber: "+1 718 555 0142",
    email: "staff@globex.test",
    commercialRegister: "NY DOS 6120457",
    ...address,
    openingHours: openingHours([1, 2, 3, 4, 5, 6], "08:00", "18:00"),
    ...closedOnHolidays(years, globexWords),
  };
}

export const globexPlace: CompanyPlace = {
  id: 1,
  branchCode: "LIC",
  name: "Long Island City shop",
  names: { en: "Long Island City shop" },
  placeType: "location",
  priceCents: 0,
  popularity: 1,
  isPickup: true,
  isReturn: true,
  webPublic: true,
  returnPlaceIds: new Set([1]),
  ...address,
};

import type { Address, CompanyBranch, CompanyPlace, Storage } from "../company.ts";
import { closedOnHolidays, openingHours } from "../company-parts.ts";
import { settingsOf } from "../settings.ts";
import { globexOwnTexts } from "./own-texts.ts";

/** 8.875 % in whole hundredths of a percent. */
export const SALES_TAX = 888;

export const globexSettings = settingsOf(
  {
    accountName: "Globex Vans",
    countryCode: "US",
    currency: "USD",
    timezone: "America/New_York",
    languages: ["en"],
    defaultLanguage: "en",
    horizonDays: 1825,
    maximumDays: 60,
    depositBasisPoints: 2500,
    automaticConfirmation: true,
    engineRequiresApiKey: true,
    paymentOptions: ["deposit", "total"],
    paymentMethods: ["tpvC", "wallet_standard"],
    earlyReturnRefund: "unused_days",
  },
  SALES_TAX,
);

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
    ...closedOnHolidays(years, globexOwnTexts),
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

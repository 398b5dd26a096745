import type { Address, CompanyBranch, Storage } from "../company.ts";
import { closedOnHolidays, openingHours } from "../company-parts.ts";
import { acmeOwnTexts } from "./own-texts.ts";

export const mallorca = 1;
export const menorca = 2;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const WEEKDAYS = [1, 2, 3, 4, 5];

export const acmeSettings = {
  accountName: "Acme Rent a Car",
  engineOrigins: ["*"],
  engineCustomerAccess: true,
  countryCode: "ES",
  currency: "EUR",
  timezone: "Europe/Madrid",
  languages: ["es", "en", "ca", "de"],
  defaultLanguage: "es",
  horizonDays: 1825,
  maximumDays: 90,
  outOfHoursAllowed: true,
  outOfHoursPickupCents: 3000,
  outOfHoursReturnCents: 3000,
  depositBasisPoints: 2000,
  paymentOptions: ["deposit", "total"],
  paymentMethods: ["tpvA256", "tpvB", "tpvC", "wallet_standard"],
  taxRecordsIva: "verifactu",
  // What it passes on to the animal shelter is no sale.
  taxRateCodes: { "0.00": "N1" },
  sesMode: "ses",
  sesLessorCode: "0000012345",
  sesUser: "B07123458WS",
  sesCodes: {
    "color:Gris plata": "GRIS",
    "color:Gris grafito": "GRIS",
    "color:Verde oliva": "VERDE",
    "color:Arena": "BEIGE",
  },
  customerChangesAllowed: true,
} as const;

/** An address on the islands. */
export function balearic(street: string, city: string, zip: string, [lat, lng]: readonly [number, number]): Address {
  return {
    addressStreetAddress: street,
    addressCity: city,
    addressState: "Illes Balears",
    addressZip: zip,
    addressCountryCode: "ES",
    addressLat: lat,
    addressLng: lng,
  };
}

const airportRoad = balearic("Camí de Can Pastilla, 41", "Palma", "07610", [39.5469, 2.7262]);
export const townStreet = balearic("Plaça d'Espanya, 6", "Palma", "07002", [39.5755, 2.6541]);
export const maoAirport = balearic("Aeroport de Menorca, terminal d'arribades", "Maó", "07712", [39.8626, 4.2186]);

export const acmeStorages: readonly Storage[] = [
  { id: mallorca, name: "Mallorca", classifierId: 1, externalCode: "D-PMI", ...airportRoad },
  { id: menorca, name: "Menorca", classifierId: 1, externalCode: "D-MAH", ...maoAirport },
];

/** The branches, closed on Christmas Day and New Year's Day of the years given. */
export function acmeBranches(years: readonly number[]): CompanyBranch[] {
  const holidays = closedOnHolidays(years, acmeOwnTexts);
  const company = {
    companyId: 1,
    companyName: "Acme Rent a Car Balears, S.L.",
    documentId: "B07123458",
    classifierId: 1,
  };
  const register = "R.M. de Palma, tomo 2104, folio 88, hoja PM-51230";
  return [
    {
      ...holidays,
      ...company,
      code: "PMI",
      branchGroupId: mallorca,
      name: "Palma Aeropuerto",
      externalCode: "101",
      placeType: "airport",
      phoneNumber: "+34 971 260 101",
      email: "airport@acme.test",
      commercialRegister: register,
      ...airportRoad,
      openingHours: openingHours(EVERY_DAY, "07:00", "23:00"),
    },
    {
      ...holidays,
      ...company,
      code: "PALMA",
      branchGroupId: mallorca,
      name: "Palma Centro",
      externalCode: "102",
      placeType: "bus_station",
      phoneNumber: "+34 971 260 102",
      email: "palma@acme.test",
      commercialRegister: register,
      ...townStreet,
      openingHours: [
        ...openingHours(WEEKDAYS, "08:30", "20:00"),
        ...openingHours([6], "09:00", "14:00"),
        ...openingHours([7], "09:00", "13:00"),
      ],
    },
    {
      ...holidays,
      code: "MAH",
      branchGroupId: menorca,
      name: "Menorca Aeropuerto",
      externalCode: "201",
      placeType: "airport",
      companyId: 2,
      companyName: "Acme Menorca Rent a Car, S.L.",
      documentId: "B57204463",
      classifierId: 2,
      phoneNumber: "+34 971 356 201",
      email: "menorca@acme.test",
      commercialRegister: "R.M. de Maó, tomo 311, folio 12, hoja IM-8421",
      ...maoAirport,
      openingHours: openingHours(EVERY_DAY, "07:30", "22:30"),
    },
  ];
}

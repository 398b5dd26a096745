import { type CivilDate, parseTimeOfDay, type TimeOfDay } from "#domain/dates.ts";
import type { Address, CompanyBranch, CompanyPlace, CompanySettings, Storage } from "../company.ts";
import { acmeWords } from "./words.ts";

export const mallorca = 1;
export const menorca = 2;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const WEEKDAYS = [1, 2, 3, 4, 5];

export const acmeSettings: CompanySettings = {
  accountName: "Acme Rent a Car",
  countryCode: "ES",
  currency: "EUR",
  currencyDecimals: 2,
  timezone: "Europe/Madrid",
  languages: ["es", "en", "ca", "de"],
  defaultLanguage: "es",
  vat: 2100,
  graceMinutes: 120,
  preparationMinutes: 60,
  holdMinutes: 1440,
  cartIdleMinutes: 1440,
  minimumDays: 1,
  maximumDays: 90,
  outOfHoursAllowed: true,
  outOfHoursPickupCents: 3000,
  outOfHoursReturnCents: 3000,
  depositShare: 2000,
  automaticConfirmation: false,
  requestAllowed: true,
  engineRequiresApiKey: false,
  paymentOptions: ["deposit", "total"],
  paymentMethods: ["tpvA256", "tpvB", "tpvC", "wallet_standard"],
};

function balearic(street: string, city: string, zip: string, [lat, lng]: readonly [number, number]): Address {
  return { street, city, state: "Illes Balears", zip, country: "ES", lat, lng };
}

const airportRoad = balearic("Camí de Can Pastilla, 41", "Palma", "07610", [39.5469, 2.7262]);
const townStreet = balearic("Plaça d'Espanya, 6", "Palma", "07002", [39.5755, 2.6541]);
const maoAirport = balearic("Aeroport de Menorca, terminal d'arribades", "Maó", "07712", [39.8626, 4.2186]);

export const acmeStorages: readonly Storage[] = [
  { id: mallorca, name: "Mallorca", classifierId: 1, externalCode: "D-PMI", address: airportRoad },
  { id: menorca, name: "Menorca", classifierId: 1, externalCode: "D-MAH", address: maoAirport },
];

/** The branches, closed on Christmas Day and New Year's Day of the years given. */
export function acmeBranches(years: readonly number[]): CompanyBranch[] {
  const closures = years.flatMap((year) => [
    { date: `${year}-01-01` as CivilDate, reason: acmeWords.closures.newYear },
    { date: `${year}-12-25` as CivilDate, reason: acmeWords.closures.christmas },
  ]);
  const shared = { closures, closedDates: new Set<string>(closures.map(({ date }) => date)) };
  const company = { companyName: "Acme Rent a Car Balears, S.L.", documentId: "B07123457", classifierId: 1 };
  const register = "R.M. de Palma, tomo 2104, folio 88, hoja PM-51230";
  return [
    {
      ...shared, ...company, code: "PMI", rentalStorageId: mallorca, name: "Palma Aeropuerto", externalCode: "101", placeType: "airport",
      phone: "+34 971 260 101", email: "airport@acme.test", commercialRegister: register, address: airportRoad,
      openingHours: hours(EVERY_DAY, "07:00", "23:00"),
    },
    {
      ...shared, ...company, code: "PALMA", rentalStorageId: mallorca, name: "Palma Centro", externalCode: "102", placeType: "bus_station",
      phone: "+34 971 260 102", email: "palma@acme.test", commercialRegister: register, address: townStreet,
      openingHours: [...hours(WEEKDAYS, "08:30", "20:00"), ...hours([6], "09:00", "14:00"), ...hours([7], "09:00", "13:00")],
    },
    {
      ...shared, code: "MAH", rentalStorageId: menorca, name: "Menorca Aeropuerto", externalCode: "201", placeType: "airport",
      companyName: "Acme Menorca Rent a Car, S.L.", documentId: "B57204468", classifierId: 2,
      phone: "+34 971 356 201", email: "menorca@acme.test", commercialRegister: "R.M. de Maó, tomo 311, folio 12, hoja IM-8421", address: maoAirport,
      openingHours: hours(EVERY_DAY, "07:30", "22:30"),
    },
  ];
}

function hours(weekdays: readonly number[], opens: string, closes: string) {
  return weekdays.map((weekday) => ({ weekday, opens: timeOf(opens), closes: timeOf(closes) }));
}

function timeOf(text: string): TimeOfDay {
  const time = parseTimeOfDay(text);
  if (time === undefined) throw new Error(`${text} is not a time of day`);
  return time;
}

const BETWEEN_AIRPORTS: readonly (readonly [number, number])[] = [[1, 5], [5, 1]];

/** Vehicles stay on their island, but for the two airports. */
export const acmePlaces: readonly CompanyPlace[] = [
  place(1, "PMI", "airport", 40, 0, balearic("Aeroport de Palma, terminal d'arribades", "Palma", "07611", [39.5517, 2.7388]), {
    es: "Aeropuerto de Palma (PMI)", ca: "Aeroport de Palma (PMI)", en: "Palma Airport (PMI)", de: "Flughafen Palma (PMI)",
  }, "PMI"),
  place(2, "PALMA", "train_station", 18, 0, townStreet, {
    es: "Palma, Estación Intermodal", ca: "Palma, Estació Intermodal", en: "Palma, Intermodal Station", de: "Palma, Bahnhof Intermodal",
  }),
  place(3, "PALMA", "harbor", 10, 1000, balearic("Estació Marítima 2, Moll de Peraires", "Palma", "07015", [39.5497, 2.6273]), {
    es: "Puerto de Palma", ca: "Port de Palma", en: "Port of Palma", de: "Hafen von Palma",
  }),
  place(4, "PMI", "hotel", 8, 1500, balearic("Carrer de la Marina, 12", "Platja de Palma", "07610", [39.5229, 2.7401]), {
    es: "Hotel en Playa de Palma (entrega)", ca: "Hotel a Platja de Palma (lliurament)", en: "Hotel in Playa de Palma (delivery)", de: "Hotel in Playa de Palma (Zustellung)",
  }),
  place(5, "MAH", "airport", 20, 0, maoAirport, {
    es: "Aeropuerto de Menorca (MAH)", ca: "Aeroport de Menorca (MAH)", en: "Menorca Airport (MAH)", de: "Flughafen Menorca (MAH)",
  }, "MAH"),
  place(6, "MAH", "accommodation", 7, 2000, balearic("Avinguda de la Platja, 4, Cala en Bosc", "Ciutadella de Menorca", "07769", [39.9275, 3.8344]), {
    es: "Ciutadella, apartamentos Cala en Bosc", ca: "Ciutadella, apartaments Cala en Bosc", en: "Ciutadella, Cala en Bosc apartments", de: "Ciutadella, Apartments Cala en Bosc",
  }),
];

function place(
  id: number,
  branchCode: string,
  placeType: string,
  popularity: number,
  priceCents: number,
  address: Address,
  names: Readonly<Record<"es" | "ca" | "en" | "de", string>>,
  iata?: string,
): CompanyPlace {
  const island = id <= 4 ? [1, 2, 3, 4] : [5, 6];
  const across = BETWEEN_AIRPORTS.filter(([from]) => from === id).map(([, to]) => to);
  return {
    id, branchCode, placeType, popularity, priceCents, address, names, iata, name: names.es,
    isPickup: true, isReturn: true, webPublic: true, classifierId: undefined, returnPlaceIds: new Set([...island, ...across]),
  };
}

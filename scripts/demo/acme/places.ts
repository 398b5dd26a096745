import type { Address, CompanyPlace } from "../company.ts";
import { balearic, maoAirport, townStreet } from "./organization.ts";

const BETWEEN_AIRPORTS: readonly (readonly [number, number])[] = [
  [1, 5],
  [5, 1],
];

/** Vehicles stay on their island, but for the two airports. */
export const acmePlaces: readonly CompanyPlace[] = [
  place(
    1,
    "PMI",
    "airport",
    40,
    0,
    balearic("Aeroport de Palma, terminal d'arribades", "Palma", "07611", [39.5517, 2.7388]),
    {
      es: "Aeropuerto de Palma (PMI)",
      ca: "Aeroport de Palma (PMI)",
      en: "Palma Airport (PMI)",
      de: "Flughafen Palma (PMI)",
    },
    "PMI",
  ),
  place(2, "PALMA", "train_station", 18, 0, townStreet, {
    es: "Palma, Estación Intermodal",
    ca: "Palma, Estació Intermodal",
    en: "Palma, Intermodal Station",
    de: "Palma, Bahnhof Intermodal",
  }),
  place(
    3,
    "PALMA",
    "harbor",
    10,
    1000,
    balearic("Estació Marítima 2, Moll de Peraires", "Palma", "07015", [39.5497, 2.6273]),
    {
      es: "Puerto de Palma",
      ca: "Port de Palma",
      en: "Port of Palma",
      de: "Hafen von Palma",
    },
  ),
  place(
    4,
    "PMI",
    "hotel",
    8,
    1500,
    balearic("Carrer de la Marina, 12", "Platja de Palma", "07610", [39.5229, 2.7401]),
    {
      es: "Hotel en Playa de Palma (entrega)",
      ca: "Hotel a Platja de Palma (lliurament)",
      en: "Hotel in Playa de Palma (delivery)",
      de: "Hotel in Playa de Palma (Zustellung)",
    },
  ),
  place(
    5,
    "MAH",
    "airport",
    20,
    0,
    maoAirport,
    {
      es: "Aeropuerto de Menorca (MAH)",
      ca: "Aeroport de Menorca (MAH)",
      en: "Menorca Airport (MAH)",
      de: "Flughafen Menorca (MAH)",
    },
    "MAH",
  ),
  place(
    6,
    "MAH",
    "accommodation",
    7,
    2000,
    balearic("Avinguda de la Platja, 4, Cala en Bosc", "Ciutadella de Menorca", "07769", [39.9275, 3.8344]),
    {
      es: "Ciutadella, apartamentos Cala en Bosc",
      ca: "Ciutadella, apartaments Cala en Bosc",
      en: "Ciutadella, Cala en Bosc apartments",
      de: "Ciutadella, Apartments Cala en Bosc",
    },
  ),
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
    id,
    branchCode,
    placeType,
    popularity,
    priceCents,
    address,
    names,
    iata,
    name: names.es,
    isPickup: true,
    isReturn: true,
    webPublic: true,
    classifierId: 1,
    returnPlaceIds: new Set([...island, ...across]),
  };
}

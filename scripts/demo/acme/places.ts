import type { Address, CompanyPlace } from "../company.ts";
import { balearic, maoAirport, townStreet } from "./organization.ts";
import { texts } from "./texts.ts";

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
    "PMI",
  ),
  place(2, "PALMA", "train_station", 18, 0, townStreet),
  place(
    3,
    "PALMA",
    "harbor",
    10,
    1000,
    balearic("Estació Marítima 2, Moll de Peraires", "Palma", "07015", [39.5497, 2.6273]),
  ),
  place(4, "PMI", "hotel", 8, 1500, balearic("Carrer de la Marina, 12", "Platja de Palma", "07610", [39.5229, 2.7401])),
  place(5, "MAH", "airport", 20, 0, maoAirport, "MAH"),
  place(
    6,
    "MAH",
    "accommodation",
    7,
    2000,
    balearic("Avinguda de la Platja, 4, Cala en Bosc", "Ciutadella de Menorca", "07769", [39.9275, 3.8344]),
  ),
];

function place(
  id: number,
  branchCode: string,
  placeType: CompanyPlace["placeType"],
  popularity: number,
  priceCents: number,
  address: Address,
  iata?: string,
): CompanyPlace {
  const names = texts(`place ${id}`);
  const island = id <= 4 ? [1, 2, 3, 4] : [5, 6];
  const across = BETWEEN_AIRPORTS.filter(([from]) => from === id).map(([, to]) => to);
  return {
    id,
    branchCode,
    placeType,
    popularity,
    priceCents,
    ...address,
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

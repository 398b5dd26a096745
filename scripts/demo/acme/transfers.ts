import type { CivilDate, TimeOfDay } from "#domain/dates.ts";
import type {
  TransferEnd,
  TransferExtra,
  TransferPoint,
  TransferPrice,
  TransferVehicle,
} from "#domain/transfers/transfers.ts";
import { extraPhoto } from "../pictures.ts";
import type { CompanyTransfers } from "../transfers.ts";

type Texts = Readonly<Record<"es" | "ca" | "en" | "de", string>>;

const VAT = 1000;
const PALMA = 1;
const BAY = 2;
const NORTH = 3;
const EAST = 4;
const SOLLER = 5;

/** Transfers on Mallorca: ten points, three kinds of vehicle, dearer at night and at the turn of the year. */
export function acmeTransfers(branchCode: string): CompanyTransfers {
  return {
    zones: [
      { id: PALMA, name: "Palma" },
      { id: BAY, name: "Bahía de Palma" },
      { id: NORTH, name: "Norte" },
      { id: EAST, name: "Levante" },
      { id: SOLLER, name: "Sóller" },
    ],
    points: POINTS,
    vehicles: [
      vehicle(branchCode, 1, [3, 1, 3, 4], "sedan-3b82c4", {
        name: { es: "Turismo", ca: "Turisme", en: "Saloon car", de: "Limousine" },
        short: {
          es: "Hasta 3 personas",
          ca: "Fins a 3 persones",
          en: "Up to 3 people",
          de: "Bis zu 3 Personen",
        },
      }),
      vehicle(branchCode, 2, [7, 2, 7, 3], "van-2f855a", {
        name: { es: "Monovolumen", ca: "Monovolum", en: "People carrier", de: "Großraumwagen" },
        short: {
          es: "Hasta 7 personas",
          ca: "Fins a 7 persones",
          en: "Up to 7 people",
          de: "Bis zu 7 Personen",
        },
      }),
      vehicle(branchCode, 3, [16, 4, 16, 1], "van-b7791f", {
        name: { es: "Microbús", ca: "Microbús", en: "Minibus", de: "Kleinbus" },
        short: {
          es: "Hasta 16 personas",
          ca: "Fins a 16 persones",
          en: "Up to 16 people",
          de: "Bis zu 16 Personen",
        },
      }),
    ],
    prices: PRICES,
    extras: [
      extra(1, "SEAT", 800, 3, {
        es: "Silla infantil",
        ca: "Cadira infantil",
        en: "Child seat",
        de: "Kindersitz",
      }),
      extra(2, "BABY", 1000, 2, { es: "Silla de bebé", ca: "Cadira de nadó", en: "Baby seat", de: "Babyschale" }),
      extra(3, "BIKE", 1500, 4, {
        es: "Bicicleta o equipaje grande",
        ca: "Bicicleta o equipatge gros",
        en: "Bicycle or bulky luggage",
        de: "Fahrrad oder Sperrgepäck",
      }),
    ],
    supplements: [
      {
        id: 1,
        name: "Nocturnidad",
        names: { es: "Nocturnidad", ca: "Nocturnitat", en: "Night", de: "Nachtzuschlag" },
        window: { from: "22:00" as TimeOfDay, to: "06:00" as TimeOfDay },
        dates: undefined,
        pointId: undefined,
        valueType: "percentage",
        value: 2000,
      },
      {
        id: 2,
        name: "Puerto, temporada de cruceros",
        names: {
          es: "Puerto, temporada de cruceros",
          ca: "Port, temporada de creuers",
          en: "Harbour, cruise season",
          de: "Hafen, Kreuzfahrtsaison",
        },
        window: undefined,
        dates: { from: "2026-04-01" as CivilDate, to: "2099-12-31" as CivilDate },
        pointId: 2,
        valueType: "amount",
        value: 500,
      },
    ],
  };
}

const POINTS: readonly TransferPoint[] = [
  point(1, "airport", PALMA, {
    es: "Aeropuerto de Palma (PMI)",
    ca: "Aeroport de Palma (PMI)",
    en: "Palma Airport (PMI)",
    de: "Flughafen Palma (PMI)",
  }),
  point(2, "harbor", PALMA, {
    es: "Puerto de Palma",
    ca: "Port de Palma",
    en: "Port of Palma",
    de: "Hafen von Palma",
  }),
  point(3, "train_station", PALMA, {
    es: "Palma, Estación Intermodal",
    ca: "Palma, Estació Intermodal",
    en: "Palma, Intermodal Station",
    de: "Palma, Bahnhof Intermodal",
  }),
  point(4, "location", BAY, {
    es: "Playa de Palma, hoteles",
    ca: "Platja de Palma, hotels",
    en: "Playa de Palma, hotels",
    de: "Playa de Palma, Hotels",
  }),
  point(5, "location", BAY, {
    es: "Magaluf, hoteles",
    ca: "Magaluf, hotels",
    en: "Magaluf, hotels",
    de: "Magaluf, Hotels",
  }),
  point(6, "harbor", NORTH, {
    es: "Puerto de Alcúdia",
    ca: "Port d'Alcúdia",
    en: "Port d'Alcúdia",
    de: "Port d'Alcúdia",
  }),
  point(7, "location", NORTH, {
    es: "Puerto de Pollensa, hoteles",
    ca: "Port de Pollença, hotels",
    en: "Port de Pollença, hotels",
    de: "Port de Pollença, Hotels",
  }),
  point(8, "bus_station", EAST, {
    es: "Manacor, estación de autobuses",
    ca: "Manacor, estació d'autobusos",
    en: "Manacor, bus station",
    de: "Manacor, Busbahnhof",
  }),
  point(9, "location", EAST, {
    es: "Cala Millor, hoteles",
    ca: "Cala Millor, hotels",
    en: "Cala Millor, hotels",
    de: "Cala Millor, Hotels",
  }),
  point(10, "train_station", SOLLER, {
    es: "Sóller, estación",
    ca: "Sóller, estació",
    en: "Sóller, station",
    de: "Sóller, Bahnhof",
  }),
];

// From Palma to everywhere and back; between the other regions nobody drives. The airport and the station are nearer than their zone says.
const WAYS: readonly (readonly [from: TransferEnd, to: TransferEnd, minutes: number, prices: readonly number[]])[] = [
  [{ zoneId: PALMA }, { zoneId: PALMA }, 25, [2800, 4200, 7500]],
  [{ zoneId: PALMA }, { zoneId: BAY }, 30, [3500, 5200, 9000]],
  [{ zoneId: PALMA }, { zoneId: NORTH }, 60, [7500, 9800, 16_500]],
  [{ zoneId: PALMA }, { zoneId: EAST }, 65, [7800, 10_200, 17_000]],
  [{ zoneId: PALMA }, { zoneId: SOLLER }, 40, [5200, 7000, 12_000]],
  [{ pointId: 1 }, { pointId: 3 }, 15, [2400, 3800, 6900]],
  [{ pointId: 1 }, { pointId: 4 }, 15, [2200, 3600, 6500]],
];

const PRICES: readonly TransferPrice[] = WAYS.flatMap(([from, to, minutes, prices]) =>
  prices.map((priceCents, index) => ({ vehicleId: index + 1, from, to, bothWays: true, minutes, priceCents })),
);

function point(id: number, pointType: TransferPoint["pointType"], zoneId: number, names: Texts): TransferPoint {
  return { id, name: names.es, names, pointType, zoneId };
}

function vehicle(
  branchCode: string,
  id: number,
  [seats, infantPlaces, luggage, units]: readonly [number, number, number, number],
  picture: string,
  texts: { readonly name: Texts; readonly short: Texts },
): TransferVehicle {
  return {
    id,
    name: texts.name.es,
    names: texts.name,
    shortDescription: texts.short.es,
    shortDescriptions: texts.short,
    description: texts.short.es,
    descriptions: texts.short,
    branchCode,
    seats,
    infantPlaces,
    luggage,
    units,
    preparationMinutes: 30,
    vat: VAT,
    photoPath: `/demo-photos/${picture}-medium.svg`,
    photoFullPath: `/demo-photos/${picture}-full.svg`,
  };
}

function extra(id: number, code: string, priceCents: number, maxQuantity: number, names: Texts): TransferExtra {
  return {
    id,
    code,
    name: names.es,
    names,
    description: names.es,
    descriptions: names,
    pricePer: "trip",
    priceCents,
    maxQuantity,
    vat: VAT,
    ...extraPhoto,
  };
}

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
import { texts } from "./texts.ts";

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
      vehicle(branchCode, 1, [3, 1, 3, 4], "sedan-3b82c4"),
      vehicle(branchCode, 2, [7, 2, 7, 3], "van-2f855a"),
      vehicle(branchCode, 3, [16, 4, 16, 1], "van-b7791f"),
    ],
    prices: PRICES,
    extras: [extra(1, "SEAT", 800, 3), extra(2, "BABY", 1000, 2), extra(3, "BIKE", 1500, 4)],
    supplements: [
      {
        id: 1,
        name: "Nocturnidad",
        names: texts("transfer supplement 1"),
        window: { from: "22:00" as TimeOfDay, to: "06:00" as TimeOfDay },
        dates: undefined,
        pointId: undefined,
        valueType: "percentage",
        value: 2000,
      },
      {
        id: 2,
        name: "Puerto, temporada de cruceros",
        names: texts("transfer supplement 2"),
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
  point(1, "airport", PALMA),
  point(2, "harbor", PALMA),
  point(3, "train_station", PALMA),
  point(4, "location", BAY),
  point(5, "location", BAY),
  point(6, "harbor", NORTH),
  point(7, "location", NORTH),
  point(8, "bus_station", EAST),
  point(9, "location", EAST),
  point(10, "train_station", SOLLER),
];

// From Palma to everywhere and back; between the other regions nobody drives. The airport and the station are nearer
// than their zone says.
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

function point(id: number, pointType: TransferPoint["pointType"], zoneId: number): TransferPoint {
  const names = texts(`transfer point ${id}`);
  return { id, name: names.es, names, pointType, zoneId };
}

function vehicle(
  branchCode: string,
  id: number,
  [seats, infantPlaces, luggage, units]: readonly [number, number, number, number],
  picture: string,
): TransferVehicle {
  const names = texts(`transfer vehicle ${id}`);
  const short = texts(`transfer vehicle ${id} short`);
  return {
    id,
    name: names.es,
    names,
    shortDescription: short.es,
    shortDescriptions: short,
    description: short.es,
    descriptions: short,
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

function extra(id: number, code: string, priceCents: number, maxQuantity: number): TransferExtra {
  const names = texts(`transfer extra ${code}`);
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

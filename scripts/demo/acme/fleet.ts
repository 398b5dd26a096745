import { type CivilDate, toDayNumber } from "#domain/dates.ts";
import type { CompanyBranch } from "../company.ts";
import { buildFleet, type FleetOrder, type Fuel, type Model, type Vehicle } from "../fleet.ts";
import { itemAt, type Random, randomFrom } from "../random.ts";
import { acmeOwnTexts } from "./own-texts.ts";

const manual = (brand: string, name: string, fuel: Fuel, tankLitres: number, priceEuros: number): Model => ({
  brand,
  name,
  transmission: "manual",
  fuel,
  tankLitres,
  priceCents: priceEuros * 100,
});
const automatic = (...model: Parameters<typeof manual>): Model => ({ ...manual(...model), transmission: "automatic" });

/** By category. */
export const acmeModels: Readonly<Record<string, readonly Model[]>> = {
  MINI: [
    manual("Fiat", "500", "petrol", 35, 16_900),
    manual("Kia", "Picanto", "petrol", 35, 15_400),
    manual("Toyota", "Aygo X", "petrol", 35, 17_200),
  ],
  ECON: [
    manual("Seat", "Ibiza", "petrol", 40, 19_300),
    manual("Opel", "Corsa", "petrol", 44, 18_900),
    manual("Renault", "Clio", "petrol", 42, 18_700),
    manual("Volkswagen", "Polo", "petrol", 40, 21_500),
  ],
  COMP: [
    manual("Seat", "León", "diesel", 45, 26_400),
    manual("Volkswagen", "Golf", "diesel", 50, 30_100),
    manual("Ford", "Focus", "diesel", 47, 27_800),
  ],
  SUV: [
    manual("Nissan", "Qashqai", "hybrid", 55, 33_500),
    manual("Hyundai", "Tucson", "hybrid", 54, 34_900),
    manual("Seat", "Ateca", "petrol", 50, 31_200),
  ],
  AUTO: [
    automatic("Renault", "5 E-Tech", "electric", 52, 29_900),
    automatic("Cupra", "Born", "electric", 58, 38_600),
    automatic("Opel", "Corsa Electric", "electric", 51, 31_000),
  ],
  VAN9: [
    manual("Volkswagen", "Caravelle", "diesel", 70, 49_800),
    manual("Ford", "Tourneo Custom", "diesel", 70, 45_300),
    manual("Mercedes-Benz", "Vito Tourer", "diesel", 70, 51_900),
  ],
  CABRIO: [
    automatic("Mini", "Cooper Cabrio", "petrol", 44, 35_700),
    automatic("Volkswagen", "T-Roc Cabrio", "petrol", 50, 38_900),
    automatic("Fiat", "500C", "petrol", 35, 22_800),
  ],
  UNIQ: [manual("Volkswagen", "Escarabajo Cabriolet 1979", "petrol", 42, 32_000)],
};

/** Vehicles of each category at PMI, PALMA and MAH. */
const UNITS: Readonly<Record<string, readonly [number, number, number]>> = {
  MINI: [4, 3, 4],
  ECON: [6, 3, 5],
  COMP: [5, 2, 4],
  SUV: [4, 2, 3],
  AUTO: [3, 1, 2],
  VAN9: [3, 1, 2],
  CABRIO: [2, 1, 2],
  UNIQ: [0, 1, 0],
};

const COLORS = ["Blanco", "Gris plata", "Negro", "Rojo", "Azul", "Verde oliva", "Arena", "Gris grafito"];
const CONSONANTS = "BCDFGHJKLMNPRSTVWXYZ";
const DAY_OF_LCB = 18_262;
const SERIES_PER_DAY = 0.385;

export function acmeFleet(today: CivilDate, branches: readonly CompanyBranch[], historyDays: number): Vehicle[] {
  const homes = [0, 1, 2].map((index) => itemAt(branches, index));
  const orders = Object.entries(UNITS).flatMap(([categoryCode, units]) =>
    homes.map(
      (branch, index): FleetOrder => ({
        categoryCode,
        models: acmeModels[categoryCode] ?? [],
        branch,
        units: units[index] ?? 0,
      }),
    ),
  );
  const [airport, town, menorca] = [itemAt(homes, 0), itemAt(homes, 1), itemAt(homes, 2)];
  const special = (
    categoryCode: string,
    branch: CompanyBranch,
    units: number,
    purpose: NonNullable<FleetOrder["purpose"]>,
  ): FleetOrder => ({
    categoryCode,
    models: purpose === "virtual" ? [VIRTUAL] : (acmeModels[categoryCode] ?? []),
    branch,
    units,
    purpose,
  });
  return buildFleet({
    orders: [
      ...orders,
      special("MINI", airport, 2, "sold"),
      special("ECON", airport, 2, "sold"),
      special("COMP", menorca, 1, "sold"),
      special("SUV", airport, 1, "sold"),
      special("ECON", town, 1, "leaving"),
      special("MINI", menorca, 1, "leaving"),
      special("COMP", airport, 1, "staff"),
      special("ECON", airport, 1, "virtual"),
    ],
    today,
    random: randomFrom("acme fleet"),
    plate: spanishPlate,
    colors: COLORS,
    ownTexts: acmeOwnTexts,
    dailyUnits: 95,
    historyDays,
  });
}

const VIRTUAL = manual("Acme", "Vehículo por asignar", "none", 0, 0);

/** The letters go up with the years, as they do on the road: LCB was issued when 2020 began. */
export function spanishPlate(acquiredOn: CivilDate, random: Random): string {
  const series = 3220 + Math.round((toDayNumber(acquiredOn) - DAY_OF_LCB) * SERIES_PER_DAY) + random.between(-3, 3);
  const letter = (index: number) => CONSONANTS.charAt(index % CONSONANTS.length);
  return `${random.digits(4)} ${letter(Math.floor(series / 400))}${letter(Math.floor(series / 20))}${letter(series)}`;
}

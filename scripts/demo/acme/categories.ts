import type { CompanyCategory, Family } from "../company.ts";
import type { Fuel } from "../fleet.ts";
import { categoryPhotos } from "../pictures.ts";
import { texts } from "./texts.ts";

export const acmeFamilies: readonly Family[] = [
  { id: 1, code: "CARS", names: texts("family 1") },
  { id: 2, code: "SUVS", names: texts("family 2") },
  { id: 3, code: "LEISURE", names: texts("family 3") },
];

const ACRISS: Readonly<Record<string, string>> = {
  MINI: "MDMR",
  ECON: "EDMR",
  COMP: "CDMD",
  SUV: "IFMH",
  AUTO: "CDAE",
  VAN9: "PVMD",
  CABRIO: "STAR",
  UNIQ: "XTMN",
};

export const acmeCategories: readonly CompanyCategory[] = [
  category("MINI", 1, 22, [5, 4, 1, "manual", "petrol"], [30_000, 0], {}, "#e2574c"),
  category("ECON", 1, 26, [5, 5, 2, "manual", "petrol"], [40_000, 0], {}, "#3b82c4"),
  category("COMP", 1, 18, [5, 5, 3, "manual", "diesel"], [60_000, 0], {}, "#4b5d78"),
  category("SUV", 2, 14, [5, 5, 4, "manual", "hybrid"], [80_000, 10_000], {}, "#2f7d5b"),
  category("AUTO", 1, 12, [5, 5, 2, "automatic", "electric"], [60_000, 0], {}, "#22a3a3"),
  category("VAN9", 2, 6, [5, 9, 6, "manual", "diesel"], [120_000, 20_000], { fuel: 6500 }, "#8a6d3b"),
  category("CABRIO", 3, 8, [2, 4, 2, "automatic", "petrol"], [100_000, 20_000], { preparation: 1200 }, "#d9822b"),
  category("UNIQ", 3, 2, [2, 4, 1, "manual", "petrol"], [200_000, 50_000], { assistance: 4000 }, "#9b3d6b"),
];

type Build = readonly [
  doors: number,
  seats: number,
  suitcases: number,
  transmission: "manual" | "automatic",
  fuel: Fuel,
];

interface Supplements {
  readonly fuel?: number;
  readonly preparation?: number;
  readonly assistance?: number;
}

function category(
  code: string,
  familyId: number,
  popularity: number,
  [doors, seats, suitcases, transmission, fuel]: Build,
  [depositCents, guaranteeCents]: readonly [number, number],
  { fuel: fuelCents = 0, preparation = 0, assistance = 0 }: Supplements,
  color: string,
): CompanyCategory {
  const names = texts(`category ${code}`);
  const short = texts(`category ${code} short`);
  const long = texts(`category ${code} long`);
  return {
    code,
    familyId,
    popularity,
    doors,
    seats,
    suitcases,
    transmission,
    fuel,
    depositCents,
    guaranteeCents,
    name: names.es,
    names,
    shortDescription: short.es,
    shortDescriptions: short,
    description: long.es,
    descriptions: long,
    webPublic: true,
    vat: 2100,
    airConditioner: code !== "UNIQ",
    acrissCode: ACRISS[code],
    supplementCents: [fuelCents, preparation, assistance],
    photos: categoryPhotos(code, color),
  };
}

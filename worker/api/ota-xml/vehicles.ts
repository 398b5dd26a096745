import type { Category } from "#domain/catalogue/catalogue.ts";
import { toVehicleClass } from "./acriss.ts";

/** Vehicle of an offer, as far as OpenTravel describes it. */
export interface PricedVehicle {
  readonly code: string;
  readonly acriss_code?: string | null | undefined;
  readonly key_characteristics: {
    readonly doors: number | null;
    readonly transmission: string | null;
    readonly fuel: string | null;
    readonly air_conditioner: string;
  };
}

const FUELS: Readonly<Record<string, string>> = {
  petrol: "Petrol",
  diesel: "Diesel",
  electric: "Electric",
  hybrid: "Hybrid",
};

/** Describes a vehicle with OpenTravel's values. */
export function toOtaVehicleXml({ acriss_code: acriss, key_characteristics: vehicle }: PricedVehicle) {
  const { category, size, drive, isAutomatic, fuel: acrissFuel } = toVehicleClass(acriss);
  const { transmission, fuel, air_conditioner: air } = vehicle;
  return {
    category,
    size,
    drive,
    hasAirCondition: air === "yes",
    transmission: (transmission ? transmission === "automatic" : isAutomatic) ? "Automatic" : "Manual",
    fuel: FUELS[fuel ?? ""] ?? acrissFuel ?? "Unspecified",
  };
}

/** Converts a category to the vehicle that is offered. */
export function toPricedVehicle({ code, acrissCode, doors, transmission, fuel, airConditioner }: Category) {
  return {
    code,
    acriss_code: acrissCode,
    key_characteristics: {
      doors: doors ?? null,
      transmission: transmission ?? null,
      fuel: fuel ?? null,
      air_conditioner: airConditioner ? "yes" : "no",
    },
  } satisfies PricedVehicle;
}

/** Vehicle in OpenTravel's code lists, as far as the ACRISS code defines it. */
interface Class {
  /** Vehicle category, a code of OpenTravel list VEC. */
  readonly category: number;
  /** Vehicle size, a code of OpenTravel list SIZ. */
  readonly size: number | undefined;
  readonly drive: "AWD" | "4WD" | "Unspecified";
  readonly isAutomatic: boolean;
  readonly fuel: string | undefined;
}

const CAR = 1;

const SIZES: Readonly<Record<string, number>> = {
  ...{ M: 1, N: 33, E: 3, H: 34, C: 4, D: 35, I: 6, J: 36, S: 7, R: 37 },
  ...{ F: 8, G: 38, P: 10, U: 39, L: 9, W: 40, O: 41, X: 32 },
};

const CATEGORIES: Readonly<Record<string, number>> = {
  ...{ B: CAR, C: CAR, D: CAR, W: 8, V: 2, L: 7, S: 13, T: 4, F: 3, J: 11, X: 14 },
  ...{ P: 16, Q: 15, Z: 17, E: 18, M: 19, R: 12, H: 10, Y: 20, N: 21, G: 22, K: 23 },
};

const FUELS: Readonly<Record<string, string>> = {
  ...{ D: "Diesel", Q: "Diesel", H: "Hybrid", I: "Hybrid", E: "Electric", C: "Electric", V: "Petrol", Z: "Petrol" },
  ...{ L: "LPG_CompressedGas", S: "LPG_CompressedGas", A: "Hydrogen", B: "Hydrogen" },
  ...{ M: "MultiFuel", F: "MultiFuel", U: "Ethanol", X: "Ethanol" },
};

/**
 * Derives the vehicle class from the four ACRISS letters: size, category, drive with gearbox, fuel. The
 * category defaults to a car.
 */
export function toVehicleClass(acriss: string | null | undefined): Class {
  const [size = "", category = "", drive = "", fuel = "-"] = acriss ?? "";
  return {
    category: CATEGORIES[category] ?? CAR,
    size: SIZES[size],
    drive: "NB".includes(drive || "-") ? "4WD" : "CD".includes(drive || "-") ? "AWD" : "Unspecified",
    isAutomatic: "ABD".includes(drive || "-"),
    fuel: FUELS[fuel],
  };
}

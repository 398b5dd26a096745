import type { Catalogue } from "./catalogue.ts";

/** Steps from a new account to its first booking, in order of dependency. */
export const SETUP_STEPS = [
  "branches",
  "places",
  "hours",
  "categories",
  "vehicles",
  "prices",
  "payment",
  "website",
  "team",
] as const;
export type SetupStepName = (typeof SETUP_STEPS)[number];

/** Step of the account's setup with its state. */
export interface SetupStep {
  readonly name: SetupStepName;
  readonly isDone: boolean;
  /**
   * Whether online bookings with payment are impossible until the step is done. A single incomplete category isn't
   * blocking.
   */
  readonly isBlocking: boolean;
  /** Incomplete items by code or name: branches without opening hours, categories without prices. */
  readonly missing: readonly string[];
}

/** Setup data that isn't in the catalogue. */
export interface SetupCounts {
  readonly staff: number;
  readonly withoutTaxNumber: number;
  /** Codes of the active categories without a rentable vehicle. */
  readonly withoutVehicle: readonly string[];
  /** Codes of the active categories without a price. */
  readonly withoutPrice: readonly string[];
  /** Offered payment methods with a gateway that isn't ready. */
  readonly closedMethods: readonly string[];
  /** Whether the account has an active website key. */
  readonly hasEngineKey: boolean;
}

/** Returns the setup progress by step, based on existing data only. */
export function listSetupSteps(catalogue: Catalogue, counts: SetupCounts): readonly SetupStep[] {
  const { settings } = catalogue;
  const branches = [...catalogue.branches.values()];
  const places = [...catalogue.places.values()];
  const closed = branches.filter(({ openingHours }) => openingHours.length === 0).map(({ name }) => name);
  const hasPlaces = places.some(({ isPickup }) => isPickup) && places.some(({ isReturn }) => isReturn);
  const isSold = catalogue.categories.size > 0;
  const isPaid = settings.paymentMethods.length > 0 && settings.paymentOptions.length > 0;
  const isEmbedded = settings.engineOrigins.length > 0 || counts.hasEngineKey;
  const completedSteps: Readonly<Record<SetupStepName, boolean>> = {
    branches: branches.length > 0 && counts.withoutTaxNumber === 0,
    places: hasPlaces,
    hours: branches.length > 0 && closed.length === 0,
    categories: isSold,
    vehicles: isSold && counts.withoutVehicle.length === 0,
    prices: isSold && counts.withoutPrice.length === 0,
    payment: isPaid && counts.closedMethods.length === 0,
    website: settings.baseUrl !== undefined && isEmbedded,
    team: counts.staff > 1,
  };
  const missing: Partial<Record<SetupStepName, readonly string[]>> = {
    hours: closed,
    vehicles: counts.withoutVehicle,
    prices: counts.withoutPrice,
    payment: counts.closedMethods,
  };
  const excludesAll = (without: readonly string[]) => without.length >= catalogue.categories.size;
  const blocking: Partial<Record<SetupStepName, boolean>> = {
    branches: branches.length === 0,
    places: !hasPlaces,
    categories: !isSold,
    vehicles: excludesAll(counts.withoutVehicle),
    prices: excludesAll(counts.withoutPrice),
    payment: !isPaid || counts.closedMethods.length >= settings.paymentMethods.length,
  };
  return SETUP_STEPS.map((name) => ({
    name,
    isDone: completedSteps[name],
    isBlocking: blocking[name] ?? false,
    missing: missing[name] ?? [],
  }));
}

import type { Catalogue } from "./catalogue.ts";

/** What leads a new company to its first booking, in the order in which one thing needs the other. */
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

export interface SetupStep {
  readonly name: SetupStepName;
  readonly isDone: boolean;
  /** Whether nothing at all can be booked and paid online without it: without one category others sell. */
  readonly isBlocking: boolean;
  /** What of the company keeps it open, by code or name: branches without hours, categories without prices. */
  readonly missing: readonly string[];
}

/** What the catalogue does not hold of an account's readiness. */
export interface SetupCounts {
  readonly staff: number;
  readonly withoutTaxNumber: number;
  /** Categories in use that have no vehicle to rent. */
  readonly withoutVehicle: readonly string[];
  /** Categories in use that have no price. */
  readonly withoutPrice: readonly string[];
  /** Payment methods that are offered and whose gateway is not ready. */
  readonly closedMethods: readonly string[];
  /** Whether a website key of the account is in use. */
  readonly hasEngineKey: boolean;
}

/** How far a company has come, step by step; every step is judged by what is there, never by what was clicked. */
export function findSetupSteps(catalogue: Catalogue, counts: SetupCounts): readonly SetupStep[] {
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

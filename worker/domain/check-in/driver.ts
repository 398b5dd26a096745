import type { CivilDate } from "#domain/dates.ts";

/** What somebody read from a driver's papers; undefined: not read. */
export interface DriverPapers {
  readonly name: string | undefined;
  readonly surname: string | undefined;
  readonly documentId: string | undefined;
  readonly dateOfBirth: CivilDate | undefined;
  readonly licenceNumber: string | undefined;
  readonly licenceExpires: CivilDate | undefined;
}

/** Ages, both included, and whether a vehicle is let to them. */
export interface AgeRule {
  readonly ageFrom: number;
  readonly ageTo: number;
  readonly allowed: boolean;
}

export type DriverWarning = "licence_expired" | "driver_age";

/** Whole years of somebody born on a day, on another day. */
export function ageOn(birthDate: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return date.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

/**
 * What is odd about a driver's papers for a rental: a licence that ends before the rental, an age that the account's
 * rules do not allow on its first day. An age that no rule names is allowed.
 */
export function findDriverWarnings(
  {
    dateOfBirth,
    licenceExpires,
  }: { readonly dateOfBirth?: string | undefined; readonly licenceExpires?: string | undefined },
  { dateFrom, dateTo }: { readonly dateFrom: string; readonly dateTo: string },
  rules: readonly AgeRule[],
): readonly DriverWarning[] {
  const age = dateOfBirth && ageOn(dateOfBirth, dateFrom);
  const rule = rules.find(({ ageFrom, ageTo }) => age !== undefined && age !== "" && ageFrom <= age && age <= ageTo);
  return [
    ...(licenceExpires && licenceExpires < dateTo ? (["licence_expired"] as const) : []),
    ...(rule && !rule.allowed ? (["driver_age"] as const) : []),
  ];
}

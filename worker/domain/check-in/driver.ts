import type { CivilDate } from "#domain/dates.ts";
import type { StoredCompletion } from "#domain/ministry-reports/completion-fields.ts";

/** Data read from a driver's documents. Undefined if not read. */
export interface DriverDocumentData {
  readonly name: string | undefined;
  readonly surname: string | undefined;
  readonly documentId: string | undefined;
  readonly dateOfBirth: CivilDate | undefined;
  readonly licenceNumber: string | undefined;
  readonly licenceExpires: CivilDate | undefined;
}

/** Returns the contract data read from documents or typed for the authorities. Missing fields stay unchanged. */
export function collectEnteredContractData({
  driver,
  authorities,
}: {
  readonly driver?: DriverDocumentData | undefined;
  readonly authorities?: StoredCompletion | undefined;
}) {
  const typed = authorities?.contractData;
  return {
    ...typed,
    driver_name: driver?.name ?? typed?.["driver_name"],
    driver_surname: driver?.surname ?? typed?.["driver_surname"],
    driver_document_id: driver?.documentId ?? typed?.["driver_document_id"],
    driver_date_of_birth: driver?.dateOfBirth ?? typed?.["driver_date_of_birth"],
    driver_driving_license_number: driver?.licenceNumber ?? typed?.["driver_driving_license_number"],
    driver_driving_license_expiration_date: driver?.licenceExpires ?? typed?.["driver_driving_license_expiration_date"],
  };
}

/** Age range, inclusive, and whether vehicles are rented to it. */
export interface AgeRule {
  readonly ageFrom: number;
  readonly ageTo: number;
  readonly allowed: boolean;
}

export type DriverWarning = "licence_expired" | "driver_age";

/** Returns the age in full years on a date. */
export function getAgeOn(birthDate: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return date.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

/**
 * Finds problems of a driver's documents for a rental: a licence that expires before its end, or an age not allowed on
 * its first day. An age without a rule is allowed.
 */
export function findDriverWarnings(
  {
    dateOfBirth,
    licenceExpires,
  }: { readonly dateOfBirth?: string | undefined; readonly licenceExpires?: string | undefined },
  { dateFrom, dateTo }: { readonly dateFrom: string; readonly dateTo: string },
  rules: readonly AgeRule[],
): readonly DriverWarning[] {
  const age = dateOfBirth && getAgeOn(dateOfBirth, dateFrom);
  const rule = rules.find(({ ageFrom, ageTo }) => age !== undefined && age !== "" && ageFrom <= age && age <= ageTo);
  return [
    ...(licenceExpires && licenceExpires < dateTo ? (["licence_expired"] as const) : []),
    ...(rule && !rule.allowed ? (["driver_age"] as const) : []),
  ];
}

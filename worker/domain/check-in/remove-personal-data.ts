import { ERASED_TEXT } from "#domain/access/erased-text.ts";
import type { CheckInBooking, CheckInOperation } from "./operations.ts";

/** Removes personal data from work for a contract with an erased customer. Keeps readings and actions. */
export function removePersonalDataFromOperation(
  { customerFullName }: Pick<CheckInBooking, "customerFullName">,
  operation: CheckInOperation,
): CheckInOperation {
  if (customerFullName !== ERASED_TEXT) return operation;
  return {
    ...operation,
    ...{ notes: undefined, overrideReason: undefined, driver: undefined, authorities: undefined, files: [], sent: {} },
    signature: operation.signature && { method: operation.signature.method, contractHash: undefined },
    damages: operation.damages.map((damage) => ({ ...damage, note: undefined, photos: [] })),
  };
}

import { ERASED } from "#domain/access/erased.ts";
import type { CheckInBooking, CheckInOperation } from "./operations.ts";

/**
 * The work as it may be kept of a contract: where its customer was erased before it came, what was read and done, and
 * nothing that is said or seen of people.
 */
export function removePersonalData(
  { customerFullName }: Pick<CheckInBooking, "customerFullName">,
  operation: CheckInOperation,
): CheckInOperation {
  if (customerFullName !== ERASED) return operation;
  return {
    ...operation,
    ...{ notes: undefined, driver: undefined, authorities: undefined, files: [], sent: {} },
    signature: operation.signature && { method: operation.signature.method, contractHash: undefined },
    damages: operation.damages.map((damage) => ({ ...damage, note: undefined, photos: [] })),
  };
}

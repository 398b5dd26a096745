import { canAccessBranch } from "#domain/access/sessions.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { communicatedQueries } from "#worker/store/communications/rentals.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import {
  type OfficeAnswer,
  type OfficeRefusal,
  refuseWithout,
} from "#worker/usecases/bookings/moves/office-context.ts";
import { byBooking, type WantedCommunication, wantedOf } from "./plan.ts";
import { trySes } from "./send.ts";

/** What is communicated of a reservation, and what it still lacks; one round trip. Of a transfer, nothing. */
export async function readCommunications(
  request: StaffRequest,
  bookingId: number,
): Promise<Result<OfficeAnswer<readonly WantedCommunication[]>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => communicatedQueries(request.tenant.db, [bookingId]));
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  const [found] = byBooking(rows);
  if (!found || !canAccessBranch(staff, found[0].branchCode, found[0].returnBranchCode))
    return refuse({ kind: "reservationNotFound" });
  const { sesMode, timezone, sesCodes: codes } = catalogue.settings;
  const isTold = sesMode !== "none" && found[0].kind === "rental";
  return ok({ value: isTold ? wantedOf(found, { timezone, codes }) : [], freshToken });
}

/** Tries the connection to the ministry by a question that registers nothing; what is wrong, or nothing. */
export async function tryCommunications(
  request: StaffRequest,
): Promise<Result<OfficeAnswer<string | undefined>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => communicatedQueries(request.tenant.db, [-1]));
  if (!read.ok) return read;
  const { staff, freshToken, catalogue } = read.value;
  const missing = refuseWithout(staff, "administer");
  if (missing) return missing;
  return ok({ value: await trySes(request.tenant, catalogue.settings), freshToken });
}

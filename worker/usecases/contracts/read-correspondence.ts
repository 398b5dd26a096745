import { canAccessBranch } from "#domain/access/sessions.ts";
import { type Correspondence, getMailState } from "#domain/operations/correspondence.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { mailsAndGatewayMessagesQueries } from "#worker/store/operations/correspondence.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

/**
 * Returns the mails to a reservation's customer and branch, and the gateways' messages on its payments. One round trip.
 */
export async function readCorrespondence(
  request: StaffRequest,
  id: number,
): Promise<Result<StaffAnswer<Correspondence>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => mailsAndGatewayMessagesQueries(request.tenant.db, id));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [[booking], mails, payments] = rows;
  if (!booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode))
    return err({ kind: "reservationNotFound" });
  const mailsWithState = mails.map((mail) => ({ ...mail, state: getMailState(mail, request.now) }));
  return ok({ value: { mails: mailsWithState, payments }, freshToken });
}

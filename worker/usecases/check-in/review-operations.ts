import { canAccessBranch } from "#domain/access/sessions.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  bookingBranchesQuery,
  bookingOperationsQuery,
  type OperationReviewResults,
  type OperationReviewRow,
  type OperationReviewSearch,
  operationBranchesQuery,
  operationReviewQueries,
  resolveOperationStatement,
  reviewedOperationQuery,
} from "#worker/store/check-in/review.ts";
import {
  getTokenUserId,
  isOfficeStaff,
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

export type OperationReviewRefusal =
  | StaffRefusal
  | { readonly kind: "unknownBooking" }
  | { readonly kind: "unknownOperation" }
  | { readonly kind: "alreadySettled" };

export interface OperationReviewList {
  readonly records: OperationReviewResults[0];
  readonly total: number;
  readonly devices: OperationReviewResults[2];
}

/** Lists the operations to review at the manager's branches, and their devices. */
export async function listOperationsToReview(
  request: StaffRequest,
  filter: OperationReviewSearch,
): Promise<Result<StaffAnswer<OperationReviewList>, OperationReviewRefusal>> {
  const { tenant } = request;
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, () => operationReviewQueries(tenant.db, userId, filter));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  if (!isOfficeStaff(staff)) return err({ kind: "otherRole" });
  const [records, [counted], devices] = rows;
  return ok({ value: { records, total: counted?.total ?? 0, devices }, freshToken });
}

/** Lists all operations that devices sent for a booking, whatever the outcome. */
export async function listBookingOperations(
  request: StaffRequest,
  bookingId: number,
): Promise<Result<StaffAnswer<readonly OperationReviewRow[]>, OperationReviewRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(request, () => [
    bookingBranchesQuery(db, bookingId),
    bookingOperationsQuery(db, bookingId),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const [[booking], records] = rows;
  if (!booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode)) {
    return err({ kind: "unknownBooking" });
  }
  return ok({ value: records, freshToken });
}

/** Resolves a refused operation: accepts it as done or dismisses it. Both keep it as evidence. */
export async function resolveOperation(
  request: StaffRequest,
  opId: string,
  resolution: { readonly state: "accepted" | "dismissed"; readonly note: string | undefined },
): Promise<Result<StaffAnswer<OperationReviewRow>, OperationReviewRefusal>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, () => [
    operationBranchesQuery(tenant.db, opId),
    reviewedOperationQuery(tenant.db, opId),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  if (!isOfficeStaff(staff)) return err({ kind: "otherRole" });
  const [[booking], [record]] = rows;
  if (!booking || !record || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode)) {
    return err({ kind: "unknownOperation" });
  }
  if (record.row.state === resolution.state) return ok({ value: record, freshToken });
  const [, [settled]] = await tenant.db.batch([
    resolveOperationStatement(tenant.db, opId, { ...resolution, userId: staff.userId, at: now }),
    reviewedOperationQuery(tenant.db, opId),
  ]);
  return settled?.row.state === resolution.state ? ok({ value: settled, freshToken }) : err({ kind: "alreadySettled" });
}

import { canAccessBranch } from "#domain/access/sessions.ts";
import type { HandOverCheck } from "#domain/catalogue/hand-over-checks.ts";
import { listBlockingChecks, listUnmetHandOverChecks } from "#domain/check-in/hand-over-checks.ts";

import { findActionRefusal } from "#domain/contracts/actions.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { contractQueries, toContract } from "#worker/store/contracts/contract-rows.ts";
import { handOverCheckInputQuery } from "#worker/store/contracts/hand-over-facts.ts";
import { toCivilMinuteInZone } from "#worker/tenancy/clock.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

/** Whether a contract can be handed over, and what it lacks. */
export interface HandOverCheckResult {
  readonly missing: readonly HandOverCheck[];
  readonly refusal:
    | Extract<OfficeRefusal, { readonly kind: "handOverBlocked" }>
    | ReturnType<typeof findActionRefusal>
    | undefined;
}

/** Quotes the hand-over of a contract's next vehicle. Stores nothing. One round trip. */
export async function checkHandOverRequirements(
  request: StaffRequest,
  bookingId: number,
): Promise<Result<StaffAnswer<HandOverCheckResult>, OfficeRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(
    request,
    () => [handOverCheckInputQuery(db, bookingId), ...contractQueries(db, bookingId)] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const [[facts], ...contractRows] = rows;
  const rightRefusal = findMissingRightRefusal(staff, "see");
  if (rightRefusal) return rightRefusal;
  const contract = toContract(contractRows);
  if (!facts || !contract || !canAccessBranch(staff, contract.branchCode, contract.returnBranchCode))
    return err({ kind: "reservationNotFound" });
  const { handOverChecks, timezone } = catalogue.settings;
  const missing = listUnmetHandOverChecks(handOverChecks, facts);
  const blocking = listBlockingChecks(handOverChecks, missing);
  const time = { at: request.now, civil: toCivilMinuteInZone(timezone, request.now) };
  const refusal =
    findActionRefusal(contract, "deliver", time) ??
    (blocking.length > 0 ? ({ kind: "handOverBlocked", missing, blocking } as const) : undefined);
  return ok({ value: { missing, refusal }, freshToken });
}

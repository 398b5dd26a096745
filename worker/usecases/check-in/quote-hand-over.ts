import { canAccessBranch } from "#domain/access/sessions.ts";
import type { HandoverCheck } from "#domain/catalogue/handover-checks.ts";
import { listBlockingChecks, listUnmetHandoverChecks } from "#domain/check-in/handover-checks.ts";

import { findActionRefusal } from "#domain/contracts/actions.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { contractQueries, toContract } from "#worker/store/contracts/contract-rows.ts";
import { handoverCheckInputQuery } from "#worker/store/contracts/hand-over-facts.ts";
import { toCivilMinuteInZone } from "#worker/tenancy/clock.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

/** Whether a contract can be handed over, and what it lacks. */
export interface HandoverCheckResult {
  readonly missing: readonly HandoverCheck[];
  readonly refusal:
    | Extract<OfficeRefusal, { readonly kind: "handoverBlocked" }>
    | ReturnType<typeof findActionRefusal>
    | undefined;
}

/** Quotes the hand-over of a contract's next vehicle. Stores nothing. One round trip. */
export async function checkHandoverRequirements(
  request: StaffRequest,
  bookingId: number,
): Promise<Result<StaffAnswer<HandoverCheckResult>, OfficeRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(
    request,
    () => [handoverCheckInputQuery(db, bookingId), ...contractQueries(db, bookingId)] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const [[facts], ...contractRows] = rows;
  const rightRefusal = findMissingRightRefusal(staff, "see");
  if (rightRefusal) return rightRefusal;
  const contract = toContract(contractRows);
  if (!facts || !contract || !canAccessBranch(staff, contract.branchCode, contract.returnBranchCode))
    return err({ kind: "reservationNotFound" });
  const { handoverChecks, timezone } = catalogue.settings;
  const missing = listUnmetHandoverChecks(handoverChecks, facts);
  const blocking = listBlockingChecks(handoverChecks, missing);
  const time = { at: request.now, civil: toCivilMinuteInZone(timezone, request.now) };
  const refusal =
    findActionRefusal(contract, "deliver", time) ??
    (blocking.length > 0 ? ({ kind: "handoverBlocked", missing, blocking } as const) : undefined);
  return ok({ value: { missing, refusal }, freshToken });
}

import { canAccessBranch } from "#domain/access/sessions.ts";
import { takenSpans } from "#domain/bookings/availability.ts";
import { type MovePlan, type MoveRequest, type PlanRefusal, planMove } from "#domain/bookings/moves/plan.ts";
import { findShortageOf } from "#domain/bookings/moves/shortage.ts";
import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { toSpan } from "#domain/dates.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { contractQueries, toContract } from "#worker/store/bookings/moves/contract-rows.ts";
import { stockQuery, toStock } from "#worker/store/bookings/stock.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import { momentOf } from "#worker/usecases/bookings/search-availability.ts";
import { type OfficeAnswer, type OfficeRefusal, refuseWithout, staffContext } from "./office-context.ts";

/** What a move would do, or why it cannot be made. */
export interface MoveQuote {
  readonly plan: MovePlan | undefined;
  readonly refusal: PlanRefusal | SoldOut | undefined;
  readonly catalogue: Catalogue;
}

/** What a move of a reservation would cost and whether it can be made, nothing kept; in one or two round trips. */
export async function quoteMove(
  request: StaffRequest,
  bookingId: number,
  asked: MoveRequest,
): Promise<Result<OfficeAnswer<MoveQuote>, OfficeRefusal>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, () => contractQueries(tenant.db, bookingId));
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  const contract = toContract(rows);
  if (!contract || !canAccessBranch(staff, contract.branchCode, contract.returnBranchCode))
    return refuse({ kind: "reservationNotFound" });
  const planned = planMove(catalogue, contract, asked, staffContext(catalogue, now));
  if (!planned.ok) return ok({ value: { plan: undefined, refusal: planned.error, catalogue }, freshToken });
  const plan = planned.value;
  const { agreed } = plan;
  if (!agreed) return ok({ value: { plan, refusal: undefined, catalogue }, freshToken });
  const { preparationMinutes } = catalogue.settings;
  const { branchGroupId } = agreed;
  const returnBranchGroupId = catalogue.branches.get(agreed.returnBranchCode)?.branchGroupId ?? branchGroupId;
  const question = {
    ...momentOf(catalogue, now),
    branchGroupId,
    spans: takenSpans(catalogue, toSpan(agreed.period), branchGroupId, returnBranchGroupId),
    preparationMinutes,
    exceptBookingId: contract.id,
  };
  const [stock] = await tenant.db.batch([stockQuery(tenant.db, question)]);
  const refusal = findShortageOf(catalogue, agreed, toStock(stock, question));
  return ok({ value: { plan, refusal, catalogue }, freshToken });
}

import { canAccessBranch } from "#domain/access/sessions.ts";
import { listHandOverTimes } from "#domain/bookings/calendar.ts";
import { findNextFreeDates, type NextFreeDate } from "#domain/bookings/free-dates.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type CivilDate, type Period, toCivilMinute, toSpan } from "#domain/dates.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  hasRemainingAllocations,
  openStockQuery,
  remainingAllocationsQuery,
  toOpenStock,
} from "#worker/store/bookings/open-stock.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

/** Rental for which nothing was free. */
export interface NextFreeDatesRequest {
  readonly period: Period;
  readonly pickupPlaceId: number;
  readonly returnPlaceId: number;
  readonly quantity: number;
}

/**
 * Returns the first date on which each category is free again for a rental of the same length. One round trip, and a
 * second one for more than ten thousand allocations.
 */
export async function readNextFreeDates(
  request: StaffRequest,
  { period, quantity, ...places }: NextFreeDatesRequest,
): Promise<Result<StaffAnswer<readonly NextFreeDate[]>, OfficeRefusal>> {
  const { tenant, now } = request;
  if (toSpan(period).startsAt >= toSpan(period).endsAt)
    return err({ kind: "invalid", field: "dateTo", reason: createReason("after", period.dateFrom) });
  const toStockInput = (catalogue: Catalogue) => ({
    branchGroupId: findBranch(catalogue, places.pickupPlaceId)?.branchGroupId ?? 0,
    from: Math.min(toMinute(catalogue, now), toSpan(period).startsAt),
  });
  const read = await readAsStaff(request, (catalogue) => [
    openStockQuery(tenant.db, toStockInput(catalogue), undefined),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const branch = findBranch(catalogue, places.pickupPlaceId);
  const returnBranch = findBranch(catalogue, places.returnPlaceId);
  if (!branch) return refusePlace("pickupPlace", createReason("no_pickup_place", places.pickupPlaceId));
  if (!returnBranch) return refusePlace("returnPlace", createReason("no_return_place", places.returnPlaceId));
  if (!canAccessBranch(staff, branch.code)) return err({ kind: "branchOfOthers" });
  const stockInput = toStockInput(catalogue);
  const [more = []] = hasRemainingAllocations(rows[0])
    ? await tenant.db.batch([remainingAllocationsQuery(tenant.db, stockInput)])
    : [];
  const { stock } = toOpenStock(rows[0], stockInput, undefined, more);
  const clock = toCivilNow(catalogue.settings.timezone, now);
  const value = findNextFreeDates(catalogue, stock, {
    ...{ period, quantity, at: now, now: toMinute(catalogue, now) },
    overdueMinutes: catalogue.settings.overdueMinutes,
    branchGroupId: branch.branchGroupId,
    returnBranchGroupId: returnBranch.branchGroupId,
    canBePickedUp: (categoryCode: string, date: CivilDate) =>
      listHandOverTimes(catalogue, { action: "deliveries", branches: [branch], categoryCode }, date, clock).length > 0,
  });
  return ok({ value, freshToken });
}

const refusePlace = (field: "pickupPlace" | "returnPlace", reason: Reason) =>
  err({ kind: "invalid" as const, field, reason });

function findBranch({ places, branches }: Catalogue, placeId: number) {
  return branches.get(places.get(placeId)?.branchCode ?? "");
}

function toMinute({ settings }: Catalogue, at: number): number {
  const { date, time } = toCivilNow(settings.timezone, at);
  return toCivilMinute(date, time);
}

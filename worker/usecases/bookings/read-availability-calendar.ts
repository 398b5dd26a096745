import { countFreeVehicles } from "#domain/bookings/availability.ts";
import { listDays, listHandOverTimes } from "#domain/bookings/calendar.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import { getRentalLengthLimits } from "#domain/bookings/selling-rules.ts";
import type { Catalogue, Category } from "#domain/catalogue/catalogue.ts";
import { type CivilDate, type TimeText, toSpan } from "#domain/dates.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { readRentalStock } from "./read-stock.ts";
import { toStockInstant } from "./search-availability.ts";

/** Daily number of free units of a category, for a product's calendar. */
export interface CategoryAvailabilityCalendar {
  readonly days: readonly { readonly date: CivilDate; readonly free: number; readonly isOnSale: boolean }[];
  readonly minimumDays: number;
  readonly maximumDays: number;
}

const MIDNIGHT = "00:00" as TimeText;
const LAST_MINUTE = "23:59" as TimeText;

/** Returns the calendar of a category at a branch group for a date range, both days included. */
export async function readCategoryAvailabilityCalendar(
  tenant: Tenant,
  request: { readonly code: string; readonly branchCode: string; readonly from: CivilDate; readonly to: CivilDate },
  now: number,
): Promise<Result<CategoryAvailabilityCalendar, InvalidInput>> {
  const fullPeriod = { dateFrom: request.from, timeFrom: MIDNIGHT, dateTo: request.to, timeTo: LAST_MINUTE };
  const { branchCode, code } = request;
  const spans = { vehicles: toSpan(fullPeriod), extras: toSpan(fullPeriod) };
  const { catalogue, stock } = await readRentalStock(tenant, (current) => ({
    ...toStockInstant(current, now),
    branchGroupId: current.branches.get(branchCode)?.branchGroupId ?? 0,
    spans,
    preparationMinutes: 0,
  }));
  const category = findPublic(catalogue, request.code);
  if (!category) return err({ kind: "invalid", field: "product", reason: createReason("no_product", request.code) });
  const branch = catalogue.branches.get(branchCode);
  const place = { action: "deliveries", branches: branch ? [branch] : [], categoryCode: code } as const;
  const clock = toCivilNow(catalogue.settings.timezone, now);
  const days = listDays(request.from, request.to).map((date) => {
    const span = toSpan({ dateFrom: date, timeFrom: MIDNIGHT, dateTo: date, timeTo: LAST_MINUTE });
    const isOnSale = listHandOverTimes(catalogue, place, date, clock).length > 0;
    return { date, free: countFreeVehicles(stock, category, span), isOnSale };
  });
  return ok({ days, ...getRentalLengthLimits(catalogue, { categoryCode: code, branchCode, date: request.from }) });
}

function findPublic(catalogue: Catalogue, code: string): Category | undefined {
  const category = catalogue.categories.get(code);
  return category?.webPublic ? category : undefined;
}

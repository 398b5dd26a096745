import { countFreeVehicles } from "#domain/bookings/availability.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import { listDays } from "#domain/catalogue/calendar.ts";
import type { Catalogue, Category } from "#domain/catalogue/catalogue.ts";
import { type CivilDate, type TimeOfDay, toSpan } from "#domain/dates.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { stockQuery, toStock } from "#worker/store/bookings/stock.ts";
import { readFresh } from "#worker/store/catalogue/read-fresh.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { momentOf } from "./search-availability.ts";

/** How many units of a category are free on each day: the calendar of a product. */
export interface Occupation {
  readonly catalogue: Catalogue;
  readonly days: readonly { readonly date: CivilDate; readonly free: number }[];
}

const MIDNIGHT = "00:00" as TimeOfDay;
const LAST_MINUTE = "23:59" as TimeOfDay;

/** The calendar of a category at a branch group between two days, both included. */
export async function readOccupation(
  tenant: Tenant,
  wanted: { readonly code: string; readonly branchGroupId: number; readonly from: CivilDate; readonly to: CivilDate },
  now: number,
): Promise<Result<Occupation, InvalidInput>> {
  const whole = { dateFrom: wanted.from, timeFrom: MIDNIGHT, dateTo: wanted.to, timeTo: LAST_MINUTE };
  const { branchGroupId, code } = wanted;
  const spans = { vehicles: toSpan(whole), extras: toSpan(whole) };
  const { catalogue, rows } = await readFresh(tenant, (current) => [
    stockQuery(tenant.db, {
      ...momentOf(current, now),
      branchGroupId,
      spans,
      preparationMinutes: 0,
      categoryCodes: [code],
    }),
  ]);
  const category = findPublic(catalogue, wanted.code);
  if (!category) return refuse({ kind: "invalid", field: "product", reason: `there is no product ${wanted.code}` });
  const stock = toStock(rows[0], { spans });
  const days = listDays(wanted.from, wanted.to).map((date) => {
    const span = toSpan({ dateFrom: date, timeFrom: MIDNIGHT, dateTo: date, timeTo: LAST_MINUTE });
    return { date, free: countFreeVehicles(stock, category, span) };
  });
  return ok({ catalogue, days });
}

function findPublic(catalogue: Catalogue, code: string): Category | undefined {
  const category = catalogue.categories.get(code);
  return category?.webPublic ? category : undefined;
}

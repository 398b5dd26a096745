import type { PartnerKey } from "#domain/access/credentials.ts";
import { getOccupancySpans } from "#domain/bookings/availability.ts";
import { findPromotionCodeProblem } from "#domain/bookings/promotion.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import { type RentalRequest, resolveRentalTerms } from "#domain/bookings/rental-terms.ts";
import { type Availability, findAvailability } from "#domain/bookings/search.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { toCivilMinute, toSpan } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { StockQueryInput } from "#worker/store/bookings/stock.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { readRentalStock } from "./read-stock.ts";

/** Search result with its catalogue. */
type AvailabilityResult = Result<Availability & { readonly catalogue: Catalogue }, InvalidInput>;

/**
 * Returns the products that the key's agency can book for a period, with prices and availability at `now` (epoch ms). A
 * repeated search of the same key may be answered from memory within one second (decision 0014).
 */
export function searchAgencyAvailability(
  tenant: Tenant,
  request: RentalRequest,
  { now, partner }: { readonly now: number; readonly partner: PartnerKey },
): Promise<AvailabilityResult> {
  const ownChannel = partner.agency?.salesChannel;
  const requestKey = JSON.stringify([partner.apiKey, ownChannel, request]);
  return tenant.shareAnswer(requestKey, () => readAvailability(tenant, request, { now, ownChannel }));
}

async function readAvailability(
  tenant: Tenant,
  request: RentalRequest,
  { now, ownChannel }: { readonly now: number; readonly ownChannel: string | undefined },
): Promise<AvailabilityResult> {
  const { catalogue, stock } = await readRentalStock(
    tenant,
    (current) => toStockQueryInput(current, request, now),
    tenant.replica,
  );
  const terms = resolveRentalTerms(catalogue, request, toCivilNow(catalogue.settings.timezone, now), {
    isStaff: false,
    keepsPickup: false,
    ownChannel,
  });
  if (!terms.ok) return terms;
  const { promotionCode } = terms.value;
  const wrongCode = promotionCode && findPromotionCodeProblem(catalogue, terms.value, promotionCode, []);
  if (wrongCode) return err(wrongCode);
  return ok({ ...findAvailability(catalogue, terms.value, stock), catalogue });
}

// No branch group has the id 0. An unknown pickup place therefore has no stock, and the terms contain the reason.
const NO_BRANCH_GROUP = 0;

/**
 * Returns the branch group and occupied spans of a rental request. It uses the pickup's branch group, also for one-way
 * rentals.
 */
export function toStockQueryInput(
  catalogue: Catalogue,
  request: Pick<RentalRequest, "period" | "pickupPlaceId" | "returnPlaceId">,
  now: number,
): StockQueryInput {
  const branchGroupId = findBranchGroup(catalogue, request.pickupPlaceId) ?? NO_BRANCH_GROUP;
  const returnBranchGroupId = findBranchGroup(catalogue, request.returnPlaceId) ?? branchGroupId;
  return {
    ...toStockInstant(catalogue, now),
    branchGroupId,
    spans: getOccupancySpans(catalogue, toSpan(request.period), branchGroupId, returnBranchGroupId),
    preparationMinutes: catalogue.settings.preparationMinutes,
  };
}

function findBranchGroup({ places, branches }: Catalogue, placeId: number): number | undefined {
  const place = places.get(placeId);
  return place && branches.get(place.branchCode)?.branchGroupId;
}

/** Converts an instant (epoch ms) to the values used for stock. */
export function toStockInstant(
  { settings }: Catalogue,
  now: number,
): Pick<StockQueryInput, "at" | "now" | "overdueMinutes"> {
  const clock = toCivilNow(settings.timezone, now);
  return { at: now, now: toCivilMinute(clock.date, clock.time), overdueMinutes: settings.overdueMinutes };
}

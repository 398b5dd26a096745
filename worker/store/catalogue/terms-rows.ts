import type { ExcessReduction, OneWayFee, SellingRule } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import type { CatalogueRows } from "./catalogue-rows.ts";

const toUndefined = <T>(value: T | null): T | undefined => value ?? undefined;

/** Converts a selling rule's row. */
export function fromSellingRuleRow(row: CatalogueRows["sellingRules"][number]): SellingRule {
  const { stopSaleFrom, stopSaleTo } = row;
  return {
    categoryCode: toUndefined(row.categoryCode),
    branchCode: toUndefined(row.branchCode),
    seasonId: toUndefined(row.seasonId),
    salesChannel: toUndefined(row.salesChannelCode),
    minimumDays: toUndefined(row.minimumDays),
    maximumDays: toUndefined(row.maximumDays),
    minimumNoticeMinutes: toUndefined(row.minimumNoticeMinutes),
    horizonDays: toUndefined(row.horizonDays),
    stopSale: stopSaleFrom && stopSaleTo ? { from: stopSaleFrom as CivilDate, to: stopSaleTo as CivilDate } : undefined,
    noPickupWeekdays: toUndefined(row.noPickupWeekdays),
    noReturnWeekdays: toUndefined(row.noReturnWeekdays),
    noPickupDates: toUndefined(row.noPickupDates),
    noReturnDates: toUndefined(row.noReturnDates),
  };
}

/**
 * Converts a one-way fee's row. The database ensures that it has exactly one pair of places, branches or branch groups.
 */
export function fromOneWayFeeRow(row: CatalogueRows["oneWayFees"][number]): OneWayFee {
  const { priceCents } = row;
  if (row.pickupPlaceId !== null)
    return { between: "place", from: row.pickupPlaceId, to: row.returnPlaceId ?? 0, priceCents };
  if (row.branchCode !== null)
    return { between: "branch", from: row.branchCode, to: row.returnBranchCode ?? "", priceCents };
  return { between: "branchGroup", from: row.branchGroupId ?? 0, to: row.returnBranchGroupId ?? 0, priceCents };
}

/** Returns an extra's reduction of deposit and guarantee, or undefined. */
export function fromExcessColumns(row: CatalogueRows["extras"][number]): ExcessReduction | undefined {
  return row.excessReductionType === null
    ? undefined
    : {
        type: row.excessReductionType,
        depositValue: row.depositReductionValue ?? undefined,
        guaranteeValue: row.guaranteeReductionValue ?? undefined,
      };
}

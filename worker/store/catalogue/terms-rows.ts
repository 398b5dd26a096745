import type { ExcessReduction, OneWayFee, SellingRule } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import type { CatalogueRows } from "./catalogue-rows.ts";

const said = <T>(value: T | null): T | undefined => value ?? undefined;

/** A selling rule as its row tells it. */
export function fromSellingRuleRow(row: CatalogueRows["sellingRules"][number]): SellingRule {
  const { stopSaleFrom, stopSaleTo } = row;
  return {
    categoryCode: said(row.categoryCode),
    branchCode: said(row.branchCode),
    seasonId: said(row.seasonId),
    salesChannel: said(row.salesChannelCode),
    minimumDays: said(row.minimumDays),
    maximumDays: said(row.maximumDays),
    minimumNoticeMinutes: said(row.minimumNoticeMinutes),
    horizonDays: said(row.horizonDays),
    stopSale: stopSaleFrom && stopSaleTo ? { from: stopSaleFrom as CivilDate, to: stopSaleTo as CivilDate } : undefined,
    noPickupWeekdays: said(row.noPickupWeekdays),
    noReturnWeekdays: said(row.noReturnWeekdays),
    noPickupDates: said(row.noPickupDates),
    noReturnDates: said(row.noReturnDates),
  };
}

/** A one-way fee as its row tells it; the database sees to it that a row has one pair. */
export function fromOneWayFeeRow(row: CatalogueRows["oneWayFees"][number]): OneWayFee {
  const { priceCents } = row;
  if (row.pickupPlaceId !== null)
    return { between: "place", from: row.pickupPlaceId, to: row.returnPlaceId ?? 0, priceCents };
  if (row.branchCode !== null)
    return { between: "branch", from: row.branchCode, to: row.returnBranchCode ?? "", priceCents };
  return { between: "branchGroup", from: row.branchGroupId ?? 0, to: row.returnBranchGroupId ?? 0, priceCents };
}

/** What an extra does to deposit and guarantee; undefined where nothing. */
export function fromExcessColumns(row: CatalogueRows["extras"][number]): ExcessReduction | undefined {
  return row.excessReductionType === null
    ? undefined
    : {
        type: row.excessReductionType,
        depositValue: row.depositReductionValue ?? undefined,
        guaranteeValue: row.guaranteeReductionValue ?? undefined,
      };
}

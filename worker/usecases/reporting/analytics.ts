import type { CivilDate } from "#domain/dates.ts";
import {
  getFirstDayInMonth,
  getLastDayInYear,
  getMonthlyVehicleFigures,
  type MonthlyFigures,
  type ProductReport,
  type SalesRow,
  sumFiguresByMonth,
  toSalesRows,
} from "#domain/reporting/analytics.ts";
import {
  type BranchFilter,
  expensesReportPageQueries,
  extraOrSupplementSalesQuery,
  vehicleFiguresQuery,
} from "#worker/store/reporting/analytics.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

export type { BranchFilter } from "#worker/store/reporting/analytics.ts";

export interface VehicleFiguresInput {
  readonly year: number;
  readonly report: ProductReport;
  readonly customerClass: "all" | "individual" | "legal_entity";
  readonly branchFilter: BranchFilter;
}

type ProductRow = Awaited<ReturnType<typeof vehicleFiguresQuery>>[number];

export interface VehicleFiguresReport {
  readonly rows: readonly { readonly vehicle: ProductRow; readonly months: MonthlyFigures }[];
  readonly summary: MonthlyFigures;
}

/** Returns the fleet's figures of a year by vehicle, in one round trip. */
export async function readVehicleFigures(
  { replica: db }: Tenant,
  input: VehicleFiguresInput,
): Promise<VehicleFiguresReport> {
  const [vehicles] = await db.batch([vehicleFiguresQuery(db, input)]);
  const rows = vehicles.map((vehicle) => {
    const inFleet = {
      acquiredOn: (vehicle.acquiredOn as CivilDate | null) ?? undefined,
      releasedOn: (vehicle.releasedOn as CivilDate | null) ?? undefined,
    };
    const { report, year } = input;
    return {
      vehicle,
      months: getMonthlyVehicleFigures(report, year, inFleet, toMonths(vehicle.months), toBranchDays(vehicle.days)),
    };
  });
  return { rows, summary: sumFiguresByMonth(rows.map(({ months }) => months)) };
}

function toMonths(text: string) {
  const rows = JSON.parse(text) as [number, number, number, number, number, number, number][];
  return rows.map(([month, cents, centsWithoutTaxes, days, occupiedDays, contracts, usageUnits]) => ({
    month,
    cents,
    centsWithoutTaxes,
    days,
    occupiedDays,
    contracts,
    usageUnits,
  }));
}

function toBranchDays(text: string) {
  const rows = JSON.parse(text) as [number, number, 0 | 1, number | null][];
  return rows.map(([month, days, isWanted, occupiedDays]) => ({
    month,
    days,
    isWanted: isWanted === 1,
    occupiedDays: occupiedDays ?? 0,
  }));
}

export interface ExtraOrSupplementSalesInput {
  readonly kind: "extra" | "supplement";
  readonly year: number;
  readonly withTaxes: boolean;
  readonly branchFilter: Omit<BranchFilter, "branchGroupId">;
}

/** Returns the sales of extras or supplements in a year by branch, in one round trip. */
export async function readExtraOrSupplementSales(
  { replica: db }: Tenant,
  { kind, year, withTaxes, branchFilter }: ExtraOrSupplementSalesInput,
): Promise<{ readonly rows: readonly SalesRow[]; readonly summary: MonthlyFigures }> {
  const [sales] = await db.batch([extraOrSupplementSalesQuery(db, kind, year, branchFilter)]);
  const rows = toSalesRows(
    sales.map((sale) => ({
      ...sale,
      name: sale.name ?? undefined,
      cents: withTaxes ? sale.cents : sale.centsWithoutTaxes,
    })),
  );
  return { rows, summary: sumFiguresByMonth(rows.map(({ months }) => months)) };
}

export interface ExpensesReportInput {
  readonly year: number;
  readonly from: CivilDate | undefined;
  readonly to: CivilDate | undefined;
  readonly branchFilter: BranchFilter;
  readonly page: number;
  readonly pageSize: number;
}

/** Returns a page of the fleet's expenses in a year and their total, in one round trip. */
export async function readExpenseFigures(
  { replica: db }: Tenant,
  { year, from, to, branchFilter, page, pageSize }: ExpensesReportInput,
) {
  const first = getFirstDayInMonth(year, 1);
  const last = getLastDayInYear(year);
  const [rows, [summary]] = await db.batch(
    expensesReportPageQueries(db, {
      from: from && from > first ? from : first,
      to: to && to < last ? to : last,
      place: branchFilter,
      page,
      pageSize,
    }),
  );
  if (!summary) throw new Error("the sums of the expenses were not answered");
  return { rows, summary };
}

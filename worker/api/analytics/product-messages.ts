import type { z } from "zod";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { MonthlyFigures } from "#domain/reporting/analytics.ts";
import { findAcrissFields } from "#worker/api/acriss-messages.ts";
import { formatModel, toMonthsMessage, toTotalRowMessage, type vehicleReportAnswer } from "./messages.ts";

interface Vehicle {
  readonly reference: string;
  readonly plate: string | null;
  readonly brand: string | null;
  readonly model: string | null;
  readonly familyCode: string | null;
  readonly categoryCode: string;
  readonly characteristic1: string | null;
  readonly characteristic2: string | null;
  readonly characteristic3: string | null;
  readonly characteristic4: string | null;
  readonly acquiredOn: string | null;
  readonly ownProperty: boolean;
  readonly branchCode: string;
  readonly storageId: number;
}

interface Report {
  readonly rows: readonly { readonly vehicle: Vehicle; readonly months: MonthlyFigures }[];
  readonly summary: MonthlyFigures;
}

export function toProductsMessage(
  { rows, summary }: Report,
  groupEntity: "rental_location" | "rental_storage",
  decimals: number,
  catalogue: Catalogue,
): z.output<typeof vehicleReportAnswer> {
  return {
    data: rows.map(({ vehicle, months }) => ({
      ...toMonthsMessage(months, decimals),
      id: vehicle.reference,
      stock_plate: vehicle.plate,
      stock_model: formatModel(vehicle.brand, vehicle.model),
      category_family_name: vehicle.familyCode,
      category_code: vehicle.categoryCode,
      ...findAcrissFields(catalogue, vehicle.categoryCode),
      characteristic_1: vehicle.characteristic1,
      characteristic_2: vehicle.characteristic2,
      characteristic_3: vehicle.characteristic3,
      characteristic_4: vehicle.characteristic4,
      purchasable_adquisition_date: vehicle.acquiredOn,
      group_field_name: groupEntity === "rental_location" ? vehicle.branchCode : vehicle.storageId,
      own_property: vehicle.ownProperty,
    })),
    summary: [{ ...toTotalRowMessage(summary, decimals), stock_plate: "TOTAL", stock_model: "", own_property: null }],
    total: rows.length,
  };
}

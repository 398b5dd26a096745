import type {
  TransferEnd,
  TransferExtra,
  TransferPoint,
  TransferPrice,
  TransferSupplement,
  TransferVehicle,
} from "#domain/transfers/transfers.ts";
import type { TableRows } from "./insert.ts";

/** What a demo company sells between points. */
export interface CompanyTransfers {
  readonly zones: readonly { readonly id: number; readonly name: string }[];
  readonly points: readonly TransferPoint[];
  readonly vehicles: readonly TransferVehicle[];
  readonly prices: readonly TransferPrice[];
  readonly extras: readonly TransferExtra[];
  readonly supplements: readonly TransferSupplement[];
}

/** Of a company that rents vehicles only. */
export const NO_TRANSFERS: CompanyTransfers = {
  zones: [],
  points: [],
  vehicles: [],
  prices: [],
  extras: [],
  supplements: [],
};

/** Points, prices and the vehicles that drive. */
export function transferRows({ zones, points, vehicles, prices, extras, supplements }: CompanyTransfers): TableRows[] {
  return [
    { table: "transfer_zones", rows: zones.map(({ id, name }) => ({ id, name })) },
    {
      table: "transfer_points",
      rows: points.map(({ id, name, pointType, zoneId }) => ({
        id,
        name,
        point_type: pointType,
        zone_id: zoneId,
        position: id,
      })),
    },
    {
      table: "transfer_vehicles",
      rows: vehicles.map((vehicle) => ({
        id: vehicle.id,
        name: vehicle.name,
        short_description: vehicle.shortDescription,
        description: vehicle.description,
        branch_code: vehicle.branchCode,
        seats: vehicle.seats,
        infant_places: vehicle.infantPlaces,
        luggage: vehicle.luggage,
        units: vehicle.units,
        preparation_minutes: vehicle.preparationMinutes,
        vat_basis_points: vehicle.vat,
        photo_path: vehicle.photoPath,
        photo_full_path: vehicle.photoFullPath,
        position: vehicle.id,
      })),
    },
    {
      table: "transfer_prices",
      rows: prices.map(({ vehicleId, from, to, minutes, priceCents }, index) => ({
        id: index + 1,
        transfer_vehicle_id: vehicleId,
        ...endColumns("from", from),
        ...endColumns("to", to),
        minutes,
        price_cents: priceCents,
      })),
    },
    {
      table: "transfer_extras",
      rows: extras.map((extra) => ({
        id: extra.id,
        code: extra.code,
        name: extra.name,
        description: extra.description,
        price_per: extra.pricePer,
        price_cents: extra.priceCents,
        max_quantity: extra.maxQuantity,
        vat_basis_points: extra.vat,
        photo_path: extra.photoPath,
        photo_full_path: extra.photoFullPath,
        position: extra.id,
      })),
    },
    {
      table: "transfer_supplements",
      rows: supplements.map((supplement) => ({
        id: supplement.id,
        name: supplement.name,
        time_from: supplement.window?.from,
        time_to: supplement.window?.to,
        date_from: supplement.dates?.from,
        date_to: supplement.dates?.to,
        transfer_point_id: supplement.pointId,
        value_type: supplement.valueType,
        value: supplement.value,
        position: supplement.id,
      })),
    },
  ];
}

function endColumns(side: "from" | "to", end: TransferEnd) {
  return {
    [`${side}_point_id`]: "pointId" in end ? end.pointId : null,
    [`${side}_zone_id`]: "zoneId" in end ? end.zoneId : null,
  };
}

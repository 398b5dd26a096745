import type {
  TransferEnd,
  TransferExtra,
  TransferPoint,
  TransferPrice,
  TransferSupplement,
  TransferVehicle,
} from "#domain/transfers/transfers.ts";
import {
  transferExtras,
  transferPoints,
  transferPrices,
  transferSupplements,
  transferVehicles,
  transferZones,
} from "#worker/store/schema/transfers.ts";
import { rowsOf, type TableRows } from "./insert.ts";

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
    rowsOf(transferZones, zones),
    rowsOf(
      transferPoints,
      points.map((point) => ({ ...point, position: point.id })),
    ),
    rowsOf(
      transferVehicles,
      vehicles.map((vehicle) => ({
        ...vehicle,
        branchCode: vehicle.branchCode,
        vatBasisPoints: vehicle.vat,
        position: vehicle.id,
      })),
    ),
    rowsOf(
      transferPrices,
      prices.map((price, index) => ({
        ...price,
        id: index + 1,
        transferVehicleId: price.vehicleId,
        fromPointId: pointOf(price.from),
        fromZoneId: zoneOf(price.from),
        toPointId: pointOf(price.to),
        toZoneId: zoneOf(price.to),
      })),
    ),
    rowsOf(
      transferExtras,
      extras.map((extra) => ({ ...extra, vatBasisPoints: extra.vat, position: extra.id })),
    ),
    rowsOf(
      transferSupplements,
      supplements.map((supplement) => ({
        ...supplement,
        timeFrom: supplement.window?.from,
        timeTo: supplement.window?.to,
        dateFrom: supplement.dates?.from,
        dateTo: supplement.dates?.to,
        transferPointId: supplement.pointId,
        position: supplement.id,
      })),
    ),
  ];
}

const pointOf = (end: TransferEnd) => ("pointId" in end ? end.pointId : undefined);
const zoneOf = (end: TransferEnd) => ("zoneId" in end ? end.zoneId : undefined);

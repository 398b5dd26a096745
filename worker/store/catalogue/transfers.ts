import type {
  TransferCatalogue,
  TransferPointOrZone,
  TransferPrice,
  TransferSupplement,
} from "#domain/catalogue/transfers.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import type { CatalogueRows, TranslationLookup } from "#worker/store/catalogue/catalogue-rows.ts";

/** Builds the transfer part of the catalogue. */
export function fromTransferCatalogueRows(rows: CatalogueRows, texts: TranslationLookup): TransferCatalogue {
  return {
    points: new Map(
      rows.transferPoints.map((row) => [
        row.id,
        { ...row, names: texts("transfer_point", String(row.id)), zoneId: row.zoneId ?? undefined },
      ]),
    ),
    vehicles: new Map(
      rows.transferVehicles.map((row) => [
        row.id,
        {
          ...row,
          ...createTextRows("transfer_vehicle", row.id, texts),
          shortDescriptions: texts("transfer_vehicle", String(row.id), "short_description"),
          branchCode: row.branchCode,
          vat: row.vatBasisPoints,
          photoPath: row.photoPath ?? undefined,
          photoFullPath: row.photoFullPath ?? undefined,
        },
      ]),
    ),
    prices: rows.transferPrices.map(fromPriceRow),
    extras: new Map(
      rows.transferExtras.map((row) => [
        row.id,
        {
          ...row,
          ...createTextRows("transfer_extra", row.id, texts),
          vat: row.vatBasisPoints,
          photoPath: row.photoPath ?? undefined,
          photoFullPath: row.photoFullPath ?? undefined,
        },
      ]),
    ),
    supplements: rows.transferSupplements.map((row) => fromSupplementRow(row, texts)),
    stopOverMinutes: rows.settings[0]?.transferStopOverMinutes ?? 0,
    unknownWayMinutes: rows.settings[0]?.transferWayMinutes ?? 0,
  };
}

function createTextRows(entity: string, id: number, texts: TranslationLookup) {
  return { names: texts(entity, String(id)), descriptions: texts(entity, String(id), "description") };
}

function fromPriceRow(row: CatalogueRows["transferPrices"][number]): TransferPrice {
  return {
    vehicleId: row.transferVehicleId,
    from: toEnd(row.fromPointId, row.fromZoneId),
    to: toEnd(row.toPointId, row.toZoneId),
    bothWays: row.bothWays,
    minutes: row.minutes,
    priceCents: row.priceCents,
  };
}

// Returns the end of a route: a point or a zone. The database ensures that exactly one is set.
function toEnd(pointId: number | null, zoneId: number | null): TransferPointOrZone {
  return pointId === null ? { zoneId: zoneId ?? 0 } : { pointId };
}

function fromSupplementRow(
  row: CatalogueRows["transferSupplements"][number],
  texts: TranslationLookup,
): TransferSupplement {
  const { timeFrom, timeTo, dateFrom, dateTo } = row;
  return {
    id: row.id,
    name: row.name,
    names: texts("supplement", String(row.id)),
    window: timeFrom && timeTo ? { from: timeFrom as TimeText, to: timeTo as TimeText } : undefined,
    dates: dateFrom && dateTo ? { from: dateFrom as CivilDate, to: dateTo as CivilDate } : undefined,
    pointId: row.transferPointId ?? undefined,
    valueType: row.valueType,
    value: row.value,
  };
}

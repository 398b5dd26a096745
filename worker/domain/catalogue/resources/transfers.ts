import { field } from "./fields.ts";
import type { Resource } from "./resource.ts";
import { checkTransferEnds, checkWindow } from "./rule-checks.ts";

const SOMETHING = { nullable: true } as const;
const REQUIRED = { required: true } as const;
const TRANSFER_RESOURCE = { tag: "Transfers", seeing: "see", changing: "manage", isRemovable: true } as const;
const COUNTED = { key: ["id"], isCounted: true } as const;
const NUMBERED = { ...SOMETHING, isNumber: true } as const;
const LISTED = [
  field.whole("position", "position", [0, 9999], { initial: { is: 0 } }),
  field.flag("active", "active", true),
] as const;
const POINT_TYPES = ["location", "airport", "harbor", "bus_station", "train_station"] as const;

/** Transfers with a driver: points, vehicles, prices. */
export const TRANSFERS = [
  {
    ...TRANSFER_RESOURCE,
    ...COUNTED,
    name: "transfer-zones",
    singular: "transfer_zone",
    about: "Zones of points that share their prices",
    unique: [["name"]],
    fields: [field.text("name", "name", 80, REQUIRED)],
  },
  {
    ...TRANSFER_RESOURCE,
    ...COUNTED,
    name: "transfer-points",
    singular: "transfer_point",
    about: "Points where trips start and end",
    fields: [
      field.text("name", "name", 120, REQUIRED),
      field.choice("point_type", "pointType", POINT_TYPES, { initial: { is: "location" } }),
      field.reference("zone_id", "zoneId", "transfer-zones", NUMBERED),
      ...LISTED,
      field.texts("name"),
    ],
  },
  {
    ...TRANSFER_RESOURCE,
    ...COUNTED,
    name: "transfer-vehicles",
    singular: "transfer_vehicle",
    about: "Vehicles with a driver and their number",
    branch: "rental_location_code",
    fields: [
      field.text("name", "name", 80, REQUIRED),
      field.reference("rental_location_code", "branchCode", "branches", REQUIRED),
      field.text("short_description", "shortDescription", 200, { initial: { is: "" } }),
      field.text("description", "description", 2000, { initial: { is: "" } }),
      field.whole("seats", "seats", [1, 99], REQUIRED),
      field.whole("infant_places", "infantPlaces", [0, 99], { initial: { is: 0 } }),
      field.whole("luggage", "luggage", [0, 999], { initial: { is: 0 } }),
      field.whole("units", "units", [0, 999], REQUIRED),
      field.whole("preparation_minutes", "preparationMinutes", [0, 1440], { initial: { is: 30 } }),
      field.percent("vat_percent", "vatBasisPoints", REQUIRED),
      field.text("photo_path", "photoPath", 300, SOMETHING),
      field.text("photo_full_path", "photoFullPath", 300, SOMETHING),
      ...LISTED,
      field.texts("name", "short_description", "description"),
    ],
  },
  {
    ...TRANSFER_RESOURCE,
    ...COUNTED,
    name: "transfer-prices",
    singular: "transfer_price",
    about: "Prices of a vehicle for a trip between two points or zones",
    unique: [["transfer_vehicle_id", "from_point_id", "from_zone_id", "to_point_id", "to_zone_id"]],
    fields: [
      field.reference("transfer_vehicle_id", "transferVehicleId", "transfer-vehicles", { ...REQUIRED, isNumber: true }),
      field.reference("from_point_id", "fromPointId", "transfer-points", NUMBERED),
      field.reference("from_zone_id", "fromZoneId", "transfer-zones", NUMBERED),
      field.reference("to_point_id", "toPointId", "transfer-points", NUMBERED),
      field.reference("to_zone_id", "toZoneId", "transfer-zones", NUMBERED),
      field.flag("both_ways", "bothWays", true),
      field.whole("minutes", "minutes", [1, 1440], REQUIRED),
      field.money("price", "priceCents", REQUIRED),
    ],
    check: checkTransferEnds,
  },
  {
    ...TRANSFER_RESOURCE,
    ...COUNTED,
    name: "transfer-extras",
    singular: "transfer_extra",
    about: "Extras sold with a trip",
    unique: [["code"]],
    fields: [
      field.text("code", "code", 30, { ...REQUIRED, fixed: true, form: "code" }),
      field.text("name", "name", 80, REQUIRED),
      field.text("description", "description", 2000, { initial: { is: "" } }),
      field.choice("price_per", "pricePer", ["trip", "reservation"], REQUIRED),
      field.money("price", "priceCents", REQUIRED),
      field.whole("max_quantity", "maxQuantity", [1, 99], { initial: { is: 1 } }),
      field.percent("vat_percent", "vatBasisPoints", REQUIRED),
      field.text("photo_path", "photoPath", 300, SOMETHING),
      field.text("photo_full_path", "photoFullPath", 300, SOMETHING),
      ...LISTED,
      field.texts("name", "description"),
    ],
  },
  {
    ...TRANSFER_RESOURCE,
    ...COUNTED,
    name: "supplements",
    singular: "supplement",
    about: "Supplements of trips by time of day, period or point",
    fields: [
      field.text("name", "name", 80, REQUIRED),
      field.time("time_from", "timeFrom", SOMETHING),
      field.time("time_to", "timeTo", SOMETHING),
      field.date("date_from", "dateFrom", SOMETHING),
      field.date("date_to", "dateTo", SOMETHING),
      field.reference("transfer_point_id", "transferPointId", "transfer-points", NUMBERED),
      field.choice("value_type", "valueType", ["percentage", "amount"], REQUIRED),
      {
        kind: "measured",
        name: "value",
        column: "value",
        by: "value_type",
        units: { percentage: "percent", amount: "money" },
        required: true,
      },
      ...LISTED,
      field.texts("name"),
    ],
    check: checkWindow,
  },
] as const satisfies readonly Resource[];

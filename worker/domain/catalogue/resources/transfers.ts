import { fieldBuilders } from "./fields.ts";
import type { Resource } from "./resource.ts";
import { checkTransferPointsAndZones, checkTransferSupplement } from "./rule-checks.ts";

const NULLABLE = { nullable: true } as const;
const REQUIRED = { required: true } as const;
const TRANSFER_RESOURCE = { tag: "Transfers", readRight: "see", writeRight: "manage", isRemovable: true } as const;
const COUNTED = { key: ["id"], isCounted: true } as const;
const NUMBERED = { ...NULLABLE, isNumber: true } as const;
const LISTED = [
  fieldBuilders.whole("position", "position", [0, 9999], { initial: { is: 0 } }),
  fieldBuilders.flag("active", "active", true),
] as const;
const POINT_TYPES = ["location", "airport", "harbor", "bus_station", "train_station"] as const;

/** Transfers with a driver: points, vehicles, prices. */
export const TRANSFER_RESOURCES = [
  {
    ...TRANSFER_RESOURCE,
    ...COUNTED,
    name: "transfer-zones",
    singular: "transfer_zone",
    about: "Zones of points that share their prices",
    unique: [["name"]],
    fields: [fieldBuilders.text("name", "name", 80, REQUIRED)],
  },
  {
    ...TRANSFER_RESOURCE,
    ...COUNTED,
    name: "transfer-points",
    singular: "transfer_point",
    about: "Points where trips start and end",
    fields: [
      fieldBuilders.text("name", "name", 120, REQUIRED),
      fieldBuilders.choice("point_type", "pointType", POINT_TYPES, { initial: { is: "location" } }),
      fieldBuilders.reference("zone_id", "zoneId", "transfer-zones", NUMBERED),
      ...LISTED,
      fieldBuilders.texts("name"),
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
      fieldBuilders.text("name", "name", 80, REQUIRED),
      fieldBuilders.reference("rental_location_code", "branchCode", "branches", REQUIRED),
      fieldBuilders.text("short_description", "shortDescription", 200, { initial: { is: "" } }),
      fieldBuilders.text("description", "description", 2000, { initial: { is: "" } }),
      fieldBuilders.whole("seats", "seats", [1, 99], REQUIRED),
      fieldBuilders.whole("infant_places", "infantPlaces", [0, 99], { initial: { is: 0 } }),
      fieldBuilders.whole("luggage", "luggage", [0, 999], { initial: { is: 0 } }),
      fieldBuilders.whole("units", "units", [0, 999], REQUIRED),
      fieldBuilders.whole("preparation_minutes", "preparationMinutes", [0, 1440], { initial: { is: 30 } }),
      fieldBuilders.percent("vat_percent", "vatBasisPoints", REQUIRED),
      fieldBuilders.text("photo_path", "photoPath", 300, NULLABLE),
      fieldBuilders.text("photo_full_path", "photoFullPath", 300, NULLABLE),
      ...LISTED,
      fieldBuilders.texts("name", "short_description", "description"),
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
      fieldBuilders.reference("transfer_vehicle_id", "transferVehicleId", "transfer-vehicles", {
        ...REQUIRED,
        isNumber: true,
      }),
      fieldBuilders.reference("from_point_id", "fromPointId", "transfer-points", NUMBERED),
      fieldBuilders.reference("from_zone_id", "fromZoneId", "transfer-zones", NUMBERED),
      fieldBuilders.reference("to_point_id", "toPointId", "transfer-points", NUMBERED),
      fieldBuilders.reference("to_zone_id", "toZoneId", "transfer-zones", NUMBERED),
      fieldBuilders.flag("both_ways", "bothWays", true),
      fieldBuilders.whole("minutes", "minutes", [1, 1440], REQUIRED),
      fieldBuilders.money("price", "priceCents", REQUIRED),
    ],
    check: checkTransferPointsAndZones,
  },
  {
    ...TRANSFER_RESOURCE,
    ...COUNTED,
    name: "transfer-extras",
    singular: "transfer_extra",
    about: "Extras sold with a trip",
    unique: [["code"]],
    fields: [
      fieldBuilders.text("code", "code", 30, { ...REQUIRED, fixed: true, form: "code" }),
      fieldBuilders.text("name", "name", 80, REQUIRED),
      fieldBuilders.text("description", "description", 2000, { initial: { is: "" } }),
      fieldBuilders.choice("price_per", "pricePer", ["trip", "reservation"], REQUIRED),
      fieldBuilders.money("price", "priceCents", REQUIRED),
      fieldBuilders.whole("max_quantity", "maxQuantity", [1, 99], { initial: { is: 1 } }),
      fieldBuilders.percent("vat_percent", "vatBasisPoints", REQUIRED),
      fieldBuilders.text("photo_path", "photoPath", 300, NULLABLE),
      fieldBuilders.text("photo_full_path", "photoFullPath", 300, NULLABLE),
      ...LISTED,
      fieldBuilders.texts("name", "description"),
    ],
  },
  {
    ...TRANSFER_RESOURCE,
    ...COUNTED,
    name: "supplements",
    singular: "supplement",
    about: "Supplements of trips by time of day, period or point",
    fields: [
      fieldBuilders.text("name", "name", 80, REQUIRED),
      fieldBuilders.time("time_from", "timeFrom", NULLABLE),
      fieldBuilders.time("time_to", "timeTo", NULLABLE),
      fieldBuilders.date("date_from", "dateFrom", NULLABLE),
      fieldBuilders.date("date_to", "dateTo", NULLABLE),
      fieldBuilders.reference("transfer_point_id", "transferPointId", "transfer-points", NUMBERED),
      fieldBuilders.choice("value_type", "valueType", ["percentage", "amount"], REQUIRED),
      {
        kind: "measured",
        name: "value",
        column: "value",
        by: "value_type",
        units: { percentage: "percent", amount: "money" },
        required: true,
      },
      ...LISTED,
      fieldBuilders.texts("name"),
    ],
    check: checkTransferSupplement,
  },
] as const satisfies readonly Resource[];

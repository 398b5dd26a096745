import type { Immutable } from "#shared/immutable.ts";
import type {
  VehicleBlockRequest,
  VehicleChangeRequest,
  VehicleCreationRequest,
  VehicleDetailMessage,
  VehicleListMessage,
  VehicleRelocationRequest,
  VehicleRetirementRequest,
} from "#worker/api/office/vehicle-messages.ts";
import { account, listCategoryChoices } from "../../account.ts";
import type { FormField } from "../../desk/fields.ts";
import { t } from "../../texts.ts";

/** A vehicle in a list. */
export type ListedVehicle = Immutable<VehicleListMessage["data"][number]>;

export type VehicleBlock = VehicleDetail["vehicle"]["blocks"][number];

export type Damage = VehicleDetail["vehicle"]["damages"][number];

export type VehicleDetail = Immutable<VehicleDetailMessage>;

/** Fields of a vehicle that a change can contain. */
type VehicleField = keyof ListedVehicle & keyof VehicleChangeRequest & keyof VehicleCreationRequest;

const FUELS = ["none", "petrol", "diesel", "electric", "hybrid"] as const;
const branches = () => account.value.rental_locations.map(({ code, name }) => [code, name] as const);

/** Returns the editable vehicle fields. The location is changed by a move instead. */
export function listVehicleFields(): readonly FormField<VehicleField>[] {
  return [
    { name: "name", kind: "text", required: true, label: "vehicleName" },
    { name: "category_code", kind: "choice", required: true, choices: listCategoryChoices() },
    { name: "stock_plate", kind: "text" },
    { name: "stock_brand", kind: "text" },
    { name: "stock_model", kind: "text" },
    { name: "stock_color", kind: "text" },
    { name: "stock_reference", kind: "text" },
    { name: "stock_vin", kind: "text" },
    {
      name: "fuel",
      kind: "choice",
      required: true,
      choices: FUELS.map((fuel) => [fuel, t(`option.${fuel}`)] as const),
    },
    { name: "tank_capacity", kind: "money" },
    { name: "usage_units", kind: "whole" },
    { name: "parking_place", kind: "text" },
    { name: "key_number", kind: "text" },
    { name: "needs_cleaning", kind: "flag" },
    { name: "needs_fuel", kind: "flag" },
    ...CHARACTERISTICS.map((name) => ({ name, kind: "text" }) as const),
    { name: "assignable", kind: "flag", hint: "assignableHint" },
  ];
}

const CHARACTERISTICS = ["characteristic_1", "characteristic_2", "characteristic_3", "characteristic_4"] as const;
const ACQUISITIONS = ["purchase", "renting", "rented", "supplier", "virtual"] as const;

/** Fields for due dates. */
export const VEHICLE_DUE_DATE_FIELDS: readonly FormField<VehicleField>[] = [
  { name: "inspection_due", kind: "date" },
  { name: "insured_until", kind: "date" },
  { name: "service_due", kind: "date" },
  { name: "service_due_units", kind: "whole" },
];

/** Returns the fields for acquisition and costs. */
export function listVehicleCostFields(): readonly FormField<VehicleField>[] {
  return [
    {
      name: "purchasable_acquisition_mode",
      kind: "choice",
      required: true,
      choices: ACQUISITIONS.map((acquisition) => [acquisition, t(`acquisition.${acquisition}`)] as const),
    },
    { name: "purchasable_adquisition_date", kind: "date" },
    { name: "purchasable_purchase_price", kind: "money" },
    { name: "purchasable_purchase_units", kind: "whole" },
    { name: "purchasable_renting_monthly_fee", kind: "money" },
    { name: "purchasable_renting_duration", kind: "whole" },
    { name: "purchasable_insurance_monthly_fee", kind: "money" },
    { name: "purchasable_sale_price", kind: "money" },
    { name: "own_property", kind: "flag" },
  ];
}

/** Returns the fields of a new vehicle. */
export function listNewVehicleFields(): readonly FormField<keyof ListedVehicle & keyof VehicleCreationRequest>[] {
  return [
    { name: "reference", kind: "text", required: true, label: "vehicleReference", hint: "vehicleReferenceHint" },
    { name: "rental_location_code", kind: "choice", required: true, choices: branches(), hint: "homeHint" },
    ...listVehicleFields(),
    { name: "purchasable_adquisition_date", kind: "date" },
  ];
}

const REASONS = ["workshop", "transfer", "other"] as const;

export function listVehicleBlockFields(): readonly FormField<keyof VehicleBlock & keyof VehicleBlockRequest>[] {
  return [
    { name: "from", kind: "moment", required: true, label: "field.date_from" },
    { name: "to", kind: "moment", required: true, label: "field.date_to" },
    {
      name: "reason",
      kind: "choice",
      required: true,
      choices: REASONS.map((reason) => [reason, t(`block.${reason}`)] as const),
    },
    { name: "note", kind: "long", label: "in.notes" },
  ];
}

export function listVehicleMoveFields(): readonly FormField<keyof VehicleRelocationRequest>[] {
  return [
    { name: "rental_location_code", kind: "choice", required: true, choices: branches(), label: "moveTo" },
    { name: "at", kind: "moment", required: true, label: "fromWhenOn" },
  ];
}

export const VEHICLE_RETIREMENT_FIELDS: readonly FormField<keyof VehicleRetirementRequest>[] = [
  { name: "date", kind: "date", label: "fromWhenOn" },
];

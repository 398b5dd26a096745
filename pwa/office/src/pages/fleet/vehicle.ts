import { account } from "../../account.ts";
import type { AskedField } from "../../desk/fields.ts";
import type { HistoryEntry } from "../../desk/reservation.ts";
import { t } from "../../texts.ts";

/** A vehicle as the office lists it. */
export interface ListedVehicle {
  readonly [field: string]: unknown;
  readonly reference: string;
  readonly version: number;
  readonly name: string;
  readonly category_code: string;
  readonly rental_location_code: string;
  readonly rental_storage_id: number;
  readonly owner_rental_storage_id: number;
  readonly stock_plate: string | null;
  readonly stock_color: string | null;
  readonly usage_units: number;
  readonly usage_available_fuel: string | null;
  readonly purchasable_sold_release_date: string | null;
  readonly assignable: boolean;
  readonly parking_place: string | null;
  readonly key_number: string | null;
  readonly needs_cleaning: boolean;
  readonly needs_fuel: boolean;
  readonly state: "free" | "out" | "blocked" | "retired";
}

export interface VehicleBlock {
  readonly [field: string]: unknown;
  readonly id: number;
  readonly version: number;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly note: string;
}

export interface Damage {
  readonly id: number;
  readonly part: string;
  readonly kind: string;
  readonly severity: string;
  readonly note: string | null;
  readonly since: string;
  readonly booking_id: number | null;
}

export interface WholeVehicle {
  readonly vehicle: ListedVehicle & { readonly blocks: readonly VehicleBlock[]; readonly damages: readonly Damage[] };
  readonly history: readonly HistoryEntry[];
}

const FUELS = ["none", "petrol", "diesel", "electric", "hybrid"] as const;
const branches = () => account.value.rental_locations.map(({ code, name }) => [code, name] as const);

/** What can be said of a vehicle; where it stands is moved, not changed. */
export function vehicleFields(): readonly AskedField[] {
  const categories = account.value.categories.map(({ code, name }) => [code, name] as const);
  return [
    { name: "name", kind: "text", required: true, label: "vehicleName" },
    { name: "category_code", kind: "choice", required: true, choices: categories },
    { name: "stock_plate", kind: "text" },
    { name: "stock_brand", kind: "text" },
    { name: "stock_model", kind: "text" },
    { name: "stock_color", kind: "text" },
    { name: "stock_reference", kind: "text" },
    { name: "fuel", kind: "choice", required: true, choices: FUELS.map((one) => [one, t(`option.${one}`)] as const) },
    { name: "tank_capacity", kind: "money" },
    { name: "usage_units", kind: "whole" },
    { name: "parking_place", kind: "text" },
    { name: "key_number", kind: "text" },
    { name: "needs_cleaning", kind: "flag" },
    { name: "needs_fuel", kind: "flag" },
    { name: "purchasable_adquisition_date", kind: "date" },
    { name: "assignable", kind: "flag", hint: "assignableHint" },
  ];
}

/** What a vehicle that joins the fleet is asked. */
export function newVehicleFields(): readonly AskedField[] {
  return [
    { name: "reference", kind: "text", required: true, label: "vehicleReference", hint: "vehicleReferenceHint" },
    { name: "rental_location_code", kind: "choice", required: true, choices: branches(), hint: "homeHint" },
    ...vehicleFields(),
  ];
}

const REASONS = ["workshop", "transfer", "other"] as const;

export function blockFields(): readonly AskedField[] {
  return [
    { name: "from", kind: "moment", required: true, label: "field.date_from" },
    { name: "to", kind: "moment", required: true, label: "field.date_to" },
    {
      name: "reason",
      kind: "choice",
      required: true,
      choices: REASONS.map((one) => [one, t(`block.${one}`)] as const),
    },
    { name: "note", kind: "long", label: "in.notes" },
  ];
}

export function moveFields(): readonly AskedField[] {
  return [
    { name: "rental_location_code", kind: "choice", required: true, choices: branches(), label: "moveTo" },
    { name: "at", kind: "moment", required: true, label: "fromWhenOn" },
  ];
}

export const RETIRE_FIELDS: readonly AskedField[] = [{ name: "date", kind: "date", label: "fromWhenOn" }];

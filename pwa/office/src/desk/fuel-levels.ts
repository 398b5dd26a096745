import { formatFuelLevel, parseFuelEighths } from "#domain/check-in/fuel.ts";
import { getUserLocale } from "../account.ts";
import { t } from "../texts.ts";

/** Eighths of a full tank. */
export const FULL_TANK = 8;

type FuelledVehicle = { readonly fuel: string | null } | undefined;

/** Whether a vehicle has a battery level instead of a fuel level. */
export const isElectric = (vehicle: FuelledVehicle): boolean => vehicle?.fuel === "electric";

const CHARGE_LABELS = {
  fuel_eighths: "in.charge_eighths",
  fuel_eighths_in: "in.charge_eighths_in",
  fuel_eighths_out: "in.charge_eighths_out",
} as const;

type FuelFieldName = keyof typeof CHARGE_LABELS;

/** Whether a field contains a level in eighths. */
export const isFuelField = (name: string): name is FuelFieldName => name in CHARGE_LABELS;

/** Returns the label of a field with a level in eighths. */
export const getFuelLabel = (name: FuelFieldName, vehicle: FuelledVehicle): string =>
  t(isElectric(vehicle) ? CHARGE_LABELS[name] : `in.${name}`);

/** Formats a level in eighths: percent for an electric vehicle, as its display shows, otherwise eighths. */
export function formatVehicleFuelLevel(eighths: number, vehicle: FuelledVehicle): string {
  return formatFuelLevel(eighths, isElectric(vehicle), getUserLocale());
}

/** Lists the choices of a level in eighths, from full to empty. */
export const listFuelLevels = (vehicle: FuelledVehicle) =>
  Array.from({ length: FULL_TANK + 1 }, (_, index) => FULL_TANK - index).map(
    (eighths) => [eighths, formatVehicleFuelLevel(eighths, vehicle)] as const,
  );

/** Parses a stored level such as `6/8`. Undefined for other texts. */
export function parseFuelLevel(text: string | null | undefined): number | undefined {
  const eighths = parseFuelEighths(text ?? null);
  return eighths === undefined || eighths > FULL_TANK ? undefined : eighths;
}

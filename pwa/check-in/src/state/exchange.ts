import { sumExchangedVehiclesUse } from "#domain/bookings/closing.ts";
import type { Booking, RentalUnit, Vehicle } from "../api/messages.ts";
import type { WorkDraft } from "../offline/items.ts";
import { loadedVehicles } from "./day.ts";
import { findRecordedWork } from "./day-entries.ts";
import { toCents } from "./money.ts";
import { matchesVehicleText } from "./vehicle-code.ts";
import type { VehicleAssessment } from "./vehicle-status.ts";

/** Vehicle of a photo or damage: the replacement of an exchange, otherwise the one that the work is about. */
export type ExchangedVehicle = WorkDraft["damages"][number]["vehicle"];

/** The outgoing vehicle of an exchange, as typed. */
export type ReplacementInput = NonNullable<WorkDraft["exchange"]>;

export const EMPTY_REPLACEMENT: ReplacementInput = {
  ...{ vehicle_reference: "", kilometres: "", fuel_eighths: null, upgrade_price: "" },
};

const OFFERED = 5;

/** Lists replacement vehicles, available ones without warnings first. */
export function listReplacementVehicles(
  unit: RentalUnit,
  text: string,
  assessVehicle: (vehicle: Vehicle) => VehicleAssessment,
): readonly Vehicle[] {
  const isOut = ({ state }: VehicleAssessment) => state === "out" || state === "blocked";
  return loadedVehicles.value
    .filter((item) => item.reference !== unit.vehicle?.reference && matchesVehicleText(item, text))
    .map((item) => [assessVehicle(item), item] as const)
    .filter(([known]) => !isOut(known))
    .toSorted(([a], [b]) => a.warnings.length - b.warnings.length)
    .slice(0, OFFERED)
    .map(([, item]) => item);
}

/** Returns the price of an upgrade in minor units. */
export const calculateUpgradeCents = ({ exchange }: Pick<WorkDraft, "exchange">): number =>
  toCents(exchange?.upgrade_price.trim() ?? "") ?? 0;

/** Returns work with the photos and damage of one of its vehicles only. */
export function pickPhotosAndDamages(draft: WorkDraft, vehicle: ExchangedVehicle): WorkDraft {
  return {
    ...draft,
    photos: draft.photos.filter((photo) => photo.vehicle === vehicle),
    damages: draft.damages.filter((damage) => damage.vehicle === vehicle),
  };
}

/** Returns the chosen replacement vehicle. */
export const getReplacementVehicle = ({ exchange }: WorkDraft): Vehicle | undefined =>
  loadedVehicles.value.find(({ reference }) => reference === exchange?.vehicle_reference);

/** Whether the typed price is invalid. */
export const isUpgradePriceInvalid = ({ upgrade_price }: ReplacementInput) =>
  upgrade_price.trim() !== "" && toCents(upgrade_price.trim()) === undefined;

/** Whether an exchange has all required data: the other vehicle and both readings. */
export function isExchangeComplete({ kilometres, fuel_eighths, exchange }: WorkDraft): boolean {
  return kilometres !== "" && fuel_eighths !== null && isReplacementComplete(exchange);
}

/** Whether an exchange has all required data of the outgoing vehicle. */
export function isReplacementComplete(replacement: WorkDraft["exchange"]): boolean {
  if (!replacement || replacement.vehicle_reference === "" || isUpgradePriceInvalid(replacement)) return false;
  return replacement.kilometres !== "" && replacement.fuel_eighths !== null;
}

/** Applies an exchange made on this device that the server data doesn't include yet. */
export function applyLocalExchange({ booking_id }: Pick<Booking, "booking_id">, unit: RentalUnit): RentalUnit {
  const recordedExchange = findRecordedWork(unit, booking_id, "exchange");
  const {
    exchange: out,
    vehicle_reference: back,
    recorded_at,
    kilometres,
    fuel_eighths,
  } = recordedExchange?.operation ?? {};
  if (
    !recordedExchange ||
    !out ||
    !recorded_at ||
    recordedExchange.state === "blocked" ||
    unit.vehicle?.reference !== back
  )
    return unit;
  const { delivery, earlier } = unit;
  const used = sumExchangedVehiclesUse([
    {
      ...{ deliveryKilometres: delivery?.kilometres ?? undefined, returnKilometres: kilometres },
      ...{ deliveryFuelEighths: delivery?.fuel_eighths ?? undefined, returnFuelEighths: fuel_eighths },
    },
  ]);
  return {
    ...unit,
    vehicle: loadedVehicles.value.find(({ reference }) => reference === out.vehicle_reference) ?? null,
    delivery: {
      at: recorded_at,
      by: recordedExchange.author,
      kilometres: out.kilometres,
      fuel_eighths: out.fuel_eighths,
    },
    earlier: {
      kilometres: (earlier?.kilometres ?? 0) + used.kilometres,
      missing_eighths: (earlier?.missing_eighths ?? 0) + used.missingEighths,
    },
  };
}

import { findImprobable, type ImprobableReading } from "#domain/check-in/readings.ts";
import type { Booking, RentalUnit, Vehicle } from "../api/messages.ts";
import { draftKey } from "../offline/drafts.ts";
import { fleet } from "./day.ts";
import { fromCents, toCents } from "./money.ts";
import type { Exchange } from "./moves.ts";
import { clockOffsetMs } from "./phone.ts";
import { settings } from "./settings.ts";
import { truthsFor } from "./surroundings.ts";
import { answersTo } from "./vehicle-code.ts";
import type { VehicleTruth } from "./vehicle-truth.ts";

/** What is typed of an exchange. */
export interface ExchangeForm {
  /** The vehicle that goes out; empty: none chosen. */
  readonly reference: string;
  readonly kilometres_in: string;
  readonly fuel_in: string;
  readonly kilometres_out: string;
  readonly fuel_out: string;
  readonly upgrade_price: string;
  readonly reason: string;
  readonly readings_confirmed: boolean;
}

export const EMPTY_EXCHANGE: ExchangeForm = {
  ...{ reference: "", kilometres_in: "", fuel_in: "", kilometres_out: "", fuel_out: "" },
  ...{ upgrade_price: "", reason: "", readings_confirmed: false },
};

const KILOMETRES_A_DAY = 1500;
const OFFERED = 5;

/** What this phone knows of vehicles for the unit whose vehicle is exchanged. */
export const truthsOfUnit = (booking: Booking, unit: RentalUnit) =>
  truthsFor({
    key: draftKey(booking.booking_id, unit.resource_id, "delivery"),
    booking_id: booking.booking_id,
    resource_id: unit.resource_id,
  });

/** Vehicles to exchange for: those that could go out, the plainest first. */
export function offeredFor(
  unit: RentalUnit,
  text: string,
  truth: (vehicle: Vehicle) => VehicleTruth,
): readonly Vehicle[] {
  const isOut = ({ state }: VehicleTruth) => state === "out" || state === "blocked";
  return fleet.value
    .filter((one) => one.reference !== unit.vehicle?.reference && answersTo(one, text))
    .map((one) => [truth(one), one] as const)
    .filter(([known]) => !isOut(known))
    .toSorted(([a], [b]) => a.oddities.length - b.oddities.length)
    .slice(0, OFFERED)
    .map(([, one]) => one);
}

/** What is asked of the office; undefined while a vehicle or a reading is missing, or the price is none. */
export function exchangeOf(unit: RentalUnit, form: ExchangeForm): Exchange | undefined {
  const { reference, kilometres_in, fuel_in, kilometres_out, fuel_out } = form;
  const isWhole = [reference, kilometres_in, fuel_in, kilometres_out, fuel_out].every((text) => text !== "");
  const price = form.upgrade_price.trim();
  const cents = price === "" ? 0 : toCents(price);
  if (!isWhole || cents === undefined) return undefined;
  return {
    unit_id: unit.resource_id,
    reference,
    kilometres_in: Number(kilometres_in),
    fuel_eighths_in: Number(fuel_in),
    kilometres_out: Number(kilometres_out),
    fuel_eighths_out: Number(fuel_out),
    readings_confirmed: form.readings_confirmed,
    upgrade_price: cents === 0 ? undefined : fromCents(cents),
    reason: form.reason.trim() || undefined,
  };
}

/** Kilometres of an exchange that somebody has to confirm, by the rule that the office refuses them by. */
export function improbableIn(unit: RentalUnit, form: ExchangeForm): ImprobableReading | undefined {
  const out = fleet.value.find(({ reference }) => reference === form.reference);
  const { delivery } = unit;
  const both = {
    at: Date.now() + clockOffsetMs.peek(),
    collectedAt: undefined,
    kilometresADay: settings.value?.kilometres_a_day ?? KILOMETRES_A_DAY,
    deliveredAt: delivery ? Date.parse(delivery.at) : undefined,
  };
  const back = findImprobable(read(form.kilometres_in), {
    ...{ ...both, kind: "collection", vehicleKilometres: undefined },
    deliveryKilometres: delivery?.kilometres ?? undefined,
  });
  return (
    back ??
    findImprobable(read(form.kilometres_out), {
      ...{ ...both, kind: "delivery", vehicleKilometres: out?.kilometres, deliveryKilometres: undefined },
    })
  );
}

const read = (typed: string) => (typed === "" ? undefined : Number(typed));

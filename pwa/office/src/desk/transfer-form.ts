import type { MoveField, MoveFormValues } from "./form-field.ts";
import type { Reservation } from "./reservation.ts";

const trip = (name: "outward" | "return"): readonly MoveField[] => [
  { name: `transfer.${name}.date`, kind: "date", isQuoted: true, group: name },
  { name: `transfer.${name}.time`, kind: "time", isQuoted: true, group: name },
  { name: `transfer.${name}.origin_point_id`, kind: "point", isQuoted: true, group: name },
  { name: `transfer.${name}.destination_point_id`, kind: "point", isQuoted: true, group: name },
];

/** Whether there is a return at all: says itself nothing to the interface, which is told its trip, or null. */
export const WITH_RETURN = "with_return";

/** What a transfer's change asks before what every change asks: trips, vehicle and people in place of a period. */
export const TRANSFER_FIELDS: readonly MoveField[] = [
  ...trip("outward"),
  { name: WITH_RETURN, kind: "flag", isQuoted: true, group: "return" },
  ...trip("return"),
  { name: "transfer.transfer_vehicle_id", kind: "transferVehicle", isQuoted: true, group: "what" },
  { name: "transfer.adults", kind: "whole", isQuoted: true, group: "what" },
  { name: "transfer.children", kind: "whole", isQuoted: true, group: "what" },
  { name: "transfer.infants", kind: "whole", isQuoted: true, group: "what" },
  { name: "transfer.extras", kind: "transferExtras", isQuoted: true, group: "what" },
];

/** What a transfer's form begins with; a return that is not there yet leads back. */
export function transferValues({ transfer }: Pick<Reservation, "transfer">): MoveFormValues {
  if (!transfer) return {};
  const [outward, back] = transfer.trips;
  const tripValues = (name: string, values: MoveFormValues) =>
    Object.fromEntries(Object.entries(values).map(([part, value]) => [`transfer.${name}.${part}`, value ?? ""]));
  return {
    ...tripValues("outward", {
      date: outward?.date,
      time: outward?.time,
      origin_point_id: outward?.origin_point_id,
      destination_point_id: outward?.destination_point_id,
    }),
    [WITH_RETURN]: back !== undefined,
    ...tripValues("return", {
      date: back?.date,
      time: back?.time,
      origin_point_id: back?.origin_point_id ?? outward?.destination_point_id,
      destination_point_id: back?.destination_point_id ?? outward?.origin_point_id,
    }),
    "transfer.transfer_vehicle_id": transfer.transfer_vehicle_id,
    "transfer.adults": transfer.adults,
    "transfer.children": transfer.children,
    "transfer.infants": transfer.infants,
    "transfer.extras": Object.fromEntries(transfer.extras.map(({ code, quantity }) => [code, quantity])),
  };
}

const isReturnField = ({ name }: MoveField) => name.startsWith("transfer.return.");

/** Whether a field of the form is shown: those of a return where there is one. */
export function isFieldVisible(field: MoveField, values: MoveFormValues): boolean {
  return !isReturnField(field) || values[WITH_RETURN] === true;
}

/** Whether a field that is as before is sent all the same: all of a return that is new. */
export function isNewReturn(field: MoveField, values: MoveFormValues, before: MoveFormValues): boolean {
  return isReturnField(field) && values[WITH_RETURN] === true && before[WITH_RETURN] !== true;
}

/** Whether a return that was there is none any more. */
export const losesReturn = (values: MoveFormValues, before: MoveFormValues): boolean =>
  before[WITH_RETURN] === true && values[WITH_RETURN] === false;

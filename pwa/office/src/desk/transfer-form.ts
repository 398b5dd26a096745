import type { NewTransferQuoteRequest } from "#worker/api/office/new-transfer-messages.ts";
import type { ReservationChangeRequest } from "#worker/api/office/request-messages.ts";
import type { ActionField, ActionFormValues, MemberPathIn } from "./form-field.ts";
import type { Reservation } from "./reservation.ts";

type TransferField = ActionField<
  (MemberPathIn<ReservationChangeRequest> & MemberPathIn<NewTransferQuoteRequest>) | typeof RETURN_TRIP_FIELD
>;

const trip = (name: "outward" | "return"): readonly TransferField[] => [
  { name: `transfer.${name}.date`, kind: "date", isQuoted: true, group: name },
  { name: `transfer.${name}.time`, kind: "time", isQuoted: true, group: name },
  { name: `transfer.${name}.origin_point_id`, kind: "point", isQuoted: true, group: name },
  { name: `transfer.${name}.destination_point_id`, kind: "point", isQuoted: true, group: name },
];

/** Whether the transfer has a return. Not sent itself: the API gets the return trip or null. */
export const RETURN_TRIP_FIELD = "with_return";

/** Fields of a transfer change before the common ones: trips, vehicle and travellers instead of a period. */
export const TRANSFER_FIELDS: readonly TransferField[] = [
  ...trip("outward"),
  { name: RETURN_TRIP_FIELD, kind: "flag", isQuoted: true, group: "return" },
  ...trip("return"),
  { name: "transfer.transfer_vehicle_id", kind: "transferVehicle", isQuoted: true, group: "what" },
  { name: "transfer.adults", kind: "whole", isQuoted: true, group: "what" },
  { name: "transfer.children", kind: "whole", isQuoted: true, group: "what" },
  { name: "transfer.infants", kind: "whole", isQuoted: true, group: "what" },
  { name: "transfer.extras", kind: "transferExtras", isQuoted: true, group: "what" },
];

/** Returns the initial values of a transfer form. A new return starts in the opposite direction. */
export function getInitialTransferValues({ transfer }: Pick<Reservation, "transfer">): ActionFormValues {
  if (!transfer) return {};
  const [outward, back] = transfer.trips;
  const tripValues = (name: string, values: ActionFormValues) =>
    Object.fromEntries(Object.entries(values).map(([part, value]) => [`transfer.${name}.${part}`, value ?? ""]));
  return {
    ...tripValues("outward", {
      date: outward?.date,
      time: outward?.time,
      origin_point_id: outward?.origin_point_id,
      destination_point_id: outward?.destination_point_id,
    }),
    [RETURN_TRIP_FIELD]: back !== undefined,
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

const isReturnField = ({ name }: ActionField) => name.startsWith("transfer.return.");

/** Whether a field is shown. Return fields need a return. */
export function isFieldVisible(field: ActionField, values: ActionFormValues): boolean {
  return !isReturnField(field) || values[RETURN_TRIP_FIELD] === true;
}

/** Whether a field must be sent although unchanged, because the return is new. */
export function isNewReturnField(field: ActionField, values: ActionFormValues, before: ActionFormValues): boolean {
  return isReturnField(field) && values[RETURN_TRIP_FIELD] === true && before[RETURN_TRIP_FIELD] !== true;
}

/** Whether the return was removed. */
export const removesReturnTrip = (values: ActionFormValues, before: ActionFormValues): boolean =>
  before[RETURN_TRIP_FIELD] === true && values[RETURN_TRIP_FIELD] === false;

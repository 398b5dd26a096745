import type { ResourceAnswer } from "#domain/catalogue/resources/answer-types.ts";
import type { NewTransferQuoteRequest } from "#worker/api/office/new-transfer-messages.ts";
import type { ReservationChangeRequest } from "#worker/api/office/request-messages.ts";
import type { ActionField, ActionFormValues, MemberPathIn } from "./form-field.ts";
import type { Reservation } from "./reservation.ts";

type TransferField = ActionField<
  (MemberPathIn<ReservationChangeRequest> & MemberPathIn<NewTransferQuoteRequest>) | typeof RETURN_TRIP_FIELD
>;

const address = (trip: "outward" | "return", end: "origin" | "destination"): TransferField => ({
  name: `transfer.${trip}.${end}_address`,
  kind: "text",
  label: `in.transfer.${end}_address`,
  isWide: true,
  group: trip,
});

const trip = (name: "outward" | "return"): readonly TransferField[] => [
  { name: `transfer.${name}.date`, kind: "date", isQuoted: true, group: name },
  { name: `transfer.${name}.time`, kind: "time", isQuoted: true, group: name },
  { name: `transfer.${name}.origin_point_id`, kind: "point", isQuoted: true, group: name },
  address(name, "origin"),
  { name: `transfer.${name}.destination_point_id`, kind: "point", isQuoted: true, group: name },
  address(name, "destination"),
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
  { name: "transfer.flight_number", kind: "text", group: "what" },
  { name: "transfer.flight_time", kind: "time", group: "what" },
  { name: "transfer.flight_number_departure", kind: "text", group: "what" },
  { name: "transfer.flight_time_departure", kind: "time", group: "what" },
  { name: "transfer.number_of_bags", kind: "whole", group: "what" },
  { name: "transfer.number_of_large_items", kind: "whole", group: "what" },
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
      origin_address: outward?.origin_address,
      destination_point_id: outward?.destination_point_id,
      destination_address: outward?.destination_address,
    }),
    [RETURN_TRIP_FIELD]: back !== undefined,
    ...tripValues("return", {
      date: back?.date,
      time: back?.time,
      origin_point_id: back?.origin_point_id ?? outward?.destination_point_id,
      origin_address: back ? back.origin_address : outward?.destination_address,
      destination_point_id: back?.destination_point_id ?? outward?.origin_point_id,
      destination_address: back ? back.destination_address : outward?.origin_address,
    }),
    "transfer.transfer_vehicle_id": transfer.transfer_vehicle_id,
    "transfer.adults": transfer.adults,
    "transfer.children": transfer.children,
    "transfer.infants": transfer.infants,
    "transfer.flight_number": transfer.flight_number ?? "",
    "transfer.flight_time": transfer.flight_time ?? "",
    "transfer.flight_number_departure": transfer.flight_number_departure ?? "",
    "transfer.flight_time_departure": transfer.flight_time_departure ?? "",
    "transfer.number_of_bags": transfer.number_of_bags ?? "",
    "transfer.number_of_large_items": transfer.number_of_large_items ?? "",
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

const POINT = /_point_id$/;

/** Returns the values that change with a field: another point empties its address. */
export const getTransferValuesToReset = (name: string): ActionFormValues =>
  POINT.test(name) ? { [name.replace(POINT, "_address")]: "" } : {};

/** Transfer point, which is a place or an area. */
export type TransferPoint = Pick<ResourceAnswer<"transfer-points">, "id" | "point_type">;

/** Lists the empty address fields of trips' ends that are areas, such as those with several hotels. */
export function listMissingAddresses(
  values: ActionFormValues,
  points: readonly TransferPoint[],
  isNeeded = (_pointField: string): boolean => true,
): readonly string[] {
  const areas = points.filter(({ point_type: type }) => type === "location").map(({ id }) => String(id));
  return TRANSFER_FIELDS.filter(
    (field) => field.kind === "point" && areas.includes(String(values[field.name])) && isFieldVisible(field, values),
  )
    .filter(({ name }) => isNeeded(name))
    .map(({ name }) => name.replace(POINT, "_address"))
    .filter((name) => String(values[name] ?? "").trim() === "");
}

import { endingBefore, lastDayOut } from "#domain/catalogue/vehicle-dues.ts";
import { findEngagement, getRemainingSpan, getSpanFrom, isEarlyDelivery } from "#domain/check-in/engagements.ts";
import { type CivilDate, type CivilMinute, fromCivilMinute } from "#domain/dates.ts";
import type { Booking, Vehicle } from "../api/messages.ts";
import type { Draft, OutboxItem } from "../offline/items.ts";
import { isSetAside, toBookingSpan, toMinute } from "./entries.ts";

/** Whether a vehicle could go out: `promised` to another booking, `out` with one, `blocked` by the company. */
export type VehicleState = "free" | "out" | "blocked" | "promised";

/** Why a vehicle is an odd choice for a booking, and has to be confirmed. */
export type VehicleWarning =
  | "out"
  | "blocked"
  | "promised"
  | "other_category"
  | "elsewhere"
  | "inspection"
  | "insurance"
  | "dirty"
  | "unfuelled";

/** What this phone knows of a vehicle for a booking. */
export interface VehicleAssessment {
  readonly state: VehicleState;
  /** With whom it is out, or to whom it is promised. */
  readonly bookingId?: number;
  readonly who?: string;
  /** When that ends, and where it is known begins: on the company's own clock, `2027-05-03T10:00`. */
  readonly from?: string;
  readonly until?: string;
  readonly oddities: readonly VehicleWarning[];
}

/** What is known beside the vehicle itself. */
export interface VehicleContext {
  /** The booking that looks for a vehicle, and the category it was promised. */
  readonly booking: Booking | undefined;
  readonly categoryCode: string | undefined;
  /** Every booking that is on the phone. */
  readonly bookings: Iterable<Booking>;
  /** Work of this phone, in its order, and what is begun. */
  readonly items: readonly OutboxItem[];
  readonly drafts: readonly Draft[];
  /** When the vehicle was last told of, in epoch ms by the phone's clock. */
  readonly toldAt: number;
  readonly now: CivilMinute;
}

type Engaged = Omit<VehicleAssessment, "oddities">;

/** The truth about a vehicle: what the server told of it, what other bookings say, and what this phone did since. */
export function assessVehicle(vehicle: Vehicle, known: VehicleContext): VehicleAssessment {
  const engaged = outWith(vehicle, known) ?? engagedBy(vehicle, known) ?? chosenIn(vehicle, known) ?? { state: "free" };
  const { booking, categoryCode } = known;
  const warnings: VehicleWarning[] = engaged.state === "free" ? [] : [engaged.state];
  if (categoryCode && vehicle.category_code !== categoryCode) warnings.push("other_category");
  if (booking && vehicle.rental_storage_id !== booking.rental_storage_id) warnings.push("elsewhere");
  if (booking) {
    const lastDay = lastDayOut(booking.date_to as CivilDate, known.now);
    warnings.push(...endingBefore(drivenUntil(vehicle), lastDay));
  }
  const { needs_cleaning, needs_fuel } = getParkingState(vehicle, known);
  if (needs_cleaning) warnings.push("dirty");
  if (needs_fuel) warnings.push("unfuelled");
  return { ...engaged, oddities: warnings };
}

// A kept answer of an older server tells nothing of it.
function drivenUntil({ inspection_due = null, insured_until = null }: Partial<Vehicle>) {
  return { inspectionDue: inspection_due, insuredUntil: insured_until };
}

type ParkingState = NonNullable<Draft["standing"]>;

/** Where a vehicle stands and what it needs: as the server told, and as somebody with this phone said since. */
export function getParkingState(
  vehicle: Vehicle,
  { items, toldAt }: Pick<VehicleContext, "items" | "toldAt">,
): ParkingState {
  // A kept answer of an older server tells nothing of it.
  const { parking_place, key_number, needs_cleaning = false, needs_fuel = false } = vehicle as Partial<Vehicle>;
  const serverState: ParkingState = {
    parking_place: parking_place ?? "",
    key_number: key_number ?? "",
    needs_cleaning,
    needs_fuel,
  };
  const since = items.filter(
    ({ operation, ...item }) =>
      operation.vehicle_reference === vehicle.reference &&
      item.kind !== "delivery" &&
      item.state !== "blocked" &&
      !isBeforeServerData(item, toldAt),
  );
  return Object.assign(serverState, ...since.map(({ operation }) => operation.standing));
}

function outWith(vehicle: Vehicle, known: VehicleContext): Engaged | undefined {
  const last = known.items.findLast((item) => isForVehicle(item, vehicle) && !isBeforeServerData(item, known.toldAt));
  if (last && isBack(last, vehicle)) return undefined;
  if (last)
    return last.booking_id === known.booking?.booking_id ? undefined : withBooking(known, "out", last.booking_id);
  if (vehicle.state !== "out") return undefined;
  const holder = [...known.bookings].find(({ resources }) =>
    resources.some((unit) => unit.state === "out" && unit.vehicle?.reference === vehicle.reference),
  );
  if (holder && holder.booking_id === known.booking?.booking_id) return undefined;
  return holder ? withBooking(known, "out", holder.booking_id) : { state: "out" };
}

/** Work that moves the vehicle, and that the server has not refused. */
function isForVehicle(item: OutboxItem, { reference }: Vehicle): boolean {
  const { vehicle_reference, exchange } = item.operation;
  const isMove = item.kind === "delivery" || item.kind === "collection" || item.kind === "exchange";
  const isIt = vehicle_reference === reference || exchange?.vehicle_reference === reference;
  return isMove && isIt && item.state !== "blocked" && !isSetAside(item);
}

const isBack = ({ kind, operation }: OutboxItem, { reference }: Vehicle) =>
  kind === "collection" || (kind === "exchange" && operation.vehicle_reference === reference);

// Work that had arrived when the vehicle was told of is in what was told.
const isBeforeServerData = ({ confirmed_at }: Pick<OutboxItem, "confirmed_at">, serverDataAt: number) =>
  confirmed_at !== null && confirmed_at < serverDataAt;

function engagedBy(vehicle: Vehicle, known: VehicleContext): Engaged | undefined {
  const { booking } = known;
  if (!booking) return vehicle.state === "blocked" ? { state: "blocked" } : undefined;
  // A kept answer of an older server says none.
  const serverState = (vehicle.engagements ?? []).map(({ kind, from, to, booking_id: bookingId }) => ({
    ...{ kind, bookingId, startsAt: parseMinute(from), endsAt: parseMinute(to) },
  }));
  const span = toBookingSpan(booking);
  // Days before its pickup it is handed over now.
  const occupiedSpan = isEarlyDelivery(span, known.now)
    ? getSpanFrom(known.now, span)
    : getRemainingSpan(span, known.now);
  const engagement = findEngagement(
    [...serverState, ...listPromises(vehicle, known)],
    occupiedSpan,
    booking.booking_id,
  );
  if (!engagement) return undefined;
  const times = { from: formatMinute(engagement.startsAt), until: formatMinute(engagement.endsAt) };
  if (engagement.bookingId === null) return { state: engagement.kind, ...times };
  return { ...withBooking(known, engagement.kind, engagement.bookingId), ...times };
}

/** Bookings of the phone to which the vehicle is assigned and not handed over. */
function listPromises({ reference }: Vehicle, { bookings, items }: VehicleContext) {
  return [...bookings].flatMap((booking) => {
    const isDelivered = (unitId: number) =>
      items.some((item) => item.kind === "delivery" && item.operation.resource_id === unitId && !isSetAside(item));
    const isPromised = booking.resources.some(
      ({ state, vehicle, resource_id }) =>
        state === "to_deliver" && vehicle?.reference === reference && !isDelivered(resource_id),
    );
    const isAlive = booking.status === "confirmed" || booking.status === "in_progress";
    return isPromised && isAlive
      ? [{ kind: "promised" as const, bookingId: booking.booking_id, ...toBookingSpan(booking) }]
      : [];
  });
}

/** A hand-over of another booking that was begun with it. */
function chosenIn({ reference }: Vehicle, known: VehicleContext): Engaged | undefined {
  const startedDraft = known.drafts.find(
    ({ kind, vehicle_reference, exchange, booking_id }) =>
      (kind === "delivery" ? vehicle_reference : exchange?.vehicle_reference) === reference &&
      booking_id !== known.booking?.booking_id,
  );
  return startedDraft && withBooking(known, "promised", startedDraft.booking_id);
}

function withBooking({ bookings }: VehicleContext, state: VehicleState, bookingId: number): Engaged {
  const booking = [...bookings].find(({ booking_id }) => booking_id === bookingId);
  if (!booking) return { state, bookingId };
  const { customer, date_to, time_to } = booking;
  return { state, bookingId, who: customer.full_name, until: `${date_to}T${time_to}` };
}

const parseMinute = (text: string): CivilMinute => toMinute(text.slice(0, 10), text.slice(11));

function formatMinute(minute: CivilMinute): string {
  const { date, time } = fromCivilMinute(minute);
  return `${date}T${time}`;
}

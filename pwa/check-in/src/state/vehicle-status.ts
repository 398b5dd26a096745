import { getLastRentalDayAtDelivery, listPermitsEndingBefore } from "#domain/catalogue/vehicle-dues.ts";
import {
  findConflictingEngagement,
  getRemainingSpan,
  getSpanFromDelivery,
  isEarlyDelivery,
} from "#domain/check-in/vehicle-engagements.ts";
import { type CivilDate, type CivilMinute, fromCivilMinute } from "#domain/dates.ts";
import type { Booking, Vehicle } from "../api/messages.ts";
import type { OutboxItem, WorkDraft } from "../offline/items.ts";
import { isPermanentlyRejected, toBookingSpan, toMinute } from "./day-entries.ts";

/** Availability of a vehicle: `promised` to another booking, `out` with one, or `blocked` by the company. */
export type VehicleState = "free" | "out" | "blocked" | "promised";

/** Reasons why a vehicle is unsuitable for a booking and needs confirmation. */
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

/** Data on this device about a vehicle's suitability for a booking. */
export interface VehicleAssessment {
  readonly state: VehicleState;
  /** The booking and customer that have the vehicle or that it's promised to. */
  readonly bookingId?: number;
  readonly customerName?: string;
  /** Period of the engagement in the company's time zone, `2027-05-03T10:00`. The start may be unknown. */
  readonly from?: string;
  readonly until?: string;
  readonly warnings: readonly VehicleWarning[];
}

/** Context for assessing a vehicle. */
export interface VehicleContext {
  /** The booking that needs a vehicle, and its agreed category. */
  readonly booking: Booking | undefined;
  readonly categoryCode: string | undefined;
  /** All bookings on the device. */
  readonly bookings: Iterable<Booking>;
  /** Work on this device, in order, including drafts. */
  readonly items: readonly OutboxItem[];
  readonly drafts: readonly WorkDraft[];
  /** When the vehicle data was received, in epoch ms by the device's clock. */
  readonly receivedAt: number;
  readonly now: CivilMinute;
}

type VehicleEngagementState = Omit<VehicleAssessment, "warnings">;

/** Assesses a vehicle by server data, other bookings and work on this device. */
export function assessVehicle(vehicle: Vehicle, context: VehicleContext): VehicleAssessment {
  const engaged = findCurrentRental(vehicle, context) ??
    findEngagementState(vehicle, context) ??
    findStartedHandOver(vehicle, context) ?? { state: "free" };
  const { booking, categoryCode } = context;
  const warnings: VehicleWarning[] = engaged.state === "free" ? [] : [engaged.state];
  if (categoryCode && vehicle.category_code !== categoryCode) warnings.push("other_category");
  if (booking && vehicle.rental_storage_id !== booking.rental_storage_id) warnings.push("elsewhere");
  if (booking) {
    const lastDay = getLastRentalDayAtDelivery(booking.date_to as CivilDate, context.now);
    warnings.push(...listPermitsEndingBefore(getPermitDates(vehicle), lastDay));
  }
  const { needs_cleaning, needs_fuel } = getParkingState(vehicle, context);
  if (needs_cleaning) warnings.push("dirty");
  if (needs_fuel) warnings.push("unfuelled");
  return { ...engaged, warnings };
}

// Returns inspection and insurance dates, which cached responses of older servers lack.
function getPermitDates({ inspection_due = null, insured_until = null }: Partial<Vehicle>) {
  return { inspectionDue: inspection_due, insuredUntil: insured_until };
}

type ParkingState = NonNullable<WorkDraft["standing"]>;

/** Returns a vehicle's location and needs, by server data and later work on this device. */
export function getParkingState(
  vehicle: Vehicle,
  { items, receivedAt }: Pick<VehicleContext, "items" | "receivedAt">,
): ParkingState {
  // Cached responses of older servers lack the needs of a vehicle.
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
      !isBeforeServerData(item, receivedAt),
  );
  return Object.assign(serverState, ...since.map(({ operation }) => operation.standing));
}

function findCurrentRental(vehicle: Vehicle, context: VehicleContext): VehicleEngagementState | undefined {
  const last = context.items.findLast(
    (item) => isForVehicle(item, vehicle) && !isBeforeServerData(item, context.receivedAt),
  );
  if (last && isBack(last, vehicle)) return undefined;
  if (last)
    return last.booking_id === context.booking?.booking_id
      ? undefined
      : createEngagement(context, "out", last.booking_id);
  if (vehicle.state !== "out") return undefined;
  const holder = [...context.bookings].find(({ resources }) =>
    resources.some((unit) => unit.state === "out" && unit.vehicle?.reference === vehicle.reference),
  );
  if (holder && holder.booking_id === context.booking?.booking_id) return undefined;
  return holder ? createEngagement(context, "out", holder.booking_id) : { state: "out" };
}

/** Whether work moves the vehicle and wasn't rejected by the server. */
function isForVehicle(item: OutboxItem, { reference }: Vehicle): boolean {
  const { vehicle_reference, exchange } = item.operation;
  const isMove = item.kind === "delivery" || item.kind === "collection" || item.kind === "exchange";
  const isIt = vehicle_reference === reference || exchange?.vehicle_reference === reference;
  return isMove && isIt && item.state !== "blocked" && !isPermanentlyRejected(item);
}

const isBack = ({ kind, operation }: OutboxItem, { reference }: Vehicle) =>
  kind === "collection" || (kind === "exchange" && operation.vehicle_reference === reference);

// Whether work was confirmed before the vehicle data was received, so that the data already includes it.
const isBeforeServerData = ({ confirmed_at }: Pick<OutboxItem, "confirmed_at">, serverDataAt: number) =>
  confirmed_at !== null && confirmed_at < serverDataAt;

function findEngagementState(vehicle: Vehicle, context: VehicleContext): VehicleEngagementState | undefined {
  const { booking } = context;
  if (!booking) return vehicle.state === "blocked" ? { state: "blocked" } : undefined;
  // Cached responses of older servers lack engagements.
  const serverState = (vehicle.engagements ?? []).map(({ kind, from, to, booking_id: bookingId }) => ({
    ...{ kind, bookingId, startsAt: parseMinute(from), endsAt: parseMinute(to) },
  }));
  const span = toBookingSpan(booking);
  // A vehicle that is handed over days before the pickup is occupied from now on.
  const occupiedSpan = isEarlyDelivery(span, context.now)
    ? getSpanFromDelivery(context.now, span)
    : getRemainingSpan(span, context.now);
  const engagement = findConflictingEngagement(
    [...serverState, ...listPromises(vehicle, context)],
    occupiedSpan,
    booking.booking_id,
  );
  if (!engagement) return undefined;
  const times = { from: formatMinute(engagement.startsAt), until: formatMinute(engagement.endsAt) };
  if (engagement.bookingId === null) return { state: engagement.kind, ...times };
  return { ...createEngagement(context, engagement.kind, engagement.bookingId), ...times };
}

/** Lists engagements of bookings on the device that are assigned this vehicle and not yet handed over. */
function listPromises({ reference }: Vehicle, { bookings, items }: VehicleContext) {
  return [...bookings].flatMap((booking) => {
    const isDelivered = (unitId: number) =>
      items.some(
        (item) => item.kind === "delivery" && item.operation.resource_id === unitId && !isPermanentlyRejected(item),
      );
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

/** Returns a started hand-over of another booking with this vehicle. */
function findStartedHandOver({ reference }: Vehicle, context: VehicleContext): VehicleEngagementState | undefined {
  const startedDraft = context.drafts.find(
    ({ kind, vehicle_reference, exchange, booking_id }) =>
      (kind === "delivery" ? vehicle_reference : exchange?.vehicle_reference) === reference &&
      booking_id !== context.booking?.booking_id,
  );
  return startedDraft && createEngagement(context, "promised", startedDraft.booking_id);
}

function createEngagement(
  { bookings }: VehicleContext,
  state: VehicleState,
  bookingId: number,
): VehicleEngagementState {
  const booking = [...bookings].find(({ booking_id }) => booking_id === bookingId);
  if (!booking) return { state, bookingId };
  const { customer, date_to, time_to } = booking;
  return { state, bookingId, customerName: customer.full_name, until: `${date_to}T${time_to}` };
}

const parseMinute = (text: string): CivilMinute => toMinute(text.slice(0, 10), text.slice(11));

function formatMinute(minute: CivilMinute): string {
  const { date, time } = fromCivilMinute(minute);
  return `${date}T${time}`;
}

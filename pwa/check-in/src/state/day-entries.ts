import { isEarlyDelivery } from "#domain/check-in/vehicle-engagements.ts";
import { type CivilDate, type CivilMinute, type Span, type TimeText, toCivilMinute } from "#domain/dates.ts";
import type { Booking, RentalUnit, TransferTrip } from "../api/messages.ts";
import type { OutboxItem } from "../offline/items.ts";
import type { StatusTone } from "../ui/parts.tsx";
import { getCategoryName } from "./names.ts";
import { draftsByBooking, itemsByBooking } from "./outbox.ts";

export type HandOverSide = "delivery" | "collection";

/**
 * Status of a booking, from server data and work on this device. `undelivered`: due for return, but never handed over.
 * `unbooked`: done, but an amount or extra wasn't booked and needs attention.
 */
export type WorkStatus =
  | "todo"
  | "undelivered"
  | "draft"
  | "waiting"
  | "sending"
  | "photos"
  | "refused"
  | "unbooked"
  | "held"
  | "done";

/** Status of a work item. `evidence`: rejected, and its author has read the reason. */
export type ItemStatus = Exclude<WorkStatus, "todo" | "undelivered" | "draft"> | "evidence";

export const STATUS_TONES: Readonly<Record<WorkStatus | ItemStatus, StatusTone>> = {
  todo: "todo",
  undelivered: "held",
  draft: "draft",
  waiting: "waiting",
  sending: "sending",
  photos: "sending",
  refused: "refused",
  unbooked: "refused",
  held: "held",
  evidence: "held",
  done: "done",
};

/** Returns the status of a booking's hand-over or return, by server data and work on this device. */
export function getWorkStatus(booking: Booking, side: HandOverSide): WorkStatus {
  if (draftsByBooking.value.get(booking.booking_id)?.some(({ kind }) => kind === side)) return "draft";
  const outboxItems = workAt(booking, side);
  const open = outboxItems.find(({ state }) => state === "blocked") ?? outboxItems.findLast((item) => !isApplied(item));
  if (open) return getSendStatus(open);
  if (outboxItems.some(hasUnbookedChargeOrExtra)) return "unbooked";
  if (booking.resources.every((unit) => isUnitDone(unit, side)) || isAllApplied(outboxItems, booking)) return "done";
  return side === "collection" && isUndelivered(booking) ? "undelivered" : "todo";
}

/** Lists this device's hand-overs or returns of a booking, without rejected work that was dismissed. */
function workAt({ booking_id }: Booking, side: HandOverSide): readonly OutboxItem[] {
  const outboxItems = itemsByBooking.value.get(booking_id) ?? [];
  return outboxItems.filter((item) => item.kind === side && !isPermanentlyRejected(item));
}

/** Whether work was permanently rejected: the office stores it as evidence, and the booking still needs its work. */
export const isPermanentlyRejected = ({ state, result, seen }: OutboxItem) =>
  (state === "confirmed" || seen === true) && result?.state === "conflict";

// Rejections that a correction can't fix: a cancelled booking, or a vehicle already handed over.
const FINAL: ReadonlySet<string> = new Set(["booking_cancelled", "already_delivered"]);

/**
 * Whether blocked work can be corrected and sent again: not trip events or removed photos, nor work for a cancelled or
 * already delivered booking.
 */
export const canBeCorrected = ({ operation: { trip, removed_photos = [] }, result }: OutboxItem) =>
  trip === undefined && removed_photos.length === 0 && !(result && FINAL.has(result.code));

const isApplied = ({ state, result }: OutboxItem) => state === "confirmed" && result?.state === "applied";

const UNBOOKED: ReadonlySet<string> = new Set(["charge_refused", "extra_refused"]);

/** Whether the server skipped an amount or extra that still needs attention. */
export const hasUnbookedChargeOrExtra = ({ result, seen }: Pick<OutboxItem, "result" | "seen">) =>
  !seen && (result?.warnings.some(({ code }) => UNBOOKED.has(code)) ?? false);

/** Returns the payments and deposit movements of work that is only stored as evidence. They were never booked. */
export const listUnbookedCharges = ({ result, operation }: Pick<OutboxItem, "result" | "operation">) =>
  result?.state === "conflict" ? (operation.charges ?? []) : [];

function isUndelivered({ booking_id, resources }: Booking): boolean {
  const outboxItems = itemsByBooking.value.get(booking_id) ?? [];
  const isRecorded = outboxItems.some((item) => item.kind === "delivery" && !isPermanentlyRejected(item));
  return !isRecorded && resources.every(({ state }) => state === "to_deliver");
}

export function getItemStatus(item: OutboxItem): ItemStatus {
  return isPermanentlyRejected(item) ? "evidence" : getSendStatus(item);
}

function getSendStatus(item: OutboxItem): Exclude<ItemStatus, "evidence"> {
  if (item.state === "blocked") return "refused";
  if (item.state === "sending") return "sending";
  if (item.state === "sent") return "photos";
  if (item.state === "queued") return "waiting";
  if (hasUnbookedChargeOrExtra(item)) return "unbooked";
  return item.result?.state === "held" ? "held" : "done";
}

const isUnitDone = ({ state }: RentalUnit, side: HandOverSide) =>
  side === "delivery" ? state !== "to_deliver" : state === "collected";

const isAllApplied = (items: readonly OutboxItem[], { resources }: Booking) =>
  resources.length > 0 &&
  resources.every(({ resource_id }) =>
    items.some((item) => item.operation.resource_id === resource_id && isApplied(item)),
  );

/** Returns this device's latest valid work on a unit. */
export function findRecordedWork(
  { resource_id }: RentalUnit,
  bookingId: number,
  kind: HandOverSide | "exchange",
): OutboxItem | undefined {
  const outboxItems = itemsByBooking.value.get(bookingId) ?? [];
  return outboxItems.findLast(
    (item) => item.kind === kind && item.operation.resource_id === resource_id && !isPermanentlyRejected(item),
  );
}

/** Whether a unit is back, by server data or by work on this device that the server hasn't rejected. */
export function isUnitReturned(unit: RentalUnit, bookingId: number): boolean {
  if (unit.state === "collected") return true;
  const item = findRecordedWork(unit, bookingId, "collection");
  return item !== undefined && (item.state !== "blocked" || item.accepted) && item.reason !== "conflict";
}

/** Next unit to hand over or take back. */
export interface NextWork {
  readonly unit: RentalUnit;
  readonly kind: HandOverSide;
}

/** Returns the next work of a booking, or undefined if there's none. */
export function findNextWork(booking: Booking, today: string): NextWork | undefined {
  const isRecorded = (unit: RentalUnit, kind: HandOverSide) => {
    const item = findRecordedWork(unit, booking.booking_id, kind);
    return item !== undefined && item.state !== "blocked";
  };
  const out = booking.resources.find((unit) => unit.state === "to_deliver" && !isRecorded(unit, "delivery"));
  if (out) return { unit: out, kind: "delivery" };
  // Only a return that is due is proposed. Users start an earlier one themselves.
  const isDue = ({ state }: RentalUnit) => state !== "collected" && booking.date_to <= today;
  const back = booking.resources.find((unit) => isDue(unit) && !isRecorded(unit, "collection"));
  return back && { unit: back, kind: "collection" };
}

/** Returns by how many minutes a booking's work is late. Undefined if it's done or not due. */
export function getBookingLateMinutes(booking: Booking, side: HandOverSide, now: CivilMinute): number | undefined {
  if (booking.resources.every((unit) => isUnitDone(unit, side))) return undefined;
  const { date_from, time_from, date_to, time_to } = booking;
  const due = side === "delivery" ? toMinute(date_from, time_from) : toMinute(date_to, time_to);
  return now > due ? now - due : undefined;
}

/** Whether handing over a booking's vehicles now would be days before its pickup. */
export function isEarlyForPickup(booking: Booking, now: CivilMinute): boolean {
  return isEarlyDelivery(toBookingSpan(booking), now);
}

/** Returns the agreed period of a booking in the company's time zone. */
export const toBookingSpan = ({ date_from, time_from, date_to, time_to }: Booking): Span => ({
  startsAt: toMinute(date_from, time_from),
  endsAt: toMinute(date_to, time_to),
});

/** Converts a date and time of the API to a minute count. */
export const toMinute = (date: string, time: string): CivilMinute => toCivilMinute(date as CivilDate, time as TimeText);

const ORDER: readonly WorkStatus[] = [
  "refused",
  "unbooked",
  "draft",
  "undelivered",
  "todo",
  "held",
  "waiting",
  "sending",
  "photos",
  "done",
];
export type StatusGroup = "todo" | "waiting" | "done";
export const STATUS_GROUPS: readonly StatusGroup[] = ["todo", "waiting", "done"];

/** Returns the group of the day list that shows work with this status. */
export function getStatusGroup(workStatus: WorkStatus): StatusGroup {
  if (workStatus === "done") return "done";
  return ORDER.indexOf(workStatus) <= ORDER.indexOf("todo") ? "todo" : "waiting";
}

/** Normalizes text for search: upper case, without spaces, dashes and accents. */
export const foldSearchText = (text: string) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f\s.-]/g, "")
    .toUpperCase();

/** Whether a trip contains a text folded by `foldSearchText`. */
export function matchesTrip(trip: TransferTrip, searchText: string): boolean {
  const flights = [trip.origin.flight, trip.destination.flight];
  const searchableTexts = [
    String(trip.booking_id),
    trip.customer.full_name,
    trip.origin.name,
    trip.destination.name,
    trip.vehicle,
  ];
  return [...searchableTexts, ...flights].some((word) => word && foldSearchText(word).includes(searchText));
}

/** Whether a booking contains a text folded by `foldSearchText`. */
export function matchesBooking(booking: Booking, searchText: string): boolean {
  if (searchText === "") return true;
  const vehicles = booking.resources.flatMap(({ vehicle, category_code, category_name }) => [
    vehicle?.stock_plate,
    vehicle?.stock_reference,
    vehicle?.reference,
    vehicle?.name,
    vehicle?.stock_brand,
    vehicle?.stock_model,
    category_name,
    getCategoryName(category_code),
  ]);
  const { customer, drivers, flight } = booking;
  const personTexts = [
    customer.full_name,
    customer.document_id,
    customer.phone,
    ...drivers.map((driver) => driver.full_name),
  ];
  const searchableTexts = [String(booking.booking_id), flight, ...personTexts, ...vehicles];
  return searchableTexts.some((word) => word && foldSearchText(word).includes(searchText));
}

import { isEarlyDelivery } from "#domain/check-in/engagements.ts";
import { type CivilDate, type CivilMinute, type Span, type TimeText, toCivilMinute } from "#domain/dates.ts";
import type { Booking, RentalUnit, TransferTrip } from "../api/messages.ts";
import type { OutboxItem } from "../offline/items.ts";
import type { Tone } from "../ui/parts.tsx";
import { draftsByBooking, itemsByBooking } from "./outbox.ts";

export type Side = "delivery" | "collection";

/**
 * Where a booking stands, by what the server told and what this phone still holds. `undelivered`: it is to come back
 * and nobody has handed it over. `unbooked`: done, but an amount or an extra was not booked and nobody has acted on it.
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

/** Of a piece of work; `evidence`: refused, and its author has read why. */
export type ItemStatus = Exclude<WorkStatus, "todo" | "undelivered" | "draft"> | "evidence";

export const TONES: Readonly<Record<WorkStatus | ItemStatus, Tone>> = {
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

export function getWorkStatus(booking: Booking, side: Side): WorkStatus {
  if (draftsByBooking.value.get(booking.booking_id)?.some(({ kind }) => kind === side)) return "draft";
  const mine = workAt(booking, side);
  const open = mine.find(({ state }) => state === "blocked") ?? mine.findLast((item) => !isApplied(item));
  if (open) return getSendStatus(open);
  if (mine.some(isUnbooked)) return "unbooked";
  if (booking.resources.every((unit) => isUnitDone(unit, side)) || isAllApplied(mine, booking)) return "done";
  return side === "collection" && isUndelivered(booking) ? "undelivered" : "todo";
}

/** What this phone did at one side of a booking, without what was refused and set aside. */
function workAt({ booking_id }: Booking, side: Side): readonly OutboxItem[] {
  const mine = itemsByBooking.value.get(booking_id) ?? [];
  return mine.filter((item) => item.kind === side && !isSetAside(item));
}

/** Refused for good: the office keeps it as evidence, and the booking waits for its work as before. */
export const isSetAside = ({ state, result }: OutboxItem) => state === "confirmed" && result?.state === "conflict";

// However it is put right, it is refused again: what was called off stays so, and a vehicle goes out once.
const FINAL: ReadonlySet<string> = new Set(["booking_cancelled", "already_delivered"]);

/**
 * Whether work can be done again with what was recorded in it: a word to a booking holds nothing to correct, and some
 * is refused for good.
 */
export const isCorrectable = ({ operation: { trip, removed_photos = [] }, result }: OutboxItem) =>
  trip === undefined && removed_photos.length === 0 && !(result && FINAL.has(result.code));

const isApplied = ({ state, result }: OutboxItem) => state === "confirmed" && result?.state === "applied";

const UNBOOKED: ReadonlySet<string> = new Set(["charge_refused", "extra_refused"]);

/** Whether the server left out an amount or an extra, and nobody has acted on it. */
export const isUnbooked = ({ result, seen }: Pick<OutboxItem, "result" | "seen">) =>
  !seen && (result?.warnings.some(({ code }) => UNBOOKED.has(code)) ?? false);

/** The money of work that the server keeps as evidence alone: it changed hands and is in no book. */
export const unbookedMoney = ({ result, operation }: Pick<OutboxItem, "result" | "operation">) =>
  result?.state === "conflict" ? (operation.charges ?? []) : [];

function isUndelivered({ booking_id, resources }: Booking): boolean {
  const mine = itemsByBooking.value.get(booking_id) ?? [];
  const isRecorded = mine.some((item) => item.kind === "delivery" && !isSetAside(item));
  return !isRecorded && resources.every(({ state }) => state === "to_deliver");
}

export function getItemStatus(item: OutboxItem): ItemStatus {
  return isSetAside(item) ? "evidence" : getSendStatus(item);
}

function getSendStatus(item: OutboxItem): Exclude<ItemStatus, "evidence"> {
  if (item.state === "blocked") return "refused";
  if (item.state === "sending") return "sending";
  if (item.state === "sent") return "photos";
  if (item.state === "queued") return "waiting";
  if (isUnbooked(item)) return "unbooked";
  return item.result?.state === "held" ? "held" : "done";
}

export const isUnitDone = ({ state }: RentalUnit, side: Side) =>
  side === "delivery" ? state !== "to_deliver" : state === "collected";

const isAllApplied = (items: readonly OutboxItem[], { resources }: Booking) =>
  resources.length > 0 &&
  resources.every(({ resource_id }) =>
    items.some((item) => item.operation.resource_id === resource_id && isApplied(item)),
  );

/** What this phone recorded at a unit and still counts. */
export function recordedAt(
  { resource_id }: RentalUnit,
  bookingId: number,
  kind: Side | "exchange",
): OutboxItem | undefined {
  const mine = itemsByBooking.value.get(bookingId) ?? [];
  return mine.findLast((item) => item.kind === kind && item.operation.resource_id === resource_id && !isSetAside(item));
}

/** Whether a unit is back, by what the server told or by what this phone did and the server has not refused. */
export function isBack(unit: RentalUnit, bookingId: number): boolean {
  if (unit.state === "collected") return true;
  const item = recordedAt(unit, bookingId, "collection");
  return item !== undefined && (item.state !== "blocked" || item.accepted) && item.reason !== "conflict";
}

export interface NextWork {
  readonly unit: RentalUnit;
  readonly kind: Side;
}

/** What is to be done with a booking next; undefined where nothing is. */
export function nextWork(booking: Booking, today: string): NextWork | undefined {
  const isRecorded = (unit: RentalUnit, kind: Side) => {
    const item = recordedAt(unit, booking.booking_id, kind);
    return item !== undefined && item.state !== "blocked";
  };
  const out = booking.resources.find((unit) => unit.state === "to_deliver" && !isRecorded(unit, "delivery"));
  if (out) return { unit: out, kind: "delivery" };
  // What goes out comes back another day: earlier only where somebody asks for it.
  const isDue = ({ state }: RentalUnit) => state !== "collected" && booking.date_to <= today;
  const back = booking.resources.find((unit) => isDue(unit) && !isRecorded(unit, "collection"));
  return back && { unit: back, kind: "collection" };
}

/** How many minutes a booking's work is late by; undefined where it is done or not due yet. */
export function lateMinutes(booking: Booking, side: Side, now: CivilMinute): number | undefined {
  if (booking.resources.every((unit) => isUnitDone(unit, side))) return undefined;
  const { date_from, time_from, date_to, time_to } = booking;
  const due = side === "delivery" ? toMinute(date_from, time_from) : toMinute(date_to, time_to);
  return now > due ? now - due : undefined;
}

/** Whether a booking's vehicles, were they handed over now, would go out days before its pickup. */
export function isEarly(booking: Booking, now: CivilMinute): boolean {
  return isEarlyDelivery(toBookingSpan(booking), now);
}

/** From when to when a booking is agreed, on the company's own clock. */
export const toBookingSpan = ({ date_from, time_from, date_to, time_to }: Booking): Span => ({
  startsAt: toMinute(date_from, time_from),
  endsAt: toMinute(date_to, time_to),
});

/** A moment as the interface says it, as a minute that can be counted with. */
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
export type Group = "todo" | "waiting" | "done";
export const GROUPS: readonly Group[] = ["todo", "waiting", "done"];

export function getStatusGroup(standing: WorkStatus): Group {
  if (standing === "done") return "done";
  return ORDER.indexOf(standing) <= ORDER.indexOf("todo") ? "todo" : "waiting";
}

/** Upper case, without what people leave out: spaces, dashes, accents. */
export const folded = (text: string) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f\s.-]/g, "")
    .toUpperCase();

export function matchesTrip(trip: TransferTrip, searchText: string): boolean {
  const flights = [trip.origin.flight, trip.destination.flight];
  const searchableTexts = [
    String(trip.booking_id),
    trip.customer.full_name,
    trip.origin.name,
    trip.destination.name,
    trip.vehicle,
  ];
  return [...searchableTexts, ...flights].some((word) => word && folded(word).includes(searchText));
}

export function matches(booking: Booking, searchText: string): boolean {
  if (searchText === "") return true;
  const vehicles = booking.resources.flatMap(({ vehicle, category_name }) => [
    vehicle?.stock_plate,
    vehicle?.stock_reference,
    vehicle?.reference,
    vehicle?.name,
    vehicle?.stock_brand,
    vehicle?.stock_model,
    category_name,
  ]);
  const { customer, drivers, flight } = booking;
  const personTexts = [
    customer.full_name,
    customer.document_id,
    customer.phone,
    ...drivers.map((driver) => driver.full_name),
  ];
  const searchableTexts = [String(booking.booking_id), flight, ...personTexts, ...vehicles];
  return searchableTexts.some((word) => word && folded(word).includes(searchText));
}

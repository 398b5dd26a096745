import type { Booking, RentalUnit, TransferTrip } from "../api/messages.ts";
import type { OutboxItem } from "../offline/items.ts";
import type { Tone } from "../ui/parts.tsx";
import { draftsByBooking, itemsByBooking } from "./outbox.ts";

export type Side = "delivery" | "collection";

/**
 * Where a booking stands, by what the server told and what this phone still holds; `undelivered`: it is to come back and
 * nobody has handed it over.
 */
export type Standing =
  | "todo"
  | "undelivered"
  | "draft"
  | "waiting"
  | "sending"
  | "photos"
  | "refused"
  | "held"
  | "done";

export const TONES: Readonly<Record<Standing, Tone>> = {
  todo: "todo",
  undelivered: "held",
  draft: "draft",
  waiting: "waiting",
  sending: "sending",
  photos: "sending",
  refused: "refused",
  held: "held",
  done: "done",
};

export function standingOf(booking: Booking, side: Side): Standing {
  const mine = (itemsByBooking.value.get(booking.booking_id) ?? []).filter(({ kind }) => kind === side);
  const last = mine.at(-1);
  const draft = draftsByBooking.value.get(booking.booking_id);
  if (draft?.kind === side) return "draft";
  if (last && !(last.state === "confirmed" && last.result?.state === "applied")) return ofItem(last);
  if (booking.resources.every((unit) => isDone(unit, side)) || isAllConfirmed(mine, booking)) return "done";
  return side === "collection" && isUndelivered(booking) ? "undelivered" : "todo";
}

function isUndelivered({ booking_id, resources }: Booking): boolean {
  const isRecorded = (itemsByBooking.value.get(booking_id) ?? []).some(({ kind }) => kind === "delivery");
  return !isRecorded && resources.every(({ state }) => state === "to_deliver");
}

export function ofItem(item: OutboxItem): Standing {
  if (item.state === "blocked") return "refused";
  if (item.state === "sending") return "sending";
  if (item.state === "sent") return "photos";
  if (item.state === "queued") return "waiting";
  return item.result?.state === "held" ? "held" : "done";
}

export const isDone = ({ state }: RentalUnit, side: Side) =>
  side === "delivery" ? state !== "to_deliver" : state === "collected";

const isAllConfirmed = (items: readonly OutboxItem[], { resources }: Booking) =>
  resources.length > 0 &&
  resources.every(({ resource_id }) =>
    items.some(({ operation, state }) => operation.resource_id === resource_id && state === "confirmed"),
  );

const ORDER: readonly Standing[] = [
  "refused",
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

export function groupOf(standing: Standing): Group {
  if (standing === "done") return "done";
  return ORDER.indexOf(standing) <= ORDER.indexOf("todo") ? "todo" : "waiting";
}

/** Upper case, without what people leave out: spaces, dashes, accents. */
export const folded = (text: string) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f\s.-]/g, "")
    .toUpperCase();

export function matchesTrip(trip: TransferTrip, wanted: string): boolean {
  const flights = [trip.origin.flight, trip.destination.flight];
  const words = [
    String(trip.booking_id),
    trip.customer.full_name,
    trip.origin.name,
    trip.destination.name,
    trip.vehicle,
  ];
  return [...words, ...flights].some((word) => word && folded(word).includes(wanted));
}

export function matches(booking: Booking, wanted: string): boolean {
  if (wanted === "") return true;
  const plates = booking.resources.flatMap(({ vehicle }) => [
    vehicle?.stock_plate,
    vehicle?.stock_reference,
    vehicle?.reference,
  ]);
  const words = [String(booking.booking_id), booking.customer.full_name, booking.flight, ...plates];
  return words.some((word) => word && folded(word).includes(wanted));
}

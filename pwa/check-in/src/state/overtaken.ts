import type { Booking } from "../api/messages.ts";
import type { Draft } from "../offline/items.ts";
import { day, findBookingOfDay, findUnit } from "./day.ts";

/** Why open work is done in vain, as far as this phone has been told; who was first, and when. */
export interface Overtaken {
  readonly code: "already_delivered" | "already_collected" | "booking_cancelled" | "booking_gone";
  readonly by?: string | null;
  readonly at?: string;
}

/** Whether somebody was first with what is being done, or the booking is in no list any more. */
export function overtakenBy(draft: Draft): Overtaken | undefined {
  const { kind, booking_id, resource_id } = draft;
  if (kind === "evidence" || kind === "correction") return undefined;
  const booking = findBookingOfDay(booking_id);
  // It was on the phone when the work was begun; where no list is, nothing is known.
  if (!booking) return day.value && { code: "booking_gone" };
  if (booking.status === "cancelled") return { code: "booking_cancelled" };
  return firstWith(kind, booking, resource_id);
}

function firstWith(kind: Draft["kind"], booking: Booking, unitId: number | null): Overtaken | undefined {
  const { state, delivery, collection } = (unitId === null ? undefined : findUnit(booking, unitId)) ?? {};
  if (state === "collected" && collection && !isOpenAgain(booking)) return { ...collection, code: "already_collected" };
  return kind === "delivery" && delivery ? { ...delivery, code: "already_delivered" } : undefined;
}

// Everything is back and the contract is not closed: it waits for its right collection.
const isOpenAgain = ({ status, resources }: Booking) =>
  status === "in_progress" && resources.every(({ state }) => state === "collected");

import type { Booking } from "../api/messages.ts";
import type { WorkDraft } from "../offline/items.ts";
import { findLoadedBooking, findUnit, shownDay } from "./day.ts";

/** Reason why open work is no longer needed, with the user and time if another user recorded it first. */
export interface WorkNotNeededReason {
  readonly code: "already_delivered" | "already_collected" | "booking_cancelled" | "booking_gone";
  readonly by?: string | null;
  readonly at?: string;
}

/**
 * Returns why open work is no longer needed: another user recorded it first, or the booking is cancelled or in no list.
 */
export function findWorkNotNeededReason(draft: WorkDraft): WorkNotNeededReason | undefined {
  const { kind, booking_id, resource_id } = draft;
  if (kind === "evidence" || kind === "correction") return undefined;
  const booking = findLoadedBooking(booking_id);
  // The booking was on the device when the work started. Without a loaded list, nothing can be concluded.
  if (!booking) return shownDay.value && { code: "booking_gone" };
  if (booking.status === "cancelled") return { code: "booking_cancelled" };
  return findReasonByOtherUser(kind, booking, resource_id);
}

function findReasonByOtherUser(
  kind: WorkDraft["kind"],
  booking: Booking,
  unitId: number | null,
): WorkNotNeededReason | undefined {
  const { state, delivery, collection } = (unitId === null ? undefined : findUnit(booking, unitId)) ?? {};
  if (state === "collected" && collection && !isOpenAgain(booking)) return { ...collection, code: "already_collected" };
  return kind === "delivery" && delivery ? { ...delivery, code: "already_delivered" } : undefined;
}

// Whether all vehicles are back but the contract is still open, because a return must be corrected.
const isOpenAgain = ({ status, resources }: Booking) =>
  status === "in_progress" && resources.every(({ state }) => state === "collected");

import type { Cents } from "#domain/money.ts";
import type { LinkStatus } from "./payment-links.ts";

/** States of a card hold as stored. It expires by its date. */
export type StoredHoldStatus = "requested" | "failed" | "authorised" | "released" | "captured";

export const HOLD_STATUSES = ["requested", "authorised", "captured", "released", "expired", "failed"] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

/** State of a hold that a gateway reports. */
export type HoldEvent = Exclude<StoredHoldStatus, "requested">;

const RANK: Readonly<Record<StoredHoldStatus, number>> = {
  requested: 0,
  failed: 1,
  authorised: 2,
  released: 3,
  captured: 4,
};

/**
 * Returns the stored state after a gateway's message. The most final state counts, in any order of arrival. Another
 * card can be authorised after a refused one, and captured money is never lost.
 */
export function applyHoldEvent(status: StoredHoldStatus, event: HoldEvent): StoredHoldStatus {
  return RANK[event] > RANK[status] ? event : status;
}

/** Data of a card hold that decides its state. Times in epoch ms. */
export interface StoredCardHold {
  readonly status: StoredHoldStatus;
  /** Time at which the card's bank ends the hold, epoch ms. */
  readonly expiresAt: number | null;
  readonly linkStatus: LinkStatus;
}

/** Returns the state of a hold at `now`, epoch ms. Without an authorisation it ends with its link. */
export function getHoldStatus({ status, expiresAt, linkStatus }: StoredCardHold, now: number): HoldStatus {
  if (status === "authorised") return (expiresAt ?? 0) > now ? "authorised" : "expired";
  if (status !== "requested" && status !== "failed") return status;
  if (linkStatus === "cancelled") return "released";
  return linkStatus === "expired" ? "expired" : status;
}

/** Reason to refuse a capture or release. */
export type HoldActionProblem = "holdNotAuthorised" | "holdInProgress" | "moreThanHeld";

/** Hold about to be captured or released. */
export interface HoldToEnd {
  readonly status: HoldStatus;
  readonly amountCents: Cents;
  readonly actionState: "waiting" | "sent" | "refused" | null;
}

/** Returns why a hold can't be captured or released now. Each hold is captured once, in part or in full. */
export function findHoldProblem(hold: HoldToEnd, cents: Cents | undefined): HoldActionProblem | undefined {
  if (hold.status !== "authorised") return "holdNotAuthorised";
  if (hold.actionState === "waiting" || hold.actionState === "sent") return "holdInProgress";
  return cents !== undefined && cents > hold.amountCents ? "moreThanHeld" : undefined;
}

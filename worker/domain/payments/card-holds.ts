import type { Cents } from "#domain/money.ts";
import type { PaymentLinkStatus } from "./payment-links.ts";

/** States of a card hold as stored. It expires by its date. */
export type StoredCardHoldStatus = "requested" | "failed" | "authorised" | "released" | "captured";

export const CARD_HOLD_STATUSES = ["requested", "authorised", "captured", "released", "expired", "failed"] as const;
export type CardHoldStatus = (typeof CARD_HOLD_STATUSES)[number];

/** State of a hold that a gateway reports. */
export type CardHoldEvent = Exclude<StoredCardHoldStatus, "requested">;

const RANK: Readonly<Record<StoredCardHoldStatus, number>> = {
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
export function applyCardHoldEvent(status: StoredCardHoldStatus, event: CardHoldEvent): StoredCardHoldStatus {
  return RANK[event] > RANK[status] ? event : status;
}

/** Data of a card hold that decides its state. Times in epoch ms. */
export interface StoredCardHold {
  readonly status: StoredCardHoldStatus;
  /** Time at which the card's bank ends the hold, epoch ms. */
  readonly expiresAt: number | null;
  readonly linkStatus: PaymentLinkStatus;
}

/** Returns the state of a hold at `now`, epoch ms. Without an authorisation it ends with its link. */
export function getCardHoldStatus({ status, expiresAt, linkStatus }: StoredCardHold, now: number): CardHoldStatus {
  if (status === "authorised") return (expiresAt ?? 0) > now ? "authorised" : "expired";
  if (status !== "requested" && status !== "failed") return status;
  if (linkStatus === "cancelled") return "released";
  return linkStatus === "expired" ? "expired" : status;
}

/** Reason to refuse a capture or release. */
export type CardHoldActionProblem = "holdNotAuthorised" | "holdInProgress" | "moreThanHeld";

/** Hold about to be captured or released. */
export interface CardHoldBeforeAction {
  readonly status: CardHoldStatus;
  readonly amountCents: Cents;
  readonly actionState: "waiting" | "sent" | "refused" | null;
}

/** Returns why a hold can't be captured or released now. Each hold is captured once, in part or in full. */
export function findCardHoldActionProblem(
  hold: CardHoldBeforeAction,
  cents: Cents | undefined,
): CardHoldActionProblem | undefined {
  if (hold.status !== "authorised") return "holdNotAuthorised";
  if (hold.actionState === "waiting" || hold.actionState === "sent") return "holdInProgress";
  return cents !== undefined && cents > hold.amountCents ? "moreThanHeld" : undefined;
}

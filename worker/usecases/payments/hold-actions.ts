import { hasRight } from "#domain/access/rights.ts";
import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Cents } from "#domain/money.ts";
import { type CardHoldStatus, findCardHoldActionProblem, getCardHoldStatus } from "#domain/payments/card-holds.ts";
import { getPaymentLinkStatus } from "#domain/payments/payment-links.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { recordBookingChangeStatements } from "#worker/store/documents/document-requests.ts";
import { bookingAmountsQuery } from "#worker/store/documents/issued-documents.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import {
  type CardHoldRow,
  cardHoldQuery,
  linkCardHoldQuery,
  requestCardHoldActionStatement,
} from "#worker/store/payments/card-holds.ts";
import type { OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import { createPaymentLink, type PaymentLinkAnswer, type RequestedPaymentLink } from "./payment-links.ts";
import { sendCardHoldAction } from "./send-hold-actions.ts";

/** Hold as the office sees it. */
export type CardHoldAnswer = Omit<CardHoldRow, "status" | "linkStatus"> & { readonly status: CardHoldStatus };

/** Returns a hold with its state at `now`, epoch ms. */
export function toCardHoldAnswer(row: CardHoldRow, now: number): CardHoldAnswer {
  const { linkStatus, linkExpiresAt, ...hold } = row;
  const link = getPaymentLinkStatus({ status: linkStatus, expiresAt: linkExpiresAt }, now);
  return { ...hold, linkExpiresAt, status: getCardHoldStatus({ ...hold, linkStatus: link }, now) };
}

/** Hold that was requested, with the link to authorise it. */
export interface CardHoldWithLink {
  readonly hold: CardHoldAnswer;
  readonly link: PaymentLinkAnswer;
}

/** Requests a card hold by a link, once per key. */
export async function requestCardHoldByLink(
  write: OfficeWrite,
  bookingId: number,
  requested: Omit<RequestedPaymentLink, "purpose">,
): Promise<Result<StaffAnswer<CardHoldWithLink>, OfficeRefusal>> {
  const created = await createPaymentLink(write, bookingId, { ...requested, purpose: "hold" });
  if (!created.ok) return created;
  const { value: link, freshToken } = created.value;
  const [[row]] = await write.tenant.db.batch([linkCardHoldQuery(write.tenant.db, { linkId: link.id })]);
  return row
    ? ok({ value: { hold: toCardHoldAnswer(row, write.now), link }, freshToken })
    : err({ kind: "holdNotFound" });
}

/** Capture or release of a card hold, as staff request it. */
export type CardHoldCaptureOrRelease =
  | { readonly action: "capture"; readonly cents: Cents; readonly reason: string }
  | { readonly action: "release" };

/**
 * Captures or releases a hold at its gateway, once per key. The request is stored before it's sent, and the gateway's
 * answer or notification decides. More than is due is only captured by a manager.
 */
export async function captureOrReleaseCardHold(
  write: OfficeWrite,
  id: number,
  end: CardHoldCaptureOrRelease,
  sendToGateway: SendToGateway,
): Promise<Result<StaffAnswer<CardHoldAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const at = write.now;
  const bookingId = await findBooking(write, id);
  const writeResult = await runOfficeWriteOnce(write, {
    right: "hand_over",
    requiresRecentFactor: end.action === "capture",
    content: { endHold: id, end },
    read: () => [cardHoldQuery(db, { id }), bookingAmountsQuery(db, { bookingId })] as const,
    decide: ({ rows: [[row], [booking]], staff, actor }) => {
      if (!row || !booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode))
        return err({ kind: "holdNotFound" });
      const { action, cents, reason } = end.action === "capture" ? end : { ...end, cents: undefined, reason: null };
      const problem = findHoldCaptureOrReleaseProblem(staff, { hold: row, booking, cents, at });
      if (problem) return err({ kind: problem });
      const request = { action, cents: cents ?? null, reason, userId: staff.userId, at };
      const detail = { [ACTION_DETAILS[action]]: id, cents, reason };
      return ok({
        resource: String(id),
        statements: [
          expectBookingVersionStatement(db, booking),
          requestCardHoldActionStatement(db, id, request),
          ...recordBookingChangeStatements(db, booking.id, { at, actor, detail }),
        ],
      });
    },
    readBack: () => [cardHoldQuery(db, { id }), bookingAmountsQuery(db, { bookingId })] as const,
    answer: ([[row], [booking]], { staff }) =>
      row && booking && canAccessBranch(staff, booking.branchCode, booking.returnBranchCode)
        ? ok(toCardHoldAnswer(row, at))
        : err({ kind: "holdNotFound" }),
  });
  if (!writeResult.ok) return writeResult;
  await sendCardHoldAction(write.tenant, id, { now: at, sendToGateway });
  const [[row]] = await db.batch([cardHoldQuery(db, { id })]);
  return row ? ok({ ...writeResult.value, value: toCardHoldAnswer(row, at) }) : err({ kind: "holdNotFound" });
}

const ACTION_DETAILS = { capture: "cardHoldCapture", release: "cardHoldRelease" } as const;

/** Returns why a hold can't be captured for `cents`, or can't be released if `cents` is undefined. */
export function findHoldCaptureOrReleaseProblem(
  staff: SignedInUser,
  {
    hold,
    booking,
    cents,
    at,
  }: {
    readonly hold: CardHoldRow;
    readonly booking: Money;
    readonly cents: Cents | undefined;
    readonly at: number;
  },
) {
  return findCardHoldActionProblem(toCardHoldAnswer(hold, at), cents) ?? refuseCapture(staff, booking, cents);
}

function refuseCapture({ role }: SignedInUser, booking: Money, cents = 0): "moreThanDue" | undefined {
  return cents > 0 && !hasRight(role, "manage") && cents > getReservationDueCents(booking) ? "moreThanDue" : undefined;
}

async function findBooking({ tenant: { db } }: OfficeWrite, id: number): Promise<number> {
  const [[row]] = await db.batch([cardHoldQuery(db, { id })]);
  return row?.bookingId ?? 0;
}

type Money = NonNullable<Awaited<ReturnType<typeof bookingAmountsQuery>>[number]>;

/** Returns the amount that a reservation owes. */
export function getReservationDueCents({ status, cancellationReason, cancellationFeeCents, ...booking }: Money): Cents {
  const isOver = status === "cancelled" && cancellationReason !== "expired";
  const owedCents = isOver ? cancellationFeeCents : booking.totalCents - booking.agentPrepaidCents;
  return Math.max(0, owedCents - booking.totalPaidCents);
}

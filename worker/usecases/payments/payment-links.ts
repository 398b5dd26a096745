import { hasRight } from "#domain/access/rights.ts";
import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Cents } from "#domain/money.ts";
import {
  applyPaymentLinkEvent,
  getDueCentsForPurpose,
  getPaymentLinkAmount,
  getPaymentLinkStatus,
  type OwingBooking,
  type PaymentLinkPurpose,
  type PaymentLinkStatus,
} from "#domain/payments/payment-links.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  bookingForPaymentLinkQuery,
  cancelPaymentLinkStatements,
  newPaymentLinkStatements,
  type PaymentLinkRow,
  paymentLinkQuery,
} from "#worker/store/payments/payment-links.ts";
import type { OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";

const DAY = 86_400_000;
const DEFAULT_DAYS = 7;
const MAX_DAYS = 366;

/** Link requested by staff. */
export interface RequestedPaymentLink {
  readonly purpose: PaymentLinkPurpose;
  /** Amount to pay. Defaults to the amount due. */
  readonly cents: Cents | undefined;
  /** End of the link's validity, epoch ms. Defaults to a week from now. */
  readonly expiresAt: number | undefined;
  /** Whether the customer gets the link by mail. */
  readonly send: boolean;
}

/** Creates a payment link for a reservation, once per key. */
export async function createPaymentLink(
  write: OfficeWrite,
  bookingId: number,
  requested: RequestedPaymentLink,
): Promise<Result<StaffAnswer<PaymentLinkAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const { purpose, send } = requested;
  const at = write.now;
  return runOfficeWriteOnce(write, {
    right: "hand_over",
    content: { paymentLink: bookingId, requested },
    read: () => [bookingForPaymentLinkQuery(db, { bookingId })] as const,
    decide: ({ rows: [[booking]], staff, actor }) => {
      if (!booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode))
        return err({ kind: "reservationNotFound" });
      const expiresAt = requested.expiresAt ?? at + DEFAULT_DAYS * DAY;
      const amountCents = requested.cents ?? getDueCentsForPurpose(purpose, booking);
      const refused = refuseLink({ purpose, amountCents, expiresAt, send }, booking, at);
      if (refused) return refused;
      if (purpose === "hold" && exceedsDeposit(staff, booking, amountCents)) {
        const maximumCents = getDueCentsForPurpose(purpose, booking);
        return err({ kind: "moreThanDeposit", cents: amountCents, maximumCents });
      }
      const row = {
        ...{ id: booking.nextLinkId, bookingId, token: createFreeAccessId() },
        ...{ purpose, amountCents, expiresAt, createdAt: at },
      };
      return ok({ resource: String(row.id), statements: newPaymentLinkStatements(db, row, { actor, send }) });
    },
    readBack: (id) => [paymentLinkQuery(db, { id: Number(id) })] as const,
    answer: ([[found]], { staff }) =>
      isLinkAccessible(found, staff) ? ok(toPaymentLinkAnswer(found.link, at)) : err({ kind: "paymentLinkNotFound" }),
  });
}

interface LinkToCheck {
  readonly purpose: PaymentLinkPurpose;
  readonly amountCents: Cents;
  readonly expiresAt: number;
  readonly send: boolean;
}

function refuseLink(
  { expiresAt, send, ...link }: LinkToCheck,
  booking: OwingBooking & { readonly customerEmail: string | null },
  at: number,
): Result<never, OfficeRefusal> | undefined {
  const latest = at + MAX_DAYS * DAY;
  const problems: { readonly field: string; readonly reason: Reason }[] = [];
  const refuse = (field: string, refusalReason: Reason) => problems.push({ field, reason: refusalReason });
  if (expiresAt <= at) refuse("expires_at", createReason("later", new Date(at).toISOString()));
  if (expiresAt > latest) refuse("expires_at", createReason("not_after", new Date(latest).toISOString()));
  if (send && !booking.customerEmail) refuse("send", createReason("together", "customer.email"));
  const [first, ...others] = problems;
  if (first) return err({ kind: "invalid", ...first, others });
  return getPaymentLinkAmount(link, booking) === 0 ? err({ kind: "nothingDue" }) : undefined;
}

// Whether a hold is higher than the deposit due. Without an agreed deposit, managers set the amount.
function exceedsDeposit({ role }: SignedInUser, booking: OwingBooking, cents: Cents): boolean {
  if (booking.totalDepositCents === 0) return !hasRight(role, "manage");
  return cents > getDueCentsForPurpose("hold", booking);
}

/** Cancels an unused link, once per key. A link that was used or has ended stays as it is. */
export async function cancelPaymentLink(
  write: OfficeWrite,
  { id, bookingId }: { readonly id: number; readonly bookingId?: number },
): Promise<Result<StaffAnswer<PaymentLinkAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const at = write.now;
  return runOfficeWriteOnce(write, {
    right: "hand_over",
    content: { cancelPaymentLink: id },
    read: () => [paymentLinkQuery(db, { id })] as const,
    decide: ({ rows: [[found]], staff, actor }) => {
      if (!isLinkAccessible(found, staff) || (bookingId !== undefined && found.link.bookingId !== bookingId))
        return err({ kind: "paymentLinkNotFound" });
      const { status } = found.link;
      if (status === "cancelled") return ok({ resource: String(id), statements: [] });
      if (applyPaymentLinkEvent(status, "cancelled") !== "cancelled") return err({ kind: "paymentLinkUsed" });
      return ok({ resource: String(id), statements: cancelPaymentLinkStatements(db, { ...found.link, actor, at }) });
    },
    readBack: () => [paymentLinkQuery(db, { id })] as const,
    answer: ([[found]], { staff }) =>
      isLinkAccessible(found, staff) ? ok(toPaymentLinkAnswer(found.link, at)) : err({ kind: "paymentLinkNotFound" }),
  });
}

type FoundLink = Awaited<ReturnType<typeof paymentLinkQuery>>[number];

function isLinkAccessible(link: FoundLink | undefined, staff: SignedInUser): link is FoundLink {
  return link !== undefined && canAccessBranch(staff, link.branchCode, link.returnBranchCode);
}

/** Link as the office sees it. */
export type PaymentLinkAnswer = Omit<PaymentLinkRow, "status"> & { readonly status: PaymentLinkStatus };

/** Returns a link with its state at `now`, epoch ms. */
export function toPaymentLinkAnswer(link: PaymentLinkRow, now: number): PaymentLinkAnswer {
  return { ...link, status: getPaymentLinkStatus(link, now) };
}

import { hasRight, mayGiveAway } from "#domain/access/rights.ts";
import { canAccessBranch, type SignedIn } from "#domain/access/sessions.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import { PAYMENT_METHODS, type PaymentMethod } from "#domain/payments/charges.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { expectVersion } from "#worker/store/bookings/expected-version.ts";
import type { Answers, Database, Query } from "#worker/store/database.ts";
import { changeStatements } from "#worker/store/documents/document-requests.ts";
import {
  bookingMoneyQuery,
  type FirmDocumentRow,
  firmDocumentsQuery,
  toCreditable,
} from "#worker/store/documents/firm-documents.ts";
import { chargeStatements } from "#worker/store/payments/charges.ts";
import {
  askRefundStatement,
  decideRefundStatement,
  type RefundRow,
  refundFactsQuery,
  refundQuery,
  waitingRefundsQuery,
} from "#worker/store/payments/refunds.ts";
import {
  chargesOfBookingQuery,
  documentsOfBookingQuery,
  externalCodesQuery,
} from "#worker/store/reporting/document-lists.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import {
  type OfficeAnswer,
  type OfficeRefusal,
  type OfficeWrite,
  refuseWithout,
} from "#worker/usecases/bookings/moves/office-context.ts";
import type { ContractDocuments } from "#worker/usecases/documents/read-contract-documents.ts";
import { draftRefundNotes } from "#worker/usecases/documents/refund-notes.ts";
import { type DecidedWrite, writeOnce } from "#worker/usecases/operations/office-write.ts";

/** Money that is to go back to a customer. */
export interface WantedRefund {
  /** All that is owed back where absent. */
  readonly cents: Cents | undefined;
  /** The way it came where absent. */
  readonly method: PaymentMethod | undefined;
  readonly reason: string;
  readonly externalOperationNumber: string | undefined;
}

/** What became of a refund, and the contract's papers and money after it. */
export interface RefundAnswer extends ContractDocuments {
  readonly request: RefundRow["request"] | undefined;
  readonly askedByName: string | null;
  readonly decidedByName: string | null;
}

type Money = NonNullable<Awaited<ReturnType<typeof bookingMoneyQuery>>[number]>;

/** What is owed back: too much, or what was paid of something cancelled beyond its fee. */
export function owedBack(booking: Money): Cents {
  const { status, totalPaidCents, cancellationFeeCents, totalCents, agentPrepaidCents } = booking;
  const owed = status === "cancelled" ? cancellationFeeCents : totalCents - agentPrepaidCents;
  return Math.max(0, totalPaidCents - owed);
}

/**
 * Gives money of a contract back, once for each key: at once up to the account's second limit, above it when another
 * manager approves. What comes back of what is invoiced brings its credit notes.
 */
export function refundReservation(
  write: OfficeWrite,
  bookingId: number,
  wanted: WantedRefund,
): Promise<Result<OfficeAnswer<RefundAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  return writeOnce(write, {
    right: "give_away",
    paysOut: true,
    content: { refund: bookingId, wanted },
    read: () => [...moneyQueries(db, bookingId), refundFactsQuery(db, { bookingId })] as const,
    answer: (resource) => readRefund(write, bookingId, Number(resource)),
    decide: ({ rows: [[booking], documents, [facts]], staff, catalogue: { settings }, actor }) => {
      if (!booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode))
        return refuse({ kind: "reservationNotFound" });
      const cents = wanted.cents ?? owedBack(booking);
      const refused = refuseRefund(booking, { cents, waitingCents: facts?.waitingCents ?? 0 }, staff, settings);
      if (refused) return refused;
      const method = wanted.method ?? methodOf(facts?.lastMethod);
      const refund = { bookingId, cents, method, externalOperationNumber: wanted.externalOperationNumber };
      if (cents > settings.refundApprovalCents) {
        const id = facts?.nextId ?? 1;
        const statements = askStatements(db, write, { refund, id, staff, reason: wanted.reason, actor });
        return ok({ resource: String(id), statements });
      }
      const { reason } = wanted;
      const made = { actor, at: write.now, uid: `refund:${bookingId}:${booking.version}`, reason };
      return ok({ resource: "0", ...refundWrites(db, { booking, documents, settings }, refund, made) });
    },
  });
}

function refuseRefund(
  booking: Money,
  { cents, waitingCents }: { readonly cents: Cents; readonly waitingCents: Cents },
  staff: SignedIn,
  { agentLimitCents: limitCents }: Settings,
): Result<never, OfficeRefusal> | undefined {
  if (cents === 0) return refuse({ kind: "nothingToRefund" });
  if (cents > booking.totalPaidCents - waitingCents) return refuse({ kind: "moreThanPaid" });
  return mayGiveAway(staff.role, cents, limitCents) ? undefined : refuse({ kind: "aboveLimit", limitCents });
}

function moneyQueries(db: Database, bookingId: number) {
  return [bookingMoneyQuery(db, { bookingId }), firmDocumentsQuery(db, bookingId)] as const;
}

function methodOf(name: string | null | undefined): PaymentMethod {
  return PAYMENT_METHODS.find((method) => method === name) ?? "bank_transfer";
}

interface Refund {
  readonly bookingId: number;
  readonly cents: Cents;
  readonly method: PaymentMethod;
  readonly externalOperationNumber: string | undefined;
}

function toRefund(request: RefundRow["request"]): Refund {
  return {
    bookingId: request.bookingId,
    cents: request.amountCents,
    method: methodOf(request.paymentMethodId),
    externalOperationNumber: request.externalOperationNumber ?? undefined,
  };
}

function askStatements(
  db: Database,
  { now }: OfficeWrite,
  {
    refund,
    id,
    staff,
    reason,
    actor,
  }: {
    readonly refund: Refund;
    readonly id: number;
    readonly staff: SignedIn;
    readonly reason: string;
    readonly actor: string;
  },
): readonly Query[] {
  const { bookingId, cents, method, externalOperationNumber } = refund;
  return [
    askRefundStatement(db, {
      id,
      bookingId,
      amountCents: cents,
      paymentMethodId: method,
      reason,
      externalOperationNumber: externalOperationNumber ?? null,
      askedBy: staff.userId,
      askedAt: now,
    }),
    ...changeStatements(db, bookingId, { at: now, actor, detail: { refundAsked: cents, reason } }),
  ];
}

function refundWrites(
  db: Database,
  found: { readonly booking: Money; readonly documents: readonly FirmDocumentRow[]; readonly settings: Settings },
  { bookingId, cents, method, externalOperationNumber }: Refund,
  {
    actor,
    at,
    uid,
    reason,
  }: { readonly actor: string; readonly at: number; readonly uid: string; readonly reason: string },
): Omit<DecidedWrite, "resource"> {
  const { booking, documents, settings } = found;
  const { date } = civilNow(settings.timezone, at);
  const notes = draftRefundNotes(
    { ...booking, documents: documents.map(toCreditable) },
    cents,
    settings.defaultLanguage,
  );
  const writing = { at, date, bookingId, issued: true, series: settings };
  const toIssue = notes.map((draft, index) => ({ draft, writing: { ...writing, uid: `${uid}:${index}` } }));
  const after = [
    ...chargeStatements(db, [
      {
        uid,
        kind: "payment",
        bookingId,
        document: notes.length > 0 ? { uid: `${uid}:0` } : undefined,
        amountCents: cents,
        currency: settings.currency,
        method,
        at,
        branchCode: booking.branchCode,
        salesChannelCode: booking.salesChannelCode ?? undefined,
        externalOperationNumber,
        origin: "desk",
      },
    ]),
    ...changeStatements(db, bookingId, { at, actor, detail: { charge: "payment", cents, reason } }),
  ];
  return { statements: [expectVersion(db, booking)], issues: { documents: toIssue, after } };
}

/** Approves or declines a refund that waits, by another manager than the one who asked, once for each key. */
export function decideRefund(
  write: OfficeWrite,
  id: number,
  isApproved: boolean,
): Promise<Result<OfficeAnswer<RefundAnswer>, OfficeRefusal>> {
  return readThen(write, id, (bookingId) => decideRefundOf(write, { id, bookingId, isApproved }));
}

function decideRefundOf(
  write: OfficeWrite,
  asked: { readonly id: number; readonly bookingId: number; readonly isApproved: boolean },
): Promise<Result<OfficeAnswer<RefundAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const { id, bookingId, isApproved } = asked;
  return writeOnce(write, {
    right: "manage",
    paysOut: isApproved,
    content: { decideRefund: id, isApproved },
    read: () => [...moneyQueries(db, bookingId), refundQuery(db, { id })] as const,
    answer: () => readRefund(write, bookingId, id),
    decide: ({ rows: [[booking], documents, [found]], staff, catalogue: { settings }, actor }) => {
      if (!booking || !found) return refuse({ kind: "refundNotFound" });
      const refused = refuseDecision(found, staff, isApproved ? booking.totalPaidCents : undefined);
      if (refused) return refused;
      const at = write.now;
      const state = isApproved ? ("approved" as const) : ("declined" as const);
      const decided = decideRefundStatement(db, id, { state, userId: staff.userId, at });
      const { request } = found;
      const made = { actor, at, uid: `refund-request:${id}`, reason: request.reason ?? "" };
      const resource = String(id);
      if (isApproved) {
        const writes = refundWrites(db, { booking, documents, settings }, toRefund(request), made);
        return ok({ resource, ...writes, statements: [decided, ...writes.statements] });
      }
      const declined = changeStatements(db, bookingId, { at, actor, detail: { refundDeclined: request.amountCents } });
      return ok({ resource, statements: [decided, ...declined] });
    },
  });
}

// Who asked may think better of it, and never say yes alone.
function refuseDecision(
  { request }: RefundRow,
  staff: SignedIn,
  paidCents: Cents | undefined,
): Result<never, OfficeRefusal> | undefined {
  if (request.state !== "waiting") return refuse({ kind: "refundDecided" });
  if (paidCents === undefined) return undefined;
  if (request.askedBy === staff.userId) return refuse({ kind: "secondPersonNeeded" });
  return request.amountCents > paidCents ? refuse({ kind: "moreThanPaid" }) : undefined;
}

// Which contract it is of decides what is read.
async function readThen(
  request: StaffRequest,
  id: number,
  go: (bookingId: number) => Promise<Result<OfficeAnswer<RefundAnswer>, OfficeRefusal>>,
): Promise<Result<OfficeAnswer<RefundAnswer>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => [refundQuery(request.tenant.db, { id })]);
  if (!read.ok) return read;
  const { staff, rows } = read.value;
  const [found] = rows[0];
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  if (!found || !canAccessBranch(staff, found.branchCode, found.returnBranchCode))
    return refuse({ kind: "refundNotFound" });
  return go(found.request.bookingId);
}

async function readRefund(
  request: StaffRequest,
  bookingId: number,
  id: number,
): Promise<Result<OfficeAnswer<RefundAnswer>, OfficeRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(
    request,
    () =>
      [
        bookingMoneyQuery(db, { bookingId }),
        documentsOfBookingQuery(db, { bookingId }),
        chargesOfBookingQuery(db, { bookingId }),
        externalCodesQuery(db, {}),
        refundQuery(db, { id }),
      ] as const,
  );
  if (!read.ok) return read;
  const { freshToken, rows } = read.value;
  const [[booking], documents, charges, codes, [found]] = rows;
  if (!booking) return refuse({ kind: "reservationNotFound" });
  const value = {
    documents,
    charges,
    heldCents: booking.heldCents,
    codes: new Map(codes.map((one) => [one.code, one])),
    request: found?.request,
    askedByName: found?.askedByName ?? null,
    decidedByName: found?.decidedByName ?? null,
  };
  return ok({ value, freshToken });
}

/** The refunds that wait for a second person at the branches of who asks. */
export async function listWaitingRefunds(
  request: StaffRequest,
): Promise<Result<OfficeAnswer<Answers<readonly [ReturnType<typeof waitingRefundsQuery>]>[0]>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => [waitingRefundsQuery(request.tenant.db, {})]);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  if (!hasRight(staff.role, "see")) return refuse({ kind: "rightMissing", right: "see" });
  return ok({
    value: rows[0].filter((one) => canAccessBranch(staff, one.branchCode, one.returnBranchCode)),
    freshToken,
  });
}

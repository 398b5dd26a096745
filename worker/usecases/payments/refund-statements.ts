import { getCashDrawerBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import { PAYMENT_METHODS, type PaymentMethod } from "#domain/payments/charges.ts";
import { isRefundReported } from "#domain/payments/entered-refunds.ts";
import {
  type RefundablePayment,
  splitRefundOverPayments,
  sumRefundableCents,
} from "#domain/payments/gateway-refunds.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { gateways } from "#worker/gateways/gateways.ts";
import type { Database } from "#worker/store/database.ts";
import { type ContractToInvoiceRows, contractToInvoiceQueries } from "#worker/store/documents/contract-to-invoice.ts";
import { recordBookingChangeStatements } from "#worker/store/documents/document-requests.ts";
import {
  type BookingOrRefundId,
  bookingAmountsQuery,
  toNamedBookingValues,
} from "#worker/store/documents/issued-documents.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import { newChargesStatements } from "#worker/store/payments/charges.ts";
import { insertGatewayRefundStatement, refundablePaymentsQuery } from "#worker/store/payments/gateway-refunds.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { createRefundDocuments } from "#worker/usecases/documents/refund-documents.ts";
import type { OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import type { OfficeWriteDecision } from "#worker/usecases/office/office-write.ts";

export type BookingAmountsRow = NonNullable<Awaited<ReturnType<typeof bookingAmountsQuery>>[number]>;
type PaymentRow = Awaited<ReturnType<typeof refundablePaymentsQuery>>[number];

/** Refund of a booking whose amount and payment method are decided. */
export interface DecidedRefund {
  readonly bookingId: number;
  readonly cents: Cents;
  readonly method: PaymentMethod;
  readonly externalOperationNumber: string | undefined;
  readonly reason: string;
  /** Whether staff pay the refund manually, regardless of the original method. */
  readonly byHand: boolean;
  /** Request that two people approved. */
  readonly requestId?: number;
}

/** Actor, time and uid of a refund's records. */
export interface RefundRecordContext {
  readonly actor: string;
  readonly staff: SignedInUser;
  readonly at: number;
  readonly uid: string;
}

/** Data for a refund: the contract, the basis of its documents, and its gateway payments. */
export interface RefundDecisionData {
  readonly booking: BookingAmountsRow;
  readonly rows: ContractToInvoiceRows;
  readonly payments: readonly PaymentRow[];
  readonly settings: Settings;
}

export function refundDecisionQueries(db: Database, bookingKey: BookingOrRefundId) {
  return [
    bookingAmountsQuery(db, bookingKey),
    refundablePaymentsQuery(db, toNamedBookingValues(bookingKey)),
    ...contractToInvoiceQueries(db, bookingKey),
  ] as const;
}

/** Returns the payment method with this name. Unknown and missing ones count as bank transfer. */
export function toPaymentMethodOrBankTransfer(name: string | null | undefined): PaymentMethod {
  return PAYMENT_METHODS.find((method) => method === name) ?? "bank_transfer";
}

/** Statements and result of a refund, without the id of its resource. */
export type RefundWrites = Omit<OfficeWriteDecision, "resource">;

/** Writes of a refund, and the gateway refunds to send afterwards. */
export interface RefundPlan {
  readonly writes: RefundWrites;
  readonly gatewayIds: readonly number[];
}

/**
 * Plans a refund at the original gateway if its protocol supports it, otherwise an immediate manual one. Refuses more
 * than the gateway received. The rest must be refunded in another way.
 */
export function planRefund(
  db: Database,
  facts: RefundDecisionData,
  refund: DecidedRefund,
  context: RefundRecordContext,
): Result<RefundPlan, OfficeRefusal> {
  const payments = refund.byHand || refund.externalOperationNumber ? [] : atGateway(facts.payments, refund.method);
  const refundableCents = sumRefundableCents(payments);
  if (refundableCents === 0) {
    if (isRefundReported(facts.booking.reportedRefunds, refund)) return err({ kind: "refundReported" });
    const branchCode = getCashDrawerBranch(context.staff, facts.booking);
    return ok({ writes: createManualRefundWrites(db, facts, refund, { ...context, branchCode }), gatewayIds: [] });
  }
  if (refund.cents > refundableCents) return err({ kind: "moreThanGatewayTook", cents: refundableCents });
  return ok(gatewayPlan(db, facts, refund, context));
}

// Returns the payments made with a method, if its gateway supports refunds.
function atGateway(payments: readonly PaymentRow[], method: PaymentMethod): readonly RefundablePayment[] {
  return payments.filter((payment) => {
    const { chargeMethod, protocol } = gateways[payment.method];
    return chargeMethod === method && protocol.refunds !== undefined;
  });
}

function gatewayPlan(
  db: Database,
  { booking, payments }: RefundDecisionData,
  { bookingId, cents, method, reason, requestId }: DecidedRefund,
  { actor, staff, at }: RefundRecordContext,
): RefundPlan {
  const parts = splitRefundOverPayments(atGateway(payments, method), cents);
  const firstId = payments[0]?.nextId ?? 1;
  const refundStatements = parts.map((part, index) =>
    insertGatewayRefundStatement(db, {
      id: firstId + index,
      bookingId,
      intentId: part.intentId,
      requestId: requestId ?? null,
      amountCents: part.cents,
      reason,
      requestedBy: staff.userId,
      requestedAt: at,
    }),
  );
  const detail = { refundAtGateway: cents, reason };
  return {
    writes: {
      statements: [
        expectBookingVersionStatement(db, booking),
        ...refundStatements,
        ...recordBookingChangeStatements(db, bookingId, { at, actor, detail }),
      ],
    },
    gatewayIds: parts.map((_, index) => firstId + index),
  };
}

/** Creates the writes of a manual refund: credit notes for invoiced amounts, and the charge. */
export function createManualRefundWrites(
  db: Database,
  { booking, rows, settings }: Omit<RefundDecisionData, "payments">,
  { bookingId, cents, method, externalOperationNumber, reason }: Omit<DecidedRefund, "byHand">,
  { actor, at, uid, branchCode }: Omit<RefundRecordContext, "staff"> & { readonly branchCode: string },
): RefundWrites {
  const { date } = toCivilNow(settings.timezone, at);
  const draftedDocuments = createRefundDocuments({ booking, rows }, cents, { at, date, uid, settings });
  const after = [
    ...newChargesStatements(db, [
      {
        uid,
        kind: "payment",
        bookingId,
        document: draftedDocuments.creditNote,
        amountCents: cents,
        currency: settings.currency,
        method,
        at,
        branchCode,
        salesChannelCode: booking.salesChannelCode ?? undefined,
        externalOperationNumber,
        origin: "desk",
      },
    ]),
    ...recordBookingChangeStatements(db, bookingId, {
      at,
      actor,
      detail: { charge: "payment", cents, payment_method_id: method, reason },
    }),
  ];
  return {
    statements: [expectBookingVersionStatement(db, booking)],
    issuedDocuments: { documents: draftedDocuments.documents, after },
  };
}

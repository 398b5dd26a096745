import { branchAtDesk, type SignedIn } from "#domain/access/sessions.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import { PAYMENT_METHODS, type PaymentMethod } from "#domain/payments/charges.ts";
import { type RefundablePayment, shareRefund, sumRefundable } from "#domain/payments/gateway-refunds.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { gateways } from "#worker/gateways/gateways.ts";
import { expectVersion } from "#worker/store/bookings/expected-version.ts";
import type { Database } from "#worker/store/database.ts";
import { type ContractToInvoiceRows, contractToInvoiceQueries } from "#worker/store/documents/contract-to-invoice.ts";
import { changeStatements } from "#worker/store/documents/document-requests.ts";
import { bookingMoneyQuery, bookingNamed, type MoneyName } from "#worker/store/documents/firm-documents.ts";
import { chargeStatements } from "#worker/store/payments/charges.ts";
import { insertGatewayRefund, refundablePaymentsQuery } from "#worker/store/payments/gateway-refunds.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type { OfficeRefusal } from "#worker/usecases/bookings/moves/office-context.ts";
import { refundPapers } from "#worker/usecases/documents/refund-papers.ts";
import type { DecidedWrite } from "#worker/usecases/operations/office-write.ts";

export type Money = NonNullable<Awaited<ReturnType<typeof bookingMoneyQuery>>[number]>;
type PaymentRow = Awaited<ReturnType<typeof refundablePaymentsQuery>>[number];

/** Money that goes back, decided. */
export interface Refund {
  readonly bookingId: number;
  readonly cents: Cents;
  readonly method: PaymentMethod;
  readonly externalOperationNumber: string | undefined;
  readonly reason: string;
  /** A person gives it back, whatever took it. */
  readonly byHand: boolean;
  /** That two people decided on. */
  readonly requestId?: number;
}

/** Who gives it back, when, and the uid of what is written for it. */
export interface Making {
  readonly actor: string;
  readonly staff: SignedIn;
  readonly at: number;
  readonly uid: string;
}

/** What is read to give money back: the contract's, what its documents are made from, its payments at gateways. */
export interface RefundFacts {
  readonly booking: Money;
  readonly rows: ContractToInvoiceRows;
  readonly payments: readonly PaymentRow[];
  readonly settings: Settings;
}

export function moneyQueries(db: Database, named: MoneyName) {
  return [
    bookingMoneyQuery(db, named),
    refundablePaymentsQuery(db, bookingNamed(named)),
    ...contractToInvoiceQueries(db, named),
  ] as const;
}

export function toPaymentMethod(name: string | null | undefined): PaymentMethod {
  return PAYMENT_METHODS.find((method) => method === name) ?? "bank_transfer";
}

/** What a refund writes. */
export type RefundWrites = Omit<DecidedWrite, "resource">;

/** What a refund writes, and which refunds a gateway is to be asked for after it. */
export interface RefundPlan {
  readonly writes: RefundWrites;
  readonly gatewayIds: readonly number[];
}

/**
 * Plans a refund: at the gateway that took the money where its protocol can, else by hand, at once. Refused is more
 * than the gateway took: what it did not take is given back in another way.
 */
export function planRefund(
  db: Database,
  facts: RefundFacts,
  refund: Refund,
  making: Making,
): Result<RefundPlan, OfficeRefusal> {
  const payments = refund.byHand || refund.externalOperationNumber ? [] : atGateway(facts.payments, refund.method);
  const refundableCents = sumRefundable(payments);
  if (refundableCents === 0) {
    const branchCode = branchAtDesk(making.staff, facts.booking);
    return ok({ writes: createManualRefund(db, facts, refund, { ...making, branchCode }), gatewayIds: [] });
  }
  if (refund.cents > refundableCents) return err({ kind: "moreThanGatewayTook", cents: refundableCents });
  return ok(gatewayPlan(db, facts, refund, making));
}

// The payments of a charge's method, where its gateway gives money back by itself.
function atGateway(payments: readonly PaymentRow[], method: PaymentMethod): readonly RefundablePayment[] {
  return payments.filter((payment) => {
    const { chargeMethod, protocol } = gateways[payment.method];
    return chargeMethod === method && protocol.refunds !== undefined;
  });
}

function gatewayPlan(
  db: Database,
  { booking, payments }: RefundFacts,
  { bookingId, cents, method, reason, requestId }: Refund,
  { actor, staff, at }: Making,
): RefundPlan {
  const parts = shareRefund(atGateway(payments, method), cents);
  const firstId = payments[0]?.nextId ?? 1;
  const refundStatements = parts.map((part, index) =>
    insertGatewayRefund(db, {
      id: firstId + index,
      bookingId,
      intentId: part.intentId,
      requestId: requestId ?? null,
      amountCents: part.cents,
      reason,
      askedBy: staff.userId,
      askedAt: at,
    }),
  );
  const detail = { refundAtGateway: cents, reason };
  return {
    writes: {
      statements: [
        expectVersion(db, booking),
        ...refundStatements,
        ...changeStatements(db, bookingId, { at, actor, detail }),
      ],
    },
    gatewayIds: parts.map((_, index) => firstId + index),
  };
}

/** What is written of money that a person gives back: the credit notes of what was invoiced, and the charge. */
export function createManualRefund(
  db: Database,
  { booking, rows, settings }: Omit<RefundFacts, "payments">,
  { bookingId, cents, method, externalOperationNumber, reason }: Omit<Refund, "byHand">,
  { actor, at, uid, branchCode }: Omit<Making, "staff"> & { readonly branchCode: string },
): RefundWrites {
  const { date } = civilNow(settings.timezone, at);
  const papers = refundPapers({ booking, rows }, cents, { at, date, uid, settings });
  const after = [
    ...chargeStatements(db, [
      {
        uid,
        kind: "payment",
        bookingId,
        document: papers.note,
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
    ...changeStatements(db, bookingId, { at, actor, detail: { charge: "payment", cents, reason } }),
  ];
  return { statements: [expectVersion(db, booking)], issues: { documents: papers.documents, after } };
}

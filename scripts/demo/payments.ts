import type { CustomerType } from "#domain/bookings/bookings.ts";
import { type CivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { PaymentMethod } from "#domain/payments/charges.ts";
import type { DemoContract } from "./contracts.ts";
import type { DemoCompany } from "./describe-company.ts";
import { getAccountingProcessedUntil, type NumberedDocuments, type PlannedDocument } from "./documents.ts";
import habits from "./habits.json" with { type: "json" };
import type { Random } from "./random.ts";
import type { DemoTables, NewDemoRows } from "./tables.ts";

/** A payment, or a deposit received or returned. */
export interface DemoPayment {
  readonly at: CivilMinute;
  readonly cents: Cents;
  /** `charge`: money from the customer. `payment`: money to the customer. */
  readonly type: "charge" | "payment";
  readonly method: PaymentMethod;
  readonly source: DemoTables["charges"]["$inferInsert"]["sourceDoc"];
  readonly document?: PlannedDocument | undefined;
  readonly isDepositKept?: boolean;
  readonly branchCode: string;
  readonly contract?: DemoContract;
  /** Paid booking, if it has no contract. */
  readonly bookingId?: number;
}

/** A payment with its number. */
export type NumberedPayment = DemoPayment & { readonly id: number };

const MAX_CASH_CENTS = 60_000;
/** Days since two gateways were discontinued. */
const DAYS_SINCE_OLD_GATEWAYS = 500;

/** Returns one of the account's gateways. tpvA256 in settings is tpvA_256 in charges. */
export function chooseOnlinePaymentMethod(
  { settings, now }: DemoCompany,
  random: Random,
  at: CivilMinute,
): PaymentMethod {
  const offered = settings.paymentMethods.map((method) => method.replace("tpvA256", "tpvA_256"));
  const today = Object.entries(habits.onlineMethods).filter(([method]) => offered.includes(method));
  const old = at < now - DAYS_SINCE_OLD_GATEWAYS * MINUTES_PER_DAY ? Object.entries(habits.formerMethods) : [];
  return random.pickWeighted([...today, ...old]) as PaymentMethod;
}

/** Whether payments with this method go through a gateway. */
export function isOnlinePaymentMethod(method: PaymentMethod): boolean {
  return method in habits.onlineMethods || method in habits.formerMethods;
}

export function chooseDeskPaymentMethod(random: Random, cents: Cents): PaymentMethod {
  return cents <= MAX_CASH_CENTS && random.chance(habits.shares.cash) ? "cash" : "credit_card";
}

export function chooseInvoicePaymentMethod(random: Random, type: CustomerType): PaymentMethod {
  if (type !== "legal_entity") return "bank_transfer";
  return random.pickKey(habits.businessMethods);
}

/** Returns the amount, negative if paid to the customer. */
export function getSignedCents({ type, cents }: DemoPayment): Cents {
  return type === "charge" ? cents : -cents;
}

/** Whether a payment is a security deposit or its refund, which isn't the company's own money. */
export function isDepositPayment({ source }: DemoPayment): boolean {
  return source.startsWith("deposit_");
}

/** Numbers payments by time, continuing after existing ones. */
export function numberCharges(payments: readonly DemoPayment[], last = 0): NumberedPayment[] {
  return payments.toSorted((a, b) => a.at - b.at).map((payment, index) => ({ ...payment, id: last + index + 1 }));
}

export function createChargeRows(
  company: DemoCompany,
  numbered: NumberedDocuments,
  charges: readonly NumberedPayment[],
): NewDemoRows {
  return {
    charges: charges.map((charge) => {
      const { id, method, document, contract, branchCode } = charge;
      const at = company.toEpochMs(charge.at);
      const isCard = method === "credit_card";
      return {
        id,
        bookingId: charge.bookingId ?? contract?.id,
        documentId: document && numbered.get(document)?.id,
        sourceDoc: charge.source,
        paymentType: charge.type,
        paymentMethodId: method,
        date: at,
        amountCents: charge.cents,
        currency: company.settings.currency,
        branchCode,
        salesChannelCode: contract ? contract.draft.terms.salesChannel : document?.draft.salesChannelCode,
        // Reference of the gateway or card terminal.
        externalOperationNumber:
          isCard || isOnlinePaymentMethod(method) ? String(400_000_000_000 + id * 7_919) : undefined,
        origin: getPaymentOrigin(method),
        depositKept: charge.isDepositKept ?? false,
        offlinePhysicalDeviceId: isCard ? `TPV-${branchCode}-01` : undefined,
        chargeAccountingProcessed: charge.at < getAccountingProcessedUntil(company) && !isDepositPayment(charge),
        createdAt: at,
        lastUpdate: at,
      };
    }),
  };
}

function getPaymentOrigin(method: PaymentMethod): string {
  if (method === "booking_portal") return "agency";
  return isOnlinePaymentMethod(method) ? "web" : "desk";
}

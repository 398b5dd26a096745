import { charges } from "#worker/store/schema/documents.ts";
import type { Company } from "./company.ts";
import { rowsOf, type TableRows } from "./insert.ts";
import type { NumberedDocuments } from "./numbering.ts";
import { isOnline, terminalOf } from "./payment-methods.ts";
import { isOwnMoney, type Payment } from "./payments.ts";

/** A payment with its place among all of the company's. */
export interface Charge {
  readonly id: number;
  readonly payment: Payment;
}

/** Numbers payments in the order of time, after those that are there already. */
export function numberCharges(payments: readonly Payment[], last = 0): Charge[] {
  return payments.toSorted((a, b) => a.at - b.at).map((payment, index) => ({ id: last + index + 1, payment }));
}

export function chargeRows(
  company: Company,
  { idOf, processedUntil }: Pick<NumberedDocuments, "idOf" | "processedUntil">,
  numbered: readonly Charge[],
): TableRows {
  return rowsOf(
    charges,
    numbered.map(({ id, payment }) => {
      const { method, document, contract, branchCode } = payment;
      const at = company.toEpochMs(payment.at);
      const isCard = method === "credit_card";
      return {
        id,
        bookingId: payment.bookingId ?? contract?.id,
        documentId: document && idOf(document),
        sourceDoc: payment.source,
        paymentType: payment.type,
        paymentMethodId: method,
        date: at,
        amountCents: payment.cents,
        currency: company.settings.currency,
        branchCode,
        salesChannelCode: contract ? contract.draft.terms.salesChannel : document?.draft.salesChannelCode,
        externalOperationNumber: isCard || isOnline(method) ? operationNumber(id) : undefined,
        origin: originOf(payment),
        depositKept: payment.isDepositKept,
        offlinePhysicalDeviceId: isCard ? terminalOf(branchCode) : undefined,
        chargeAccountingProcessed: payment.at < processedUntil && isOwnMoney(payment),
        createdAt: at,
        lastUpdate: at,
      };
    }),
  );
}

/** The number that a gateway or a card terminal gave a charge. */
function operationNumber(id: number): string {
  return String(400_000_000_000 + id * 7_919);
}

function originOf({ method }: Payment): string {
  if (method === "booking_portal") return "agency";
  return isOnline(method) ? "web" : "desk";
}

import type { Clock } from "./clock.ts";
import type { Company } from "./company.ts";
import { type Row, yesNo } from "./insert.ts";
import type { Payment } from "./ledger.ts";
import type { Books } from "./numbering.ts";
import { terminalOf } from "./payment-methods.ts";

const ONLINE = ["tpvA_256", "tpvB", "tpvC", "tpvD", "tpv_online", "wallet_standard"];

/** A payment with its place among all of the company's. */
export interface Charge {
  readonly id: number;
  readonly payment: Payment;
}

export function numberCharges(payments: readonly Payment[]): Charge[] {
  return payments.toSorted((a, b) => a.at - b.at).map((payment, index) => ({ id: index + 1, payment }));
}

export function chargeRow(company: Company, clock: Clock, books: Books, { id, payment }: Charge): Row {
  const { method, paper, contract } = payment;
  const at = clock.toEpochMs(payment.at);
  const isCard = method === "credit_card";
  return {
    id,
    booking_id: contract?.id,
    document_id: paper && books.idOf(paper),
    source_doc: payment.source,
    payment_type: payment.type,
    payment_method_id: method,
    date: at,
    amount_cents: payment.cents,
    currency: company.settings.currency,
    branch_code: payment.branchCode,
    sales_channel_code: contract ? contract.draft.terms.salesChannel : paper?.salesChannel,
    external_operation_number: isCard || ONLINE.includes(method) ? operationNumber(id) : null,
    origin: originOf(payment),
    deposit_kept: yesNo(payment.isDepositKept),
    offline_physical_device_id: isCard ? terminalOf(payment.branchCode) : null,
    charge_accounting_processed: yesNo(payment.at < books.processedUntil && !payment.source.startsWith("deposit_")),
    created_at: at,
    last_update: at,
  };
}

/** The number that a gateway or a card terminal gave a charge. */
export function operationNumber(id: number): string {
  return String(400_000_000_000 + id * 7_919);
}

function originOf({ method }: Payment): string {
  if (method === "booking_portal") return "agency";
  return ONLINE.includes(method) ? "web" : "desk";
}

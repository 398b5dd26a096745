import type { CivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { PaymentMethod } from "#domain/payments/charges.ts";
import type { charges } from "#worker/store/schema/documents.ts";
import type { Contract } from "./contracts.ts";
import type { SettlementContext } from "./payment-methods.ts";
import type { PlannedDocument } from "./planned-document.ts";

/** Money that moved, or a deposit that was held or given back. */
export interface Payment {
  readonly at: CivilMinute;
  readonly cents: Cents;
  /** `payment` goes back to the customer. */
  readonly type: "charge" | "payment";
  readonly method: PaymentMethod;
  readonly source: (typeof charges.$inferInsert)["sourceDoc"];
  readonly document: PlannedDocument | undefined;
  readonly isDepositKept: boolean;
  readonly branchCode: string;
  readonly contract: Contract | undefined;
  /** Of a booking without a contract. */
  readonly bookingId?: number;
}

/** The documents and payments of one contract, as they are being made. */
export interface ContractAccount {
  readonly context: SettlementContext;
  readonly contract: Contract;
  readonly documents: PlannedDocument[];
  readonly payments: Payment[];
  readonly prepaidCents: Cents;
  readonly depositReductionCents: Cents;
}

/** Enters a payment of the contract; of nothing, none. */
export function pay(
  { contract, payments }: ContractAccount,
  payment: Pick<Payment, "at" | "cents" | "method" | "source"> & Partial<Payment>,
): Payment {
  const { branchCode } = contract.rental.pickupPlace;
  const whole: Payment = {
    type: "charge",
    isDepositKept: false,
    document: undefined,
    branchCode,
    contract,
    ...payment,
  };
  if (whole.cents > 0) payments.push(whole);
  return whole;
}

/** Counts a payment made before towards a document. */
export function linkTo({ payments }: ContractAccount, payment: Payment, document: PlannedDocument | undefined): void {
  const index = payments.indexOf(payment);
  if (index >= 0) payments[index] = { ...payment, document };
}

/** What a charge that pays a document is said to come from. */
export function sourceOf({ draft }: PlannedDocument): Payment["source"] {
  return draft.kind === "internal_bond" ? "internal_bond_invoice" : "customer_invoice";
}

/** Whether it moves money of the company; deposits are held apart. */
export function isOwnMoney({ source }: Payment): boolean {
  return !source.startsWith("deposit_");
}

import type { CivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { Company } from "./company.ts";
import type { Contract } from "./contracts.ts";
import type { Paper } from "./papers.ts";
import type { PaymentMethod } from "./payment-methods.ts";
import type { Random } from "./random.ts";

/** Money that moved, or a deposit that was held or given back. */
export interface Payment {
  readonly at: CivilMinute;
  readonly cents: Cents;
  /** `payment` goes back to the customer. */
  readonly type: "charge" | "payment";
  readonly method: PaymentMethod;
  readonly source:
    | "booking"
    | "order"
    | "customer_invoice"
    | "customer_simplified_invoice"
    | "internal_bond_invoice"
    | "deposit_received"
    | "deposit_returned";
  readonly paper: Paper | undefined;
  readonly isDepositKept: boolean;
  readonly branchCode: string;
  readonly contract: Contract | undefined;
}

/** Where money is taken: whose, when, and by what chance. */
export interface Till {
  readonly company: Company;
  readonly now: CivilMinute;
  readonly random: Random;
}

/** What one contract brings in, as it is being written. */
export interface Ledger {
  readonly till: Till;
  readonly contract: Contract;
  readonly papers: Paper[];
  readonly payments: Payment[];
  readonly prepaidCents: Cents;
  readonly depositReductionCents: Cents;
}

/** Enters a payment of the contract; of nothing, none. */
export function pay(
  ledger: Ledger,
  payment: Omit<Payment, "branchCode" | "contract" | "isDepositKept" | "type"> & Partial<Payment>,
): Payment {
  const { contract } = ledger;
  const whole: Payment = {
    type: "charge",
    isDepositKept: false,
    branchCode: contract.rental.pickupPlace.branchCode,
    contract,
    ...payment,
  };
  if (whole.cents > 0) ledger.payments.push(whole);
  return whole;
}

/** Counts a payment made before towards a paper. */
export function linkTo(ledger: Ledger, payment: Payment, paper: Paper | undefined): void {
  const index = ledger.payments.indexOf(payment);
  if (index >= 0) ledger.payments[index] = { ...payment, paper };
}

/** What a charge that pays a paper is said to come from. */
export function sourceOf({ kind }: Paper): Payment["source"] {
  return kind === "internal_bond" ? "internal_bond_invoice" : "customer_invoice";
}

import type { CivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { Till } from "./ledger.ts";
import type { Customer } from "./people.ts";

export type PaymentMethod =
  | "credit_card"
  | "cash"
  | "bank_transfer"
  | "wallet_standard"
  | "tpvA_256"
  | "tpvB"
  | "tpvC"
  | "tpvD"
  | "tpv_online"
  | "check"
  | "promissory_note"
  | "booking_portal";

const MOST_CASH_CENTS = 60_000;
const CASH_SHARE = 0.2;
const ONLINE_METHODS: readonly (readonly [PaymentMethod, number])[] = [
  ["tpvA_256", 50],
  ["tpvB", 12],
  ["tpvC", 22],
  ["wallet_standard", 16],
];
const OLD_METHODS: readonly (readonly [PaymentMethod, number])[] = [
  ["tpvD", 30],
  ["tpv_online", 25],
];
/** Two gateways were given up since. */
const MINUTES_SINCE_OLD_GATEWAYS = 500 * 1440;

/** One of the gateways that the account offers; tpvA256 in its settings is tpvA_256 on a charge. */
export function onlineMethod({ random, now, company }: Till, at: CivilMinute): PaymentMethod {
  const offered = company.settings.paymentMethods.map((method) => method.replace("tpvA256", "tpvA_256"));
  const today = ONLINE_METHODS.filter(([method]) => offered.includes(method));
  return random.pickWeighted(at < now - MINUTES_SINCE_OLD_GATEWAYS ? [...today, ...OLD_METHODS] : today);
}

export function deskMethod({ random }: Till, cents: Cents): PaymentMethod {
  return cents <= MOST_CASH_CENTS && random.chance(CASH_SHARE) ? "cash" : "credit_card";
}

export function invoiceMethod({ random }: Till, { type }: Customer): PaymentMethod {
  if (type !== "legal_entity") return "bank_transfer";
  return random.pickWeighted<PaymentMethod>([
    ["bank_transfer", 78],
    ["check", 10],
    ["promissory_note", 12],
  ]);
}

/** The card terminal of a branch. */
export function terminalOf(branchCode: string): string {
  return `TPV-${branchCode}-01`;
}

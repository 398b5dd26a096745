import type { CivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { PaymentMethod } from "#domain/payments/charges.ts";
import type { Company } from "./company.ts";
import type { CustomerType } from "./customers.ts";
import type { Random } from "./random.ts";

/** What every payment and document of a company depends on. */
export interface SettlementContext {
  readonly company: Company;
  readonly random: Random;
}

const MOST_CASH_CENTS = 60_000;
const CASH_SHARE = 0.2;
const ONLINE_METHODS = { tpvA_256: 50, tpvB: 12, tpvC: 22, wallet_standard: 16 };
const OLD_METHODS = { tpvD: 30, tpv_online: 25 };
/** Two gateways were given up since. */
const MINUTES_SINCE_OLD_GATEWAYS = 500 * 1440;

/** One of the gateways that the account offers; tpvA256 in its settings is tpvA_256 on a charge. */
export function onlineMethod({ random, company }: SettlementContext, at: CivilMinute): PaymentMethod {
  const offered = company.settings.paymentMethods.map((method) => method.replace("tpvA256", "tpvA_256"));
  const today = Object.entries(ONLINE_METHODS).filter(([method]) => offered.includes(method));
  const old = at < company.now - MINUTES_SINCE_OLD_GATEWAYS ? Object.entries(OLD_METHODS) : [];
  return random.pickWeighted([...today, ...old]) as PaymentMethod;
}

/** Whether it is paid through a gateway. */
export function isOnline(method: PaymentMethod): boolean {
  return method in ONLINE_METHODS || method in OLD_METHODS;
}

export function deskMethod({ random }: SettlementContext, cents: Cents): PaymentMethod {
  return cents <= MOST_CASH_CENTS && random.chance(CASH_SHARE) ? "cash" : "credit_card";
}

export function invoiceMethod({ random }: SettlementContext, type: CustomerType): PaymentMethod {
  if (type !== "legal_entity") return "bank_transfer";
  return random.pickKey({ bank_transfer: 78, check: 10, promissory_note: 12 });
}

/** The card terminal of a branch. */
export function terminalOf(branchCode: string): string {
  return `TPV-${branchCode}-01`;
}

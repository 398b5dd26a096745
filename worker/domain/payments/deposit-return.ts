import type { Cents } from "#domain/money.ts";
import type { PaymentMethod } from "#domain/payments/charges.ts";

/** Deposit of a contract, by the payment method with which it was received. Returned parts are subtracted. */
export type DepositByMethod = Readonly<Partial<Record<PaymentMethod, Cents>>>;

/** Deposit about to be returned. */
export interface DepositReturn {
  readonly cents: Cents;
  readonly method: PaymentMethod;
}

/**
 * Whether returning a deposit is an exception: by another payment method than it was received, more than was received
 * by that method, or on a finished contract. An exception is a refund like any other and needs the same right and
 * proof.
 */
export function isExceptionalDepositReturn(
  { cents, method }: DepositReturn,
  { received, isFinished }: { readonly received: DepositByMethod; readonly isFinished: boolean },
): boolean {
  return isFinished || cents > (received[method] ?? 0);
}

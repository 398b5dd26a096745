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

/** Movement of a deposit at the desk or on the road. */
interface DepositMovement {
  readonly kind: "payment" | "deposit_taken" | "deposit_returned" | "deposit_kept";
  readonly amountCents: Cents;
  readonly method: PaymentMethod;
}

/** Returns the exceptional returns among movements in order, because a deposit may be returned after it's taken. */
export function filterExceptionalReturns<Movement extends DepositMovement>(
  movements: readonly Movement[],
  { depositByMethod, status }: { readonly depositByMethod: DepositByMethod; readonly status: string },
): readonly Movement[] {
  const isFinished = isContractFinished(status);
  const received: Partial<Record<PaymentMethod, Cents>> = { ...depositByMethod };
  return movements.filter(({ kind, amountCents: cents, method }) => {
    const isException =
      kind === "deposit_returned" && isExceptionalDepositReturn({ cents, method }, { received, isFinished });
    if (kind === "deposit_taken") received[method] = (received[method] ?? 0) + cents;
    if (kind === "deposit_returned") received[method] = (received[method] ?? 0) - cents;
    return isException;
  });
}

/** Whether nothing more is expected of a contract. */
export function isContractFinished(status: string): boolean {
  return status === "done" || status === "cancelled";
}

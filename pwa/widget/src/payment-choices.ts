import type { CheckoutOptions } from "./model.ts";

/** A payment button with part, method and amount. */
export interface PayChoice {
  readonly part: CheckoutOptions["parts"][number];
  readonly method: string;
  readonly amount: string;
  /** Whether nothing remains to pay afterwards. */
  readonly isAll: boolean;
}

/**
 * Lists the possible payments without duplicates. A deposit that equals the full price is omitted. `pending` is the
 * open amount, also before the first payment, because an agent may have retained part of the price.
 */
export function listPayChoices(
  { parts, methods }: Pick<CheckoutOptions, "parts" | "methods">,
  { prepayment, pending }: { readonly prepayment: string; readonly pending: string },
): readonly PayChoice[] {
  const isAll = (part: PayChoice["part"]) => part !== "deposit" || prepayment === pending;
  return parts
    .filter((part) => part !== "deposit" || !isAll(part) || !parts.includes("total"))
    .flatMap((part) =>
      methods.map((method) => ({
        part,
        method,
        amount: part === "deposit" ? prepayment : pending,
        isAll: isAll(part),
      })),
    );
}

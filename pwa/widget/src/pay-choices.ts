import type { Selling } from "./model.ts";

/** A button to pay with: what of the booking, how, and how much. */
export interface PayChoice {
  readonly part: Selling["parts"][number];
  readonly method: string;
  readonly amount: string;
  /** Nothing is left to pay after it. */
  readonly isAll: boolean;
}

/**
 * What a visitor may pay now, each once: a deposit that is all there is to pay is none. `pending`: all that is still
 * owed, also where nothing is paid yet: an agent may have kept some of the price.
 */
export function payChoices(
  { parts, methods }: Pick<Selling, "parts" | "methods">,
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

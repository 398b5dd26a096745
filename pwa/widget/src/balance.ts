import type { Texts } from "./texts.ts";

/** Returns label and amount of the balance. A negative one is a refund. */
export function getBalanceRow(pending: string, texts: Texts): readonly [name: string, amount: string] {
  return pending.startsWith("-") ? [texts.refund, pending.slice(1)] : [texts.pending, pending];
}

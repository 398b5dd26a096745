import type { Texts } from "./texts.ts";

/** What of a reservation is still to be paid; what was paid too much, or of what is cancelled, comes back. */
export function getBalanceRow(pending: string, texts: Texts): readonly [name: string, amount: string] {
  return pending.startsWith("-") ? [texts.refund, pending.slice(1)] : [texts.pending, pending];
}

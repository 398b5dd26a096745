/**
 * Reasons for crediting an issued document: a correction or contract change, the customer's insolvency, a debt that
 * won't be paid, or another. The report to the tax agency depends on it (docs/interfaces/verifactu.md#records).
 */
export const CREDIT_REASONS = ["correction", "insolvency", "bad_debt", "other"] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];

/** Whether a note with this reason credits only the tax. The sale itself stays owed. */
export function isTaxOnlyCredit(reason: CreditReason | undefined): boolean {
  return reason === "insolvency" || reason === "bad_debt";
}

/**
 * Why a firm document is credited: it says something wrong or its contract changed; its customer became insolvent; it
 * is a debt that will not be paid; anything else. What the tax agency is told follows from it
 * (docs/interfaces/verifactu.md#a-record).
 */
export const CREDIT_REASONS = ["correction", "insolvency", "bad_debt", "other"] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];

/** Whether a note for that reason takes back the tax alone: what was done and sold stays owed. */
export function isTaxOnly(reason: CreditReason | undefined): boolean {
  return reason === "insolvency" || reason === "bad_debt";
}

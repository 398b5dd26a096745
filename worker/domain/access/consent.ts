/** Channel through which a customer gave or withdrew marketing consent. */
export const CONSENT_SOURCES = ["desk", "phone", "website", "mail", "paper"] as const;
export type ConsentSource = (typeof CONSENT_SOURCES)[number];

/** Stored marketing consent of a customer. Times in epoch ms. */
export interface MarketingConsent {
  readonly marketingConsentAt: number | null;
  readonly marketingConsentDoor: ConsentSource | null;
  readonly marketingWithdrawnAt: number | null;
  readonly marketingWithdrawnDoor: ConsentSource | null;
}

/** Whether a customer accepts marketing. The latest decision counts. */
export function hasMarketingConsent({
  marketingConsentAt: consentedAt,
  marketingWithdrawnAt: withdrawn,
}: MarketingConsent) {
  return consentedAt !== null && (withdrawn === null || withdrawn < consentedAt);
}

/** Returns the changed columns if a customer's decision differs from the stored one. Empty if it's the same. */
export function getConsentChange(
  storedConsent: MarketingConsent,
  change: { readonly isGiven: boolean; readonly source: ConsentSource },
  decidedAt: number,
): Partial<MarketingConsent> {
  if (change.isGiven === hasMarketingConsent(storedConsent)) return {};
  return change.isGiven
    ? {
        marketingConsentAt: decidedAt,
        marketingConsentDoor: change.source,
        marketingWithdrawnAt: null,
        marketingWithdrawnDoor: null,
      }
    : { marketingWithdrawnAt: decidedAt, marketingWithdrawnDoor: change.source };
}

/** Returns the latest decision of two merged customers. Empty if `into` already has it. */
export function mergeConsent(from: MarketingConsent, into: MarketingConsent): Partial<MarketingConsent> {
  const getLastChange = (marketingConsent: MarketingConsent) =>
    Math.max(marketingConsent.marketingConsentAt ?? 0, marketingConsent.marketingWithdrawnAt ?? 0);
  if (getLastChange(from) <= getLastChange(into)) return {};
  const { marketingConsentAt, marketingConsentDoor, marketingWithdrawnAt, marketingWithdrawnDoor } = from;
  return { marketingConsentAt, marketingConsentDoor, marketingWithdrawnAt, marketingWithdrawnDoor };
}

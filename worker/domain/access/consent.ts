/** Where a customer said whether they want to be told of offers. */
export const CONSENT_SOURCES = ["desk", "phone", "website", "mail", "paper"] as const;
export type ConsentSource = (typeof CONSENT_SOURCES)[number];

/** What a customer is asked, as it is kept; moments are epoch ms. */
export interface MarketingConsent {
  readonly marketingConsentAt: number | null;
  readonly marketingConsentDoor: ConsentSource | null;
  readonly marketingWithdrawnAt: number | null;
  readonly marketingWithdrawnDoor: ConsentSource | null;
}

/** Whether a customer may be told of offers: what they said last counts. */
export function canReceiveOffers({
  marketingConsentAt: consentedAt,
  marketingWithdrawnAt: withdrawn,
}: MarketingConsent) {
  return consentedAt !== null && (withdrawn === null || withdrawn < consentedAt);
}

/**
 * The columns that change when a customer says something else than before at a moment; nothing where they say the same.
 */
export function consentChange(
  storedConsent: MarketingConsent,
  change: { readonly given: boolean; readonly door: ConsentSource },
  at: number,
): Partial<MarketingConsent> {
  if (change.given === canReceiveOffers(storedConsent)) return {};
  return change.given
    ? {
        marketingConsentAt: at,
        marketingConsentDoor: change.door,
        marketingWithdrawnAt: null,
        marketingWithdrawnDoor: null,
      }
    : { marketingWithdrawnAt: at, marketingWithdrawnDoor: change.door };
}

/** Of two customers who are one person, what was said last; nothing where that is what `into` says already. */
export function mergeConsent(from: MarketingConsent, into: MarketingConsent): Partial<MarketingConsent> {
  const getLastChange = (marketingConsent: MarketingConsent) =>
    Math.max(marketingConsent.marketingConsentAt ?? 0, marketingConsent.marketingWithdrawnAt ?? 0);
  if (getLastChange(from) <= getLastChange(into)) return {};
  const { marketingConsentAt, marketingConsentDoor, marketingWithdrawnAt, marketingWithdrawnDoor } = from;
  return { marketingConsentAt, marketingConsentDoor, marketingWithdrawnAt, marketingWithdrawnDoor };
}

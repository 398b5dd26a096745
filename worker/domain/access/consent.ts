/** Where a customer said whether they want to be told of offers. */
export const CONSENT_DOORS = ["desk", "phone", "website", "mail", "paper"] as const;
export type ConsentDoor = (typeof CONSENT_DOORS)[number];

/** What a customer is asked, as it is kept; moments are epoch ms. */
export interface MarketingConsent {
  readonly marketingConsentAt: number | null;
  readonly marketingConsentDoor: ConsentDoor | null;
  readonly marketingWithdrawnAt: number | null;
  readonly marketingWithdrawnDoor: ConsentDoor | null;
}

/** Whether a customer may be told of offers: what they said last counts. */
export function mayBeToldOffers({ marketingConsentAt: given, marketingWithdrawnAt: withdrawn }: MarketingConsent) {
  return given !== null && (withdrawn === null || withdrawn < given);
}

/**
 * The columns that change when a customer says something else than before at a moment; nothing where they say the same.
 */
export function consentChange(
  kept: MarketingConsent,
  said: { readonly given: boolean; readonly door: ConsentDoor },
  at: number,
): Partial<MarketingConsent> {
  if (said.given === mayBeToldOffers(kept)) return {};
  return said.given
    ? {
        marketingConsentAt: at,
        marketingConsentDoor: said.door,
        marketingWithdrawnAt: null,
        marketingWithdrawnDoor: null,
      }
    : { marketingWithdrawnAt: at, marketingWithdrawnDoor: said.door };
}

/** Of two customers who are one person, what was said last; nothing where that is what `into` says already. */
export function consentOfMerged(from: MarketingConsent, into: MarketingConsent): Partial<MarketingConsent> {
  const lastOf = (one: MarketingConsent) => Math.max(one.marketingConsentAt ?? 0, one.marketingWithdrawnAt ?? 0);
  if (lastOf(from) <= lastOf(into)) return {};
  const { marketingConsentAt, marketingConsentDoor, marketingWithdrawnAt, marketingWithdrawnDoor } = from;
  return { marketingConsentAt, marketingConsentDoor, marketingWithdrawnAt, marketingWithdrawnDoor };
}

/** Returns a phone link with digits only. */
export const phoneLink = (phone: string): string => `tel:${phoneDigits(phone)}`;

/** Returns a text message link. */
export const messageLink = (phone: string): string => `sms:${phoneDigits(phone)}`;

const phoneDigits = (phone: string) => phone.replace(/[^\d+]/g, "");

/**
 * Returns a mail link to exactly this address. A `?` in it is escaped, so that it can't add recipients, subject or
 * text.
 */
export const mailLink = (address: string): string => `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}`;

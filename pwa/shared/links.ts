/** Returns a phone link with digits only. */
export const toPhoneLink = (phone: string): string => `tel:${phoneDigits(phone)}`;

/** Returns a text message link. */
export const toSmsLink = (phone: string): string => `sms:${phoneDigits(phone)}`;

const phoneDigits = (phone: string) => phone.replace(/[^\d+]/g, "");

/**
 * Returns a mail link to exactly this address. A `?` in it is escaped, so that it can't add recipients, subject or
 * text.
 */
export const toMailLink = (address: string): string => `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}`;

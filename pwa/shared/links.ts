/** What calls a telephone: its digits, without what people write between them. */
export const phoneLink = (phone: string): string => `tel:${phoneDigits(phone)}`;

/** What writes a message to it. */
export const messageLink = (phone: string): string => `sms:${phoneDigits(phone)}`;

const phoneDigits = (phone: string) => phone.replace(/[^\d+]/g, "");

/**
 * What writes to an e-mail address, and to nobody else: a `?` that somebody typed in it begins no copies, subject or
 * text.
 */
export const mailLink = (address: string): string => `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}`;

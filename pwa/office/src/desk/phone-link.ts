/** What calls a telephone: its digits, without what people write between them. */
export const phoneLink = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, "")}`;

import type { Immutable } from "#shared/immutable.ts";
import type { QuoteDetailMessage, QuoteListMessage } from "#worker/api/office/quote-messages.ts";

export type QuoteList = Immutable<QuoteListMessage>;

/** A quote for a customer. Amounts are decimal strings, times are the account's local time. */
export type CustomerQuote = QuoteList["data"][number];

export type CustomerQuoteDetail = Immutable<QuoteDetailMessage>;

export type QuoteStatus = CustomerQuote["status"];

export const getQuoteCustomerName = ({ customer: { name, surname } }: Pick<CustomerQuote, "customer">): string =>
  [name, surname].filter(Boolean).join(" ");

/** Actions on the page of a quote, the most likely one of its status first. */
export type QuotePageAction = "send" | "change" | "duplicate" | "decline";

/** Lists the possible actions. A draft is sent next, a closed quote can only be duplicated. */
export function listQuotePageActions({
  status,
  allowed,
}: Pick<CustomerQuote, "status" | "allowed">): readonly QuotePageAction[] {
  const order: readonly QuotePageAction[] =
    status === "sent" ? ["change", "send", "duplicate", "decline"] : ["send", "change", "duplicate", "decline"];
  return order.filter((doing) => allowed.includes(doing));
}

/**
 * Returns the action of the highlighted button. None while a sent quote awaits the customer, nor for an accepted quote,
 * whose reservation is highlighted.
 */
export function getHighlightedQuoteAction({ status, allowed }: Pick<CustomerQuote, "status" | "allowed">) {
  if (status === "sent" || status === "accepted") return undefined;
  return listQuotePageActions({ status, allowed })[0];
}

/** Converts a timestamp of the account's clock to the value of a date and time input. */
export const toDateTimeInputValue = (timestamp: string): string => timestamp.slice(0, 16).replace(" ", "T");

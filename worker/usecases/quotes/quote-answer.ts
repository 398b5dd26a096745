import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { getQuoteStatus, listQuoteActions, type QuoteAction, type QuoteStatus } from "#domain/quotes/quotes.ts";
import type { QuoteHistoryRow, QuoteRow } from "#worker/store/quotes/quotes.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getPublicOrigin } from "#worker/usecases/shared/open-gateway.ts";

/** Path of a quote's page for its customer. */
export const QUOTE_PATH = "/quote";

/** Quote as the office sees it. */
export interface ListedQuote {
  readonly row: QuoteRow;
  readonly status: QuoteStatus;
  readonly allowed: readonly QuoteAction[];
  /** URL of the page on which the customer accepts the quote. */
  readonly link: string;
}

/** Quote with its history. */
export interface QuoteAnswer extends ListedQuote {
  readonly history: readonly QuoteHistoryRow[];
}

/** Returns the address of a quote's page. */
export function getQuotePageUrl(tenant: Tenant, { settings }: Catalogue, freeAccessId: string): string {
  return `${getPublicOrigin(tenant, settings)}${QUOTE_PATH}/${freeAccessId}`;
}

/** Adds the status, allowed actions and link of a quote at an instant (epoch ms). */
export function toListedQuote(tenant: Tenant, catalogue: Catalogue, row: QuoteRow, at: number): ListedQuote {
  return {
    row,
    status: getQuoteStatus(row, at),
    allowed: listQuoteActions(row, at),
    link: getQuotePageUrl(tenant, catalogue, row.freeAccessId),
  };
}

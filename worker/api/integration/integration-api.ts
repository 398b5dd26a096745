import type { Context } from "hono";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { addDays, type CivilDate, formatTimestamp, parseCivilDate, parseTimestamp } from "#domain/dates.ts";
import { createProblem } from "#domain/problems.ts";
import { getLedgerAccounts } from "#domain/reporting/accounts.ts";
import type { ExtractionPageRequest } from "#domain/reporting/extraction.ts";
import { findAcrissFields } from "#worker/api/acriss-messages.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createInvalidFieldsFailure } from "#worker/api/failure.ts";
import { integrationFailureAnswer } from "#worker/api/failure-messages.ts";
import type { ErrorResponse } from "#worker/api/interface.ts";
import { createFailureResponses } from "#worker/api/openapi.ts";
import { limitBodySize } from "#worker/api/request-body.ts";
import { requirePartnerSignature } from "#worker/api/signed.ts";
import { getDayStart, getOffsetMinutes } from "#worker/tenancy/clock.ts";
import type { ListQuery, MessageFormat } from "./messages.ts";

export const signedReadMiddlewares = [requirePartnerSignature("integration", toErrorResponse), dropEmptyParameters];
/**
 * Invoices, bonds and charges: the key alone is enough if the account allows it
 * (docs/interfaces/conventions.md#credentials).
 */
export const optionallySignedReadMiddlewares = [
  requirePartnerSignature("integration", toErrorResponse, { byKeyAlone: true }),
  dropEmptyParameters,
];
export const integrationWriteMiddlewares = [
  limitBodySize(toErrorResponse),
  requirePartnerSignature("integration", toErrorResponse, { byKeyAlone: true }),
];

export const integrationFailureResponses = createFailureResponses(integrationFailureAnswer, 401, 403, 429);
export const integrationSecurity = [{ signature: [] }];

/** Loads the formatting rules for the account's amounts and times. */
export async function loadMessageFormat(c: Context<AppEnvironment>): Promise<MessageFormat> {
  const tenant = c.get("tenant");
  const { catalogue } = await tenant.snapshot();
  const { currencyDecimals: decimals, timezone } = catalogue.settings;
  const [hasBranches, hasChannels] = [catalogue.branches.size > 1, catalogue.salesChannels.size > 1];
  return {
    decimals,
    currency: catalogue.settings.currency,
    ownUrl: tenant.ownUrl,
    timestamp: (at, separator) => formatTimestamp(at, getOffsetMinutes(timezone, at), separator),
    ofBranches: (code) => (hasBranches ? code : null),
    ofChannels: (code) => (hasChannels ? code : null),
    accounts: getLedgerAccounts(catalogue.settings.accounts),
    rateCodes: catalogue.settings.taxRateCodes,
    acriss: (code) => findAcrissFields(catalogue, code),
  };
}

/**
 * Type of the values that a list's date filter is compared with. Charges have `moments`, so the filter becomes the
 * instants from the start of the first day to the end of the last.
 */
export type DateFilterKind = "dates" | "moments";

/** Returns the page that a query requests, or the error response for an invalid query. */
export async function toPageRequest(
  c: Context<AppEnvironment>,
  query: ListQuery,
  dates: DateFilterKind,
): Promise<{ readonly request: ExtractionPageRequest } | { readonly refusal: ErrorResponse }> {
  const { catalogue } = await c.get("tenant").snapshot();
  const unknown = findMissingReferences(catalogue, query);
  if (unknown) return { refusal: toErrorResponse(c, createInvalidFieldsFailure([unknown])) };
  const { timezone } = catalogue.settings;
  const toDateBound = (date: CivilDate | undefined, days: number) =>
    date && (dates === "dates" ? date : getDayStart(timezone, addDays(date, days)));
  return {
    request: {
      page: query.page ?? 0,
      pageSize: query.page_size,
      after: query.after,
      filters: {
        updatedFrom: query.updated_from === undefined ? undefined : parseInstant(query.updated_from, timezone),
        dateFrom: toDateBound(query.date_from ?? query.from, 0),
        dateTo: toDateBound(query.date_to ?? query.to, 1),
        status: query.status,
        accountingProcessed: query.accounting_processed,
        chargeAccountingProcessed: query.charge_accounting_processed,
        branchCode: query.rental_location_code,
        branchGroupId: query.rental_storage_id,
      },
    },
  };
}

function parseInstant(text: string, timezone: string): number | undefined {
  const date = parseCivilDate(text);
  return date ? getDayStart(timezone, date) : parseTimestamp(text);
}

function findMissingReferences({ branches }: Catalogue, query: ListQuery) {
  const { rental_location_code: code, rental_storage_id: id } = query;
  if (code !== undefined && !branches.has(code)) return createProblem("rental_location_code", "no_branch");
  if (id !== undefined && ![...branches.values()].some(({ branchGroupId }) => branchGroupId === id))
    return createProblem("rental_storage_id", "no_branch_group");
  return undefined;
}

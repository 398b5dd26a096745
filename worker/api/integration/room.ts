import type { Context } from "hono";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { addDays, type CivilDate, parseCivilDate, parseTimestamp, toTimestamp } from "#domain/dates.ts";
import type { PageRequest } from "#domain/reporting/extraction.ts";
import { findAcriss } from "#worker/api/acriss-messages.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { invalidInput } from "#worker/api/failure.ts";
import { failureAnswer } from "#worker/api/failure-messages.ts";
import type { ErrorResponse } from "#worker/api/interface.ts";
import { createFailureResponses } from "#worker/api/openapi.ts";
import { bodyCap } from "#worker/api/request-body.ts";
import { signed } from "#worker/api/signed.ts";
import { getDayStart, offsetMinutes } from "#worker/tenancy/clock.ts";
import type { ListQuery, Writing } from "./messages.ts";

export const signedRead = [signed("integration", toErrorResponse), dropEmptyParameters];
/**
 * Invoices, bonds and charges: the key alone is enough where the account says so
 * (docs/interfaces/conventions.md#credentials).
 */
export const read = [signed("integration", toErrorResponse, { byKeyAlone: true }), dropEmptyParameters];
export const write = [bodyCap(toErrorResponse), signed("integration", toErrorResponse, { byKeyAlone: true })];

export const fails = createFailureResponses(failureAnswer, 401, 403, 429);
export const security = [{ signature: [] }];

/** How this account's amounts and moments are written. */
export async function loadWriting(c: Context<AppEnvironment>): Promise<Writing> {
  const { catalogue } = await c.get("tenant").snapshot();
  const { currencyDecimals: decimals, timezone } = catalogue.settings;
  const [hasBranches, hasChannels] = [catalogue.branches.size > 1, catalogue.salesChannels.size > 1];
  return {
    decimals,
    timestamp: (at, separator) => toTimestamp(at, offsetMinutes(timezone, at), separator),
    ofBranches: (code) => (hasBranches ? code : null),
    ofChannels: (code) => (hasChannels ? code : null),
    acriss: (code) => findAcriss(catalogue, code),
  };
}

/**
 * Dates that a list is narrowed by are its own; those of charges are moments, from the first to the last of their days.
 */
export type DateKind = "dates" | "moments";

/** The page that a query asks for, or the answer that says what is wrong with it. */
export async function toPageRequest(
  c: Context<AppEnvironment>,
  query: ListQuery,
  dates: DateKind,
): Promise<{ readonly request: PageRequest } | { readonly refusal: ErrorResponse }> {
  const { catalogue } = await c.get("tenant").snapshot();
  const unknown = findMissingReferences(catalogue, query);
  if (unknown) return { refusal: toErrorResponse(c, invalidInput([unknown])) };
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
  if (code !== undefined && !branches.has(code))
    return { field: "rental_location_code", message: "is no branch of the account" };
  if (id !== undefined && ![...branches.values()].some(({ branchGroupId }) => branchGroupId === id))
    return { field: "rental_storage_id", message: "is no branch group of the account" };
  return undefined;
}

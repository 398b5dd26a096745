import type { Context } from "hono";
import type { CivilDate } from "#domain/dates.ts";
import { formatProblem } from "#domain/problem-messages.ts";
import { createProblem, type Reason } from "#domain/problems.ts";
import type { Result } from "#domain/result.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createInvalidFieldsFailure } from "#worker/api/failure.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";
import { setFreshTokenHeader } from "#worker/api/signed-in.ts";
import type { OfficeRefusal, ReservationAnswer } from "#worker/usecases/office/office-context.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import type { Page } from "#worker/usecases/shared/page.ts";
import { answerOfficeRefusal, type RefusalWithoutCurrentState, toOfficeFailure, toOfficeFieldName } from "./errors.ts";
import type { ReasonMessage } from "./reservation-messages.ts";
import { toReservationMessage } from "./reservation-messages.ts";

/** Returns the result formatted by `toMessage`, or the reason for its rejection. */
export async function answerOffice<T, Message extends object, Status extends 200 | 201>(
  c: Context<AppEnvironment>,
  result: Result<StaffAnswer<T>, OfficeRefusal>,
  toMessage: (value: T, messageFormat: MessageFormat) => Message,
  status: Status,
) {
  if (!result.ok) return answerOfficeRefusal(c, result.error);
  setFreshTokenHeader(c, result.value.freshToken);
  return c.json(toMessage(result.value.value, await loadMessageFormat(c)), status);
}

/** Creates a mapper from a page of rows to its messages, with the cursor of the next page. */
export function createPageMapper<Row, Message>(toMessage: (row: Row, messageFormat: MessageFormat) => Message) {
  return ({ rows, total, isExact, next }: Page<Row, number | string>, messageFormat: MessageFormat) => ({
    data: rows.map((row) => toMessage(row, messageFormat)),
    total,
    ...(!isExact && { total_is_exact: isExact }),
    next: next === undefined ? null : String(next),
  });
}

/** Returns the changed reservation, or the reason for its rejection. */
export function answerReservation(
  c: Context<AppEnvironment>,
  result: Result<StaffAnswer<ReservationAnswer>, OfficeRefusal>,
) {
  return answerOffice(c, result, toReservationMessage, 200);
}

/** Returns the decimals of the account's currency. */
export async function getCurrencyDecimals(c: Context<AppEnvironment>): Promise<number> {
  return (await loadMessageFormat(c)).decimals;
}

/** Returns the current date in the account's time zone. */
export async function getToday(c: Context<AppEnvironment>): Promise<CivilDate> {
  return (await loadMessageFormat(c)).timestamp(c.get("now")).slice(0, 10) as CivilDate;
}

/** Rejects an amount with more decimals than the currency. */
export function answerExcessDecimals(c: Context<AppEnvironment>, field: string) {
  return toErrorResponse(c, createInvalidFieldsFailure([createProblem(field, "too_fine")]));
}

/** Returns the reason for a rejection, for use in a quote. */
export function toRefusalReasonMessage(refusal: RefusalWithoutCurrentState, decimals: number): ReasonMessage {
  if (refusal.kind === "invalid")
    return { ...toReasonMessage(refusal.reason), field: toOfficeFieldName(refusal.field) };
  const { code, message, params, detail } = toOfficeFailure(refusal, decimals);
  const field = refusal.kind === "discountLimit" ? detail?.[0]?.field : undefined;
  return { code, message, ...(params && { params: { ...params } }), ...(field && { field }) };
}

/** Converts a reason to its response: code and parameters for programs, the message for developers. */
export function toReasonMessage(reason: Reason): ReasonMessage {
  const { code, params } = reason;
  return { code, message: formatProblem(reason), ...(params && { params: { ...params } }) };
}

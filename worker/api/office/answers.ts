import type { Context } from "hono";
import type { Result } from "#domain/result.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { invalidInput } from "#worker/api/failure.ts";
import type { Writing } from "#worker/api/integration/messages.ts";
import { loadWriting } from "#worker/api/integration/room.ts";
import { returnFreshToken } from "#worker/api/signed-in.ts";
import type { OfficeAnswer, OfficeRefusal, ReservationAnswer } from "#worker/usecases/bookings/moves/office-context.ts";
import type { Page } from "#worker/usecases/shared/page.ts";
import { type PlainRefusal, refused, toOfficeFailure, toOfficeFieldName } from "./errors.ts";
import { fromReservation } from "./reservation-messages.ts";

/** Answers what was read or done, as `tell` writes it, or why it was not. */
export async function answerOffice<T, Message extends object, Status extends 200 | 201>(
  c: Context<AppEnvironment>,
  result: Result<OfficeAnswer<T>, OfficeRefusal>,
  toMessage: (value: T, writing: Writing) => Message,
  status: Status,
) {
  if (!result.ok) return refused(c, result.error);
  returnFreshToken(c, result.value.freshToken);
  return c.json(toMessage(result.value.value, await loadWriting(c)), status);
}

/** What is listed, row by row, with where the next page begins. */
export function createPageMapper<Row, Message>(toMessage: (row: Row, writing: Writing) => Message) {
  return ({ rows, total, isExact, next }: Page<Row, number | string>, writing: Writing) => ({
    data: rows.map((row) => toMessage(row, writing)),
    total,
    ...(!isExact && { total_is_exact: isExact }),
    next: next === undefined ? null : String(next),
  });
}

/** Answers what was done to a reservation, or why it was not. */
export function answerReservation(
  c: Context<AppEnvironment>,
  result: Result<OfficeAnswer<ReservationAnswer>, OfficeRefusal>,
) {
  return answerOffice(c, result, fromReservation, 200);
}

/** The decimals of the account's currency. */
export async function getCurrencyDecimals(c: Context<AppEnvironment>): Promise<number> {
  return (await loadWriting(c)).decimals;
}

/** Refuses an amount that the currency has no coins for. */
export function tooFine(c: Context<AppEnvironment>, field: string) {
  return toErrorResponse(c, invalidInput([{ field, message: "is finer than the currency" }]));
}

/** Why something would be refused, for a quote. */
export function toReason(refusal: PlainRefusal, decimals: number) {
  const { code, message } = toOfficeFailure(refusal, decimals);
  return { code, message, ...(refusal.kind === "invalid" && { field: toOfficeFieldName(refusal.field) }) };
}

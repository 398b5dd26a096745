import type { Context } from "hono";
import { z } from "zod";
import { dropEmptyTexts } from "#worker/api/drop-empty-members.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createFailureResponses } from "#worker/api/openapi.ts";
import { acceptJsonOrMissingBody, limitBodySize, requireJsonBody } from "#worker/api/request-body.ts";
import { requireSignedToken, toStaffRequest } from "#worker/api/signed-in.ts";
import type { OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { officeFailureAnswer } from "./failure-messages.ts";
import { problemDetailsAnswer } from "./problem-details.ts";

export const officeSecurity = [{ token: [] }];
const plain = createFailureResponses(officeFailureAnswer, 401, 403);

/** Failure responses of the routes, in the common envelope or as problem details for clients that accept them. */
export const officeFailureResponses: typeof plain = {
  reading: (...own) => withProblems(plain.reading(...own)),
  writing: (...own) => withProblems(plain.writing(...own)),
};

function withProblems<T extends object>(answers: T): T {
  const errorResponses = Object.entries(answers).map(([status, answer]) => [
    status,
    { ...answer, content: { ...answer.content, "application/problem+json": { schema: problemDetailsAnswer } } },
  ]);
  return Object.fromEntries(errorResponses) as T;
}

export const officeWriteMiddlewares = [
  requireSignedToken(toErrorResponse),
  limitBodySize(toErrorResponse),
  requireJsonBody(toErrorResponse),
];
/** For routes that create or act: empty texts count as missing. Routes that change data empty a field with `null`. */
export const officeCreationMiddlewares = [...officeWriteMiddlewares, dropEmptyTexts];

/** For routes that act and whose body has only optional members. Without a body, all are missing. */
export const officeOptionalBodyMiddlewares = [
  requireSignedToken(toErrorResponse),
  limitBodySize(toErrorResponse),
  acceptJsonOrMissingBody(toErrorResponse),
  dropEmptyTexts,
];

const MAX_KEY_LENGTH = 255;

/** Idempotency key. Quotes around it are optional, because some clients omit them. */
const key = z
  .string("is required: a key of your own for this request, in quotes")
  .transform((text) => /^"(.*)"$/.exec(text.trim())?.[1] ?? text.trim())
  .refine((text) => text.length > 0 && text.length <= MAX_KEY_LENGTH, `must have 1 to ${MAX_KEY_LENGTH} characters`)
  .refine((text) => /^[\x20-\x7e]*$/.test(text), "must be of printable ASCII characters")
  .meta({
    type: "string",
    example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
    description: "Key of the write. A repeated key returns the first result, with another body 422",
  });

export const idempotencyHeaders = z.object({ "idempotency-key": key });

/**
 * Returns a write with its idempotency key. Keys are scoped to the user, so they never collide with other users' keys.
 */
export function toOfficeWrite(c: Context<AppEnvironment>, idempotencyKey: string): OfficeWrite {
  return { ...toStaffRequest(c), idempotencyKey };
}

import type { Context } from "hono";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { checkInFailureAnswer } from "#worker/api/failure-messages.ts";
import { type ApiRoutes, createApi } from "#worker/api/interface.ts";
import { createFailureResponses } from "#worker/api/openapi.ts";
import { hashBytesSha256 } from "#worker/usecases/shared/hash-bytes.ts";
import { type CheckInRefusal, toCheckInFailure } from "./errors.ts";
import { checkInOperationSchema } from "./operation-messages.ts";

const PATHS = [
  "/v1/booking/delivery-collection-app-settings",
  "/v1/booking/deliveries-collections",
  "/v1/booking/check-in-operations/*",
  "/v1/booking/check-in-devices/*",
  "/v1/booking/check-in-seals",
  "/v1/booking/transfer-trips",
  "/v1/booking/transfer-reservations/*",
  "/v1/booking/:id/check-in/*",
  "/v1/booking/:id/check-in-files/*",
  "/booking-items-search",
  "/booking/:id/extra-search",
];

/** Creates the check-in API, which shares path prefixes with others. */
export function createCheckInApi(): ApiRoutes {
  const checkIn = createApi(toErrorResponse, PATHS);
  for (const path of PATHS) checkIn.routes.use(path, dropEmptyParameters);
  checkIn.routes.openAPIRegistry.register("CheckInOperation", checkInOperationSchema);
  return checkIn;
}

export const checkInSecurity = [{ token: [] }];
export const checkInFailureResponses = createFailureResponses(checkInFailureAnswer, 401, 403);

/** Response to a request whose content the device already has. */
export const unchangedEtagResponse = { 304: { description: "Nothing has changed since the ETag of If-None-Match" } };

/** Returns the error response of a rejection. */
export function answerCheckInRefusal(c: Context<AppEnvironment>, refusal: CheckInRefusal) {
  return toErrorResponse(c, toCheckInFailure(refusal));
}

const encoder = new TextEncoder();

/**
 * Returns the answer with the ETag of its text, or 304 if the client's copy is current. The text is written once, for
 * both.
 */
export async function respondUnlessUnchanged<Answer extends object>(c: Context<AppEnvironment>, answer: Answer) {
  const text = JSON.stringify(answer);
  const etag = `"${(await hashBytesSha256(encoder.encode(text))).slice(0, 32)}"`;
  c.header("ETag", etag);
  if (c.req.header("If-None-Match")?.replace(/^W\//, "") === etag) return c.body(null, 304);
  return c.body(text, 200, JSON_CONTENT) as unknown as ReturnType<typeof c.json<Answer, 200>>;
}

const JSON_CONTENT = { "Content-Type": "application/json" };

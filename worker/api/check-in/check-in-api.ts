import type { Context } from "hono";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { checkInFailure } from "#worker/api/failure-messages.ts";
import { createApi, type Interface } from "#worker/api/interface.ts";
import { createFailureResponses } from "#worker/api/openapi.ts";
import type { StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { type CheckInRefusal, toCheckInFailure } from "./errors.ts";
import { checkInOperation } from "./operation-messages.ts";

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
export function createCheckInApi(): Interface {
  const checkIn = createApi(toErrorResponse, PATHS);
  for (const path of PATHS) checkIn.routes.use(path, dropEmptyParameters);
  checkIn.routes.openAPIRegistry.register("CheckInOperation", checkInOperation);
  return checkIn;
}

export const checkInSecurity = [{ token: [] }];
export const checkInFailureResponses = createFailureResponses(checkInFailure, 401, 403);

export const unchangedEtagResponse = { 304: { description: "Nothing has changed since the ETag of If-None-Match" } };

/** Creates the staff request. Rights are checked when reading the data. */
export function toStaffRequest(c: Context<AppEnvironment>): StaffRequest {
  return { tenant: c.get("tenant"), authorization: c.req.header("Authorization"), now: c.get("now") };
}

/** Returns the error response of a rejection. */
export function createCheckInRefusal(c: Context<AppEnvironment>, refusal: CheckInRefusal) {
  return toErrorResponse(c, toCheckInFailure(refusal));
}

/** Sets the ETag of a response. Returns whether the client's copy is current. */
export async function setEtagAndCompare(c: Context<AppEnvironment>, answer: unknown): Promise<boolean> {
  const etag = `"${(await computeFingerprint(answer)).slice(0, 32)}"`;
  c.header("ETag", etag);
  return c.req.header("If-None-Match")?.replace(/^W\//, "") === etag;
}

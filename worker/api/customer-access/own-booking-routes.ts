import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Result } from "#domain/result.ts";
import { limitRequestsByVisitor } from "#worker/api/client-address.ts";
import { dropEmptyBodyMembers } from "#worker/api/drop-empty-members.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { createInvalidFieldsFailure, type Failure } from "#worker/api/failure.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { limitBodySize, requireJsonBody } from "#worker/api/request-body.ts";
import {
  applyCustomerAction,
  type CustomerActionAnswer,
  type CustomerActionRefusal,
  type CustomerBookingAction,
  quoteCustomerAction,
} from "#worker/usecases/contracts/customer-actions.ts";
import { findAuthenticatedCustomer } from "#worker/usecases/office/find-signed-in.ts";
import { getCallerLanguage, publicFailureResponses } from "./access-api.ts";
import { toAccessErrorResponse } from "./errors.ts";
import { languageQuery } from "./messages.ts";
import * as messages from "./own-booking-messages.ts";
import { getOwnBookingTexts, type OwnBookingTexts } from "./own-booking-texts.ts";

const writing = [
  limitRequestsByVisitor("own_booking", toAccessErrorResponse),
  limitBodySize(toAccessErrorResponse),
  requireJsonBody(toAccessErrorResponse),
  dropEmptyBodyMembers,
];
const answered = {
  200: jsonContent(messages.ownActionAnswer, "The booking and the effect of the action"),
  ...publicFailureResponses.writing(403, 404, 409, 429),
};

const quoteRoute = createRoute({
  method: "post",
  path: "/web-customer/reservations/{free_access_id}/quote",
  operationId: "quoteOwnBookingAction",
  tags: ["Customers"],
  summary: "Quote a cancellation or change of an own booking",
  security: [],
  middleware: writing,
  request: {
    params: messages.ownBookingParams,
    query: languageQuery,
    body: jsonRequest(messages.ownQuoteBody, "The action", { move: "cancel" }),
  },
  responses: answered,
});

const changeRoute = createRoute({
  method: "post",
  path: "/web-customer/reservations/{free_access_id}/change",
  operationId: "changeOwnBooking",
  tags: ["Customers"],
  summary: "Change an own booking",
  security: [],
  middleware: writing,
  request: {
    params: messages.ownBookingParams,
    query: languageQuery,
    body: jsonRequest(messages.ownChangeBody, "What changes", { time_from: "11:00", time_to: "11:00" }),
  },
  responses: answered,
});

const cancelRoute = createRoute({
  method: "post",
  path: "/web-customer/reservations/{free_access_id}/cancel",
  operationId: "cancelOwnBooking",
  tags: ["Customers"],
  summary: "Cancel an own booking",
  security: [],
  middleware: writing,
  request: {
    params: messages.ownBookingParams,
    query: languageQuery,
    body: jsonRequest(messages.ownCancellationBody, "The version that the caller read", {}),
  },
  responses: answered,
});

/** Registers the routes with which customers change their own bookings. The unguessable id is the permission. */
export function registerOwnBookingRoutes({ routes }: ApiRoutes): void {
  routes.openapi(quoteRoute, async (c) => {
    const { move, ...wanted } = c.req.valid("json");
    const quoted = await quoteCustomerAction(
      c.get("tenant"),
      c.req.valid("param").free_access_id,
      toAction(move, wanted),
      c.get("now"),
    );
    return answer(c, quoted, false);
  });
  routes.openapi(changeRoute, async (c) => {
    const { expected_version: expectedVersion, ...wanted } = c.req.valid("json");
    return make(c, c.req.valid("param").free_access_id, toAction("change", wanted), expectedVersion);
  });
  routes.openapi(cancelRoute, async (c) =>
    make(c, c.req.valid("param").free_access_id, toAction("cancel", {}), c.req.valid("json").expected_version),
  );
}

function toAction(
  action: "cancel" | "change",
  requestedChange: Parameters<typeof messages.toOwnRequestedChange>[0],
): CustomerBookingAction {
  if (action === "cancel") return { action, feeCents: undefined };
  return {
    action,
    requestedChange: messages.toOwnRequestedChange(requestedChange),
    transfer: messages.toOwnTransferChange(requestedChange),
  };
}

async function make(
  c: Context<AppEnvironment>,
  freeAccessId: string,
  action: CustomerBookingAction,
  expectedVersion: number | undefined,
) {
  const { tenant, now } = c.var;
  const customer = await findAuthenticatedCustomer(tenant, c.req.header("Authorization"), now);
  const actor = customer ? `customer:${customer.id}` : "visitor";
  return answer(c, await applyCustomerAction(tenant, freeAccessId, action, { now, expectedVersion, actor }), true);
}

async function answer(
  c: Context<AppEnvironment>,
  result: Result<CustomerActionAnswer, CustomerActionRefusal>,
  isDone: boolean,
) {
  const lang = c.req.query("lang")?.toLowerCase() ?? "";
  if (!result.ok) {
    const texts = getOwnBookingTexts(await getCallerLanguage(c, lang));
    return toAccessErrorResponse(c, toFailure(result.error, texts));
  }
  // Without a language in the query, the texts are in the account's default language.
  return c.json(messages.toOwnBookingActionMessage(result.value, lang, isDone), 200);
}

const FIELDS: Readonly<Record<string, string>> = {
  period: "date_from",
  dateFrom: "date_from",
  timeFrom: "time_from",
  dateTo: "date_to",
  timeTo: "time_to",
  extra: "extras",
  // `transfer` means that a rental got trips or a transfer has none. Its error is reported at `date`.
  transfer: "date",
  tripDate: "date",
  origin: "origin_point_id",
  destination: "destination_point_id",
  returnDate: "return_date",
  returnOrigin: "return_origin_point_id",
  returnDestination: "return_destination_point_id",
  adults: "number_of_adults",
  // The vehicle no longer serves the destination of the trip, so the error names the destination.
  transferVehicle: "destination_point_id",
};

function toFailure(refusal: CustomerActionRefusal, texts: OwnBookingTexts): Failure {
  switch (refusal.kind) {
    case "bookingNotFound":
      return { status: 404, code: "booking_not_found", message: texts.notFound };
    case "notAllowedHere":
      return { status: 403, code: "not_allowed", message: texts.notAllowed };
    case "bookedByAgency":
      return { status: 409, code: "booked_by_agency", message: texts.byAgency };
    case "changedMeanwhile": {
      const message = `expected_version: ${texts.changedMeanwhile(refusal.version)}`;
      return { status: 409, code: "changed_meanwhile", message };
    }
    case "actionNotAllowed": {
      const { own, status } = refusal;
      return { status: 409, code: "action_not_allowed", message: own ? texts.byRule[own] : texts.byStatus[status] };
    }
    case "soldOut": {
      const message = refusal.resource === "transfer" ? texts.vehicleTaken : texts.soldOut(refusal.code);
      return { status: 409, code: "sold_out", message };
    }
    case "invalid":
      return createInvalidFieldsFailure([{ field: FIELDS[refusal.field] ?? refusal.field, ...refusal.reason }]);
  }
}

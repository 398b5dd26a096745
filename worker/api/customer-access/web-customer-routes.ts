import { createRoute } from "@hono/zod-openapi";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { requireJsonBody } from "#worker/api/request-body.ts";
import { CUSTOMER_ROLES, requireSignedInRole } from "#worker/api/signed-in.ts";
import { isUserNameRegistered } from "#worker/usecases/access/check-registration.ts";
import { requestPasswordReset, resetPasswordByLink } from "#worker/usecases/access/recover-password.ts";
import { listCustomerRentals, listCustomerTransfers } from "#worker/usecases/bookings/list-customer-rentals.ts";
import { requestBookingLink } from "#worker/usecases/operations/own-reservation.ts";
import {
  accessSecurity,
  getCallerLanguage,
  getSignInContext,
  limitAttemptsAndBodySize,
  publicFailureResponses,
  runAfterResponse,
  signedInFailureResponses,
} from "./access-api.ts";
import { toAccessErrorResponse, toAccessFailure } from "./errors.ts";
import * as messages from "./messages.ts";
import { bookingLinkBody } from "./own-booking-messages.ts";

const CUSTOMER = { username: "customer@acme.test" };
const NEW_PASSWORD = { password: "Example-pass-2030!", password_forgotten_hash: "the-value-of-id-in-the-mailed-link" };

const checkRoute = createRoute({
  method: "post",
  path: "/web-customer/check-user-email",
  operationId: "checkUser",
  tags: ["Customers"],
  security: [],
  summary: "Check whether a user name or email is registered",
  middleware: [...limitAttemptsAndBodySize("check"), requireJsonBody(toAccessErrorResponse)],
  request: { query: messages.languageQuery, body: jsonRequest(messages.userIdentifierBody, "Either name", CUSTOMER) },
  responses: {
    200: jsonContent(messages.booleanAnswer, "Whether a user is registered", true),
    ...publicFailureResponses.writing(429),
  },
});

const requestPasswordResetRoute = createRoute({
  method: "post",
  path: "/web-customer/password-forgotten",
  operationId: "requestNewPassword",
  tags: ["Customers"],
  security: [],
  summary: "Request a password reset email",
  middleware: [...limitAttemptsAndBodySize("forgotten"), requireJsonBody(toAccessErrorResponse)],
  request: { query: messages.languageQuery, body: jsonRequest(messages.userIdentifierBody, "Either name", CUSTOMER) },
  responses: { 200: jsonContent(messages.booleanAnswer, "true", true), ...publicFailureResponses.writing(429) },
});

const findBookingRoute = createRoute({
  method: "post",
  path: "/web-customer/find-booking",
  operationId: "requestBookingLink",
  tags: ["Customers"],
  security: [],
  summary: "Mail the link of a reservation to its customer",
  middleware: [...limitAttemptsAndBodySize("forgotten"), requireJsonBody(toAccessErrorResponse)],
  request: {
    query: messages.languageQuery,
    body: jsonRequest(bookingLinkBody, "Number and email", { number: 1, email: "customer@acme.test" }),
  },
  responses: {
    200: jsonContent(messages.booleanAnswer, "Always true, even without a match", true),
    ...publicFailureResponses.writing(429),
  },
});

const changeRoute = createRoute({
  method: "post",
  path: "/web-customer/change-password",
  operationId: "changePassword",
  tags: ["Customers"],
  security: [],
  summary: "Reset a password",
  middleware: [...limitAttemptsAndBodySize("change"), requireJsonBody(toAccessErrorResponse)],
  request: {
    query: messages.languageQuery,
    body: jsonRequest(messages.setPasswordBody, "The password and the link", NEW_PASSWORD),
  },
  responses: {
    200: jsonContent(messages.booleanAnswer, "false: the link is unknown, used or expired", false),
    ...publicFailureResponses.writing(429),
  },
});

const rentalsRoute = createRoute({
  method: "get",
  path: "/web-customer/renting-reservations",
  operationId: "listRentals",
  tags: ["Customers"],
  summary: "List own bookings",
  security: accessSecurity,
  middleware: [requireSignedInRole(CUSTOMER_ROLES, toAccessErrorResponse)],
  request: { query: messages.languageQuery },
  responses: { 200: jsonContent(messages.ownRentalsAnswer, "The bookings"), ...signedInFailureResponses.reading() },
});

const transfersRoute = createRoute({
  method: "get",
  path: "/web-customer/transfer-reservations",
  operationId: "listTransfers",
  tags: ["Customers"],
  summary: "List own transfers",
  security: accessSecurity,
  middleware: [requireSignedInRole(CUSTOMER_ROLES, toAccessErrorResponse)],
  request: { query: messages.languageQuery },
  responses: {
    200: jsonContent(messages.ownRentalsAnswer, "From the first departure to the last arrival"),
    ...signedInFailureResponses.reading(),
  },
});

/** Registers the routes with which customers manage their website account. */
export function registerWebCustomerRoutes({ routes }: ApiRoutes): void {
  routes.openapi(checkRoute, async (c) => {
    const checked = await isUserNameRegistered(
      c.get("tenant"),
      messages.getSignInName(c.req.valid("json")),
      getSignInContext(c),
    );
    if (checked.ok) return c.json(checked.value, 200);
    return toAccessErrorResponse(
      c,
      toAccessFailure(checked.error, await getCallerLanguage(c, c.req.valid("query").lang)),
    );
  });
  routes.openapi(requestPasswordResetRoute, async (c) => {
    const { lang } = c.req.valid("query");
    const name = messages.getSignInName(c.req.valid("json"));
    const requested = await requestPasswordReset(c.get("tenant"), name, { ...getSignInContext(c), language: lang });
    if (!requested.ok)
      return toAccessErrorResponse(c, toAccessFailure(requested.error, await getCallerLanguage(c, lang)));
    runAfterResponse(c, requested.value);
    return c.json(true, 200);
  });
  routes.openapi(findBookingRoute, async (c) => {
    const { page = c.req.header("Origin"), ...link } = c.req.valid("json");
    const requested = await requestBookingLink(c.get("tenant"), { ...link, page }, getSignInContext(c));
    if (!requested.ok) {
      const language = await getCallerLanguage(c, c.req.valid("query").lang);
      return toAccessErrorResponse(c, toAccessFailure(requested.error, language));
    }
    runAfterResponse(c, requested.value);
    return c.json(true, 200);
  });
  routes.openapi(changeRoute, async (c) => {
    const { password, password_forgotten_hash: link } = c.req.valid("json");
    const changed = await resetPasswordByLink(c.get("tenant"), { password, link }, getSignInContext(c));
    if (changed.ok) {
      runAfterResponse(c, changed.value);
      return c.json(changed.value !== undefined, 200);
    }
    return toAccessErrorResponse(
      c,
      toAccessFailure(changed.error, await getCallerLanguage(c, c.req.valid("query").lang)),
    );
  });
  routes.openapi(rentalsRoute, async (c) => {
    const { tenant, signedIn: person } = c.var;
    if (!person.customer) throw new Error("a customer's user has a customer");
    const { rentals, catalogue } = await listCustomerRentals(tenant, person.customer);
    const lang = c.req.valid("query").lang ?? person.language;
    return c.json(messages.toOwnRentalsMessage(rentals, catalogue, lang), 200);
  });
  routes.openapi(transfersRoute, async (c) => {
    const { tenant, signedIn: person } = c.var;
    if (!person.customer) throw new Error("a customer's user has a customer");
    const { transfers, catalogue } = await listCustomerTransfers(tenant, person.customer);
    const lang = c.req.valid("query").lang ?? person.language;
    return c.json(messages.toOwnTransfersMessage(transfers, catalogue, lang), 200);
  });
}

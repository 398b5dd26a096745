import { createRoute } from "@hono/zod-openapi";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { requireJsonBody } from "#worker/api/request-body.ts";
import { ALL_ROLES, requireSignedInRole } from "#worker/api/signed-in.ts";
import { declareNoStepUp } from "#worker/api/step-up.ts";
import { signOut } from "#worker/usecases/access/sign-out.ts";
import { signUp } from "#worker/usecases/access/sign-up.ts";
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

const SIGN_UP = {
  email: "new.customer@example.com",
  password: "Example-pass-2030!",
  name: "Ana",
  surname: "Ruiz",
  phone_number_prefix: "34",
  phone_number: "600000000",
  document_id: "12345678Z",
};
const signUpRoute = createRoute({
  method: "post",
  path: "/signup/customer",
  operationId: "signUpCustomer",
  tags: ["Customers"],
  security: [],
  summary: "Register a customer",
  middleware: [...limitAttemptsAndBodySize("sign_up"), requireJsonBody(toAccessErrorResponse)],
  request: { query: messages.languageQuery, body: jsonRequest(messages.signUpBody, "The customer", SIGN_UP) },
  responses: {
    200: jsonContent(messages.booleanAnswer, "true: registered", true),
    ...publicFailureResponses.writing(409, 429),
  },
});

const logoutRoute = createRoute({
  method: "delete",
  path: "/logout",
  operationId: "signOut",
  ...declareNoStepUp("access", "Only the session of the call ends"),
  tags: ["Sessions"],
  summary: "Sign out",
  security: accessSecurity,
  middleware: [requireSignedInRole(ALL_ROLES, toAccessErrorResponse, { isSettingUp: true })],
  responses: {
    200: jsonContent(messages.booleanAnswer, "true: signed out", true),
    ...signedInFailureResponses.reading(),
  },
});

/** Registers the routes of customer registration, and of sign-out for all users. */
export function registerSignUpRoutes({ routes }: ApiRoutes): void {
  routes.openapi(signUpRoute, async (c) => {
    const { lang } = c.req.valid("query");
    const { settings } = (await c.get("tenant").snapshot()).catalogue;
    const registration = messages.toSignUpForm(c.req.valid("json"), lang ?? settings.defaultLanguage);
    const signedUp = await signUp(c.get("tenant"), registration, getSignInContext(c));
    if (!signedUp.ok)
      return toAccessErrorResponse(c, toAccessFailure(signedUp.error, await getCallerLanguage(c, lang)));
    runAfterResponse(c, signedUp.value);
    return c.json(true, 200);
  });

  routes.openapi(logoutRoute, async (c) => {
    await signOut(c.get("tenant"), c.get("signedIn"), c.get("now"));
    return c.json(true, 200);
  });
}

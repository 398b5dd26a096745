import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { clientAddress } from "#worker/api/address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { jsonBody } from "#worker/api/request-body.ts";
import { EVERYBODY, signedIn } from "#worker/api/signed-in.ts";
import { type SignInRefusal, signIn } from "#worker/usecases/access/sign-in.ts";
import { signOut } from "#worker/usecases/access/sign-out.ts";
import { signUp } from "#worker/usecases/access/sign-up.ts";
import { newFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import {
  afterwards,
  circumstances,
  deviceOf,
  fails,
  failsSignedIn,
  languageOf,
  limited,
  placeOf,
  security,
} from "./access.ts";
import { demoCredentials } from "./demo-credentials.ts";
import { toAccessError, toAccessFailure } from "./errors.ts";
import { readLogin } from "./login-input.ts";
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
const CREDENTIALS = exampleCredentials();
const CONNECTED = { connected: true, user: { full_name: "Marta Vidal", role: "administrator" as const } };

const signUpRoute = createRoute({
  method: "post",
  path: "/signup/customer",
  operationId: "signUpCustomer",
  tags: ["Customers"],
  security: [],
  summary: "Registers a customer",
  middleware: [...limited("sign_up"), jsonBody(toAccessError)],
  request: { query: messages.languageQuery, body: jsonRequest(messages.signUpBody, "The customer", SIGN_UP) },
  responses: { 200: json(messages.yesOrNo, "true: registered", true), ...fails.writing(409, 429) },
});

const loginRoute = createRoute({
  method: "post",
  path: "/login",
  operationId: "signIn",
  tags: ["Sessions"],
  security: [],
  summary: "Signs in a customer or a member of staff; the token is in the Authorization header of the answer",
  request: {
    query: messages.loginQuery,
    body: {
      required: false,
      content: {
        "application/json": { schema: messages.credentials, example: CREDENTIALS },
        "application/x-www-form-urlencoded": { schema: messages.credentials, example: CREDENTIALS },
      },
    },
  },
  responses: {
    200: {
      ...json(messages.connection, "Whether the user name and the password are right", CONNECTED),
      headers: { Authorization: { description: "The token, where connected", schema: { type: "string" } } },
    },
    ...fails.writing(429),
  },
});

const logoutRoute = createRoute({
  method: "delete",
  path: "/logout",
  operationId: "signOut",
  tags: ["Sessions"],
  summary: "Ends the session: its tokens are not good any more",
  security,
  middleware: [signedIn(EVERYBODY, toAccessError, { isSettingUp: true })],
  responses: { 200: json(messages.yesOrNo, "true: signed out", true), ...failsSignedIn.reading() },
});

/** Registers how people get in and out. */
export function registerSignInRoutes({ routes }: Interface): void {
  routes.openapi(signUpRoute, async (c) => {
    const { lang } = c.req.valid("query");
    const { settings } = (await c.var.tenant.snapshot()).catalogue;
    const registration = messages.toSignUp(c.req.valid("json"), lang ?? settings.defaultLanguage);
    const signedUp = await signUp(c.var.tenant, registration, circumstances(c));
    if (!signedUp.ok) return toAccessError(c, toAccessFailure(signedUp.error, await languageOf(c, lang)));
    afterwards(c, signedUp.value);
    return c.json(true, 200);
  });

  // Described as a route, but read by hand: what is in the query need not be in a body, and a body may be empty
  // whatever its type.
  routes.openAPIRegistry.registerPath(loginRoute);
  routes.use("/login", ...limited("login"));
  routes.post("/login", async (c) => {
    const input = await readLogin(c);
    if ("failure" in input) return toAccessError(c, input.failure);
    const { username, password, code, passkey, lang } = input.value;
    const { tenant, now } = c.var;
    const place = placeOf(c);
    const proofs = { code, passkey: passkey && messages.toPasskeyProof(passkey), place };
    const credentials = { username, password, address: clientAddress(c), device: deviceOf(c), ...proofs };
    const connection = await signIn(tenant, credentials, { now, sessionId: newFreeAccessId() });
    if (connection.ok) {
      const { token, fullName, role, tell } = connection.value;
      afterwards(c, tell);
      c.set("event", "signed_in");
      c.header("Authorization", token);
      return c.json({ connected: true, user: { full_name: fullName, role } }, 200);
    }
    return answerRefusal(c, connection.error, { host: place.host, lang });
  });
  routes.openapi(logoutRoute, async (c) => {
    await signOut(c.var.tenant, c.var.signedIn, c.var.now);
    return c.json(true, 200);
  });
}

// A production build knows nothing of the demo.
function exampleCredentials() {
  if (DEVELOPMENT_BUILD) return demoCredentials;
  return { username: "staff@company.example", password: "password" };
}

async function answerRefusal(
  c: Context<AppEnvironment>,
  refusal: SignInRefusal,
  { host, lang }: { readonly host: string; readonly lang: string | undefined },
) {
  afterwards(c, refusal.tell);
  c.set("event", refusal.kind === "wrong" ? "sign_in_failed" : "sign_in_limited");
  if (refusal.kind === "wrong") return c.json({ connected: false }, 200);
  if (refusal.kind === "tooManyAttempts") return toAccessError(c, toAccessFailure(refusal, await languageOf(c, lang)));
  const { what, asked } = refusal;
  const passkey = asked && { challenge: asked.challenge, rp_id: host, ids: [...asked.ids] };
  return c.json({ connected: false, second_factor: what, ...(passkey && { passkey }) }, 200);
}

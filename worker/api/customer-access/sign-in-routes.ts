import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { getClientIpAddress } from "#worker/api/client-address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { type SignInRefusal, signIn } from "#worker/usecases/access/sign-in.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import {
  getCallerLanguage,
  getDeviceName,
  getPasskeyScope,
  limitAttemptsAndBodySize,
  publicFailureResponses,
  runAfterResponse,
} from "./access-api.ts";
import { demoCredentials } from "./demo-credentials.ts";
import { toAccessErrorResponse, toAccessFailure } from "./errors.ts";
import { readLoginInput } from "./login-input.ts";
import * as messages from "./messages.ts";

const CREDENTIALS = exampleCredentials();
const CONNECTED = { connected: true, user: { full_name: "Marta Vidal", role: "administrator" as const } };

const loginRoute = createRoute({
  method: "post",
  path: "/login",
  operationId: "signIn",
  tags: ["Sessions"],
  security: [],
  summary: "Sign in",
  request: {
    query: messages.credentialsQuery,
    body: {
      required: false,
      content: {
        "application/json": { schema: messages.credentialsBody, example: CREDENTIALS },
        "application/x-www-form-urlencoded": { schema: messages.credentialsBody, example: CREDENTIALS },
      },
    },
  },
  responses: {
    200: {
      ...jsonContent(messages.signInResultAnswer, "Whether the user name and the password are right", CONNECTED),
      headers: { Authorization: { description: "The token, if the sign-in succeeded", schema: { type: "string" } } },
    },
    ...publicFailureResponses.writing(429),
  },
});

/** Registers the route to sign in, for customers and staff. */
export function registerSignInRoutes({ routes }: ApiRoutes): void {
  // Documented as a route but parsed manually, because values may be in the query, and a body may be empty with any
  // content type.
  routes.openAPIRegistry.registerPath(loginRoute);
  routes.use("/login", ...limitAttemptsAndBodySize("login"));
  routes.post("/login", async (c) => {
    const input = await readLoginInput(c);
    if ("failure" in input) return toAccessErrorResponse(c, input.failure);
    const { username, password, code, passkey, lang } = input.value;
    const { tenant, now } = c.var;
    const passkeyScope = getPasskeyScope(c);
    const proofs = { code, passkey: passkey && messages.toPasskeyProof(passkey), passkeyScope };
    const credentials = { username, password, address: getClientIpAddress(c), device: getDeviceName(c), ...proofs };
    const connection = await signIn(tenant, credentials, { now, sessionId: createFreeAccessId() });
    if (connection.ok) {
      const { token, fullName, role, notify } = connection.value;
      runAfterResponse(c, notify);
      c.set("event", "signed_in");
      c.set("isStaffCall", role !== "customer");
      c.header("Authorization", token);
      return c.json({ connected: true, user: { full_name: fullName, role } }, 200);
    }
    return answerRefusal(c, connection.error, { host: passkeyScope.host, lang });
  });
}

// A production build doesn't contain demo data.
function exampleCredentials() {
  if (DEVELOPMENT_BUILD) return demoCredentials;
  return { username: "staff@company.example", password: "password" };
}

async function answerRefusal(
  c: Context<AppEnvironment>,
  refusal: SignInRefusal,
  { host, lang }: { readonly host: string; readonly lang: string | undefined },
) {
  runAfterResponse(c, refusal.notify);
  c.set("event", refusal.kind === "wrong" ? "sign_in_failed" : "sign_in_limited");
  if (refusal.kind === "wrong") return c.json({ connected: false }, 200);
  if (refusal.kind === "tooManyAttempts")
    return toAccessErrorResponse(c, toAccessFailure(refusal, await getCallerLanguage(c, lang)));
  const { what, passkeyChallenge } = refusal;
  c.set("isStaffCall", true);
  const passkey = passkeyChallenge && {
    challenge: passkeyChallenge.challenge,
    rp_id: host,
    ids: [...passkeyChallenge.ids],
  };
  return c.json({ connected: false, second_factor: what, ...(passkey && { passkey }) }, 200);
}

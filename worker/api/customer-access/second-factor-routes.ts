import { createRoute, type z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { failures } from "#worker/api/failure.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { requireJsonBody } from "#worker/api/request-body.ts";
import { ALL_STAFF_ROLES, requireSignedInRole } from "#worker/api/signed-in.ts";
import { declareConditionalStepUp, declareNoStepUp, declareStepUp } from "#worker/api/step-up.ts";
import type { TooManyAttempts } from "#worker/usecases/access/limit-attempts.ts";
import { canAddSecondFactor } from "#worker/usecases/access/passkeys.ts";
import {
  beginAuthenticatorAppSetup,
  confirmAuthenticatorAppSetup,
  proveSecondFactor,
  removeAuthenticatorAppWithProof,
  renewRecoveryCodes,
  type SecondFactorProofInput,
} from "#worker/usecases/access/second-factor.ts";
import {
  accessSecurity,
  getCallerLanguage,
  getPasskeyScope,
  limitSignedInAttempts,
  signedInFailureResponses,
} from "./access-api.ts";
import { toAccessErrorResponse, toAccessFailure } from "./errors.ts";
import {
  authenticatorSetupAnswer,
  recoveryCodesAnswer,
  secondFactorCodeBody,
  secondFactorProofAnswer,
  secondFactorProofBody,
  toPasskeyProof,
} from "./messages.ts";

const tags = ["Second factor"];

const example = { code: "123456" };
const proved = (description: string) => jsonContent(secondFactorProofAnswer, description, { proved: false });

const whileSettingUp = requireSignedInRole(ALL_STAFF_ROLES, toAccessErrorResponse, { isSettingUp: true });
const writing = [...limitSignedInAttempts("change", whileSettingUp), requireJsonBody(toAccessErrorResponse)];

const INVALID_CODE_FAILURE = {
  status: 400,
  code: "invalid_code",
  message: "code: it is wrong, used, or there is nothing to confirm",
} as const;
const SECOND_FACTOR_EXISTS_FAILURE = {
  status: 409,
  code: "second_factor_exists",
  message: "There is a second factor already: remove it first",
} as const;

const NO_SECOND_FACTOR_FAILURE = {
  status: 409,
  code: "no_second_factor",
  message: "There is no second factor: recovery codes come with the first",
} as const;

const beginRoute = createRoute({
  method: "post",
  path: "/second-factor",
  operationId: "beginSecondFactor",
  ...declareConditionalStepUp("access", "The user has a second factor already"),
  tags,
  summary: "Start setting up an authenticator app",
  security: accessSecurity,
  middleware: limitSignedInAttempts("change", whileSettingUp),
  responses: {
    200: jsonContent(authenticatorSetupAnswer, "The secret as base32 and for a QR code"),
    ...signedInFailureResponses.writing(409, 429),
  },
});

const confirmRoute = createRoute({
  method: "post",
  path: "/second-factor/confirm",
  operationId: "confirmSecondFactor",
  ...declareConditionalStepUp("access", "The user has a second factor already"),
  tags,
  summary: "Confirm the authenticator app",
  security: accessSecurity,
  middleware: writing,
  request: { body: jsonRequest(secondFactorCodeBody, "The code that the app shows", example) },
  responses: {
    200: jsonContent(recoveryCodesAnswer, "Recovery codes. Shown only now, each valid once"),
    ...signedInFailureResponses.writing(429),
  },
});

const renewRoute = createRoute({
  method: "post",
  path: "/second-factor/recovery-codes",
  operationId: "renewRecoveryCodes",
  ...declareStepUp("access"),
  tags,
  summary: "Create new recovery codes",
  security: accessSecurity,
  middleware: limitSignedInAttempts("change", requireSignedInRole(ALL_STAFF_ROLES, toAccessErrorResponse)),
  responses: {
    200: jsonContent(recoveryCodesAnswer, "Recovery codes. Shown only now, each valid once"),
    ...signedInFailureResponses.writing(409, 429),
  },
});

const proveRoute = createRoute({
  method: "post",
  path: "/second-factor/prove",
  operationId: "proveSecondFactor",
  ...declareNoStepUp("access", "It is the proof"),
  tags,
  summary: "Verify the second factor again",
  security: accessSecurity,
  middleware: writing,
  request: {
    body: jsonRequest(secondFactorProofBody, "A code of the app, a recovery code, or what a passkey signed", example),
  },
  responses: { 200: proved("Whether the second factor is right"), ...signedInFailureResponses.writing(429) },
});

const removeRoute = createRoute({
  method: "post",
  path: "/second-factor/remove",
  operationId: "removeSecondFactor",
  ...declareNoStepUp("access", "The request contains the proof"),
  tags,
  summary: "Disable two-factor authentication",
  security: accessSecurity,
  middleware: writing,
  request: {
    body: jsonRequest(secondFactorProofBody, "A code of the app, a recovery code, or what a passkey signed", example),
  },
  responses: {
    200: proved("Whether the second factor is right and was removed"),
    ...signedInFailureResponses.writing(429),
  },
});

/** Registers the routes to set up, prove and remove second factors of staff. */
export function registerSecondFactorRoutes({ routes }: ApiRoutes): void {
  routes.openapi(beginRoute, async (c) => {
    const { tenant, signedIn: person, factor } = c.var;
    const enrolment = await beginAuthenticatorAppSetup(tenant, person);
    if (enrolment && !(await canAddSecondFactor(tenant, person.userId, factor)))
      return toAccessErrorResponse(c, failures.secondFactorStale);
    return enrolment ? c.json(enrolment, 200) : toAccessErrorResponse(c, SECOND_FACTOR_EXISTS_FAILURE);
  });
  routes.openapi(confirmRoute, async (c) => {
    const { tenant, signedIn: person, factor, now } = c.var;
    if (!(await canAddSecondFactor(tenant, person.userId, factor)))
      return toAccessErrorResponse(c, failures.secondFactorStale);
    const codes = await confirmAuthenticatorAppSetup(tenant, person, c.req.valid("json").code, now);
    return codes ? c.json({ recovery_codes: [...codes] }, 200) : toAccessErrorResponse(c, INVALID_CODE_FAILURE);
  });
  routes.openapi(renewRoute, async (c) => {
    const { tenant, signedIn: person, factor, now } = c.var;
    if (!(await canAddSecondFactor(tenant, person.userId, factor)))
      return toAccessErrorResponse(c, failures.secondFactorStale);
    const codes = await renewRecoveryCodes(tenant, person, now);
    return codes ? c.json({ recovery_codes: [...codes] }, 200) : toAccessErrorResponse(c, NO_SECOND_FACTOR_FAILURE);
  });
  routes.openapi(proveRoute, async (c) => {
    const { tenant, signedIn: person, now } = c.var;
    return answerProved(c, await proveSecondFactor(tenant, person, toProof(c, c.req.valid("json")), now));
  });
  routes.openapi(removeRoute, async (c) => {
    const { tenant, signedIn: person, now } = c.var;
    return answerProved(c, await removeAuthenticatorAppWithProof(tenant, person, toProof(c, c.req.valid("json")), now));
  });
}

function toProof(
  c: Context<AppEnvironment>,
  { code = "", passkey }: z.infer<typeof secondFactorProofBody>,
): SecondFactorProofInput {
  return passkey ? { passkey: toPasskeyProof(passkey), scope: getPasskeyScope(c) } : { code };
}

async function answerProved(c: Context<AppEnvironment>, proved: boolean | TooManyAttempts) {
  if (typeof proved === "boolean") return c.json({ proved }, 200);
  return toAccessErrorResponse(c, toAccessFailure(proved, await getCallerLanguage(c, c.get("signedIn").language)));
}

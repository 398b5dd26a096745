import { createRoute, z } from "@hono/zod-openapi";
import { failures } from "#worker/api/failure.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { requireJsonBody } from "#worker/api/request-body.ts";
import { ALL_STAFF_ROLES, requireSignedInRole } from "#worker/api/signed-in.ts";
import { declareConditionalStepUp, declareNoStepUp, declareStepUp } from "#worker/api/step-up.ts";
import { PASSKEY_ALGORITHMS } from "#worker/auth/passkeys.ts";
import {
  addPasskey,
  canAddSecondFactor,
  createPasskeyChallenge,
  listUserSecondFactors,
  removeOwnPasskey,
} from "#worker/usecases/access/passkeys.ts";
import { accessSecurity, getPasskeyScope, limitSignedInAttempts, signedInFailureResponses } from "./access-api.ts";
import { toAccessErrorResponse } from "./errors.ts";
import {
  newPasskeyBody,
  passkeyChallengeAnswer,
  recoveryCodesAnswer,
  secondFactorsAnswer,
  toNewPasskey,
} from "./messages.ts";

const tags = ["Second factor"];
const whileSettingUp = requireSignedInRole(ALL_STAFF_ROLES, toAccessErrorResponse, { isSettingUp: true });
const example = {
  name: "This laptop",
  id: "Zm9yLWV4YW1wbGUtb25seQ",
  response: {
    clientDataJSON: "e30",
    attestationObject: "Zm9yLWV4YW1wbGUtb25seQ",
  },
};

const WRONG_PASSKEY_FAILURE = {
  status: 400,
  code: "wrong_passkey",
  message: "response: it is not for this place, not of this challenge, or its key cannot be used",
} as const;
const KNOWN = { status: 409, code: "passkey_exists", message: "This passkey is kept already" } as const;

const challengeRoute = createRoute({
  method: "post",
  path: "/second-factor/passkeys/challenge",
  operationId: "challengePasskey",
  ...declareNoStepUp("access", "A challenge is part of the proof"),
  tags,
  summary: "Create a passkey challenge",
  security: accessSecurity,
  middleware: limitSignedInAttempts("change", whileSettingUp),
  responses: {
    200: jsonContent(passkeyChallengeAnswer, "Challenge, valid once within five minutes"),
    ...signedInFailureResponses.writing(429),
  },
});

const addRoute = createRoute({
  method: "post",
  path: "/second-factor/passkeys",
  operationId: "addPasskey",
  ...declareConditionalStepUp("access", "The user has a second factor already"),
  tags,
  summary: "Add a passkey",
  security: accessSecurity,
  middleware: [...limitSignedInAttempts("change", whileSettingUp), requireJsonBody(toAccessErrorResponse)],
  request: { body: jsonRequest(newPasskeyBody, "Response of the browser, as `toJSON()` returns it", example) },
  responses: {
    200: jsonContent(recoveryCodesAnswer, "Recovery codes, with the first factor only. Shown only now"),
    ...signedInFailureResponses.writing(409, 429),
  },
});

const listRoute = createRoute({
  method: "get",
  path: "/second-factor/passkeys",
  operationId: "listPasskeys",
  tags,
  summary: "List passkeys and other second factors",
  security: accessSecurity,
  middleware: [whileSettingUp],
  responses: { 200: jsonContent(secondFactorsAnswer, "Oldest first"), ...signedInFailureResponses.reading() },
});

const removeRoute = createRoute({
  method: "delete",
  path: "/second-factor/passkeys/{id}",
  operationId: "removePasskey",
  ...declareStepUp("access"),
  tags,
  summary: "Remove a passkey",
  security: accessSecurity,
  middleware: limitSignedInAttempts("change", whileSettingUp),
  request: { params: z.object({ id: z.string().max(1400).meta({ example: example.id }) }) },
  responses: {
    200: jsonContent(z.object({ removed: z.boolean() }), "Removed"),
    ...signedInFailureResponses.reading(404, 429),
  },
});

/** Registers the routes to create, list and delete passkeys of staff. */
export function registerPasskeyRoutes({ routes }: ApiRoutes): void {
  routes.openapi(challengeRoute, async (c) => {
    const { tenant, signedIn: person, now } = c.var;
    const { challenge, passkeys } = await createPasskeyChallenge(tenant, person.userId, now);
    const user = { id: Buffer.from(`${tenant.name}/${person.userId}`).toString("base64url"), name: person.fullName };
    const ids = passkeys.map(({ id }) => id);
    return c.json({ challenge, rp_id: getPasskeyScope(c).host, ids, user, algorithms: [...PASSKEY_ALGORITHMS] }, 200);
  });
  routes.openapi(addRoute, async (c) => {
    const { tenant, signedIn: person, factor, now } = c.var;
    if (!(await canAddSecondFactor(tenant, person.userId, factor)))
      return toAccessErrorResponse(c, failures.secondFactorStale);
    const added = await addPasskey(tenant, person, toNewPasskey(c.req.valid("json")), {
      scope: getPasskeyScope(c),
      now,
    });
    if (added === "wrong") return toAccessErrorResponse(c, WRONG_PASSKEY_FAILURE);
    return added === "known" ? toAccessErrorResponse(c, KNOWN) : c.json({ recovery_codes: [...added] }, 200);
  });
  routes.openapi(listRoute, async (c) => {
    const moment = (at: number) => new Date(at).toISOString();
    const own = await listUserSecondFactors(c.get("tenant"), c.get("signedIn").userId);
    const passkeys = own.passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      created_at: moment(createdAt),
      last_used_at: lastUsedAt === null ? null : moment(lastUsedAt),
    }));
    const codesLeft = own.recoveryCodesLeft;
    return c.json({ passkeys, authenticator: own.hasAuthenticator, recovery_codes_left: codesLeft }, 200);
  });
  routes.openapi(removeRoute, async (c) => {
    const { tenant, signedIn: person, factor } = c.var;
    if (factor !== "fresh") return toAccessErrorResponse(c, failures.secondFactorStale);
    const isRemoved = await removeOwnPasskey(tenant, person.userId, c.req.valid("param").id);
    return isRemoved ? c.json({ removed: true }, 200) : toAccessErrorResponse(c, failures.unknownPath);
  });
}

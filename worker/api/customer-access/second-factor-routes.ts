import { createRoute, z } from "@hono/zod-openapi";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { jsonBody } from "#worker/api/request-body.ts";
import { STAFF, signedIn } from "#worker/api/signed-in.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  proveSecondFactor,
  removeSecondFactor,
} from "#worker/usecases/access/second-factor.ts";
import { failsSignedIn, limited, security } from "./access.ts";
import { toAccessError } from "./errors.ts";

const tags = ["Second factor"];
const LONGEST_CODE = 40;

const codeBody = z
  .object({ code: z.string("must be text").min(1, "is required").max(LONGEST_CODE, "is no code") })
  .meta({ id: "SecondFactorCode" });
const example = { code: "123456" };
const proved = (description: string) => json(z.object({ proved: z.boolean() }), description, { proved: false });

const whileSettingUp = signedIn(STAFF, toAccessError, { isSettingUp: true });
const writing = [...limited("change"), whileSettingUp, jsonBody(toAccessError)];

const WRONG = {
  status: 400,
  code: "wrong_code",
  message: "code: it is wrong, used, or there is nothing to confirm",
} as const;
const HAS_ONE = {
  status: 409,
  code: "has_second_factor",
  message: "There is a second factor already: remove it first",
} as const;

const beginRoute = createRoute({
  method: "post",
  path: "/second-factor",
  operationId: "beginSecondFactor",
  tags,
  summary: "Begins a second factor: the secret for an app for codes, good once it is confirmed",
  security,
  middleware: [...limited("change"), whileSettingUp],
  responses: {
    200: json(z.object({ secret: z.string(), uri: z.string() }), "In base32, and as what a QR code says"),
    ...failsSignedIn.writing(409, 429),
  },
});

const confirmRoute = createRoute({
  method: "post",
  path: "/second-factor/confirm",
  operationId: "confirmSecondFactor",
  tags,
  summary: "Confirms the second factor by a code of the app",
  security,
  middleware: writing,
  request: { body: jsonRequest(codeBody, "The code that the app shows", example) },
  responses: {
    200: json(
      z.object({ recovery_codes: z.array(z.string()) }),
      "For whoever loses the app: shown once, each good once",
    ),
    ...failsSignedIn.writing(429),
  },
});

const proveRoute = createRoute({
  method: "post",
  path: "/second-factor/prove",
  operationId: "proveSecondFactor",
  tags,
  summary: "Proves the second factor anew, for what asks for it: money given back, secrets",
  security,
  middleware: writing,
  request: { body: jsonRequest(codeBody, "A code of the app, or a recovery code", example) },
  responses: { 200: proved("Whether it is right"), ...failsSignedIn.writing(429) },
});

const removeRoute = createRoute({
  method: "post",
  path: "/second-factor/remove",
  operationId: "removeSecondFactor",
  tags,
  summary: "Takes the second factor away, by a code of it",
  security,
  middleware: writing,
  request: { body: jsonRequest(codeBody, "A code of the app, or a recovery code", example) },
  responses: { 200: proved("Whether it is right, and the factor gone"), ...failsSignedIn.writing(429) },
});

/** Registers the second factor of the staff. */
export function registerSecondFactorRoutes({ routes }: Interface): void {
  routes.openapi(beginRoute, async (c) => {
    const begun = await beginSecondFactor(c.var.tenant, c.var.signedIn);
    return begun ? c.json(begun, 200) : toAccessError(c, HAS_ONE);
  });
  routes.openapi(confirmRoute, async (c) => {
    const { tenant, signedIn: person, now } = c.var;
    const codes = await confirmSecondFactor(tenant, person, c.req.valid("json").code, now);
    return codes ? c.json({ recovery_codes: [...codes] }, 200) : toAccessError(c, WRONG);
  });
  routes.openapi(proveRoute, async (c) => {
    const { tenant, signedIn: person, now } = c.var;
    return c.json({ proved: await proveSecondFactor(tenant, person, c.req.valid("json").code, now) }, 200);
  });
  routes.openapi(removeRoute, async (c) => {
    const { tenant, signedIn: person, now } = c.var;
    return c.json({ proved: await removeSecondFactor(tenant, person, c.req.valid("json").code, now) }, 200);
  });
}

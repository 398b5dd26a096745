import type { Context } from "hono";
import type { LimitedAction } from "#domain/access/attempts.ts";
import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { clientAddress, limitedByAddress } from "#worker/api/address.ts";
import { allowWebsites } from "#worker/api/cors.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { createApi, type Interface } from "#worker/api/interface.ts";
import { logDefect } from "#worker/api/observation.ts";
import { createFailureResponses } from "#worker/api/openapi.ts";
import { bodyCap } from "#worker/api/request-body.ts";
import type { Place } from "#worker/auth/passkeys.ts";
import { toAccessError } from "./errors.ts";
import * as messages from "./messages.ts";

/** The room of customer access and of staff sign-in. */
export function newAccess(): Interface {
  const access = createApi(toAccessError);
  access.routes.use(allowWebsites, async (c, next) => {
    await next();
    // A password may be in the query of a login.
    c.header("Referrer-Policy", "no-referrer");
  });
  return access;
}

/** What a route needs before it reads a body that anybody may send. */
export function limited(action: LimitedAction) {
  return [limitedByAddress(action, toAccessError), bodyCap(toAccessError)];
}

/** How routes that anybody may ask fail. */
export const fails = createFailureResponses(messages.failureAnswer);
/** How routes for who is signed in fail. */
export const failsSignedIn = createFailureResponses(messages.failureAnswer, 401, 403);
export const security = [{ token: [] }];

/** When and, where it is known, from where a request came. */
export function circumstances(c: Context<AppEnvironment>) {
  return { now: c.get("now"), address: clientAddress(c) };
}

/** Where the page is that asks: its host is this account's, whoever sends the request. */
export function getPlace(c: Context<AppEnvironment>): Place {
  const { origin, hostname } = new URL(c.req.url);
  return { origin, host: hostname };
}

/** Does something after the answer: nobody can tell by the time it takes what it was. */
export function afterwards(c: Context<AppEnvironment>, work: (() => Promise<void>) | undefined): void {
  if (work) c.executionCtx.waitUntil(work().catch((error) => logDefect(c, error)));
}

const MAX_DEVICE_NAME_LENGTH = 200;

/** What a device calls itself, as its user will read it in the list of sessions. */
export function getDeviceName(c: Context<AppEnvironment>): string | undefined {
  return c.req
    .header("User-Agent")
    ?.replace(/[^\x20-\x7e]/g, "")
    .slice(0, MAX_DEVICE_NAME_LENGTH);
}

/** The language to speak to whoever sent the request. */
export async function getLanguage(c: Context<AppEnvironment>, lang: string | undefined): Promise<PlatformLanguage> {
  const { settings } = (await c.get("tenant").snapshot()).catalogue;
  return pickPlatformLanguage(lang, settings.defaultLanguage);
}

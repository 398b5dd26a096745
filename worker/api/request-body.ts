import { createMiddleware } from "hono/factory";
import type { AppEnvironment } from "./environment.ts";
import { failures, invalidInput, repeatedName } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";
import { parseJsonObject } from "./json-text.ts";

const LARGEST_BODY_BYTES = 1024 * 1024;

/** Refuses a body over 1 MiB before anything else looks at it. */
export function bodyCap(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    if (Number(c.req.header("Content-Length") ?? 0) > LARGEST_BODY_BYTES) return toErrorResponse(c, failures.tooLarge);
    if (c.req.raw.body && (await c.req.arrayBuffer()).byteLength > LARGEST_BODY_BYTES) {
      return toErrorResponse(c, failures.tooLarge);
    }
    return next();
  });
}

/** Lets only a JSON object through: the content type, the syntax, no member twice. */
export function jsonBody(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    if (!/^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? ""))
      return toErrorResponse(c, failures.notJson);
    const parsed = parseJsonObject(await c.req.text());
    return "problem" in parsed ? toErrorResponse(c, invalidInput([parsed.problem])) : next();
  });
}

/** Lets only a form through, no field twice. */
export function formBody(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(c.req.header("Content-Type") ?? ""))
      return toErrorResponse(c, failures.notForm);
    const form = await c.req.formData().catch(() => undefined);
    if (!form) return toErrorResponse(c, failures.unreadable);
    const repeated = repeatedName([...form.keys()]);
    return repeated ? toErrorResponse(c, repeated) : next();
  });
}

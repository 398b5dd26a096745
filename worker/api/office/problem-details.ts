import { createMiddleware } from "hono/factory";
import { z } from "zod";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { reasonParams } from "#worker/api/failure-messages.ts";
import { officeFailureCode, officeFailureDetail } from "./failure-messages.ts";

/** Response body of `convertToProblemDetails`. */
export const problemDetailsAnswer = z
  .object({
    type: z.string(),
    title: z.string().meta({ description: "Kind of problem in English, the same for the same `code`" }),
    detail: z.string().meta({ description: "Explanation of this occurrence" }),
    status: z.int(),
    instance: z.string().meta({ description: "Id of the request, as in `X-Request-Id`" }),
    code: officeFailureCode.optional(),
    params: reasonParams.optional(),
    errors: z.array(officeFailureDetail).readonly().optional(),
  })
  .meta({ id: "Problem" });

const PROBLEM = "application/problem+json";

interface Envelope {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly detail?: unknown;
}

// Converts a code to a title: `invalid_input` becomes `Invalid input`.
const toTitle = (code: string) => (code.charAt(0).toUpperCase() + code.slice(1)).replaceAll("_", " ");

// A media type is case-insensitive, and a weight of 0 excludes it (RFC 9110, section 12.5.1).
function acceptsProblemDetails(accept = ""): boolean {
  return accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()))
    .some(([type, ...parameters]) => type === PROBLEM && !parameters.some((part) => /^q=0(\.0*)?$/.test(part)));
}

/**
 * Returns errors as problem details (RFC 9457) to clients that accept `application/problem+json`. Others get the common
 * envelope, because its `detail` is a list and problem details allow only text.
 */
export const convertToProblemDetails = createMiddleware<AppEnvironment>(async (c, next) => {
  await next();
  const { res } = c;
  if (res.status < 400 || !acceptsProblemDetails(c.req.header("Accept"))) return;
  if (!res.headers.get("Content-Type")?.startsWith("application/json")) return;
  const { error, code, detail, ...things } = await res.json<Envelope>();
  const body = {
    type: typeof code === "string" ? `/docs/errors#${code}` : "about:blank",
    title: typeof code === "string" ? toTitle(code) : `HTTP ${res.status}`,
    detail: String(error),
    status: res.status,
    instance: `urn:uuid:${c.get("requestId")}`,
    ...(typeof code === "string" && { code }),
    ...(Array.isArray(detail) && { errors: detail }),
    ...things,
  };
  const headers = new Headers(res.headers);
  headers.set("Content-Type", PROBLEM);
  headers.delete("Content-Length");
  c.res = undefined;
  c.res = new Response(JSON.stringify(body), { status: res.status, headers });
  c.header("Vary", "Accept", { append: true });
});

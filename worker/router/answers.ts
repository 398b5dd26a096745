import { getPathname, isOtaXmlPath } from "#worker/tenancy/request-url.ts";

/** Returns an error response of the router itself, in the same format as the cells' responses. */
export function respondError(
  status: number,
  code: string | undefined,
  error: string,
  { retryAfter, request }: { readonly retryAfter?: number; readonly request?: Request } = {},
): Response {
  const headers = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": crypto.randomUUID(),
    ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
  };
  if (request && isOtaXmlPath(getPathname(request.url)))
    return new Response(toOpenTravelError(status, code ?? "unknown_path", error), {
      status,
      headers: { ...headers, "Content-Type": "application/xml; charset=utf-8" },
    });
  return Response.json({ error, ...(code !== undefined && { code }) }, { status, headers });
}

// Type and code are those of the cells (worker/api/ota-xml/errors.ts). The texts need no escapes.
function toOpenTravelError(status: number, code: string, error: string): string {
  const [type, number] = status >= 500 ? [12, 187] : [3, 450];
  const timestamp = new Date().toISOString();
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<OTA_ErrorRS xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0" TimeStamp="${timestamp}"><Errors>` +
    `<Error Type="${type}" Code="${number}" ShortText="${error}">${code}</Error></Errors></OTA_ErrorRS>`
  );
}

/** Returns the error response when the account's cell or the directory doesn't answer. Other cells still work. */
export const respondAccountUnavailable = (request: Request): Response =>
  respondError(503, "account_unavailable", "The account can't be reached. Try again in a moment", {
    retryAfter: 10,
    request,
  });

export const respondAccountPaused = (request: Request): Response =>
  respondError(503, "account_paused", "The account is out of service. Ask the company", { retryAfter: 600, request });

export const respondUnknownAccount = (request: Request): Response =>
  respondError(404, undefined, "Unknown account", { request });

export const respondUnknownPath = (request?: Request): Response =>
  respondError(404, "unknown_path", "Not found: no such endpoint", request && { request });

export const respondNotSignedIn = (): Response => respondError(401, "not_signed_in", "Missing or invalid key");

import { chooseVisitorLanguage } from "#domain/catalogue/languages.ts";
import { getPathname, isOtaXmlPath, isPagePath } from "#worker/tenancy/request-url.ts";
import { failurePageTexts } from "./failure-page-texts.ts";

/** Returns an error response of the router itself, in the format that the cells use for clients of the path. */
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
  if (request && isPagePath(getPathname(request.url)) && request.headers.get("Accept")?.includes("text/html"))
    return renderFailurePage(status, request, headers);
  return Response.json({ error, ...(code !== undefined && { code }) }, { status, headers });
}

// The texts need no escapes. A link to the same address repeats the request.
function renderFailurePage(status: number, request: Request, headers: Readonly<Record<string, string>>): Response {
  const language = chooseVisitorLanguage(undefined, request.headers.get("Accept-Language"));
  const texts = failurePageTexts[language];
  const isUnavailable = status >= 500;
  const title = isUnavailable ? texts.unavailableTitle : texts.notFoundTitle;
  const text = isUnavailable ? `${texts.unavailable}</p><p><a href="">${texts.retry}</a>` : texts.notFound;
  const nonce = crypto.randomUUID();
  const page = `<!doctype html>
<html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style nonce="${nonce}">${FAILURE_PAGE_STYLE}</style>
<main><h1>${title}</h1><p>${text}</p></main></html>
`;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return new Response(page, {
    status,
    headers: {
      ...headers,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "Referrer-Policy": "no-referrer",
      Vary: "Accept, Accept-Language",
    },
  });
}

const FAILURE_PAGE_STYLE =
  ":root{color-scheme:light dark;font:17px/1.55 system-ui,sans-serif}main{max-width:28rem;margin:12vh auto;padding:0 1.25rem}";

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

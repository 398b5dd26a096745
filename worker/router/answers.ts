/** Returns an error response of the router itself, in the same format as the cells' responses. */
export function refuse(status: number, code: string | undefined, error: string, retryAfter?: number): Response {
  const headers = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": crypto.randomUUID(),
    ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
  };
  return Response.json({ error, ...(code !== undefined && { code }) }, { status, headers });
}

/** Returns the error response when the account's cell or the directory doesn't answer. Other cells still work. */
export const respondAccountUnavailable = (): Response =>
  refuse(503, "account_unavailable", "The account can't be reached. Try again in a moment", 10);

export const respondAccountPaused = (): Response =>
  refuse(503, "account_paused", "The account is out of service. Ask the company", 600);

export const unknownAccount = (): Response => refuse(404, undefined, "Unknown account");

export const unknownPath = (): Response => refuse(404, "unknown_path", "Not found: no such endpoint");

export const notSignedIn = (): Response => refuse(401, "not_signed_in", "Missing or invalid key");

import type { Context } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";

/** Serves a built file with a page's headers. */
export async function servePageWithHeaders(
  c: Context<AppEnvironment>,
  getHeaders: (url: URL, file: Response) => Readonly<Record<string, string>>,
): Promise<Response> {
  const file = await c.env.ASSETS.fetch(c.req.raw);
  const answer = new Response(file.body, file);
  for (const [name, value] of Object.entries(getHeaders(new URL(c.req.url), file))) answer.headers.set(name, value);
  return answer;
}

/** Creates a handler that serves a page with a content security policy, and hides its URLs from other sites. */
export function createCspPageHandler(policy: string) {
  const headers = { "Content-Security-Policy": policy, "Referrer-Policy": "same-origin" };
  return (c: Context<AppEnvironment>): Promise<Response> => servePageWithHeaders(c, () => headers);
}

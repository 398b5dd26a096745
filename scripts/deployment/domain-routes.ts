import { CLOUDFLARE_API } from "#worker/store/operations/request-counts.ts";

interface Route {
  readonly id: string;
  readonly pattern: string;
  readonly script?: string;
}

/**
 * Assigns routes of a zone to a Worker through Cloudflare's API, because wrangler refuses routes of another Worker.
 * Changes each route in place, so that no request is lost. A repeated call completes an interrupted one.
 */
export async function assignRoutes(
  zone: string,
  patterns: readonly string[],
  script: string,
): Promise<readonly { readonly pattern: string; readonly before: string | undefined }[]> {
  const zones = await call<readonly { readonly id: string }[]>("GET", `/zones?name=${encodeURIComponent(zone)}`);
  const [found] = zones;
  if (!found) throw new Error(`The token CLOUDFLARE_API_TOKEN reads no zone ${zone}.`);
  const path = `/zones/${found.id}/workers/routes`;
  const routes = await call<readonly Route[]>("GET", path);
  for (const pattern of patterns) {
    const route = routes.find((item) => item.pattern === pattern);
    if (!route) await call("POST", path, { pattern, script });
    else if (route.script !== script) await call("PUT", `${path}/${route.id}`, { pattern, script });
  }
  return patterns.map((pattern) => ({ pattern, before: routes.find((item) => item.pattern === pattern)?.script }));
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_API_BASE_URL: api } = process.env;
  if (!token)
    throw new Error("Set the variable CLOUDFLARE_API_TOKEN: a token with Workers Routes: Edit and Zone: Read.");
  const answer = await fetch(`${api || CLOUDFLARE_API}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { success, result, errors } = (await answer.json().catch(() => ({}))) as {
    readonly success?: boolean;
    readonly result?: T;
    readonly errors?: readonly { readonly message: string }[];
  };
  if (success && result !== undefined) return result;
  const reason = errors?.map(({ message }) => message).join(", ") || `status ${answer.status}`;
  throw new Error(
    `Cloudflare refused ${method} ${path}: ${reason}. The token needs Workers Routes: Edit and Zone: Read.`,
  );
}

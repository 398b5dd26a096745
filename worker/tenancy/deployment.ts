import { CLOUDFLARE_API, type Dataset } from "#worker/store/operations/request-counts.ts";

/** Whether answers say what they cost at the database: in development, tests and measurements. */
export function isServerTimingEnabled(env: Cloudflare.Env): boolean {
  return env.SERVER_TIMING === "on";
}

/** Whether each request leaves a line in the log, or only what went wrong. */
export function isRequestLoggingEnabled(env: Cloudflare.Env): boolean {
  return env.LOG_LEVEL !== "error";
}

/** Whether partners are told after the answer to what caused it, or by the clock alone. */
export function deliversWebhooksImmediately(env: Cloudflare.Env): boolean {
  return env.WEBHOOKS === "at_once";
}

/** Whether the same search within a second is answered once. */
export function isSearchCacheEnabled(env: Cloudflare.Env): boolean {
  return env.SEARCH_CACHE === "on";
}

/**
 * Waits for the local runtime's clock once, where YIELD_TO_RUNTIME is on (`npm start`), and nowhere else. The runtime looks
 * at its connections only when it has nothing else to do, and breaks off those it has not looked at for five seconds.
 */
export async function yieldToRuntime(env: Cloudflare.Env): Promise<void> {
  if (getTextVariable(env, "YIELD_TO_RUNTIME") === "on") await scheduler.wait(0);
}

/** How many requests a partner's key has in a minute. */
export function partnerRequestsPerMinute(env: Cloudflare.Env): number {
  return Number(env.PARTNER_REQUESTS_PER_MINUTE) || Number.POSITIVE_INFINITY;
}

/** Where requests are counted, in deployments that bind a dataset of Analytics Engine. */
export function requestsDataset(env: Cloudflare.Env): AnalyticsEngineDataset | undefined {
  const dataset: unknown = Reflect.get(env, "REQUESTS");
  return typeof dataset === "object" && dataset !== null && "writeDataPoint" in dataset
    ? (dataset as AnalyticsEngineDataset)
    : undefined;
}

/**
 * The master key that comes or goes while it is changed: a secret of some weeks, which no type of the configuration
 * names.
 */
export function secondMasterKey(env: Cloudflare.Env): string | undefined {
  return getTextVariable(env, "PREVIOUS_MASTER_KEY");
}

/** What the monitor shows to read the deep health check: a secret that a deployment may do without. */
export function monitorKey(env: Cloudflare.Env): string | undefined {
  return getTextVariable(env, "MONITOR_KEY");
}

/** Where an account is served by this deployment. */
export function ownUrl(env: Cloudflare.Env, name: string): string {
  const host = `${name}.${env.BASE_DOMAIN}`;
  return DEVELOPMENT_BUILD ? `http://${host}:${env.DEVELOPMENT_PORT}` : `https://${host}`;
}

/** Who is told of a new alarm: by mail, at an address that takes JSON, or both. */
export interface Operator {
  readonly mail: string | undefined;
  readonly webhook: string | undefined;
}

export function getAlertRecipients(env: Cloudflare.Env): Operator {
  return { mail: getTextVariable(env, "ALERT_EMAIL"), webhook: getTextVariable(env, "ALERT_WEBHOOK_URL") };
}

/** What a deployment's requests are read with, where its secrets allow it. */
export function requestsAccess(env: Cloudflare.Env): Dataset | undefined {
  const [name, accountId] = [getTextVariable(env, "REQUESTS_DATASET"), getTextVariable(env, "CLOUDFLARE_ACCOUNT_ID")];
  const token = getTextVariable(env, "CLOUDFLARE_API_TOKEN");
  const api = getTextVariable(env, "CLOUDFLARE_API_BASE_URL") ?? CLOUDFLARE_API;
  return name && accountId && token ? { name, accountId, token, api } : undefined;
}

// Of variables that a deployment may do without.
function getTextVariable(env: Cloudflare.Env, name: string): string | undefined {
  const value: unknown = Reflect.get(env, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

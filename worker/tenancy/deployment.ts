import type { CompanyJob } from "#worker/directory/failed-jobs.ts";
import { type AnalyticsDataset, CLOUDFLARE_API } from "#worker/store/operations/request-counts.ts";

/** Whether responses include their database cost, for development, tests and measurements. */
export function isServerTimingEnabled(env: Cloudflare.Env): boolean {
  return env.SERVER_TIMING === "on";
}

/** Whether every request is logged, or only errors. */
export function isRequestLoggingEnabled(env: Cloudflare.Env): boolean {
  return env.LOG_LEVEL !== "error";
}

/** Returns n if every nth successful request is logged and counts for n. Failed and slow ones are always logged. */
export function getRequestSamplingInterval(env: Cloudflare.Env): number {
  const sample = Number(getTextVariable(env, "REQUEST_SAMPLE") ?? 1);
  return Number.isInteger(sample) && sample > 1 ? sample : 1;
}

/** Whether webhooks are delivered after the response, or only by the cron job. */
export function deliversWebhooksImmediately(env: Cloudflare.Env): boolean {
  return env.WEBHOOKS === "at_once";
}

/** Whether repeated searches within a second are answered from memory. */
export function isSearchCacheEnabled(env: Cloudflare.Env): boolean {
  return env.SEARCH_CACHE === "on";
}

/**
 * Yields once to the local runtime if YIELD_TO_RUNTIME is on (`npm start`). The runtime only serves its connections
 * when idle, and closes those unserved for five seconds.
 */
export async function yieldToRuntime(env: Cloudflare.Env): Promise<void> {
  if (getTextVariable(env, "YIELD_TO_RUNTIME") === "on") await scheduler.wait(0);
}

/** Returns the limit of requests per minute for a partner key. */
export function getPartnerRequestsPerMinute(env: Cloudflare.Env): number {
  return Number(env.PARTNER_REQUESTS_PER_MINUTE) || Number.POSITIVE_INFINITY;
}

/** Returns the Analytics Engine dataset that counts requests, if the deployment binds one. */
export function getRequestsDataset(env: Cloudflare.Env): AnalyticsEngineDataset | undefined {
  const dataset: unknown = Reflect.get(env, "REQUESTS");
  return typeof dataset === "object" && dataset !== null && "writeDataPoint" in dataset
    ? (dataset as AnalyticsEngineDataset)
    : undefined;
}

/** Returns the second master key during a key change. It's a temporary secret without a type in the configuration. */
export function getSecondMasterKey(env: Cloudflare.Env): string | undefined {
  return getTextVariable(env, "PREVIOUS_MASTER_KEY");
}

/** Returns the optional secret with which the monitor reads the deep health check. */
export function getMonitorKey(env: Cloudflare.Env): string | undefined {
  return getTextVariable(env, "MONITOR_KEY");
}

/** Returns the optional secret that lets the operator run commands on the companies' data. */
export function getOperatorKey(env: Cloudflare.Env): string | undefined {
  return getTextVariable(env, "OPERATOR_KEY");
}

/** Returns the directory of companies, if the deployment has one. */
export function getDirectory(env: Cloudflare.Env): D1Database | undefined {
  const binding: unknown = Reflect.get(env, "DIRECTORY");
  return typeof binding === "object" && binding !== null ? (binding as D1Database) : undefined;
}

/** Returns the queue of this cell for long work, if the deployment has one. */
export function getJobQueue(env: Cloudflare.Env): Queue<CompanyJob> | undefined {
  const binding: unknown = Reflect.get(env, "JOBS");
  return typeof binding === "object" && binding !== null ? (binding as Queue<CompanyJob>) : undefined;
}

/** Returns the two digits of this cell. A deployment without further cells is the first one. */
export function getCellName(env: Cloudflare.Env): string {
  return getTextVariable(env, "CELL") ?? "01";
}

/** Returns the secret with which the router signs requests. A cell with this secret rejects unsigned requests. */
export function getRouterKey(env: Cloudflare.Env): string | undefined {
  return getTextVariable(env, "ROUTER_KEY");
}

/** Returns the account's URL in this deployment. */
export function createAccountUrl(env: Cloudflare.Env, name: string): string {
  const host = `${name}.${env.BASE_DOMAIN}`;
  return DEVELOPMENT_BUILD ? `http://${host}:${env.DEVELOPMENT_PORT}` : `https://${host}`;
}

/** Recipients of new alerts: a mail address, a webhook for JSON, or both. */
export interface AlertRecipients {
  readonly mail: string | undefined;
  readonly webhook: string | undefined;
}

export function getAlertRecipients(env: Cloudflare.Env): AlertRecipients {
  return { mail: getTextVariable(env, "ALERT_EMAIL"), webhook: getTextVariable(env, "ALERT_WEBHOOK_URL") };
}

/** Returns the access data to read request counts, if the secrets are set. */
export function findRequestCountsReadAccess(env: Cloudflare.Env): AnalyticsDataset | undefined {
  const [name, accountId] = [getTextVariable(env, "REQUESTS_DATASET"), getTextVariable(env, "CLOUDFLARE_ACCOUNT_ID")];
  const token = getTextVariable(env, "CLOUDFLARE_API_TOKEN");
  const api = getTextVariable(env, "CLOUDFLARE_API_BASE_URL") ?? CLOUDFLARE_API;
  return name && accountId && token ? { name, accountId, token, api } : undefined;
}

// Reads an optional variable.
function getTextVariable(env: Cloudflare.Env, name: string): string | undefined {
  const value: unknown = Reflect.get(env, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

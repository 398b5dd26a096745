import type { Context } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { openAccounts } from "#worker/tenancy/accounts.ts";
import { type Health, readHealth } from "#worker/usecases/operations/read-health.ts";

/**
 * The deep health check, `/healthz?deep`: whether every account's database answers and has its settings, and whether
 * the object store does; 503 where one does not. In numbers: which companies there are is nobody's business; the log
 * says which one is unhealthy.
 */
export async function deepHealth(c: Context<AppEnvironment>): Promise<Response> {
  const accounts = await Promise.all(
    openAccounts(c.env, Date.now()).map(async (tenant) => ({ account: tenant.name, ...(await readHealth(tenant)) })),
  );
  const files = await c.env.FILES.head("healthz").then(
    () => "ok",
    () => "unreachable",
  );
  const unhealthy = accounts.filter(({ status }) => status !== "ok");
  for (const one of unhealthy) console.log(JSON.stringify({ level: "error", operation: "healthz", ...one }));
  const count = (status: Health["status"]) => accounts.filter((one) => one.status === status).length;
  const isWell = files === "ok" && unhealthy.length === 0;
  const answer = {
    status: isWell ? "ok" : "degraded",
    files,
    accounts: { ok: count("ok"), no_settings: count("no_settings"), unreachable: count("unreachable") },
  };
  return c.json(answer, isWell ? 200 : 503, isWell ? {} : { "Retry-After": "30" });
}

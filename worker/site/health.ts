import type { Context } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createInvalidFieldsFailure, failures } from "#worker/api/failure.ts";
import { ROUTE_HEADER } from "#worker/directory/route-header.ts";
import { openCellAccounts } from "#worker/tenancy/accounts.ts";
import { isMonitorKey } from "#worker/usecases/operations/is-monitor.ts";
import { type AccountHealthResult, readAccountHealth } from "#worker/usecases/operations/read-health.ts";

/** Accounts checked per response, so that it stays cheap. */
const PAGE_SIZE = 50;

/**
 * Serves the deep health check, `/healthz?deep`, in pages, for callers with the monitor's key. Checks that the
 * accounts' databases answer and have settings, the object store, the office Worker and the printer, and the age of
 * backups and verifications. Returns 503 if any fails. It reports numbers only, because account names are confidential.
 * The log names the unhealthy account.
 */
export async function respondDeepHealth(c: Context<AppEnvironment>): Promise<Response> {
  if (!isMonitorKey(c.env, c.req.header("Authorization"))) return toErrorResponse(c, failures.notSignedIn);
  const page = Number(c.req.query("page") ?? 0);
  if (!Number.isInteger(page) || page < 0 || page > 10_000) {
    return toErrorResponse(
      c,
      createInvalidFieldsFailure([{ field: "page", code: "whole", params: { min: 0, max: 10_000 } }]),
    );
  }
  const { tenants, unavailable } = await openCellAccounts(c.env, Date.now());
  const checkedAccounts = tenants.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
  const answered = await Promise.all(
    checkedAccounts.map(async (tenant) => ({ account: tenant.name, ...(await readAccountHealth(tenant, Date.now())) })),
  );
  // Unavailable accounts are counted on the first page only, because the caller adds the pages up.
  const absent = page > 0 ? [] : unavailable;
  const accounts = [...answered, ...absent.map(({ name }) => ({ account: name, status: "unreachable" as const }))];
  const files = await c.env.FILES.head("healthz").then(
    () => "ok",
    () => "unreachable",
  );
  const [office, printer] = await Promise.all([otherWorker(c, c.env.OFFICE), otherWorker(c, c.env.PRINTER)]);
  const unhealthy = accounts.filter(({ status }) => status !== "ok");
  for (const item of unhealthy) console.log(JSON.stringify({ level: "error", operation: "healthz", ...item }));
  const count = (status: AccountHealthResult["status"]) =>
    accounts.filter((account) => account.status === status).length;
  const isWell = [files, office, printer].every((part) => part === "ok") && unhealthy.length === 0;
  const answer = {
    status: isWell ? "ok" : "degraded",
    files,
    office,
    printer,
    version: c.env.VERSION?.id,
    accounts: {
      ok: count("ok"),
      no_settings: count("no_settings"),
      unreachable: count("unreachable"),
      sealed_elsewhere: count("sealed_elsewhere"),
      backup_overdue: count("backup_overdue"),
      drill_overdue: count("drill_overdue"),
      nearly_full: count("nearly_full"),
    },
    next: (page + 1) * PAGE_SIZE < tenants.length ? page + 1 : null,
  };
  return c.json(answer, isWell ? 200 : 503, isWell ? {} : { "Retry-After": "30" });
}

/** Header to request a specific version before it receives traffic. */
const OVERRIDES = "Cloudflare-Workers-Version-Overrides";

// Without a separate office Worker, as in tests and `npm run dev`, this Worker also serves the office.
async function otherWorker(c: Context<AppEnvironment>, worker: Fetcher | undefined): Promise<"ok" | "unreachable"> {
  if (!worker) return "ok";
  const headers = new Headers();
  // Behind a router, the cell's office only answers requests with a route signed by the router.
  for (const name of [OVERRIDES, ROUTE_HEADER]) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  try {
    const answer = await worker.fetch(new URL("/healthz", c.req.url), { headers });
    await answer.body?.cancel();
    return answer.ok ? "ok" : "unreachable";
  } catch {
    return "unreachable";
  }
}

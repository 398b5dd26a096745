import type { Context } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures, invalidInput } from "#worker/api/failure.ts";
import { openAccounts } from "#worker/tenancy/accounts.ts";
import { isAuthorizedMonitor } from "#worker/usecases/operations/is-monitor.ts";
import { type Health, readHealth } from "#worker/usecases/operations/read-health.ts";

/** So many accounts are asked for one answer: it stays cheap, whoever asks how often. */
const PAGE_SIZE = 50;

/**
 * The deep health check, `/healthz?deep`: whether the accounts' databases answer and have their settings, whether the
 * object store, the office's Worker and the printer do, and how old backups and drills are; 503 where one is not well.
 * For who bears the monitor's key, and in pages. In numbers: which companies there are is nobody's business; the log
 * says which one is unhealthy.
 */
export async function deepHealth(c: Context<AppEnvironment>): Promise<Response> {
  if (!isAuthorizedMonitor(c.env, c.req.header("Authorization"))) return toErrorResponse(c, failures.notSignedIn);
  const page = Number(c.req.query("page") ?? 0);
  if (!Number.isInteger(page) || page < 0 || page > 10_000) {
    return toErrorResponse(c, invalidInput([{ field: "page", message: "must be a whole number from 0" }]));
  }
  const all = openAccounts(c.env, Date.now());
  const checkedAccounts = all.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
  const accounts = await Promise.all(
    checkedAccounts.map(async (tenant) => ({ account: tenant.name, ...(await readHealth(tenant, Date.now())) })),
  );
  const files = await c.env.FILES.head("healthz").then(
    () => "ok",
    () => "unreachable",
  );
  const [office, printer] = await Promise.all([otherWorker(c, c.env.OFFICE), otherWorker(c, c.env.PRINTER)]);
  const unhealthy = accounts.filter(({ status }) => status !== "ok");
  for (const item of unhealthy) console.log(JSON.stringify({ level: "error", operation: "healthz", ...item }));
  const count = (status: Health["status"]) => accounts.filter((account) => account.status === status).length;
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
    next: (page + 1) * PAGE_SIZE < all.length ? page + 1 : null,
  };
  return c.json(answer, isWell ? 200 : 503, isWell ? {} : { "Retry-After": "30" });
}

/** What lets a deployment ask a version by its name, before others are given it. */
const OVERRIDES = "Cloudflare-Workers-Version-Overrides";

// The office's Worker is its own where it is not another; so are tests and `npm run dev`.
async function otherWorker(c: Context<AppEnvironment>, worker: Fetcher | undefined): Promise<"ok" | "unreachable"> {
  if (!worker) return "ok";
  const overrides = c.req.header(OVERRIDES);
  const headers = overrides === undefined ? {} : { [OVERRIDES]: overrides };
  try {
    const answer = await worker.fetch(new URL("/healthz", c.req.url), { headers });
    await answer.body?.cancel();
    return answer.ok ? "ok" : "unreachable";
  } catch {
    return "unreachable";
  }
}

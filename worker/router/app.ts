import { Hono } from "hono";
import { isSameSecret } from "#worker/auth/same-secret.ts";
import {
  type CompanyPlacement,
  CompanyPlacementCache,
  findPlacement,
  isCompanyServed,
} from "#worker/directory/placements.ts";
import { STALE_PLACEMENT_HEADER } from "#worker/directory/route-header.ts";
import { parseHost } from "#worker/tenancy/hosts.ts";
import {
  respondAccountPaused,
  respondAccountUnavailable,
  respondNotSignedIn,
  respondUnknownAccount,
  respondUnknownPath,
} from "./answers.ts";
import { openRemoteCells } from "./cells.ts";
import { createDirectoryRoutes } from "./directory-routes.ts";
import type { RouterEnvironment } from "./environment.ts";
import { forwardToCell, toBaseDomainDestination } from "./forward.ts";
import { fetchAllCellsHealth } from "./health.ts";
import { requireOperatorKey } from "./operator-key.ts";
import { renderOperatorPage } from "./operator-page.ts";

type Environment = { Bindings: RouterEnvironment };

/** Routes of the base domain: the health check of all cells, and the operator's routes. */
const base = new Hono<Environment>();

base.get("/healthz", async (c) => {
  if (c.req.query("deep") === undefined) return c.json({ status: "ok" });
  const presentedKey = c.req.header("Authorization")?.replace(/^Bearer /, "") ?? "";
  if (!c.env.MONITOR_KEY || !isSameSecret(presentedKey, c.env.MONITOR_KEY)) return respondNotSignedIn();
  const { status, body } = await fetchAllCellsHealth(c.env, c.req.raw);
  return c.json(body, status, status === 200 ? {} : { "Retry-After": "30" });
});

base.get("/operator", (c) => (c.env.OPERATOR_KEY ? renderOperatorPage() : respondUnknownPath()));
base.get("/operator/", (c) => (c.env.OPERATOR_KEY ? renderOperatorPage() : respondUnknownPath()));
base.use("/operator/*", requireOperatorKey);
base.route(
  "/operator",
  createDirectoryRoutes<RouterEnvironment>({
    directory: (env) => env.DIRECTORY,
    cells: (c) => openRemoteCells(c.env, c.req.header("Authorization") ?? ""),
  }),
);

// Forwards the operator's requests for a company's data to the cell that has the company now.
base.all("/operator/accounts/:account/*", async (c) => {
  const placement = await findPlacement(c.env.DIRECTORY, c.req.param("account"));
  if (!placement) return respondUnknownPath();
  return (
    (await forwardToCell(c.env, c.req.raw, toBaseDomainDestination(placement.cell))) ??
    respondAccountUnavailable(c.req.raw)
  );
});

base.notFound((c) => respondUnknownPath(c.req.raw));
base.onError((_, c) => respondAccountUnavailable(c.req.raw));

const placements = new CompanyPlacementCache();

async function toCompany(env: RouterEnvironment, request: Request, name: string): Promise<Response> {
  const find = () => placements.find(name, Date.now(), (account) => findPlacement(env.DIRECTORY, account));
  const placement = await find();
  const answer = await toPlacement(env, request, placement);
  if (!answer.headers.has(STALE_PLACEMENT_HEADER)) return answer;
  // The company may have moved to another database within the last minute, so its cached place is read again.
  placements.forget(name);
  const later = await find();
  const isElsewhere = later?.cell !== placement?.cell || later?.slot !== placement?.slot;
  const isRepeatable = request.method === "GET" || request.method === "HEAD";
  if (!isElsewhere || !isRepeatable) return withoutMoved(answer);
  await answer.body?.cancel();
  return withoutMoved(await toPlacement(env, request, later));
}

async function toPlacement(env: RouterEnvironment, request: Request, placement: CompanyPlacement | undefined) {
  if (placement?.state === "paused") return respondAccountPaused(request);
  if (!placement || !isCompanyServed(placement)) return respondUnknownAccount(request);
  const { name: account, cell, slot } = placement;
  return (await forwardToCell(env, request, { cell, account, slot })) ?? respondAccountUnavailable(request);
}

function withoutMoved(answer: Response): Response {
  const clientResponse = new Response(answer.body, answer);
  clientResponse.headers.delete(STALE_PLACEMENT_HEADER);
  return clientResponse;
}

/**
 * Forwards a request to the cell of its company, which the directory names (decision 0073). Answers unknown hosts
 * itself. Only the base domain uses Hono's routes, because matching them takes processor time.
 */
export async function routeRequest(request: Request, env: RouterEnvironment): Promise<Response> {
  try {
    const host = parseHost(request.url, env.BASE_DOMAIN);
    if (host.kind === "unknown") return respondUnknownAccount(request);
    if (host.kind === "account") return await toCompany(env, request, host.name);
    return await base.fetch(request, env);
  } catch (error) {
    const { name: defect, message } = error instanceof Error ? error : { name: "unknown", message: "" };
    console.log(JSON.stringify({ level: "error", operation: "route_request", defect, message }));
    return respondAccountUnavailable(request);
  }
}

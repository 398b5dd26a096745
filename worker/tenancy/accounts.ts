import {
  type CompanyPlacement,
  CompanyPlacementCache,
  findPlacement,
  isCompanyServed,
  listPlacements,
  STALE_PLACEMENT_TTL_MS,
} from "#worker/directory/placements.ts";
import { type AccountRoute, BASE_DOMAIN_ACCOUNT, ROUTE_HEADER, verifyRoute } from "#worker/directory/route-header.ts";
import {
  type BoundDatabase,
  findAccountBinding,
  findAccountJurisdiction,
  findNumberedDatabase,
  listAccountNames,
} from "./bindings.ts";
import { verifyDatabaseOwner } from "./database-owner.ts";
import { getCellName, getDirectory, getRouterKey } from "./deployment.ts";
import { parseHost } from "./hosts.ts";
import type { WaitUntil } from "./request-dedupe.ts";
import { openTenant, type Tenant } from "./tenant.ts";

/** Account or page that a host name stands for. */
export type ResolvedHost =
  | { readonly kind: "account"; readonly tenant: Tenant }
  | { readonly kind: "base" }
  /** The operator took the company out of service. */
  | { readonly kind: "paused" }
  | { readonly kind: "unknown" };

/** Databases by account name. The bindings of a deployment never change. */
const namedDatabases = new WeakMap<Cloudflare.Env, Map<string, BoundDatabase>>();

/** Database that the deployment binds under the account's name, as on a developer's machine. */
function findNamed(env: Cloudflare.Env, name: string): BoundDatabase | undefined {
  const known = namedDatabases.get(env) ?? new Map<string, BoundDatabase>();
  const database = known.get(name) ?? readNamed(env, name);
  if (database) namedDatabases.set(env, known.set(name, database));
  return database;
}

function readNamed(env: Cloudflare.Env, name: string): BoundDatabase | undefined {
  const binding = findAccountBinding(env, name);
  return binding && { binding, jurisdiction: findAccountJurisdiction(env, name) };
}

/**
 * Resolves a host: the base domain, a subdomain of an account bound by name, or nothing
 * (docs/interfaces/conventions.md#hosts-and-accounts).
 */
export function resolveHostByBindings(
  env: Cloudflare.Env,
  url: string,
  now: number,
  waitUntil?: WaitUntil,
): ResolvedHost {
  const host = parseHost(url, env.BASE_DOMAIN);
  if (host.kind !== "account") return host;
  const place = findNamed(env, host.name);
  return place ? { kind: "account", tenant: openTenant(env, host.name, place, now, waitUntil) } : { kind: "unknown" };
}

/** Parts of a request that decide which account it is for. */
interface Addressed {
  readonly url: string;
  readonly headers: Headers;
}

/**
 * Resolves a request's host. A cell with a router serves what the router signed. A deployment without one asks its
 * directory. The router's header has no effect without ROUTER_KEY.
 */
export async function resolveRequestHost(
  env: Cloudflare.Env,
  { url, headers }: Addressed,
  now: number,
  waitUntil: WaitUntil,
): Promise<ResolvedHost> {
  const key = getRouterKey(env);
  if (key === undefined) {
    const site = resolveHostByBindings(env, url, now, waitUntil);
    const directory = getDirectory(env);
    return site.kind === "unknown" && directory ? openListed(env, directory, { url, now, waitUntil }) : site;
  }
  const route = verifyRoute(key, getCellName(env), headers.get(ROUTE_HEADER));
  const host = parseHost(url, env.BASE_DOMAIN);
  if (!route || host.kind === "unknown") return { kind: "unknown" };
  if (host.kind === "base") return route.account === BASE_DOMAIN_ACCOUNT ? host : { kind: "unknown" };
  if (route.account !== host.name) return { kind: "unknown" };
  return { kind: "account", tenant: await openPlaced(env, host.name, route, { now, waitUntil }) };
}

const placements = new CompanyPlacementCache();

async function openListed(
  env: Cloudflare.Env,
  directory: D1Database,
  { url, now, waitUntil }: { readonly url: string; readonly now: number; readonly waitUntil: WaitUntil },
): Promise<ResolvedHost> {
  const host = parseHost(url, env.BASE_DOMAIN);
  if (host.kind !== "account") return host;
  const placement = await placements.find(host.name, now, (name) => findPlacement(directory, name));
  if (placement?.state === "paused") return { kind: "paused" };
  if (!placement || !isCompanyServed(placement) || placement.cell !== getCellName(env)) return { kind: "unknown" };
  return { kind: "account", tenant: await openPlaced(env, host.name, placement, { now, waitUntil }) };
}

/** Removes the cached location of an account's database, after the database refused a request. */
export function clearCachedDatabaseLocation(name: string): void {
  placements.forget(name);
}

async function openPlaced(
  env: Cloudflare.Env,
  name: string,
  { slot }: Pick<AccountRoute, "slot">,
  { now, waitUntil }: { readonly now: number; readonly waitUntil?: WaitUntil },
): Promise<Tenant> {
  return openTenant(env, name, await verifyDatabaseOwner(name, slot, findNumberedDatabase(env, slot)), now, waitUntil);
}

/** Opens the accounts that this deployment binds by name, or those selected. For work without a request. */
export function openBoundAccounts(
  env: Cloudflare.Env,
  now: number,
  isIncluded: (name: string) => boolean = () => true,
): readonly Tenant[] {
  return listAccountNames(env)
    .filter(isIncluded)
    .flatMap((name) => {
      const place = findNamed(env, name);
      return place ? [openTenant(env, name, place, now)] : [];
    });
}

/** Accounts of this cell, and those of the directory whose database can't be used. */
export interface CellAccounts {
  readonly tenants: readonly Tenant[];
  readonly unavailable: readonly { readonly name: string; readonly error: unknown }[];
  /** Names of all served accounts of this cell, also of those not selected. */
  readonly names: ReadonlySet<string>;
}

/** Opens all accounts of this cell: those bound by name and the served ones of the directory, or those selected. */
export async function openCellAccounts(
  env: Cloudflare.Env,
  now: number,
  isIncluded: (name: string) => boolean = () => true,
): Promise<CellAccounts> {
  const directory = getDirectory(env);
  const configuredTenants = openBoundAccounts(env, now, isIncluded);
  const boundNames = listAccountNames(env);
  if (!directory) return { tenants: configuredTenants, unavailable: [], names: new Set(boundNames) };
  const listed = (await listCell(directory, getCellName(env), now)).filter(({ state }) => state === "active");
  const selected = listed.filter(({ name }) => isIncluded(name));
  const opened = await Promise.all(
    selected.map(async (placement) =>
      withinLimit(openPlaced(env, placement.name, placement, { now })).then(
        (tenant) => ({ tenant }),
        (error: unknown) => ({ name: placement.name, error }),
      ),
    ),
  );
  return {
    tenants: [...configuredTenants, ...opened.flatMap((item) => ("tenant" in item ? [item.tenant] : []))],
    unavailable: opened.flatMap((item) => ("tenant" in item ? [] : [item])),
    names: new Set([...boundNames, ...listed.map(({ name }) => name)]),
  };
}

let lastListing:
  | { readonly cell: string; readonly at: number; readonly placements: readonly CompanyPlacement[] }
  | undefined;

// While the directory doesn't answer, the cron job continues with the companies that it processed last.
async function listCell(directory: D1Database, cell: string, now: number): Promise<readonly CompanyPlacement[]> {
  try {
    const placements = await listPlacements(directory, cell);
    lastListing = { cell, at: now, placements };
    return placements;
  } catch (error) {
    if (lastListing?.cell !== cell || now - lastListing.at >= STALE_PLACEMENT_TTL_MS) throw error;
    console.log(JSON.stringify({ level: "error", operation: "list_companies", defect: "DirectoryUnavailable" }));
    return lastListing.placements;
  }
}

const OPEN_LIMIT_MS = 10_000;

// Limits how long opening an account takes, so that a database without an answer doesn't delay others.
async function withinLimit<T>(opening: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the database doesn't answer")), OPEN_LIMIT_MS);
  });
  return Promise.race([opening, late]).finally(() => clearTimeout(timer));
}

/** Opens an account of this cell for the operator, whatever its state. Undefined if the cell doesn't have it. */
export async function openAccountInAnyState(
  env: Cloudflare.Env,
  name: string,
  now: number,
): Promise<Tenant | undefined> {
  const placement = await findListed(env, name);
  if (placement) return openPlaced(env, name, placement, { now });
  return openBoundAccounts(env, now, (account) => account === name)[0];
}

/** Opens an account that this cell serves now, for work without a request. Undefined if it's paused or elsewhere. */
export async function openServedAccount(env: Cloudflare.Env, name: string, now: number): Promise<Tenant | undefined> {
  const placement = await findListed(env, name);
  if (!placement) return openBoundAccounts(env, now, (account) => account === name)[0];
  return placement.state === "active" ? openPlaced(env, name, placement, { now }) : undefined;
}

/** Returns an account's database in this cell. Undefined if the cell doesn't have the account. */
export async function findAccountDatabase(env: Cloudflare.Env, name: string): Promise<BoundDatabase | undefined> {
  const placement = await findListed(env, name);
  return placement
    ? verifyDatabaseOwner(name, placement.slot, findNumberedDatabase(env, placement.slot))
    : findNamed(env, name);
}

async function findListed(env: Cloudflare.Env, name: string): Promise<CompanyPlacement | undefined> {
  const directory = getDirectory(env);
  const placement = directory && (await findPlacement(directory, name));
  return placement?.cell === getCellName(env) ? placement : undefined;
}

import type { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { getPathname } from "#worker/tenancy/request-url.ts";
import { getRouteGroup, isOfficePath, type RouteGroup } from "./routes.ts";

export { ShoppingCart } from "#worker/carts/shopping-cart.ts";

type App = Hono<AppEnvironment>;

// Schemas and routes take most of an isolate's startup, so only requested groups are created (decision 0026).
const REGISTER = {
  agencies: async () => (await import("./groups/agencies.ts")).registerAgencyApi,
  rentals: async () => (await import("./groups/rental-engine.ts")).registerRentalEngine,
  transfers: async () => (await import("./groups/transfer-engine.ts")).registerTransferEngine,
  other: async () => (await import("./groups/other-routes.ts")).registerPartnerAndDeviceRoutes,
};

const loadedApps = new Map<RouteGroup, App>();
let baseDomainApp: App | undefined;

async function loadApp(part: RouteGroup): Promise<App> {
  const { createHostRoutedApp } = await import("./app.ts");
  const registerRoutes = await REGISTER[part]();
  const app =
    loadedApps.get(part) ?? createHostRoutedApp({ baseDomainSite: { fetch: fetchBaseDomainSite }, registerRoutes });
  loadedApps.set(part, app);
  return app;
}

const fetchBaseDomainSite: App["fetch"] = async (request, env, context) => {
  const { createBaseDomainSite } = await import("./base-domain-site.ts");
  baseDomainApp ??= createBaseDomainSite(dispatch);
  return baseDomainApp.fetch(request, env, context);
};

// The stand-in gateway also notifies the office Worker's payment routes.
const dispatch = async (request: Request, env: Cloudflare.Env, context: Parameters<App["fetch"]>[2]) => {
  const pathname = getPathname(request.url);
  if (env.OFFICE && isOfficePath(pathname)) return env.OFFICE.fetch(request);
  const part = getRouteGroup(pathname);
  return (loadedApps.get(part) ?? (await loadApp(part))).fetch(request, env, context);
};

/** Serves partners, websites and devices. The office Worker serves the rest. */
export default {
  fetch: (request, env, context) => dispatch(request, env, context),
} satisfies ExportedHandler<Cloudflare.Env>;

import type { Hono } from "hono";
import type { AppEnvironment } from "./api/environment.ts";
import { type RouteGroup, routeGroupFor } from "./front-parts.ts";
import { isOfficePath } from "./office-paths.ts";
import { getPathname } from "./tenancy/request-url.ts";

export { ShoppingCart } from "./carts/shopping-cart.ts";

type App = Hono<AppEnvironment>;

// Schemas and routes take most of an isolate's startup, so only requested groups are created (decision 0026).
const REGISTER = {
  agencies: async () => (await import("./agency-routes.ts")).registerAgencies,
  rentals: async () => (await import("./rental-engine-routes.ts")).registerRentalEngine,
  transfers: async () => (await import("./transfer-engine-routes.ts")).registerTransferEngine,
  rest: async () => (await import("./remaining-routes.ts")).registerOtherRoutes,
};

const loadedApps = new Map<RouteGroup, App>();
let rootApp: App | undefined;

async function loadApp(part: RouteGroup): Promise<App> {
  const { createBaseApp: createPlatform } = await import("./platform.ts");
  const register = await REGISTER[part]();
  const app = loadedApps.get(part) ?? createPlatform({ base: { fetch: answerBase }, register });
  loadedApps.set(part, app);
  return app;
}

const answerBase: App["fetch"] = async (request, env, context) => {
  const { createRootSite: openBaseSite } = await import("./base-site.ts");
  rootApp ??= openBaseSite(answer);
  return rootApp.fetch(request, env, context);
};

const answer: App["fetch"] = async (request, env, context) => {
  const part = routeGroupFor(getPathname(request.url));
  return (loadedApps.get(part) ?? (await loadApp(part))).fetch(request, env, context);
};

/** Serves partners, websites, customers and devices. The office Worker serves the rest. */
export default {
  fetch(request, env, context) {
    if (env.OFFICE && isOfficePath(getPathname(request.url))) return env.OFFICE.fetch(request);
    return answer(request, env, context);
  },
} satisfies ExportedHandler<Cloudflare.Env>;

import type { Hono } from "hono";
import type { AppEnvironment } from "./api/environment.ts";
import { type FrontPart, partOf } from "./front-parts.ts";
import { isOfOffice } from "./office-paths.ts";
import { pathnameOf } from "./tenancy/request-url.ts";

export { ShoppingCart } from "./carts/shopping-cart.ts";

type App = Hono<AppEnvironment>;

// Schemas and routes take most of an isolate's start: it makes those that it is asked for (decision 0026).
const REGISTER = {
  agencies: async () => (await import("./agency-routes.ts")).registerAgencies,
  rentals: async () => (await import("./rental-engine-routes.ts")).registerRentalEngine,
  transfers: async () => (await import("./transfer-engine-routes.ts")).registerTransferEngine,
  rest: async () => (await import("./remaining-routes.ts")).registerRest,
};

const made = new Map<FrontPart, App>();
let baseSite: App | undefined;

async function appOf(part: FrontPart): Promise<App> {
  const { createPlatform } = await import("./platform.ts");
  const register = await REGISTER[part]();
  const app = made.get(part) ?? createPlatform({ base: { fetch: answerBase }, register });
  made.set(part, app);
  return app;
}

const answerBase: App["fetch"] = async (request, env, context) => {
  const { openBaseSite } = await import("./base-site.ts");
  baseSite ??= openBaseSite(answer);
  return baseSite.fetch(request, env, context);
};

const answer: App["fetch"] = async (request, env, context) => {
  const part = partOf(pathnameOf(request.url));
  return (made.get(part) ?? (await appOf(part))).fetch(request, env, context);
};

/** What partners, websites, customers and phones ask; the rest is the office's Worker's to answer. */
export default {
  fetch(request, env, context) {
    if (env.OFFICE && isOfOffice(pathnameOf(request.url))) return env.OFFICE.fetch(request);
    return answer(request, env, context);
  },
} satisfies ExportedHandler<Cloudflare.Env>;

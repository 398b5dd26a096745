import { app } from "./app.ts";
import { EVERY_MINUTE, runDueWork, runMinute } from "./usecases/operations/scheduled.ts";

export { ShoppingCart } from "./carts/shopping-cart.ts";

export default {
  fetch: app.fetch,
  // Any other clock than wrangler.toml's lets every account do what is due: `npm start`, a test.
  scheduled: ({ cron, scheduledTime }, env) =>
    cron === EVERY_MINUTE ? runMinute(env, scheduledTime) : runDueWork(env, scheduledTime),
} satisfies ExportedHandler<Cloudflare.Env>;

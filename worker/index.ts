import { app } from "./app.ts";
import { doTheMinute, doWhatIsDue, EVERY_MINUTE } from "./usecases/operations/scheduled.ts";

export { ShoppingCart } from "./carts/shopping-cart.ts";

export default {
  fetch: app.fetch,
  // Any other clock than wrangler.toml's lets every account do what is due: `npm start`, a test.
  scheduled: ({ cron, scheduledTime }, env) =>
    cron === EVERY_MINUTE ? doTheMinute(env, scheduledTime) : doWhatIsDue(env, scheduledTime),
} satisfies ExportedHandler<Cloudflare.Env>;

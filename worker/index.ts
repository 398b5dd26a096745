import { app } from "./app.ts";
import { backUpAll, doWhatIsDue, NIGHTLY } from "./scheduled.ts";

export { ShoppingCart } from "./carts/shopping-cart.ts";

export default {
  fetch: app.fetch,
  scheduled: (controller, env) =>
    controller.cron === NIGHTLY ? backUpAll(env, controller.scheduledTime) : doWhatIsDue(env, controller.scheduledTime),
} satisfies ExportedHandler<Cloudflare.Env>;

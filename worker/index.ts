import { app } from "./app.ts";
import { endHolds } from "./scheduled.ts";

export { ShoppingCart } from "./carts/shopping-cart.ts";

export default {
  fetch: app.fetch,
  scheduled: (controller, env) => endHolds(env, controller.scheduledTime),
} satisfies ExportedHandler<Cloudflare.Env>;

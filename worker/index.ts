import { app } from "./app.ts";
import { doTheMinute } from "./scheduled.ts";

export { ShoppingCart } from "./carts/shopping-cart.ts";

export default {
  fetch: app.fetch,
  scheduled: ({ scheduledTime }, env) => doTheMinute(env, scheduledTime),
} satisfies ExportedHandler<Cloudflare.Env>;

import { app } from "./app.ts";
import { doWhatIsDue } from "./scheduled.ts";

export { ShoppingCart } from "./carts/shopping-cart.ts";

export default {
  fetch: app.fetch,
  scheduled: (controller, env) => doWhatIsDue(env, controller.scheduledTime),
} satisfies ExportedHandler<Cloudflare.Env>;

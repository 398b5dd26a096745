import { app } from "./app.ts";
import work from "./work.ts";

export { ShoppingCart } from "./carts/shopping-cart.ts";

// In production the clock rings in a Worker of its own (wrangler.toml); here it does for `npm start` and tests.
export default { fetch: app.fetch, scheduled: work.scheduled } satisfies ExportedHandler<Cloudflare.Env>;

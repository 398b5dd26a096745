import { app } from "./app.ts";

export { ShoppingCart } from "./carts/shopping-cart.ts";

export default { fetch: app.fetch } satisfies ExportedHandler<Cloudflare.Env>;

import { scheduled } from "./clock.ts";
import { app } from "./whole-app.ts";

export { ShoppingCart } from "./carts/shopping-cart.ts";
export { TempDatabase } from "./imports/scratch-database.ts";

/**
 * The whole platform in one Worker. Tests and `npm run dev` run it alone; a deployment and `npm start` let front.ts
 * answer, and this one behind it what the office asks and what the clock brings (docs/decisions/0026-office-worker.md).
 */
export default { fetch: app.fetch, scheduled } satisfies ExportedHandler<Cloudflare.Env>;

import { queue, scheduled } from "./cron.ts";
import { fullApp } from "./full-app.ts";

export { ShoppingCart } from "#worker/carts/shopping-cart.ts";
export { TempDatabase } from "#worker/imports/temp-database.ts";

/**
 * Full platform in one Worker. Tests and `npm run dev` run it alone. In a deployment and `npm start`, front.ts answers
 * and forwards office requests to this Worker, which also runs the cron job (decision 0026).
 */
export default { fetch: fullApp.fetch, scheduled, queue } satisfies ExportedHandler<Cloudflare.Env>;

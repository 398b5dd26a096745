import { createApp } from "./app.ts";

export { ShoppingCart } from "./carts/shopping-cart.ts";

const OFFICE = "/api/v1/office";
const app = createApp();

/** What partners, websites, customers and phones ask; what the office asks is answered by its own Worker. */
export default {
  fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    const isOffice = pathname === OFFICE || pathname.startsWith(`${OFFICE}/`);
    if (isOffice && env.OFFICE) return env.OFFICE.fetch(request);
    return app.fetch(request, env, context);
  },
} satisfies ExportedHandler<Cloudflare.Env>;

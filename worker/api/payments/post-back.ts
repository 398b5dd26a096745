import { standInPostBack } from "#worker/development/stand-in-postback.ts";
import type { PostBack } from "#worker/usecases/payments/settle-payment.ts";

/** Reaches PayPal; in development, the stand-in answers for itself inside the Worker. */
export function postBackOf(env: Cloudflare.Env): PostBack {
  const reach: PostBack = (url, init) => fetch(url, init);
  return DEVELOPMENT_BUILD ? standInPostBack(env.MASTER_KEY, reach) : reach;
}

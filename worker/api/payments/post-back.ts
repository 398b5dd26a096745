import { standInPostBack } from "#worker/development/stand-in-postback.ts";
import { standInRefund } from "#worker/development/stand-in-refund.ts";
import type { PostBack } from "#worker/usecases/payments/settle-payment.ts";

/** Reaches the gateways' servers; in development, the stand-in answers for them inside the Worker. */
export function postBackOf(env: Cloudflare.Env): PostBack {
  const reach: PostBack = (url, init) => fetch(url, init);
  return DEVELOPMENT_BUILD ? standInPostBack(env.MASTER_KEY, standInRefund(env, reach)) : reach;
}

import { simulatePostback } from "#worker/development/stand-in-postback.ts";
import { simulateRefund } from "#worker/development/stand-in-refund.ts";
import type { PostBack } from "#worker/usecases/payments/settle-payment.ts";

/** Reaches the gateways' servers; in development, the stand-in answers for them inside the Worker. */
export function createPostBack(env: Cloudflare.Env): PostBack {
  const postToGateway: PostBack = (url, init) => fetch(url, init);
  return DEVELOPMENT_BUILD ? simulatePostback(env.MASTER_KEY, simulateRefund(env, postToGateway)) : postToGateway;
}

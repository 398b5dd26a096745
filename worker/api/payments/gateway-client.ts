import { simulatePaypalPostback } from "#worker/development/postback-simulator.ts";
import { simulateRedsysRefundsAndHolds } from "#worker/development/refund-simulator.ts";
import { simulateStripe } from "#worker/development/stripe/api.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";

/** Creates the client for the gateways' servers. In development, the simulator responds inside the Worker. */
export function createGatewayClient(env: Cloudflare.Env): SendToGateway {
  const postToGateway: SendToGateway = (url, init) => fetch(url, init);
  return DEVELOPMENT_BUILD
    ? simulatePaypalPostback(env.MASTER_KEY, simulateRedsysRefundsAndHolds(env, simulateStripe(env, postToGateway)))
    : postToGateway;
}

import { createHmac } from "node:crypto";
import { PAYPAL_POSTBACK_URLS } from "#worker/gateways/paypal.ts";
import type { ProtocolFields } from "#worker/gateways/protocol.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";

// PayPal only confirms its own messages. The simulator stores nothing, so it marks its messages with a signature.
const MARK = "verify_sign";

/** Adds the simulator's mark to a message in PayPal's format. */
export function signSimulatedPaypalMessage(masterKey: string, message: ProtocolFields): ProtocolFields {
  return { ...message, [MARK]: signMessage(masterKey, new URLSearchParams(message).toString()) };
}

/** Answers messages posted back to the simulator. Passes on all other requests. In development only. */
export function simulatePaypalPostback(masterKey: string, sendToGateway: SendToGateway): SendToGateway {
  return async (url, init) => {
    if (url !== PAYPAL_POSTBACK_URLS.stand_in) return sendToGateway(url, init);
    const posted = new URLSearchParams(new TextDecoder().decode(init.body));
    const { cmd, [MARK]: mark, ...message } = Object.fromEntries(posted);
    const isOwn =
      cmd === "_notify-validate" && mark === signMessage(masterKey, new URLSearchParams(message).toString());
    return new Response(isOwn ? "VERIFIED" : "INVALID");
  };
}

function signMessage(masterKey: string, message: string): string {
  return createHmac("sha256", `stand-in ${masterKey}`).update(message).digest("hex");
}

import { createHmac } from "node:crypto";
import { PAYPAL_POSTBACK } from "#worker/gateways/paypal.ts";
import type { Fields } from "#worker/gateways/protocol.ts";
import type { PostBack } from "#worker/usecases/payments/settle-payment.ts";

// PayPal knows its own messages; the stand-in, which remembers nothing, marks them.
const MARK = "verify_sign";

/** A message as PayPal would send it, marked as the stand-in's own. */
export function markOwn(masterKey: string, message: Fields): Fields {
  return { ...message, [MARK]: signMessage(masterKey, new URLSearchParams(message).toString()) };
}

/** Answers what is posted back to the stand-in; everything else goes where it is addressed. In development only. */
export function simulatePostback(masterKey: string, reach: PostBack): PostBack {
  return async (url, init) => {
    if (url !== PAYPAL_POSTBACK.stand_in) return reach(url, init);
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

import { CHARGE_METHOD_BY_ONLINE_METHOD, type OnlineMethod } from "#domain/payments/gateway-notices.ts";
import { cecabank } from "./cecabank.ts";
import { globalPayments } from "./global-payments.ts";
import { paypal } from "./paypal.ts";
import type { GatewayEnvironment, GatewayProtocol } from "./protocol.ts";
import { redsys } from "./redsys.ts";
import { stripe } from "./stripe.ts";

interface Gateway {
  readonly protocol: GatewayProtocol;
  /** Payment method's id on a charge (docs/interfaces/integration.md#charges). */
  readonly chargeMethod: (typeof CHARGE_METHOD_BY_ONLINE_METHOD)[OnlineMethod];
}

/** Gateway of each online method. */
export const gateways: Readonly<Record<OnlineMethod, Gateway>> = {
  tpvA256: { protocol: redsys, chargeMethod: CHARGE_METHOD_BY_ONLINE_METHOD.tpvA256 },
  tpvB: { protocol: cecabank, chargeMethod: CHARGE_METHOD_BY_ONLINE_METHOD.tpvB },
  tpvC: { protocol: globalPayments, chargeMethod: CHARGE_METHOD_BY_ONLINE_METHOD.tpvC },
  wallet_standard: { protocol: paypal, chargeMethod: CHARGE_METHOD_BY_ONLINE_METHOD.wallet_standard },
  stripe: { protocol: stripe, chargeMethod: CHARGE_METHOD_BY_ONLINE_METHOD.stripe },
};

/** Returns the target of the visitor's form. `simulatorOrigin` is the origin of the development pages. */
export function getPaymentFormUrl(
  method: OnlineMethod,
  environment: GatewayEnvironment,
  simulatorOrigin: string,
): string {
  if (environment === "stand_in") return `${simulatorOrigin}/dev/gateway/${method}`;
  return gateways[method].protocol.addresses[environment];
}

import { convertNoticeToAccountMinorUnits } from "#domain/payments/account-units.ts";
import { decideNoticeEffect, type PaymentIntent } from "#domain/payments/gateway-notices.ts";
import type { GatewayCredentials, GatewayProtocol } from "#worker/gateways/protocol.ts";

/** Order of the attempt that messages are about. */
export const GATEWAY_ORDER = "1234ABCDEFGH";

/** An account with the usual decimals of its currency. */
export const EURO_ACCOUNT = { currency: "EUR", currencyDecimals: 2 };

const ATTEMPT = {
  id: "a",
  bookingId: 1,
  order: GATEWAY_ORDER,
  amountCents: 4500,
  refundedCents: 0,
  state: "pending",
} as const;

interface MessageContext {
  readonly credentials: GatewayCredentials;
  readonly method: PaymentIntent["method"];
  readonly account?: typeof EURO_ACCOUNT;
  /** Members of the attempt that differ from a pending payment of 45.00. */
  readonly state?: object;
}

/** Returns the effect of a gateway's message on an attempt, or `forged`. */
export function getGatewayNoticeEffect(
  protocol: GatewayProtocol,
  pairs: readonly (readonly [string, string])[],
  { credentials, method, account = EURO_ACCOUNT, state = {} }: MessageContext,
): string {
  const notice = protocol.readNotice(credentials, new URLSearchParams(pairs.map(([name, value]) => [name, value])));
  const attempt = { ...ATTEMPT, method, currency: account.currency, ...state };
  return notice ? decideNoticeEffect(attempt, convertNoticeToAccountMinorUnits(notice, account)) : "forged";
}

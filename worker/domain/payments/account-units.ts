import { rescaleAmount } from "#domain/money.ts";
import { getIsoCurrencyDecimals } from "./currencies.ts";
import type { GatewayNotice } from "./gateway-notices.ts";

/** Converts a notice to the account's minor units. An amount with too many decimals becomes zero, so staff check it. */
export function convertNoticeToAccountMinorUnits(
  { decimals, ...notice }: GatewayNotice,
  account: { readonly currency: string; readonly currencyDecimals: number },
): GatewayNotice {
  const { amountCents, currency } = notice;
  if (decimals === undefined || amountCents === undefined) return notice;
  const sentDecimals = decimals === "iso" ? getIsoCurrencyDecimals(currency ?? account.currency) : decimals;
  return { ...notice, amountCents: rescaleAmount(amountCents, sentDecimals, account.currencyDecimals) ?? 0 };
}

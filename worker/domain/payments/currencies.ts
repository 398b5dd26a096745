import type { OnlineMethod } from "./gateway-notices.ts";

const NUMBERS: Readonly<Record<string, string>> = {
  AUD: "036",
  BRL: "986",
  CAD: "124",
  CHF: "756",
  CZK: "203",
  DKK: "208",
  EUR: "978",
  GBP: "826",
  HUF: "348",
  JPY: "392",
  MAD: "504",
  MXN: "484",
  NOK: "578",
  NZD: "554",
  PLN: "985",
  RON: "946",
  SEK: "752",
  USD: "840",
};

/** Returns the ISO 4217 number of a currency, if the platform accepts it. */
export function getNumericCurrencyCode(code: string): string | undefined {
  return NUMBERS[code];
}

/** Returns the currency of an ISO 4217 number, with or without its leading zeros. */
export function getCurrencyByNumericCode(number: string): string | undefined {
  if (!/^\d{1,3}$/.test(number)) return undefined;
  return Object.entries(NUMBERS).find(([, known]) => Number(known) === Number(number))?.[0];
}

const ZERO_DECIMAL = new Set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" "));
const THREE_DECIMAL = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "));

/** Returns the decimals of a currency's minor unit by ISO 4217. An account may count in other units. */
export function getIsoCurrencyDecimals(currency: string): number {
  if (ZERO_DECIMAL.has(currency)) return 0;
  return THREE_DECIMAL.has(currency) ? 3 : 2;
}

const PAYPAL_CURRENCIES: ReadonlySet<string> = new Set(
  "AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD".split(" "),
);

/** Whether a method's gateway accepts a currency. */
export function isCurrencyAcceptedBy(method: OnlineMethod, currency: string): boolean {
  if (method === "wallet_standard") return PAYPAL_CURRENCIES.has(currency);
  return method === "tpvC" || method === "stripe" || getNumericCurrencyCode(currency) !== undefined;
}

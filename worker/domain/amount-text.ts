// Separate from money arithmetic, so that pages can format amounts without decimal.js.

const AMOUNT = /^(\d{1,12})(?:\.(\d{1,6}))?$/;

/** Formats an amount as the API's decimal string: `12345` with two decimals becomes `"123.45"`. */
export function toAmount(amount: number, decimals = 2): string {
  const sign = amount < 0 ? "-" : "";
  const digits = String(Math.abs(amount)).padStart(decimals + 1, "0");
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Converts an amount to units with other decimals. Undefined if the result isn't a whole number of them. */
export function rescaleAmount(amount: number, fromDecimals: number, toDecimals: number): number | undefined {
  const factor = 10 ** Math.abs(toDecimals - fromDecimals);
  const rescaled = toDecimals >= fromDecimals ? amount * factor : amount / factor;
  return Number.isSafeInteger(rescaled) ? rescaled : undefined;
}

/** Parses a decimal text such as `"151.00"` to minor units. Undefined if invalid or more precise than the currency. */
export function parseAmount(text: string, decimals: number): number | undefined {
  const [, whole, fraction = ""] = AMOUNT.exec(text) ?? [];
  if (whole === undefined || /[1-9]/.test(fraction.slice(decimals))) return undefined;
  return Number(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
}

// Apart from the arithmetic of money, which stands on decimal.js: the phone writes amounts and needs none of it.

/** The decimal string of the wire: `12345` with two decimals is `"123.45"`. */
export function toAmount(amount: number, decimals = 2): string {
  const sign = amount < 0 ? "-" : "";
  const digits = String(Math.abs(amount)).padStart(decimals + 1, "0");
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

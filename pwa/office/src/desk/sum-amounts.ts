const THOUSANDTHS = 3;

/** Returns an amount in thousandths, because no currency is more precise. Undefined if it is invalid. */
export function parseThousandths(text: string): number | undefined {
  const [, sign = "", whole = "", part = ""] = /^(-?)(\d+)(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  return whole === "" ? undefined : Number(`${sign}${whole}${part.padEnd(THOUSANDTHS, "0")}`);
}

/** Formats thousandths as a decimal text. */
export function toDecimalText(thousandths: number): string {
  const digits = String(Math.abs(thousandths)).padStart(THOUSANDTHS + 1, "0");
  return `${thousandths < 0 ? "-" : ""}${digits.slice(0, -THOUSANDTHS)}.${digits.slice(-THOUSANDTHS)}`;
}

/** Sums decimal texts, as the API writes amounts. */
export function sumAmounts(amounts: readonly string[]): string {
  return toDecimalText(amounts.reduce((sum, amount) => sum + (parseThousandths(amount) ?? 0), 0));
}

import { account, getUserLocale } from "../account.ts";

const GROUPED = /^-?[1-9]\d{0,2}(?:[.,]\d{3})+(?:[.,]\d+)?$/;
const FINEST = 3;

/** Amount format: the currency's decimals and the user's decimal mark. */
interface AmountFormat {
  readonly decimals: number;
  readonly decimalMark: string;
}

/**
 * Converts a typed or pasted amount ("120,50", "18.500,50", "1 250.5 €") to the API format, with a point and
 * no thousands separators. In "1.250", the mark separates thousands if the currency has no decimals, or if it
 * has fewer than three and the mark isn't the user's decimal mark. Invalid amounts stay invalid.
 */
export function parseTypedAmount(
  amount: string,
  { decimals, decimalMark }: AmountFormat = getUserAmountFormat(),
): string {
  const text = amount.replace(/[\p{Sc}\s'’]/gu, "");
  if (!GROUPED.test(text)) return text.replace(",", ".");
  const marks: readonly string[] = text.match(/[.,]/g) ?? [];
  const last = marks.at(-1) ?? "";
  const isThousands = decimals === 0 || (last !== decimalMark && decimals < FINEST);
  if (marks.length === 1) return isThousands ? text.replace(last, "") : text.replace(",", ".");
  if (marks.every((mark) => mark === last)) return text.replaceAll(last, "");
  // With both marks, the last one is the decimal mark if it occurs once. The other one separates thousands.
  return marks.indexOf(last) === marks.length - 1
    ? text.replaceAll(last === "." ? "," : ".", "").replace(",", ".")
    : text;
}

/** Converts a typed percentage ("21 %"). It has no thousands, so "2.739" and "2,739" are equal. */
export const parseTypedPercent = (percentage: string) => percentage.replace(/[\s%]/g, "").replace(",", ".");

/**
 * Formats an API amount for an input with the user's decimal mark. Leaves it unchanged if it would be parsed
 * differently, so that formatting never changes the sent value.
 */
export function formatAmountInput(amount: string, read: (text: string) => string = parseTypedAmount): string {
  const localizedAmount = amount.replace(".", getUserAmountFormat().decimalMark);
  return read(amount) === amount && read(localizedAmount) === amount ? localizedAmount : amount;
}

function getUserAmountFormat(): AmountFormat {
  const parts = new Intl.NumberFormat(getUserLocale()).formatToParts(1.5);
  const point = parts.find(({ type }) => type === "decimal")?.value ?? ".";
  return { decimals: account.value.currency_decimals, decimalMark: point };
}

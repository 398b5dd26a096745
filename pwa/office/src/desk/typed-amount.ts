import { account } from "../account.ts";

const GROUPED = /^-?\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?$/;
const FINEST = 3;

/**
 * An amount as people type it or copy it from a spreadsheet ("120,50", "18.500,50", "1 250.5 €"), as the interfaces
 * take it: a point before the decimals, nothing between the thousands. Three digits after the only mark are thousands
 * where the currency (`decimals`, the account's by default) has no such coins. What is no amount stays none.
 */
export function plainAmount(typed: string, decimals = account.value.currency_decimals): string {
  const text = typed.replace(/[€\s'’]/g, "");
  if (!GROUPED.test(text)) return text.replace(",", ".");
  const marks: readonly string[] = text.match(/[.,]/g) ?? [];
  const last = marks.at(-1) ?? "";
  if (marks.every((mark) => mark === last))
    return marks.length > 1 || decimals < FINEST ? text.replaceAll(last, "") : text.replace(",", ".");
  // The other mark stands between thousands, and this one once, before the decimals.
  return marks.indexOf(last) === marks.length - 1
    ? text.replaceAll(last === "." ? "," : ".", "").replace(",", ".")
    : text;
}

import { account, localeHere } from "../account.ts";

const GROUPED = /^-?[1-9]\d{0,2}(?:[.,]\d{3})+(?:[.,]\d+)?$/;
const FINEST = 3;

/** How amounts are written here: the currency's decimals, and what stands before them in the person's language. */
interface Writing {
  readonly decimals: number;
  readonly point: string;
}

/**
 * An amount as people type it or copy it from a spreadsheet ("120,50", "18.500,50", "1 250.5 €"), as the interfaces
 * take it: a point before the decimals, nothing between the thousands. Three digits after the only mark are thousands
 * where it is their mark in the person's language and the currency has no such coins, or has none at all. What is no
 * amount stays none.
 */
export function plainAmount(typed: string, { decimals, point }: Writing = writingHere()): string {
  const text = typed.replace(/[\p{Sc}\s'’]/gu, "");
  if (!GROUPED.test(text)) return text.replace(",", ".");
  const marks: readonly string[] = text.match(/[.,]/g) ?? [];
  const last = marks.at(-1) ?? "";
  const isThousands = decimals === 0 || (last !== point && decimals < FINEST);
  if (marks.length === 1) return isThousands ? text.replace(last, "") : text.replace(",", ".");
  if (marks.every((mark) => mark === last)) return text.replaceAll(last, "");
  // The other mark stands between thousands, and this one once, before the decimals.
  return marks.indexOf(last) === marks.length - 1
    ? text.replaceAll(last === "." ? "," : ".", "").replace(",", ".")
    : text;
}

/** A share as people type it ("21 %"): it has no thousands, so "2.739" says that, where people write "2,739", too. */
export const plainShare = (typed: string) => typed.replace(/[\s%]/g, "").replace(",", ".");

/**
 * An amount of the interfaces as an input shows it: with the decimal mark of whoever reads. As it is where it would be
 * read as another one then: how it is shown never changes what is sent.
 */
export function formatAmountInput(amount: string, read: (typed: string) => string = plainAmount): string {
  const localizedAmount = amount.replace(".", writingHere().point);
  return read(amount) === amount && read(localizedAmount) === amount ? localizedAmount : amount;
}

function writingHere(): Writing {
  const parts = new Intl.NumberFormat(localeHere()).formatToParts(1.5);
  const point = parts.find(({ type }) => type === "decimal")?.value ?? ".";
  return { decimals: account.value.currency_decimals, point };
}

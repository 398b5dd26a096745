import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { formatCount } from "#domain/money-notation.ts";
import { getContractTexts } from "./contract-texts/index.ts";
import type { PrintoutLabelledValue } from "./printout.ts";

/**
 * Returns the kilometres that the price of a rental includes, with their label in the contract. Undefined if they are
 * unlimited.
 */
export function describeIncludedKilometres(
  { kilometresPerDay, days }: { readonly kilometresPerDay: number | undefined; readonly days: number },
  language: PlatformLanguage,
): PrintoutLabelledValue | undefined {
  if (kilometresPerDay === undefined) return undefined;
  const value = `${formatCount(kilometresPerDay * days, language)} km`;
  return { label: getContractTexts(language).kilometresIncluded, value };
}

import type { TaxExemption, TaxQualification } from "#domain/catalogue/tax-operation.ts";

const OPERATIONS = ["S1", "S2", "N1", "N2", "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8"] as const;
const GENERAL_REGIME = "01";
// Regimes in the agency's schema. With another one it refuses the full submission, and a stored record can't change.
const REGIMES = "01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21".split(" ");

// Exports have a regime of their own: the agency refuses them in the general one (1199).
const OUTSIDE_GENERAL_REGIME = ["E2", "E3"];

/** Parses `E5`, or with its regime `02:E2`. Undefined for other texts, and for regimes that the agency doesn't list. */
export function parseTaxRateCode(
  text: string,
): { readonly regime: string; readonly operation: TaxQualification | TaxExemption } | undefined {
  const match = /^(?:(\d{2}):)?([SNE]\d)$/.exec(text);
  const operation = OPERATIONS.find((operation) => operation === match?.[2]);
  const regime = match?.[1] ?? GENERAL_REGIME;
  if (!operation || !REGIMES.includes(regime)) return undefined;
  if (regime === GENERAL_REGIME && OUTSIDE_GENERAL_REGIME.includes(operation)) return undefined;
  return { regime, operation };
}

/** Whether a rate in an account's codes has the format for lookups: `0.00`, `21.00`. */
export function isFormattedTaxRate(text: string): boolean {
  return /^(?:100|[1-9]?\d)\.\d{2}$/.test(text);
}

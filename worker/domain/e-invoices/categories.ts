import type { TaxExemption, TaxQualification } from "#domain/catalogue/tax-operation.ts";
import type { TaxTerritory } from "#domain/catalogue/tax-territories.ts";
import type { BasisPoints } from "#domain/money.ts";

/**
 * Tax category of EN 16931: S standard, Z zero-rated, E exempt, AE reverse charge, K supply within the Union, G export,
 * O not subject, L IGIC, M IPSI.
 */
export type TaxCategory = "S" | "Z" | "E" | "AE" | "K" | "G" | "O" | "L" | "M";

const TAXED: Readonly<Record<TaxTerritory, TaxCategory>> = { iva: "S", igic: "L", ipsi: "M" };

// Exemptions of articles 21 and 25 of the Spanish VAT law have categories of their own. IGIC and IPSI don't.
const EXEMPTIONS: Readonly<Partial<Record<TaxExemption, TaxCategory>>> = { E2: "G", E5: "K" };

/** Reason codes of the European list (VATEX), for categories with a fixed reason. */
const REASON_CODES: Readonly<Partial<Record<TaxCategory, string>>> = {
  AE: "VATEX-EU-AE",
  K: "VATEX-EU-IC",
  G: "VATEX-EU-G",
  O: "VATEX-EU-O",
};

/** Returns the category of a rate. Zero percent is zero-rated in every territory (BR-AF-05 allows no zero of IGIC). */
export function getTaxCategory(
  territory: TaxTerritory,
  vat: BasisPoints,
  operation: TaxQualification | TaxExemption = "S1",
): TaxCategory {
  if (operation === "S1") return vat === 0 ? "Z" : TAXED[territory];
  if (operation === "S2") return "AE";
  if (operation === "N1" || operation === "N2") return "O";
  return (territory === "iva" ? EXEMPTIONS[operation] : undefined) ?? "E";
}

/** Whether a category names the reason for which no tax is charged. */
export function needsExemptionReason(category: TaxCategory): boolean {
  return !["S", "Z", "L", "M"].includes(category);
}

/** Returns the code of the reason, if the European list has one for the category. */
export function getExemptionReasonCode(category: TaxCategory): string | undefined {
  return REASON_CODES[category];
}

export const TAX_TERRITORIES = ["iva", "igic", "ipsi"] as const;
export type TaxTerritory = (typeof TAX_TERRITORIES)[number];

/** Regulation that applies to an account in a territory. Records are only created under `verifactu`. */
export const TAX_RECORD_MODES = ["none", "verifactu", "sii", "foral", "exempt"] as const;
export type TaxRecordMode = (typeof TAX_RECORD_MODES)[number];

/** First date of issue that the tax agency accepts in a record (error 1152). */
export const MIN_TAX_RECORD_DATE = "2024-10-28";

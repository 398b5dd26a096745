export const TERRITORIES = ["iva", "igic", "ipsi"] as const;
export type Territory = (typeof TERRITORIES)[number];

/** Which law an account answers to in a territory; records are made under the first alone. */
export const TAX_RECORD_MODES = ["none", "verifactu", "sii", "foral", "exempt"] as const;
export type TaxRecordMode = (typeof TAX_RECORD_MODES)[number];

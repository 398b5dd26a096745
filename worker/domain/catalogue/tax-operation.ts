/** Qualification of an operation for the tax agency: subject to the tax or not. */
export type TaxQualification = "S1" | "S2" | "N1" | "N2";
/** Reason for which an operation is exempt from the tax. */
export type TaxExemption = "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8";

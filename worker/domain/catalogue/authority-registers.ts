/** Registers to which a branch's rentals are reported. Regional registers are listed but not supported. */
export const AUTHORITY_REGISTERS = ["ses_hospedajes", "mossos", "ertzaintza", "other", "none"] as const;
export type AuthorityRegister = (typeof AUTHORITY_REGISTERS)[number];

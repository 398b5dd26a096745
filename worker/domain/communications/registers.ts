/** Whom a branch's rentals are communicated to; the regions' own channels are named, not built. */
export const REGISTERS = ["ses_hospedajes", "mossos", "ertzaintza", "other", "none"] as const;
export type Register = (typeof REGISTERS)[number];

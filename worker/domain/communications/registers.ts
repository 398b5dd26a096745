/** Whom a branch's rentals are communicated to; the regions' own channels are named, not built. */
export const REGISTERS = ["ses_hospedajes", "mossos", "ertzaintza", "other", "none"] as const;
export type Register = (typeof REGISTERS)[number];

/**
 * Whether the platform communicates to a register by itself: what it does not, a person does on the register's own
 * site.
 */
export function isRegisterBuilt(register: Register): boolean {
  return register === "ses_hospedajes";
}
